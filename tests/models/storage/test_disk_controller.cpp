#include <copysim/models/storage/disk_controller.hpp>
#include <copysim/sim/random.hpp>

#include "models/storage/tiny_disk.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

// Serves `count` sequential commands of 20 sectors, each `late` after the one before; returns when
// the last one ended.
SimTime run_sequential(DiskController& disk, Access access, int count, Duration late) {
  SimTime now{};
  for (int i = 0; i < count; ++i) {
    now += disk.serve(sectors(access, std::int64_t{i} * 20, 20), now).total();
    if (i + 1 < count) now += late;
  }
  return now;
}

}  // namespace

TEST_CASE("A read miss takes overhead, seek, rotation, transfer and its last sector on the bus",
          "[storage][controller]") {
  HardDisk::Config config = tiny_disk();
  config.overhead.read = 400us;
  DiskController disk = tiny_controller(config);

  // Cylinder 1, sector 205, angle 35. From 0.4 ms the seek lasts until 2.4 ms; 3.5 ms is the time
  // of the angle; 10 sectors take 1 ms; the last one crosses the bus in 1 us.
  const DiskTimes times = disk.serve(read(205, 10), at(0ms));
  CHECK(times.command == 400us);
  CHECK(times.seek == 2ms);
  CHECK(times.rotation == 1100us);
  CHECK(times.transfer == 1001us);
}

