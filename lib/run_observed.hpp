#pragma once

#include <cstdint>

#include <copysim/lib/measure.hpp>
#include <copysim/lib/scenario.hpp>
#include <copysim/lib/testbed.hpp>

namespace copysim::detail {

/// Simulates one replication of a scenario of any kind: a copy, a program in its place, or the
/// measurement of a bare device.
///
/// With `observers.paths`, `paths` gets where the time went.
[[nodiscard]] RunResult run_observed(const ResolvedScenario& scenario, std::uint64_t replication,
                                     const Observers& observers, MeasuredPaths* paths = nullptr);

}  // namespace copysim::detail
