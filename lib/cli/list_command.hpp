#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include <copysim/lib/report_format.hpp>

namespace copysim::cli {

/// What `copysim list` can list, in the order of its help.
[[nodiscard]] std::vector<std::string> list_subjects();

/// Prints what the library ships of one subject.
/// \throws ConfigError for an unknown subject.
void list_command(std::string_view subject, ReportFormat format, std::ostream& out);

}  // namespace copysim::cli
