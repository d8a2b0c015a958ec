#include <copysim/error.hpp>
#include <copysim/models/storage/disk_geometry.hpp>

#include "models/storage/tiny_disk.hpp"
#include "support/catch.hpp"

using namespace copysim;

TEST_CASE("DiskGeometry runs over the heads of a cylinder first and adds the skews",
          "[storage][geometry]") {
  const DiskGeometry disk{test::tiny_disk().geometry};

  // Sector 100 opens the second surface: 10 sectors of track skew.
  const SectorPosition second = disk.locate(100);
  CHECK(second.cylinder == 0);
  CHECK(second.head == 1);
  CHECK(second.angle == 10);
  // Sector 205 is number 5 of cylinder 1: one track skew and one cylinder skew, 10 + 20 + 5.
  const SectorPosition third = disk.locate(205);
  CHECK(third.cylinder == 1);
  CHECK(third.head == 0);
  CHECK(third.sector == 5);
  CHECK(third.angle == 35);
}

TEST_CASE("DiskGeometry in band order stays on a surface and comes back on the next",
          "[storage][geometry]") {
  DiskGeometry::Config config = test::tiny_disk().geometry;
  config.order = TrackOrder::band;
  config.band_cylinders = 4;
  const DiskGeometry disk{config};

  CHECK(disk.locate(399).cylinder == 3);
  CHECK(disk.locate(399).head == 0);
  // The fifth track: other surface, same cylinder; three cylinder skews and one head skew.
  CHECK(disk.locate(400).cylinder == 3);
  CHECK(disk.locate(400).head == 1);
  CHECK(disk.locate(400).angle == 3 * 20 + 10);
  CHECK(disk.locate(700).cylinder == 0);
  CHECK(disk.locate(800).cylinder == 4);
  CHECK(disk.locate(800).head == 0);
  // The last band is narrower: 50 = 12 bands of 4 + 2 cylinders.
  CHECK(disk.locate(9'800).head == 1);
  CHECK(disk.locate(9'800).cylinder == 49);
}

TEST_CASE("DiskGeometry from a data sheet has the sheet's capacity and rates",
          "[storage][geometry]") {
  DiskGeometry::Config config;
  config.capacity = Bytes{320'072'933'376};
  config.heads = 4;
  config.outer_rate = Bandwidth{78e6};
  config.inner_rate = Bandwidth{39e6};
  config.track_skew = 1ms;
  config.cylinder_skew = 1ms;
  const DiskGeometry disk{config};

  CHECK(disk.sectors() == 625'142'448);
  CHECK(disk.zones().size() == 16);
  // 78e6 B/s x (8.333 + 1.0) ms per track / 512 B = 1421.9 sectors.
  CHECK(disk.zones().front().sectors_per_track == 1422);
  CHECK(disk.sustained_rate(disk.zones().front()).bytes_per_second() ==
        Approx(78e6).epsilon(0.001));
  CHECK(disk.sustained_rate(disk.zones().back()).bytes_per_second() == Approx(39e6).epsilon(0.001));
  // Mean 1066 sectors per track: 625142448 / 4 / 1066 = 146,600 cylinders.
  CHECK(disk.cylinders() == Approx(146'600).epsilon(0.002));
}

TEST_CASE("DiskGeometry finds each sector of a zone boundary in its own zone",
          "[storage][geometry]") {
  DiskGeometry::Config config;
  config.capacity = Bytes{1'000'000'000};
  config.zones = 3;
  const DiskGeometry disk{config};

  const Zone& second = disk.zones()[1];
  CHECK(disk.locate(second.first_sector - 1).sectors_per_track ==
        disk.zones()[0].sectors_per_track);
  CHECK(disk.locate(second.first_sector).sectors_per_track == second.sectors_per_track);
  CHECK(disk.locate(second.first_sector).cylinder == second.first_cylinder);
  CHECK(disk.locate(second.first_sector).sector == 0);
}

TEST_CASE("DiskGeometry rejects an inner rate above the outer one", "[storage][geometry]") {
  DiskGeometry::Config config;
  config.inner_rate = config.outer_rate * 2;
  CHECK_THROWS_AS(DiskGeometry{config}, ConfigError);
}
