#pragma once

#include <vector>

#include <copysim/lib/run.hpp>

namespace copysim::detail {

/// Runs all replications of all scenarios side by side; every scenario is resolved before the first
/// one runs.
[[nodiscard]] std::vector<RunSummary> run_batch(const std::vector<Scenario>& scenarios,
                                                const RunOptions& options,
                                                const PolicyRegistry& policies);

}  // namespace copysim::detail
