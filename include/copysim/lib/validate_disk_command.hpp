#pragma once

#include <ostream>
#include <string>

#include <copysim/lib/report_format.hpp>
#include <copysim/lib/validate_disk.hpp>

namespace copysim {

/// What `copysim validate-disk` was asked.
struct ValidateDiskCommand {
  std::string drive;  ///< a `.parv` or `.diskspecs`, a TOML sheet, or an id of the catalogue
  std::string trace;  ///< a trace in DiskSim's `validate` or `ascii` format
  std::string plot;   ///< where to draw the two distributions as SVG; empty: nowhere
  ReportFormat format = ReportFormat::text;
};

/// Runs the trace and prints mean times, the demerit figure and what was served from the buffer.
/// \throws ConfigError if the drive or the trace is not usable, or the plot cannot be written.
void validate_disk_command(const ValidateDiskCommand& command, std::ostream& out);

/// The result as text, JSON or CSV; what the trace has not measured is absent or null.
void write_disk_validation(const DiskValidation& result, ReportFormat format, std::ostream& out);

/// The cumulative distributions of the measured and the modelled times, as an SVG picture.
[[nodiscard]] std::string plot_disk_validation(const DiskValidation& result);

}  // namespace copysim
