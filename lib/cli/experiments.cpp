#include "experiments.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include <copysim/error.hpp>
#include <copysim/lib/calibrate_command.hpp>
#include <copysim/lib/catalogue.hpp>
#include <copysim/lib/published.hpp>
#include <copysim/lib/recorded.hpp>
#include <copysim/lib/reproduce_command.hpp>
#include <copysim/lib/sheet_use.hpp>
#include <copysim/lib/simulate_cell.hpp>

namespace copysim::cli {

namespace {

bool is_path(const std::string& source) {
  return source.ends_with(".toml") || std::filesystem::is_regular_file(source);
}

// A user's own timings have their record beside them: mine.toml, mine.recorded.toml.
std::filesystem::path record_beside(std::filesystem::path file) {
  return file.replace_extension(".recorded.toml");
}

Recorded read_record(const std::filesystem::path& file) {
  if (!std::filesystem::is_regular_file(file)) return {};
  return Recorded::parse(read_text_file(file.string()), file.string());
}

}  // namespace

int reproduce(const ReproduceArguments& arguments, std::ostream& out, std::ostream& err) {
  ReproduceCommand command{.sources = {}, .run = simulate_cell};
  command.options.jobs = arguments.options.jobs;
  command.options.progress = arguments.options.progress;
  command.format = arguments.format;
  command.check = arguments.check;
  command.record = arguments.record;
  command.spread = arguments.spread;
  command.find_choice = fitted_choice;
  command.recorded = Recorded::shipped();
  command.record_file = COPYSIM_RECORD_FILE;
  if (arguments.sources.empty()) command.sources = published_sources();
  for (const std::string& source : arguments.sources) {
    const bool path = is_path(source);
    command.sources.push_back(path ? load_published(source) : published_source(source));
    if (!path) continue;
    if (arguments.sources.size() > 1 && (arguments.record || arguments.check)) {
      throw ConfigError{"reproduce", "a file of your own must be checked and recorded alone, got " +
                                         std::to_string(arguments.sources.size()) + " sources"};
    }
    command.record_file = record_beside(source);
    command.recorded = read_record(command.record_file);
  }
  return reproduce_command(command, out, err);
}

int calibrate(const CalibrateArguments& arguments, std::ostream& out) {
  CalibrateCommand command = calibration_of(arguments.sheet);
  command.options.jobs = arguments.options.jobs;
  command.options.progress = arguments.options.progress;
  command.format = arguments.format;
  return calibrate_command(command, out);
}

}  // namespace copysim::cli
