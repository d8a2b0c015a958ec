#pragma once

#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include <copysim/lib/report_format.hpp>
#include <copysim/lib/run_options.hpp>
#include <copysim/lib/trace.hpp>

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

/// What `copysim explain` is asked to do.
struct ExplainCommand {
  RunCommand base;                   ///< the copy to explain; of its replications the first
  std::vector<std::string> compare;  ///< other engines, explained after it
  std::string plot;                  ///< a file for the picture in SVG; none if empty
};

/// What `copysim trace` is asked to do.
struct TraceCommand {
  RunCommand base;  ///< the copy to trace; of its replications the first
  TraceKind kind = TraceKind::files;
  std::string output;  ///< a file; standard output if empty
};

/// Runs and prints. \throws ConfigError for a wrong input; Cancelled.
void run_command(const RunCommand& command, std::ostream& out);
void sweep_command(const SweepCommand& command, std::ostream& out);
void explain_command(const ExplainCommand& command, std::ostream& out);
void trace_command(const TraceCommand& command, std::ostream& out);

}  // namespace copysim
