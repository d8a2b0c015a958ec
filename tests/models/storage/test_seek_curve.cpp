#include <copysim/error.hpp>
#include <copysim/models/storage/seek_curve.hpp>

#include "support/catch.hpp"

using namespace copysim;

TEST_CASE("SeekCurve from a data sheet averages over all pairs of cylinders to the sheet's mean",
          "[storage][seek]") {
  constexpr int cylinders = 20'000;
  const SeekCurve curve{{.track_to_track = 1ms, .average = 8500us, .full_stroke = 17ms}, cylinders};

  // Distance d occurs cylinders - d times in each direction.
  double sum = 0;
  double weights = 0;
  for (int d = 1; d < cylinders; ++d) {
    const double weight = cylinders - d;
    sum += weight * seconds(curve.time(d));
    weights += weight;
  }
  CHECK(sum / weights == Approx(8.5e-3).epsilon(0.001));
  CHECK(curve.time(0) == 0ms);
  CHECK(curve.time(1) == 1ms);
  CHECK(curve.time(cylinders - 1) == 17ms);
}

TEST_CASE("SeekCurve in two pieces gives the HP 97560's times", "[storage][seek]") {
  const SeekCurve curve{{.kind = SeekCurveKind::two_piece}, 1962};

  // Ruemmler and Wilkes 1994: 3.24 + 0.4 sqrt(d) ms to d = 383, then 8.00 + 0.008 d ms.
  CHECK(curve.time(100) == 7240us);
  CHECK(seconds(curve.time(383)) == Approx(11.0682e-3).epsilon(1e-4));
  CHECK(curve.time(384) == 11'072us);
}

TEST_CASE("SeekCurve from a table draws lines between the points", "[storage][seek]") {
  SeekCurve::Config config{.kind = SeekCurveKind::table};
  config.points = {{1, 1ms}, {11, 3ms}};
  const SeekCurve curve{config, 100};

  CHECK(curve.time(6) == 2ms);
  // 0.2 ms per cylinder; beyond the last point the last line goes on: 3 ms + 88 * 0.2 ms.
  CHECK(curve.time(99) == 20'600us);
}

TEST_CASE("SeekCurve rejects an average that no rising curve has", "[storage][seek]") {
  CHECK_THROWS_AS((SeekCurve{{.average = 16ms, .full_stroke = 17ms}, 1000}), ConfigError);
  CHECK_THROWS_AS((SeekCurve{{.average = 4ms, .full_stroke = 17ms}, 1000}), ConfigError);
}
