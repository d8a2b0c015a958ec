#include <cmath>
#include <cstdint>

#include <copysim/sim/statistics.hpp>

#include "support/catch.hpp"

using namespace copysim;

TEST_CASE("A tally knows count, mean, spread and range", "[sim][statistics]") {
  Tally tally;
  CHECK(tally.mean() == 0);
  CHECK(tally.variance() == 0);

  for (const double value : {2.0, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0}) tally.add(value);

  // Sum 40, so mean 5; squared differences 9+1+1+1+0+0+4+16 = 32, over 7.
  CHECK(tally.count() == 8);
  CHECK(tally.mean() == Approx(5));
  CHECK(tally.sum() == Approx(40));
  CHECK(tally.variance() == Approx(32.0 / 7));
  CHECK(tally.least() == 2);
  CHECK(tally.greatest() == 9);
}

TEST_CASE("A tally does not lose digits when the spread is small beside the mean",
          "[sim][statistics]") {
  Tally tally;

  for (const double value : {1e9 + 4, 1e9 + 7, 1e9 + 13, 1e9 + 16}) tally.add(value);

  // Differences from the mean 1e9 + 10: -6, -3, 3, 6; squares sum to 90, over 3.
  CHECK(tally.variance() == Approx(30));
}

TEST_CASE("A time-weighted mean weighs each value with how long it lasted", "[sim][statistics]") {
  TimeWeighted queue;
  queue.set(SimTime{2s}, 3);
  queue.add(SimTime{4s}, -2);

  // 0 for 2 s, 3 for 2 s, 1 for 4 s: 10 over 8 s.
  CHECK(queue.mean(SimTime{8s}) == Approx(1.25));
  CHECK(queue.integral(SimTime{8s}) == Approx(10));
  CHECK(queue.greatest() == 3);

  queue.restart(SimTime{8s});
  CHECK(queue.mean(SimTime{8s}) == 1);
  CHECK(queue.mean(SimTime{9s}) == Approx(1));
  CHECK(queue.greatest() == 1);
}

TEST_CASE("A time-weighted mean of bytes over hours does not overflow", "[sim][statistics]") {
  TimeWeighted dirty{std::int64_t{1} << 40};

  // 1 TiB for 10 h: 2^40 x 3.6e13 ns is above 2^63.
  CHECK(dirty.mean(SimTime{10h}) == Approx(std::ldexp(1.0, 40)));
}
