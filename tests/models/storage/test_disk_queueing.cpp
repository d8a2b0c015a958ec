#include <cmath>

#include <copysim/sim/statistics.hpp>
#include <copysim/sim/task_group.hpp>

#include "models/storage/tiny_disk.hpp"
#include "support/catch.hpp"

// A disk as a server: random reads with the cache off against the formulas of their parts, and a
// queue of them against M/G/1.

using namespace copysim;
using namespace copysim::test;

namespace {

constexpr int cylinders = 1000;
constexpr int sectors_on_disk = cylinders * 2 * 100;

// 10 ms a revolution, 100 sectors of 0.1 ms on each of 2 tracks of a cylinder.
HardDisk::Config wide_disk() {
  HardDisk::Config config = tiny_disk();
  config.geometry.zone_table[0].sectors = sectors_on_disk;
  config.geometry.zone_table[0].cylinders = cylinders;
  config.read_cache.segments = 0;
  config.overhead.read = 500us;
  config.scheduler = DiskScheduler::fcfs;
  return config;
}

std::int64_t random_sector(RandomStream& places) {
  return std::min<std::int64_t>(sectors_on_disk - 1,
                                static_cast<std::int64_t>(places.uniform() * sectors_on_disk));
}

// The mean of T(d) over two random cylinders: distance d > 0 has the probability 2 (C - d) / C^2.
double mean_seek_s(const SeekCurve& curve) {
  double sum = 0;
  for (int d = 1; d < cylinders; ++d)
    sum += 2.0 * (cylinders - d) / cylinders / cylinders * seconds(curve.time(d));
  return sum;
}

struct Parts {
  double seek = 0;
  double rotation = 0;
  double total = 0;
};

// Means over many reads of one random sector each, at random times.
Parts random_reads(const HardDisk::Config& config) {
  DiskController disk = HardDisk::make_controller(config, 0ms);
  Simulation sim{{.seed = 11}};
  RandomStream places = sim.random("places");
  constexpr int count = 200'000;
  Parts sum;
  SimTime now{};
  for (int i = 0; i < count; ++i) {
    const DiskTimes times = disk.serve(read(random_sector(places), 1), now);
    sum.seek += seconds(times.seek) / count;
    sum.rotation += seconds(times.rotation) / count;
    sum.total += seconds(times.total()) / count;
    now += times.total() + places.uniform(0ms, 10ms);
  }
  return sum;
}

void check_random_reads(const SeekCurve::Config& seek) {
  HardDisk::Config config = wide_disk();
  config.seek = seek;
  const Parts parts = random_reads(config);
  // On the same cylinder (1 of 1000) the other surface needs the head switch of 1 ms.
  const double seek_s = mean_seek_s(SeekCurve{seek, cylinders}) + 1e-3 / cylinders / 2;
  CHECK(parts.seek == Approx(seek_s).epsilon(0.01));
  CHECK(parts.rotation == Approx(5e-3).epsilon(0.01));
  // 0.5 ms overhead, half a revolution, 0.1 ms transfer, 1 us of bus.
  CHECK(parts.total == Approx(0.5e-3 + seek_s + 5e-3 + 0.1e-3 + 1e-6).epsilon(0.01));
}

Task<> one_read(HardDisk& disk, Simulation& sim, std::int64_t sector, Tally& responses) {
  const SimTime arrival = sim.now();
  const IoStatus status = co_await disk.submit(read(sector, 1));
  if (status == IoStatus::ok) responses.add(seconds(sim.now() - arrival));
}

Task<> poisson_reads(HardDisk& disk, Simulation& sim, Duration mean_gap, int count,
                     Tally& responses) {
  RandomStream gaps = sim.random("arrivals");
  RandomStream places = sim.random("places");
  TaskGroup reads{sim};
  Tally warm_up;
  for (int i = 0; i < count + 500; ++i) {
    const Duration gap = gaps.exponential(mean_gap);
    co_await sim.delay(gap);
    reads.spawn(one_read(disk, sim, random_sector(places), i < 500 ? warm_up : responses), "read");
  }
  co_await reads.join();
}

}  // namespace

TEST_CASE("Random reads take the expected seek, half a revolution and their transfer",
          "[storage][queueing]") {
  check_random_reads({.kind = SeekCurveKind::table, .points = {{1, 1ms}, {999, 15ms}}});
  check_random_reads({.kind = SeekCurveKind::two_piece});
  check_random_reads({.kind = SeekCurveKind::data_sheet});
}

TEST_CASE("A queue of random reads waits as M/G/1 says", "[storage][queueing]") {
  // Each seek takes 3 ms whatever the distance, so the service times are independent: 0.5 + 3 + U +
  // 0.1 + 0.001 ms with U uniform on a revolution of 10 ms. Mean 8.601 ms, variance 100 / 12.
  HardDisk::Config config = wide_disk();
  config.seek.points = {{1, 3ms}};
  config.head_switch = 3ms;
  constexpr double mean = 8.601;
  constexpr double square = mean * mean + 100.0 / 12;
  // The 1 of 2000 reads that stay on the track save 3 ms; sector and time decide, so this is the
  // mean's only deviation: 0.0015 ms.
  constexpr Duration gap = 14335us;  // load 0.6
  constexpr double rate = 1 / 14.335;
  constexpr double wait = rate * square / 2 / (1 - rate * mean);

  Tally means;
  for (std::uint64_t i = 0; i < 20; ++i) {
    Simulation sim{{.seed = 1, .replication = i}};
    HardDisk disk{sim, "disk", config};
    Tally responses;
    sim.run(poisson_reads(disk, sim, gap, 5000, responses));
    means.add(responses.mean() * 1000);
  }
  const double sigma = means.standard_deviation() / std::sqrt(static_cast<double>(means.count()));
  CAPTURE(means.mean(), mean + wait, sigma);
  CHECK(std::abs(means.mean() - (mean + wait)) < 3 * sigma);
}
