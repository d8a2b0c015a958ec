#include <cmath>
#include <vector>

#include <copysim/error.hpp>
#include <copysim/models/storage/hard_disk.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/sim/task_group.hpp>

#include "models/storage/tiny_disk.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

struct Served {
  std::int64_t sector;
  SimTime when;
};

Task<> request(Simulation& sim, HardDisk& disk, BlockRequest what, std::vector<Served>& log) {
  co_await disk.submit(what);
  log.push_back({what.extent.offset / sector_size, sim.now()});
}

// All requests arrive together, in this order.
Task<> all_at_once(Simulation& sim, HardDisk& disk, std::vector<BlockRequest> what,
                   std::vector<Served>& log) {
  TaskGroup group{sim};
  for (const BlockRequest& one : what) group.spawn(request(sim, disk, one, log));
  co_await group.join();
}

std::vector<std::int64_t> order_of(DiskScheduler scheduler,
                                   std::vector<std::int64_t> first_sectors) {
  Simulation sim;
  HardDisk::Config config = tiny_disk();
  config.scheduler = scheduler;
  HardDisk disk{sim, "disk", config};
  std::vector<BlockRequest> requests;
  for (const std::int64_t sector : first_sectors) requests.push_back(read(sector, 1));
  std::vector<Served> log;
  sim.run(all_at_once(sim, disk, requests, log));
  std::vector<std::int64_t> order;
  for (const Served& served : log) order.push_back(served.sector);
  return order;
}

// One reader of a file: 20 sectors at a time, the next when the last is there.
Task<> stream(HardDisk& disk, std::int64_t first, int count) {
  for (int i = 0; i < count; ++i) co_await disk.submit(read(first + i * 20, 20));
}

// Four streams 5 cylinders apart, 4 reads each, after a first read that sets the angle.
Task<> four_streams(Simulation& sim, HardDisk& disk, SimTime& started) {
  co_await disk.submit(read(3080, 20));
  started = sim.now();
  TaskGroup group{sim};
  for (int i = 0; i < 4; ++i) group.spawn(stream(disk, i * 1000, 4));
  co_await group.join();
}

Duration four_streams_with_seek(Duration five_cylinders) {
  Simulation sim;
  HardDisk::Config config = tiny_disk();
  config.seek.points = {{1, 2ms}, {5, five_cylinders}, {15, 4500us}, {49, 6800us}};
  HardDisk disk{sim, "disk", config};
  SimTime started;
  sim.run(four_streams(sim, disk, started));
  return sim.now() - started;
}

Task<> random_reads(HardDisk& disk, RandomStream random, int count, std::int64_t sectors_each) {
  const auto places = static_cast<std::uint64_t>((disk.capacity() / sector_size) / sectors_each);
  for (int i = 0; i < count; ++i) {
    const auto place = static_cast<std::int64_t>(random.below(places));
    co_await disk.submit(read(place * sectors_each, sectors_each));
  }
}

// Takes its next request of `size` from what all writers share.
Task<> writer(HardDisk& disk, Bytes size, Bytes& next, Bytes end) {
  while (next < end) {
    const Extent extent{next, size};
    next = extent.end();
    co_await disk.submit({Access::write, extent, false});
  }
}

Task<> write_sequentially(Simulation& sim, HardDisk& disk, Bytes size, int outstanding,
                          Duration& measured) {
  Bytes next{0};
  SimTime started;
  for (const Bytes end : {64_MiB, 192_MiB}) {
    started = sim.now();
    TaskGroup group{sim};
    for (int i = 0; i < outstanding; ++i) group.spawn(writer(disk, size, next, end));
    co_await group.join();
  }
  measured = sim.now() - started;
}

Task<> submit_one(HardDisk& disk, BlockRequest what) {
  co_await disk.submit(what);
}

Task<> write_then_flush(HardDisk& disk) {
  co_await disk.submit(write(500, 10));
  co_await disk.flush();
}

}  // namespace

TEST_CASE("HardDisk with C-LOOK sweeps up and starts again at the lowest request",
          "[storage][hard-disk]") {
  CHECK(order_of(DiskScheduler::c_look, {2000, 5000, 1000, 3000, 500}) ==
        std::vector<std::int64_t>{2000, 3000, 5000, 500, 1000});
}

