#include <copysim/lib/validate_disk_command.hpp>

#include <fstream>
#include <optional>

#include <copysim/error.hpp>

#include "report_text.hpp"

namespace copysim {

namespace {

struct Summary {
  double mean_modelled_ms = 0;
  std::optional<double> mean_measured_ms;
  std::optional<double> demerit_ms;
  std::optional<double> demerit_percent;
};

Summary summary_of(const DiskValidation& result) {
  Summary summary;
  summary.mean_modelled_ms = mean_s(result.modelled) * 1000;
  if (result.measured.empty()) return summary;
  summary.mean_measured_ms = mean_s(result.measured) * 1000;
  summary.demerit_ms = demerit_s(result.modelled, result.measured) * 1000;
  if (*summary.mean_measured_ms > 0)
    summary.demerit_percent = 100 * *summary.demerit_ms / *summary.mean_measured_ms;
  return summary;
}

// Counts from JSON's point of view, in the order of `DiskHit`.
constexpr std::array<const char*, 4> hit_names{"medium", "partial", "buffer", "write_buffer"};
constexpr std::array<const char*, 4> hit_texts{"by the medium", "read partly from the buffer",
                                               "read from the buffer", "written to the buffer"};

void write_json(const DiskValidation& result, const Summary& summary, std::ostream& out) {
  using detail::json_number;
  out << "{\"drive\":" << detail::json_text(result.drive) << ",\"requests\":" << result.requests()
      << ",\"mean_measured_ms\":" << json_number(summary.mean_measured_ms)
      << ",\"mean_modelled_ms\":" << json_number(summary.mean_modelled_ms)
      << ",\"demerit_ms\":" << json_number(summary.demerit_ms)
      << ",\"demerit_percent\":" << json_number(summary.demerit_percent) << ",\"served\":{";
  for (std::size_t i = 0; i < hit_names.size(); ++i)
    out << (i == 0 ? "" : ",") << '"' << hit_names[i] << "\":" << result.hits[i];
  out << "}}\n";
}

void write_csv(const DiskValidation& result, const Summary& summary, std::ostream& out) {
  const auto field = [](const std::optional<double>& value) {
    return value ? detail::json_number(*value) : std::string{};
  };
  out << "drive,requests,mean_measured_ms,mean_modelled_ms,demerit_ms,demerit_percent\n"
      << detail::csv_text(result.drive) << ',' << result.requests() << ','
      << field(summary.mean_measured_ms) << ',' << detail::json_number(summary.mean_modelled_ms)
      << ',' << field(summary.demerit_ms) << ',' << field(summary.demerit_percent) << '\n';
}

void write_text(const DiskValidation& result, const Summary& summary, std::ostream& out) {
  constexpr std::size_t width = 32;
  const auto line = [&](const std::string& name, const std::string& value) {
    out << detail::padded(name, width) << value << '\n';
  };
  line("drive", result.drive);
  line("requests", std::to_string(result.requests()));
  for (std::size_t i = 0; i < hit_texts.size(); ++i)
    line(std::string{"  "} + hit_texts[i], std::to_string(result.hits[i]));
  if (summary.mean_measured_ms)
    line("mean measured (ms)", detail::rounded(*summary.mean_measured_ms));
  line("mean modelled (ms)", detail::rounded(summary.mean_modelled_ms));
  if (!summary.demerit_ms) {
    line("demerit", "none: the trace has no measured times");
    return;
  }
  line("demerit (ms)", detail::rounded(*summary.demerit_ms));
  if (summary.demerit_percent)
    line("demerit (% of the mean)", detail::rounded(*summary.demerit_percent, 3));
}

}  // namespace

void write_disk_validation(const DiskValidation& result, ReportFormat format, std::ostream& out) {
  const Summary summary = summary_of(result);
  switch (format) {
    case ReportFormat::text: {
      write_text(result, summary, out);
      return;
    }
    case ReportFormat::json: {
      write_json(result, summary, out);
      return;
    }
    case ReportFormat::csv: {
      write_csv(result, summary, out);
      return;
    }
  }
}

void validate_disk_command(const ValidateDiskCommand& command, std::ostream& out) {
  const ValidatedDrive drive = find_validated_drive(command.drive);
  const disksim::Trace trace = disksim::read_trace(command.trace);
  const DiskValidation result = validate_disk(drive, trace);
  if (!command.plot.empty()) {
    std::ofstream file{command.plot};
    if (!(file << plot_disk_validation(result)).flush())
      throw ConfigError{"validate-disk",
                        "--plot must name a file that can be written, got '" + command.plot + "'"};
  }
  write_disk_validation(result, command.format, out);
}

}  // namespace copysim
