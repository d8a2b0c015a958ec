#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include <copysim/lib/calibrate.hpp>
#include <copysim/lib/settings.hpp>

namespace copysim {

/// Puts `value` for `key` of the sheet into a cell, if the cell uses the sheet.
using ApplyToCell =
    std::function<CopyCell(CopyCell cell, const std::string& key, const std::string& value)>;

/// What `copysim calibrate SHEET` is asked to do.
struct CalibrateCommand {
  std::string sheet;  ///< For messages: "machines/xp-peer".
  Settings settings;  ///< The parsed sheet, with the marks of its values.
  std::vector<PublishedSource> sources;
  RunCell run;
  ApplyToCell apply;
  RunOptions options{};
  ReportFormat format = ReportFormat::text;
};

/// Makes the problem of a sheet: each value that is marked `fitted` with a `range` becomes a
/// parameter, each with `candidates` a choice, and their `rows` together the targets.
///
/// The command must outlive the problem.
/// \throws ConfigError if the sheet has no fitted value, if the unit of a range differs from that
/// of its value, or if a row is unknown or not a fit row.
[[nodiscard]] FitProblem fit_problem(const CalibrateCommand& command);

/// Fits and prints. The sheet is not changed: its value is written by hand, with the reason.
[[nodiscard]] int calibrate_command(const CalibrateCommand& command, std::ostream& out);

}  // namespace copysim
