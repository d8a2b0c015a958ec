#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <copysim/lib/recorded.hpp>
#include <copysim/lib/reproduce.hpp>

namespace copysim {

/// A choice from the catalogue that was fitted, and what else could stand in its place: the drives
/// of the same year.
struct FittedChoice {
  std::string key;     ///< The setting, such as "server.volumes.system.drive".
  std::string fitted;  ///< The value that the sheet has.
  std::vector<std::string> others;
};

/// Tells which fitted choice a cell rests on, if any.
using FindChoice = std::function<std::optional<FittedChoice>(const CopyCell&)>;

/// What `copysim reproduce` is asked to do.
struct ReproduceCommand {
  std::vector<PublishedSource> sources;
  RunCell run;
  RunOptions options{};
  ReportFormat format = ReportFormat::text;
  bool check = false;   ///< Exit status 1 when a row is worse than recorded.
  bool record = false;  ///< Write `record_file` anew.
  bool spread = false;  ///< Print the predictions over the other choices instead of verdicts.
  Recorded recorded{};  ///< What was recorded before; the shipped file, or what is beside a user's.
  std::filesystem::path record_file{};
  FindChoice find_choice{};  ///< Needed for `spread`.
};

/// Runs the command, prints to `out` and remarks to `err`.
/// Returns the exit status: 0, or 1 if `check` found a row that is worse.
/// \throws ConfigError for a wrong input, or a record file that cannot be written.
[[nodiscard]] int reproduce_command(const ReproduceCommand& command, std::ostream& out,
                                    std::ostream& err);

/// Predicts each row that rests on a fitted choice with every other choice in its place, and prints
/// how far the predictions spread: what the fit absorbs.
void write_spread(std::ostream& out, const ReproduceCommand& command);

}  // namespace copysim