TEST_CASE("Sequential reads without read-ahead lose a revolution each when the host is late",
          "[storage][controller]") {
  DiskController disk = tiny_controller(tiny_disk());

  // 5 commands of 2 ms on one track. Each but the first starts 0.1 ms late and waits until the disk
  // has come round: it ends 12 ms after its predecessor. 2 + 4 x 12 = 50 ms, and 1 us of bus.
  CHECK(run_sequential(disk, Access::read, 5, 100us) == at(50'001us));
}

TEST_CASE("Sequential reads with read-ahead run at the media rate though the host is late",
          "[storage][controller]") {
  HardDisk::Config config = tiny_disk();
  config.read_cache.read_ahead = DiskReadAhead::until_next;
  DiskController disk = tiny_controller(config);

  // A cylinder holds 10 commands and lasts 10 + 1 + 10 + 2 = 23 ms. The last sector of 5 cylinders
  // has been read at 5 x 23 - 2 = 113 ms, and crosses the bus in 1 us.
  CHECK(run_sequential(disk, Access::read, 50, 100us) == at(113'001us));
}

TEST_CASE("Sequential writes through lose a revolution each when the host is late",
          "[storage][controller]") {
  DiskController disk = tiny_controller(tiny_disk());

  CHECK(run_sequential(disk, Access::write, 5, 100us) == at(50ms));
}

TEST_CASE("Sequential cached writes run at the media rate once the cache is full",
          "[storage][controller]") {
  HardDisk::Config config = tiny_disk();
  config.write_cache = {.enabled = true, .size = Bytes{200 * 512}, .batch = Bytes{20 * 512}};
  config.write_cache.idle = 0ms;
  DiskController disk = tiny_controller(config);

  const SimTime end = run_sequential(disk, Access::write, 500, 100us);
  const DiskTimes rest = disk.flush(end);
  // 50 cylinders of 23 ms less the last switch; the write-back begins 20 us after the first command
  // started, so it waits for sector 0 to come round: one revolution.
  CHECK(end + rest.total() == at(50 * 23ms - 2ms + 10ms));
}

TEST_CASE("A cached write ends when the bus has moved it, and the medium follows in idle time",
          "[storage][controller]") {
  HardDisk::Config config = tiny_disk();
  config.overhead.write = 100us;
  config.write_cache.enabled = true;
  DiskController disk = tiny_controller(config);

  CHECK(disk.serve(write(20, 10), at(0ms)).total() == 110us);
  CHECK(disk.dirty() == Bytes{10 * 512});
  // The pause of 5 ms ends at 5.11 ms; angle 20 comes round at 12 ms, 10 sectors take 1 ms.
  // A write at 12.5 ms is taken at 12.601 ms: 6 sectors are on the medium, 4 and its own are not.
  disk.serve(write(4000, 1), at(12'500us));
  CHECK(disk.dirty() == Bytes{5 * 512});
  disk.serve(write(4010, 1), at(13'100us));
  CHECK(disk.dirty() == Bytes{2 * 512});
}

TEST_CASE("A forced write goes to the medium past the write cache", "[storage][controller]") {
  HardDisk::Config config = tiny_disk();
  config.write_cache.enabled = true;
  DiskController disk = tiny_controller(config);

  BlockRequest forced = write(50, 10);
  forced.force_unit_access = true;
  // Angle 50 comes at 5 ms, 10 sectors take 1 ms.
  CHECK(disk.serve(forced, at(0ms)).total() == 6ms);
}

TEST_CASE("Flush writes back in the order of position and combines what touches",
          "[storage][controller]") {
  HardDisk::Config config = tiny_disk();
  config.write_cache.enabled = true;
  config.write_cache.idle = 1s;
  DiskController disk = tiny_controller(config);

  disk.serve(write(60, 10), at(0ms));
  disk.serve(write(20, 10), at(20us));
  disk.serve(write(30, 10), at(40us));
  // At 0.1 ms: sectors 20-39 pass from 2 to 4 ms, sectors 60-69 from 6 to 7 ms: no revolution lost.
  CHECK(disk.flush(at(100us)).total() == 6900us);
  CHECK(disk.dirty() == 0_B);
}

TEST_CASE("A segment is still there as long as no more streams than segments are read",
          "[storage][controller]") {
  HardDisk::Config config = tiny_disk();
  config.read_cache.read_ahead = DiskReadAhead::until_next;
  const auto hits_after_three_streams = [&](int segments) {
    config.read_cache.segments = segments;
    DiskController disk = tiny_controller(config);
    // 90 ms between the commands are enough for any read-ahead.
    disk.serve(read(0, 10), at(0ms));
    disk.serve(read(2000, 10), at(100ms));
    disk.serve(read(4000, 10), at(200ms));
    disk.serve(read(10, 10), at(300ms));
    return disk.cache_hits();
  };

  CHECK(hits_after_three_streams(3) == 1);
  CHECK(hits_after_three_streams(2) == 0);
}

TEST_CASE("Read-ahead stops at the size of the segment", "[storage][controller]") {
  HardDisk::Config config = tiny_disk();
  config.overhead.hit = 100us;
  config.read_cache.read_ahead = DiskReadAhead::until_next;
  const auto time_of = [&](std::int64_t first, std::int64_t count) {
    DiskController disk = tiny_controller(config);
    disk.serve(read(0, 10), at(0ms));
    return disk.serve(read(first, count), at(95ms)).total();
  };

  // The segment of 50 sectors holds 10-59: read-ahead goes one segment beyond what was asked for.
  CHECK(time_of(50, 10) == 110us);
  // Sectors 55-64: at 95 ms angle 60 is 1 ms away, 5 sectors take 0.5 ms; no overhead, 1 us bus.
  CHECK(time_of(55, 10) == 1501us);
  CHECK(time_of(60, 10) == 2001us);
}

TEST_CASE("A read in the path of the read-ahead waits for the head to come there",
          "[storage][controller]") {
  HardDisk::Config config = tiny_disk();
  config.read_cache.read_ahead = DiskReadAhead::until_next;
  DiskController disk = tiny_controller(config);

  disk.serve(read(0, 10), at(0ms));
  // At 2 ms sectors 0-19 have been read; sector 29 has been at 3 ms, and crosses the bus in 1 us.
  CHECK(disk.serve(read(10, 20), at(2ms)).total() == 1001us);
  CHECK(disk.cache_hits() == 1);
}

TEST_CASE("A miss stops the read-ahead at once, or waits until the segment is full",
          "[storage][controller]") {
  HardDisk::Config config = tiny_disk();
  const auto time_of_miss = [&](DiskReadAhead policy) {
    config.read_cache.read_ahead = policy;
    DiskController disk = tiny_controller(config);
    disk.serve(read(0, 10), at(0ms));
    return disk.serve(read(200, 10), at(2ms)).total();
  };

  // Sector 200 lies at angle 30. Stopped at 2 ms, the arm arrives at 4 ms and waits until 13 ms.
  CHECK(time_of_miss(DiskReadAhead::until_next) == 12'001us);
  // The segment is full with sector 59 at 6 ms; the arm arrives at 8 ms, in time for 13 ms too.
  CHECK(time_of_miss(DiskReadAhead::full_segment) == 12'001us);

  config.read_cache.segment_size = Bytes{102 * 512};
  // Full with sector 111: track 0 ends at 10 ms, 1 ms of switch, 12 sectors to 12.2 ms; the seek
  // ends at 14.2 ms, after the sector: it comes again at 23 ms.
  CHECK(time_of_miss(DiskReadAhead::full_segment) == 22'001us);
}

TEST_CASE("A write makes what the segments hold of it stale", "[storage][controller]") {
  DiskController disk = tiny_controller(tiny_disk());

  disk.serve(read(0, 20), at(0ms));
  disk.serve(write(10, 5), at(20ms));
  disk.serve(read(0, 10), at(50ms));
  CHECK(disk.cache_hits() == 1);
  disk.serve(read(10, 5), at(70ms));
  CHECK(disk.cache_hits() == 1);
}

TEST_CASE("A controller under random commands never holds more than its cache and ends clean",
          "[storage][controller]") {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RandomStream random{seed, "commands", 0};
    HardDisk::Config config = tiny_disk();
    config.overhead = {300us, 200us, 100us};
    config.read_cache.read_ahead =
        seed % 2 == 0 ? DiskReadAhead::until_next : DiskReadAhead::full_segment;
    config.write_cache = {.enabled = true, .size = Bytes{300 * 512}, .batch = Bytes{100 * 512}};
    config.zero_latency = seed % 3 == 0;
    DiskController disk = tiny_controller(config);

    SimTime now{};
    for (int i = 0; i < 2'000; ++i) {
      // Near one another, so that runs touch and overlap.
      const auto first = static_cast<std::int64_t>(random.below(1'500));
      const auto count = static_cast<std::int64_t>(1 + random.below(60));
      BlockRequest request = random.below(2) == 0 ? read(first, count) : write(first, count);
      request.force_unit_access = random.below(10) == 0;
      const DiskTimes times = disk.serve(request, now);
      REQUIRE(times.seek >= 0ms);
      REQUIRE(times.rotation >= 0ms);
      REQUIRE(times.transfer > 0ms);
      REQUIRE(disk.dirty() <= Bytes{300 * 512});
      now += times.total() + random.exponential(3ms);
    }
    const DiskTimes rest = disk.flush(now);
    CHECK(rest.seek >= 0ms);
    CHECK(disk.dirty() == 0_B);
    CHECK(disk.background_time() > 0ms);
    CHECK(disk.background_time() <= now.time_since_epoch() + rest.total());
  }
}
