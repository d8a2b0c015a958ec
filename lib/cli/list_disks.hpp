#pragma once

#include <ostream>

#include <copysim/lib/report_format.hpp>

namespace copysim::cli {

/// Prints each drive of the catalogue with its main figures, how each is known and where it came
/// from. Text: a block per drive, a line per figure. JSON: an object per drive, each figure an
/// object `{value, mark, source}` or null. CSV: a line per drive, each figure "value [mark:
/// source]".
void list_disks(ReportFormat format, std::ostream& out);

}  // namespace copysim::cli
