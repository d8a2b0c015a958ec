#pragma once

#include <copysim/lib/published.hpp>
#include <copysim/lib/reproduce.hpp>
#include <copysim/lib/scenario.hpp>

namespace copysim {

/// The scenario of a published cell, with the cell's settings.
/// \throws ConfigError for a scenario or setting that does not exist.
[[nodiscard]] Scenario scenario_of(const CopyCell& cell);

/// Simulates all replications of a cell with the engines of the library: the `RunCell` of
/// `reproduce` and `calibrate`.
/// \throws ConfigError for a mistake in the cell, and if a copy fails, as it cannot be timed then.
[[nodiscard]] CellResult simulate_cell(const CopyCell& cell);

}  // namespace copysim
