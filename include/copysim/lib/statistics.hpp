#pragma once

#include <vector>

namespace copysim {

/// A mean over replications and the half width of its 95 % confidence interval.
struct Estimate {
  double mean = 0;
  double ci95 = 0;  ///< 0 when there is one replication
};

/// Estimates the mean of independent samples: with n of them, standard deviation s (n - 1 in its
/// denominator) and the 97.5 % point t of Student's distribution with n - 1 degrees of freedom, the
/// half width is t s / sqrt(n).
/// \throws SimulationError if there is no sample.
[[nodiscard]] Estimate estimate(const std::vector<double>& samples);

}  // namespace copysim
