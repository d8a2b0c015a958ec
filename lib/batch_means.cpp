#include <copysim/lib/batch_means.hpp>

#include <limits>

#include <copysim/error.hpp>

namespace copysim {

namespace {

std::vector<double> means_of(const std::vector<double>& values, std::size_t first,
                             std::size_t size) {
  std::vector<double> means;
  for (std::size_t i = first; i + size <= values.size(); i += size) {
    double sum = 0;
    for (std::size_t k = i; k < i + size; ++k) sum += values[k];
    means.push_back(sum / static_cast<double>(size));
  }
  return means;
}

}  // namespace

std::size_t warm_up_length(const std::vector<double>& observations) {
  constexpr std::size_t batch = 5;
  const std::vector<double> z = means_of(observations, 0, batch);
  double least = std::numeric_limits<double>::infinity();
  std::size_t best = 0;
  // From the back, so that sums grow by one term each.
  double sum = 0;
  double squares = 0;
  for (std::size_t d = z.size(); d-- > 0;) {
    sum += z[d];
    squares += z[d] * z[d];
    const auto n = static_cast<double>(z.size() - d);
    const double statistic = (squares - sum * sum / n) / (n * n);
    if (d <= z.size() / 2 && statistic <= least) {
      least = statistic;
      best = d;
    }
  }
  return batch * best;
}

Estimate batch_means(const std::vector<double>& observations, std::size_t first,
                     std::size_t batches) {
  const std::size_t left = first < observations.size() ? observations.size() - first : 0;
  if (batches < 2 || left < batches) {
    throw SimulationError{"batch means need at least two batches and an observation in each"};
  }
  std::vector<double> means = means_of(observations, first, left / batches);
  means.resize(batches);
  return estimate(means);
}

}  // namespace copysim
