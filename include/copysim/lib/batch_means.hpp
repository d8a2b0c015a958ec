#pragma once

#include <cstddef>
#include <vector>

#include <copysim/lib/statistics.hpp>

namespace copysim {

/// Where the warm-up of a series of observations ends: the MSER-5 rule (White, Cobb and Spratt,
/// Winter Simulation Conference 2000).
///
/// The series is cut into batches of five, whose means are z_1 .. z_n. The truncation d minimises
/// sum over j > d of (z_j - mean of those)^2 / (n - d)^2, over the first half of the batches: too
/// much transient makes the numerator large, too little data the denominator small. Returns 5 d.
[[nodiscard]] std::size_t warm_up_length(const std::vector<double>& observations);

/// The mean of the observations from `first` on with a confidence interval by batch means: they are
/// cut into `batches` of equal size, whose means are nearly independent if batches are long beside
/// the correlation of the series; observations that are left over at the end are not used.
/// \throws SimulationError if there are fewer observations than batches.
[[nodiscard]] Estimate batch_means(const std::vector<double>& observations, std::size_t first,
                                   std::size_t batches = 20);

}  // namespace copysim
