#include <copysim/models/storage/disk_mechanism.hpp>

#include "models/storage/tiny_disk.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

TEST_CASE("DiskMechanism keeps turning while it is idle", "[storage][mechanism]") {
  DiskMechanism disk = tiny_mechanism();

  // After 13 ms the disk has turned once and 3 ms: sector 0 comes in 7 ms.
  const DiskTimes times = disk.access(at(13ms), Access::read, {0, 1});
  CHECK(times.seek == 0ms);
  CHECK(times.rotation == 7ms);
  CHECK(times.transfer == 100us);
}

TEST_CASE("DiskMechanism crosses tracks within the skew", "[storage][mechanism]") {
  DiskMechanism disk = tiny_mechanism();

  // Three tracks of 10 ms; a head switch of 1 ms and a seek of 2 ms between them, after which the
  // skewed sectors come at once.
  const DiskTimes times = disk.access(at(0ms), Access::read, {0, 300});
  CHECK(times.seek == 3ms);
  CHECK(times.rotation == 0ms);
  CHECK(times.transfer == 30ms);
  CHECK(disk.seeks() == 1);
}

TEST_CASE("DiskMechanism loses a revolution where the skew is a sector too short",
          "[storage][mechanism]") {
  HardDisk::Config config = tiny_disk();
  config.geometry.zone_table[0].track_skew = 9;
  DiskMechanism disk = tiny_mechanism(config);

  // The head switch of 1 ms misses sector 100 by 0.1 ms: 9.9 ms until it comes back.
  const DiskTimes times = disk.access(at(0ms), Access::read, {0, 200});
  CHECK(times.seek == 1ms);
  CHECK(times.rotation == 9900us);
  CHECK(times.transfer == 20ms);
}

TEST_CASE("DiskMechanism settles longer before a write only after a movement",
          "[storage][mechanism]") {
  HardDisk::Config config = tiny_disk();
  config.write_settle = 500us;
  DiskMechanism disk = tiny_mechanism(config);

  CHECK(disk.access(at(0ms), Access::write, {0, 10}).seek == 0ms);
  CHECK(disk.access(at(1ms), Access::write, {200, 210}).seek == 2500us);
}

TEST_CASE("DiskMechanism with zero latency needs one revolution for a whole track",
          "[storage][mechanism]") {
  HardDisk::Config config = tiny_disk();
  config.zero_latency = true;
  DiskMechanism disk = tiny_mechanism(config);

  const DiskTimes times = disk.access(at(4ms), Access::read, {0, 100});
  CHECK(times.total() == 10ms);
  CHECK(times.transfer == 10ms);
}

TEST_CASE("DiskMechanism streams as an access of the same range would go", "[storage][mechanism]") {
  DiskMechanism disk = tiny_mechanism();
  DiskMechanism other = tiny_mechanism();

  const Duration whole = disk.access(at(3ms), Access::read, {950, 1420}).total();
  MediaStream stream = other.begin_stream(at(3ms), Access::read, {950, 1420});
  CHECK(other.time_at(stream, 1420) == at(3ms + whole));
  // Advancing in odd steps changes nothing.
  for (Duration t = 3ms; t < 3ms + whole; t += 1'234'567ns) other.advance(stream, at(t));
  CHECK(other.time_at(stream, 1420) == at(3ms + whole));
  other.advance(stream, at(3ms + whole - 1ns));
  CHECK(stream.left.begin == 1419);
  other.advance(stream, at(3ms + whole));
  CHECK(stream.left.empty());
}
