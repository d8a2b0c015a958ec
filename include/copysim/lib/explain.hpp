#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include <copysim/lib/measure.hpp>
#include <copysim/lib/report_format.hpp>
#include <copysim/lib/scenario.hpp>

namespace copysim {

/// Why a copy takes as long as it does: its critical path, as sums by what was going on.
///
/// At each instant of the copy one thing keeps it from being over: an arm that moves, a frame on
/// the wire, a processor, a timer. `paths` says how long each did, by component
/// ("server.disk.system"), activity ("rotation") and the constraint through which the copy waited
/// for it ("credit"; empty if none), and the parts sum exactly to the whole. How the path follows
/// causes: `Simulation::path`.
struct Explanation {
  std::string scenario;           ///< id of the catalogue, or the path of its file
  std::string policy;             ///< the copy engine
  std::int64_t seed = 0;          ///< `run.seed`
  std::uint64_t replication = 0;  ///< which one was explained
  RunResult result;
  MeasuredPaths paths;
};

/// Simulates replication `replication` of `scenario` and follows its critical path.
/// \throws ConfigError for a mistake in the scenario.
[[nodiscard]] Explanation explain(const Scenario& scenario, std::uint64_t replication = 0,
                                  const PolicyRegistry& policies = builtin_policies());

/// Prints explanations, of each the longest part first.
///
/// JSON: `{scenario, policy, seed, replication, elapsed_s, durable_s, elapsed: [{component,
/// activity, constraint, seconds, share}], durable: [...]}`, where the seconds of a list sum to its
/// time; of several explanations a list of these. CSV: a line per part, `policy` and `until`
/// (elapsed or durable) before those columns. Text shows the paths until the dialog closes.
void write_explanations(std::ostream& out, const std::vector<Explanation>& explanations,
                        ReportFormat format);

/// Draws explanations as stacked bars side by side, in SVG: one bar per explanation, as high as its
/// elapsed time, with a colour per component and activity.
/// \pre at least one.
void draw_explanations(std::ostream& out, const std::vector<Explanation>& explanations);

}  // namespace copysim