TEST_CASE("HardDisk serves in order of arrival with FCFS and by nearest cylinder with SSTF",
          "[storage][hard-disk]") {
  CHECK(order_of(DiskScheduler::fcfs, {2000, 5000, 1000, 3000}) ==
        std::vector<std::int64_t>{2000, 5000, 1000, 3000});
  // Cylinders 10, then 8 (2 away), 13 (5 away), 25.
  CHECK(order_of(DiskScheduler::sstf, {2000, 5000, 1600, 2600}) ==
        std::vector<std::int64_t>{2000, 1600, 2600, 5000});
}

TEST_CASE("HardDisk with SPTF takes the sectors of a track as they come round",
          "[storage][hard-disk]") {
  CHECK(order_of(DiskScheduler::sptf, {10, 9, 60, 30}) == std::vector<std::int64_t>{10, 30, 60, 9});
}

TEST_CASE("HardDisk with SPTF serves the next sectors of a reader before all others",
          "[storage][hard-disk]") {
  // The head has just passed sector 11, so 30 and 60 would come round before it; but a drive that
  // reads ahead has it in its buffer.
  CHECK(order_of(DiskScheduler::sptf, {10, 60, 30, 11}) ==
        std::vector<std::int64_t>{10, 11, 30, 60});
}

TEST_CASE("HardDisk loses a revolution per hop between streams that fall just behind the head",
          "[storage][hard-disk]") {
  // 1000 sectors are 5 cylinders, whose skews turn by 5 x 30 = 150 sectors, that is by 50. A read
  // of 20 ends 30 sectors before the next stream's: a hop of 3 ms, then 2 ms of reading. From the
  // highest stream back to the lowest and 20 sectors on: 15 cylinders are -450 sectors, that is 50:
  // 5 ms, enough for the seek of 4.5 ms, then 2 ms. The first read ends where the highest stream's
  // would. So 4 rounds of 7 + 3 x 5 = 22 ms.
  CHECK(four_streams_with_seek(2990us) == 88ms);
  // The hop of 3 ms begins 1 us late, since the last sector must cross the bus first: a seek of 3
  // ms misses, and each of the 12 hops takes a revolution more.
  CHECK(four_streams_with_seek(3000us) == 88ms + 12 * 10ms);
}

TEST_CASE("HardDisk waits half a revolution on average for random reads", "[storage][hard-disk]") {
  Simulation sim{{.seed = 7}};
  HardDisk disk{sim, "disk", tiny_disk()};
  constexpr int count = 20'000;
  sim.run(random_reads(disk, sim.random("places"), count, 1));

  // Uniform on 0 to 10 ms: mean 5 ms, standard deviation 10 / sqrt(12) ms.
  const double mean = seconds(disk.counters().rotation_time) / count;
  const double sigma = 10e-3 / std::sqrt(12.0) / std::sqrt(double{count});
  CHECK(std::abs(mean - 5e-3) < 3 * sigma);
}

TEST_CASE("HardDisk reads at random in overhead, mean seek, half a revolution and transfer",
          "[storage][hard-disk]") {
  Simulation sim{{.seed = 3}};
  HardDisk::Config config;
  config.geometry.zones = 1;  // one zone: equal tracks, so random sectors are random cylinders
  config.geometry.inner_rate = config.geometry.outer_rate;
  config.read_cache.segments = 0;
  HardDisk disk{sim, "disk", config};
  constexpr int count = 20'000;
  sim.run(random_reads(disk, sim.random("places"), count, 16));

  // 0.3 ms + 8.5 ms + 4.167 ms + 8 KiB at the track's rate: 58e6 B/s with a skew of 1.5 ms in
  // 9.833 ms is 68.44e6 B/s, so 0.120 ms, and 5 us for the last sector on the bus.
  const double mean = seconds(sim.now().time_since_epoch()) / count;
  CHECK(mean == Approx(13.092e-3).epsilon(0.01));
  CHECK(seconds(disk.counters().seek_time) / count == Approx(8.5e-3).epsilon(0.01));
}

TEST_CASE("HardDisk counts times that sum to the time it was busy", "[storage][hard-disk]") {
  Simulation sim;
  HardDisk::Config config = tiny_disk();
  config.overhead = {300us, 200us, 100us};
  config.read_cache.read_ahead = DiskReadAhead::until_next;
  config.write_cache.enabled = true;
  HardDisk disk{sim, "disk", config};
  std::vector<Served> log;
  sim.run(all_at_once(sim, disk, {read(0, 20), write(700, 10), read(20, 20), read(4000, 5)}, log));

  const DeviceCounters& counters = disk.counters();
  CHECK(counters.reads == 3);
  CHECK(counters.writes == 1);
  CHECK(counters.bytes_read == Bytes{45 * 512});
  CHECK(counters.bytes_written == Bytes{10 * 512});
  CHECK(counters.busy_time == sim.now().time_since_epoch());
  CHECK(counters.overhead_time + counters.seek_time + counters.rotation_time +
            counters.transfer_time ==
        counters.busy_time);
}

