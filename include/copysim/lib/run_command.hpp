#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <copysim/lib/report_format.hpp>
#include <copysim/lib/run_options.hpp>

namespace copysim {

/// What `copysim run` is asked to do.
struct RunCommand {
  std::string scenario;                      ///< id of the catalogue, or a path
  std::vector<std::string> settings;         ///< "key=value", later ones win
  std::optional<std::string> policy;         ///< short for the setting `policy.id`
  std::optional<std::int64_t> seed;          ///< short for `run.seed`
  std::optional<std::int64_t> replications;  ///< short for `run.replications`
  ReportFormat format = ReportFormat::text;
  RunOptions options{};
};

/// What `copysim sweep` is asked to do.
struct SweepCommand {
  RunCommand base;                ///< what all points share
  std::vector<std::string> vary;  ///< "key=a,b,c", at least one
};

/// Runs and prints. \throws ConfigError for a wrong input; Cancelled.
void run_command(const RunCommand& command, std::ostream& out);
void sweep_command(const SweepCommand& command, std::ostream& out);

}  // namespace copysim
