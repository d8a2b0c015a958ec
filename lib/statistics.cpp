#include <copysim/lib/statistics.hpp>

#include <cmath>

#include <boost/math/distributions/students_t.hpp>

#include <copysim/error.hpp>

namespace copysim {

Estimate estimate(const std::vector<double>& samples) {
  if (samples.empty()) throw SimulationError{"an estimate needs at least one replication"};
  const auto n = static_cast<double>(samples.size());
  double sum = 0;
  for (const double x : samples) sum += x;
  const double mean = sum / n;
  if (samples.size() == 1) return {mean, 0};
  double squares = 0;
  for (const double x : samples) squares += (x - mean) * (x - mean);
  const double error_of_mean = std::sqrt(squares / (n - 1) / n);
  const boost::math::students_t distribution{n - 1};
  return {mean, boost::math::quantile(distribution, 0.975) * error_of_mean};
}

}  // namespace copysim
