#pragma once

#include <cstdint>

#include <copysim/lib/measure.hpp>
#include <copysim/lib/run_options.hpp>
#include <copysim/lib/run_summary.hpp>
#include <copysim/lib/scenario.hpp>

namespace copysim {

/// Simulates one replication of a resolved scenario, with its seed.
///
/// It is a pure function of its arguments, bit for bit. To try an engine of your own, put it into
/// `scenario.policy`; it must keep no state between files, as replications may share it.
/// \throws ConfigError if the machines cannot be built so, such as for files that do not fit.
[[nodiscard]] RunResult run(const ResolvedScenario& scenario, std::uint64_t replication = 0);

/// Simulates all replications that `run.replications` of the scenario asks for. The result does not
/// depend on `options`.
/// \throws ConfigError for a mistake in the scenario; Cancelled.
[[nodiscard]] RunSummary replicate(const Scenario& scenario, const RunOptions& options = {},
                                   const PolicyRegistry& policies = builtin_policies());

}  // namespace copysim
