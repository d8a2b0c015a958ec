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

TEST_CASE("A stream of cached writes enters at the bus's rate until the cache is full",
          "[storage][controller]") {
  HardDisk::Config config = tiny_disk();
  config.write_cache = {.enabled = true, .size = Bytes{200 * 512}, .batch = Bytes{20 * 512}};
  // The pause is over before the buffer is full, or never: it makes no difference.
  config.write_cache.idle = GENERATE(0ms, 1000ms);
  DiskController disk = tiny_controller(config);

  // 10 x 20 sectors of 1 us. The arm waits for sector 0, which comes round at 10 ms.
  const SimTime full = run_sequential(disk, Access::write, 10, 0ms);
  CHECK(full == at(200us));
  // The next 20 have room when the first 20 are on the medium, at 12 ms; 1 us for the last of them.
  const DiskTimes eleventh = disk.serve(write(200, 20), full);
  CHECK(eleventh.seek == 0ms);
  CHECK(eleventh.rotation == 9800us);
  CHECK(eleventh.transfer == 2001us);
  // From here on a sector of the medium each 0.1 ms, however long the command and the pause before
  // it: sectors 20-39 are on the medium at 14 ms, the rest of the track at 20 ms.
  CHECK(disk.serve(write(220, 20), at(12'001us)).total() == 2ms);
  CHECK(disk.serve(write(240, 60), at(14'501us)).total() == 5500us);
  CHECK(disk.dirty() == Bytes{200 * 512});
  // Sectors 100-299: 1 ms to the next surface, 10 ms, 2 ms to the next cylinder, 10 ms.
  CHECK(disk.flush(at(20'001us)).total() == 22'999us);
  CHECK(disk.dirty() == 0_B);
}

TEST_CASE("A command longer than the write cache flows through it", "[storage][controller]") {
  HardDisk::Config config = tiny_disk();
  config.write_cache = {.enabled = true, .size = Bytes{40 * 512}, .batch = Bytes{20 * 512}};
  DiskController disk = tiny_controller(config);

  // The buffer is full at 40 us; sector 0 comes round at 10 ms. At 16 ms 60 of 100 have left.
  CHECK(disk.serve(write(0, 100), at(0ms)).total() == 16'001us);
  CHECK(disk.dirty() == Bytes{40 * 512});
}

TEST_CASE("Interleaved streams of cached writes reach the medium as one run each",
          "[storage][controller]") {
  HardDisk::Config config = tiny_disk();
  config.write_cache = {.enabled = true, .size = Bytes{2000 * 512}};
  config.write_cache.idle = 1s;
  DiskController disk = tiny_controller(config);

  SimTime now{};
  for (int i = 0; i < 20; ++i) {
    now += disk.serve(write(i * 20, 20), now).total();
    now += disk.serve(write(4000 + i * 20, 20), now).total();
  }
  CHECK(now == at(800us));
  // The lower run begins at 10 ms and takes two cylinders, 23 + 21 = 44 ms. 19 cylinders are 3.8 ms
  // of seek; sector 4000 lies at angle 0 (20 cylinders turn by 30 each), which comes at 60 ms; 44
  // ms again: 104 ms.
  CHECK(disk.flush(now).total() == 103'200us);
  CHECK(disk.mechanism().seeks() == 3);
}

TEST_CASE("A read gets the arm before dirty data until the cache is full, then after a batch",
          "[storage][controller]") {
  HardDisk::Config config = tiny_disk();
  config.write_cache = {.enabled = true, .size = Bytes{200 * 512}, .batch = Bytes{50 * 512}};
  {
    DiskController disk = tiny_controller(config);
    const SimTime full = run_sequential(disk, Access::write, 10, 0ms);
    // Full, but nothing has waited: 2 ms of seek; angle 80 comes at 8 ms, 0.1 ms and 1 us follow.
    CHECK(disk.serve(read(250, 1), full).total() == 7901us);
    CHECK(disk.dirty() == Bytes{200 * 512});
  }
  DiskController disk = tiny_controller(config);
  const SimTime waited = run_sequential(disk, Access::write, 11, 0ms);
  REQUIRE(waited == at(12'001us));
  // 50 sectors leave first, until 17 ms; the arm arrives at 19 ms and waits until 28 ms.
  const DiskTimes after_batch = disk.serve(read(250, 1), waited);
  CHECK(after_batch.seek == 2ms);
  CHECK(after_batch.rotation == 9ms);
  CHECK(after_batch.transfer == 5100us);
  CHECK(disk.dirty() == Bytes{150 * 512});
  // The next read finds it relieved: 1 ms of head switch; sector 300's angle 40 comes at 34 ms.
  CHECK(disk.serve(read(300, 1), at(28'101us)).total() == 6ms);
}

TEST_CASE("A forced write waits for the medium though a stream of cached writes goes on",
          "[storage][controller]") {
  HardDisk::Config config = tiny_disk();
  config.write_cache = {.enabled = true, .size = Bytes{200 * 512}, .batch = Bytes{50 * 512}};
  DiskController disk = tiny_controller(config);
  const SimTime waited = run_sequential(disk, Access::write, 11, 0ms);
  REQUIRE(waited == at(12'001us));

  // Sector 20 is under the head and is finished at 12.1 ms. Sector 250: 2 ms, angle 80 at 18 ms.
  BlockRequest forced = write(250, 10);
  forced.force_unit_access = true;
  CHECK(disk.serve(forced, waited).total() == 6999us);
  CHECK(disk.dirty() == Bytes{199 * 512});
}

TEST_CASE("Background time is the arm's work while no command waits for it",
          "[storage][controller]") {
  HardDisk::Config config = tiny_disk();
  config.write_cache.enabled = true;
  const auto background_until_flush = [&](SimTime flush) {
    DiskController disk = tiny_controller(config);
    disk.serve(write(20, 10), at(0ms));
    disk.flush(flush);
    return disk.background_time();
  };

  // The pause ends at 5.01 ms; sectors 20-29 pass from 12 to 13 ms. What a flush waits for is its.
  CHECK(background_until_flush(at(20ms)) == 7990us);
  CHECK(background_until_flush(at(8ms)) == 2990us);
  CHECK(background_until_flush(at(1ms)) == 0ms);
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
