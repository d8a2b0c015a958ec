#include <cmath>

#include <copysim/models/shell/time_estimator.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

constexpr SimTime at(Duration d) {
  return SimTime{d};
}

}  // namespace

TEST_CASE("no estimator answers before a byte is copied", "[shell]") {
  for (const EstimatorKind kind : all_values(EstimatorKind{})) {
    const auto estimator = make_estimator(kind, at(1s), 5s);
    CHECK_FALSE(estimator->remaining(at(3s), 1_MiB).has_value());
  }
}

TEST_CASE("at a steady rate all estimators say the same", "[shell]") {
  // 1 MiB per second for 10 s; 20 MiB left take 20 s.
  for (const EstimatorKind kind : all_values(EstimatorKind{})) {
    const auto estimator = make_estimator(kind, at(0s), 4s);
    for (int second = 1; second <= 10; ++second) {
      estimator->advanced(at(std::chrono::seconds{second}), 1_MiB);
    }
    INFO(to_string(kind));
    // The smoothed rate goes through exp and back: within a microsecond.
    const Duration left = estimator->remaining(at(10s), 20_MiB).value();
    CHECK(std::abs((left - 20s).count()) < 1000);
  }
}

TEST_CASE("RecentRateEstimator forgets what is older than its window", "[shell]") {
  RecentRateEstimator estimator{at(0s), 2s};
  estimator.advanced(at(1s), 100_MiB);
  estimator.advanced(at(9s), 1_MiB);
  estimator.advanced(at(10s), 1_MiB);
  // 2 MiB in the 2 s up to 10 s: 1 MiB/s.
  CHECK(estimator.remaining(at(10s), 7_MiB) == std::optional<Duration>{7s});
  // The piece at 9 s has left the window at 11 s: 1 MiB in 2 s.
  CHECK(estimator.remaining(at(11s), 7_MiB) == std::optional<Duration>{14s});
}

TEST_CASE("SmoothedRateEstimator moves by 1 - 1/e in one time constant", "[shell]") {
  SmoothedRateEstimator estimator{at(0s), 1s};
  estimator.advanced(at(1s), 10_MiB);
  estimator.advanced(at(2s), 20_MiB);
  // r = 10 e^-1 + 20 (1 - e^-1) MiB/s.
  const double rate = 10 * std::exp(-1.0) + 20 * (1 - std::exp(-1.0));
  CHECK(seconds(estimator.remaining(at(2s), 100_MiB).value()) == Approx(100 / rate));
}

TEST_CASE("SmoothedRateEstimator counts pieces of one instant together", "[shell]") {
  SmoothedRateEstimator estimator{at(0s), 1s};
  estimator.advanced(at(0s), 1_MiB);
  estimator.advanced(at(1s), 1_MiB);
  estimator.advanced(at(1s), 2_MiB);
  estimator.advanced(at(2s), 1_MiB);
  // 2 MiB/s in the first second; then 3 MiB/s, of which the two of instant 1 s are part.
  const double rate = 2 * std::exp(-1.0) + 3 * (1 - std::exp(-1.0));
  CHECK(seconds(estimator.remaining(at(2s), 100_MiB).value()) == Approx(100 / rate));
}
