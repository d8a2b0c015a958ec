#include <copysim/models/link/round_trip_estimator.hpp>

#include "support/catch.hpp"

using namespace copysim;

TEST_CASE("RoundTripEstimator follows the equations of RFC 6298", "[link][tcp]") {
  RoundTripEstimator estimator{{.initial = 3s, .least = 10ms}};
  CHECK(estimator.timeout() == 3s);
  // R = 100 ms: srtt 100, rttvar 50, RTO 100 + 4 x 50.
  estimator.sample(100ms);
  CHECK(estimator.timeout() == 300ms);
  // R = 180 ms: rttvar 3/4 50 + 1/4 80 = 57.5, srtt 7/8 100 + 1/8 180 = 110; 110 + 230.
  estimator.sample(180ms);
  CHECK(estimator.timeout() == 340ms);
  CHECK(estimator.least() == 100ms);
}

TEST_CASE("RoundTripEstimator doubles at each timeout up to a minute, until a sample comes",
          "[link][tcp]") {
  RoundTripEstimator estimator{{.initial = 3s, .least = 300ms}};
  estimator.sample(1ms);
  CHECK(estimator.timeout() == 300ms);
  estimator.timed_out();
  estimator.timed_out();
  CHECK(estimator.timeout() == 1200ms);
  for (int i = 0; i < 20; ++i) estimator.timed_out();
  CHECK(estimator.timeout() == 60s);
  estimator.sample(1ms);
  CHECK(estimator.timeout() == 300ms);
}