TEST_CASE("HardDisk labels the parts of an access", "[storage][hard-disk]") {
  Simulation sim{{.record_paths = true}};
  HardDisk::Config config = tiny_disk();
  config.overhead.read = 400us;
  HardDisk disk{sim, "disk", config};
  sim.run(submit_one(disk, read(200, 10)));

  Duration sum{};
  std::vector<std::string> activities;
  for (const PathRow& row : sim.path()) {
    CHECK(row.component == "disk");
    activities.push_back(row.activity);
    sum += row.duration;
  }
  CHECK(activities == std::vector<std::string>{"command", "seek", "rotation", "transfer"});
  CHECK(sum == sim.now().time_since_epoch());
}

TEST_CASE("HardDisk flushes what its write cache holds", "[storage][hard-disk]") {
  Simulation sim;
  HardDisk::Config config = tiny_disk();
  config.write_cache.enabled = true;
  HardDisk disk{sim, "disk", config};
  sim.run(write_then_flush(disk));

  CHECK(disk.controller().dirty() == 0_B);
  // Seek over 2 cylinders and 10 sectors at least.
  CHECK(sim.now() >= at(3100us));
}

TEST_CASE("HardDisk writes a sequential stream at the zone's sustained rate",
          "[storage][hard-disk]") {
  const auto order = GENERATE(TrackOrder::cylinder, TrackOrder::band);
  for (const Bytes size : {64_KiB, 1_MiB}) {
    for (const int outstanding : {1, 4}) {
      for (const Bytes cache : {512_KiB, 4_MiB, 8_MiB}) {
        CAPTURE(size.count(), outstanding, cache.count());
        HardDisk::Config config;
        config.geometry.order = order;
        config.write_cache.size = cache;
        Simulation sim;
        HardDisk disk{sim, "disk", config};
        Duration measured{};
        sim.run(write_sequentially(sim, disk, size, outstanding, measured));

        // 128 MiB, all in the outermost zone: 58e6 B/s by the sheet. Before, the buffer has filled:
        // 64 KiB each 0.3 + 0.66 ms come at 69e6 B/s, so 8 MiB are ahead after 52 MiB.
        const double rate = static_cast<double>((128_MiB).count()) / seconds(measured);
        CHECK(rate == Approx(58e6).epsilon(0.02));
        const DeviceCounters& counters = disk.counters();
        CHECK(counters.overhead_time + counters.seek_time + counters.rotation_time +
                  counters.transfer_time ==
              counters.busy_time);
        CHECK(counters.busy_time == sim.now().time_since_epoch());
      }
    }
  }
}

TEST_CASE("HardDisk without a write cache loses a revolution per sequential write",
          "[storage][hard-disk]") {
  HardDisk::Config config;
  config.write_cache.enabled = false;
  Simulation sim;
  HardDisk disk{sim, "disk", config};
  Duration measured{};
  sim.run(write_sequentially(sim, disk, 64_KiB, 1, measured));

  // Each of 2048 commands comes 0.3 ms of overhead too late, and waits until the disk has come
  // round: a revolution of 8.33 ms and its own 65536 B at the track's 68.4e6 B/s, 0.96 ms. A track
  // of 570 kB holds 8.7 commands, and its switch of 1.5 ms adds 0.17 ms to each in the mean.
  CHECK(seconds(measured) / 2048 == Approx(9.46e-3).epsilon(0.02));
}

TEST_CASE("HardDisk starts at another angle in each replication", "[storage][hard-disk]") {
  const auto time_of_first = [](std::uint64_t replication) {
    Simulation sim{{.replication = replication}};
    HardDisk disk{sim, "disk", tiny_disk()};
    sim.run(submit_one(disk, read(0, 1)));
    return sim.now();
  };

  CHECK(time_of_first(0) == time_of_first(0));
  CHECK(time_of_first(0) != time_of_first(1));
}

TEST_CASE("HardDisk refuses requests outside the disk", "[storage][hard-disk]") {
  Simulation sim;
  HardDisk disk{sim, "disk", tiny_disk()};
  CHECK_THROWS_AS(sim.run(submit_one(disk, read(9'999, 2))), SimulationError);
}
