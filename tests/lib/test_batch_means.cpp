#include <cmath>
#include <vector>

#include <copysim/error.hpp>
#include <copysim/lib/batch_means.hpp>
#include <copysim/sim/random.hpp>

#include "support/catch.hpp"

using namespace copysim;

TEST_CASE("warm_up_length cuts a transient and nothing of a steady series", "[batch-means]") {
  std::vector<double> steady;
  RandomStream random{1, "noise", 0};
  for (int i = 0; i < 400; ++i) steady.push_back(random.normal(10, 1));
  std::vector<double> late(50, 0.0);  // ten batches of five that are far off
  late.insert(late.end(), steady.begin(), steady.end());

  CHECK(warm_up_length(late) == 50);
  CHECK(warm_up_length(steady) < 100);
}

TEST_CASE("warm_up_length never cuts more than half", "[batch-means]") {
  std::vector<double> rising;
  for (int i = 0; i < 100; ++i) rising.push_back(i);
  CHECK(warm_up_length(rising) == 50);
}

TEST_CASE("batch_means of hand-made batches has their mean and Student's interval",
          "[batch-means]") {
  // Two batches with means 1 and 3, after two that are cut: mean 2, standard deviation sqrt(2),
  // half width t(0.975; 1) sqrt(2) / sqrt(2) = 12.706.
  const Estimate estimate = batch_means({9, 9, 0, 2, 3, 3}, 2, 2);

  CHECK(estimate.mean == Approx(2));
  CHECK(estimate.ci95 == Approx(12.7062).epsilon(1e-4));
}

TEST_CASE("batch_means covers the true mean of correlated noise about as often as it says",
          "[batch-means]") {
  // A moving sum of five: neighbours are correlated, batches of 100 hardly. Of 200 series 95 %, so
  // 190 +- 3 sqrt(200 x 0.95 x 0.05) = 190 +- 9.2, cover the mean of 0; a little less, as batches
  // are not quite independent.
  int covered = 0;
  for (std::uint64_t k = 0; k < 200; ++k) {
    RandomStream random{1, "noise", k};
    std::vector<double> noise;
    for (int i = 0; i < 2004; ++i) noise.push_back(random.normal(0, 1));
    std::vector<double> series;
    for (std::size_t i = 0; i + 4 < noise.size(); ++i) {
      series.push_back(noise[i] + noise[i + 1] + noise[i + 2] + noise[i + 3] + noise[i + 4]);
    }
    const Estimate estimate = batch_means(series, 0, 20);
    if (std::abs(estimate.mean) <= estimate.ci95) ++covered;
  }
  CHECK(covered >= 178);
  CHECK(covered <= 200);
}

TEST_CASE("batch_means refuses fewer observations than batches", "[batch-means]") {
  CHECK_THROWS_AS(batch_means({1, 2, 3}, 0, 4), SimulationError);
  CHECK_THROWS_AS(batch_means({1, 2, 3}, 2, 2), SimulationError);
}
