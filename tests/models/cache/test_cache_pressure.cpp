#include <copysim/sim/task_group.hpp>

#include "models/cache/cache_world.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::testing;

namespace {

// 16 MiB of memory, all for file pages; 3/8 of it, 6 MiB, may be dirty before programs wait.
constexpr CacheConfig all_for_files{.read_ahead = {}, .in_use = 0_B};

Task<> write_from_four_clients(CacheWorld& world) {
  TaskGroup clients{world.sim};
  for (int i = 0; i < 4; ++i) {
    clients.spawn(world.write_pieces({10_MiB * i, 10_MiB}, 64_KiB, Writer::remote_client));
  }
  co_await clients.join();
  const IoStatus status = co_await world.cache.flush_all();
  world.statuses.push_back(status);
}

Task<> write_and_log(CacheWorld& world, Extent extent, std::string name,
                     std::vector<std::string>& log) {
  co_await world.write(extent, 0);
  log.push_back(std::move(name));
}

Task<> write_side_by_side(CacheWorld& world, std::vector<std::string>& log) {
  TaskGroup writers{world.sim};
  writers.spawn(write_and_log(world, {6_MiB, 256_KiB}, "first", log));
  writers.spawn(write_and_log(world, {7_MiB, 256_KiB}, "second", log));
  writers.spawn(write_and_log(world, {8_MiB, 256_KiB}, "third", log));
  writers.spawn(write_and_log(world, {9_MiB, 4_KiB}, "small", log));
  co_await writers.join();
}

}  // namespace

TEST_CASE("remote writers pass the dirty threshold but never the memory", "[cache][throttle]") {
  CacheWorld world{all_for_files};
  world.sim.run(write_from_four_clients(world));

  // A write is let in while 1,800 KiB stay available behind it: at most 16,384 - 1,800 = 14,584 KiB
  // get dirty. 40 MiB do not fit, so somebody waited.
  CHECK(world.cache.counters().dirty_peak > 6_MiB);
  CHECK(world.cache.counters().dirty_peak < 14584_KiB);
  CHECK(world.cache.counters().cached_peak <= 16_MiB);
  CHECK(world.cache.counters().throttled_writes > 0);
  CHECK(world.cache.dirty() == 0_B);
  CHECK(world.backing.written.read({0_B, 40_MiB}) == written(0, {0_B, 40_MiB}));
}

TEST_CASE("writers that were held back go on in the order of their arrival, small ones too",
          "[cache][throttle]") {
  CacheWorld world{all_for_files};
  // 5.75 MiB are dirty: 256 KiB more would reach 6 MiB, 4 KiB would not.
  world.sim.run(world.write_pieces({0_B, 5888_KiB}, 256_KiB));
  REQUIRE(world.cache.counters().throttled_writes == 0);

  std::vector<std::string> log;
  world.sim.run(write_side_by_side(world, log));

  CHECK(log == std::vector<std::string>{"first", "second", "third", "small"});
  CHECK(world.cache.counters().throttled_writes == 4);
  CHECK(world.cache.counters().dirty_peak < 6_MiB);
  CHECK(world.sim.now() >= SimTime{3s});  // the first scan
}

TEST_CASE("a machine with next to no memory writes slowly, but it writes", "[cache][throttle]") {
  // An eighth of 1 MiB is all there is, less than the pages that must stay available.
  CacheWorld world{{}, 64_MiB, 1_MiB};
  world.sim.run(world.write_pieces({0_B, 1_MiB}, 64_KiB));
  world.sim.run(world.flush());

  CHECK(world.backing.written.read({0_B, 1_MiB}) == written(0, {0_B, 1_MiB}));
}

TEST_CASE("a scan of the lazy writer takes at least one whole write", "[cache][lazy-writer]") {
  CacheWorld world{all_for_files};
  world.sim.run(world.write_pieces({0_B, 128_KiB}, 64_KiB));

  // An eighth of 128 KiB would be 16 KiB; the scans at 3 s and 4 s write 64 KiB each.
  world.sim.run_until(SimTime{3900ms});
  CHECK(world.backing.writes == std::vector<Extent>{{0_B, 64_KiB}});
  world.sim.run_until(SimTime{4900ms});
  CHECK(world.backing.writes == std::vector<Extent>{{0_B, 64_KiB}, {64_KiB, 64_KiB}});
  CHECK(world.cache.dirty() == 0_B);
}

TEST_CASE("a scan writes more when pages get dirty faster than they go", "[cache][lazy-writer]") {
  CacheWorld world{all_for_files};
  world.sim.run(world.write_pieces({0_B, 5_MiB}, 256_KiB));

  // 5 MiB came since the last scan. An eighth, 0.625 MiB, would leave 5 - 0.625 + 5 = 9.375 MiB at
  // the next scan, 4.875 MiB over three quarters of 6 MiB: all 5 MiB go, in 80 writes of 64 KiB.
  world.sim.run_until(SimTime{3900ms});
  CHECK(world.backing.writes.size() == 80);
  CHECK(world.cache.dirty() == 0_B);
}

TEST_CASE("bytes written over a clean page survive when memory is full", "[cache]") {
  CacheWorld world{all_for_files};
  for (Bytes at; at < 16_MiB; at += 64_KiB) world.sim.run(world.read({at, 64_KiB}));
  REQUIRE(world.resident() == 16_MiB);

  // The written view is the one not used for longest: it must not be given up for its own write.
  const Extent part = GENERATE(Extent{0_B, 64_KiB}, Extent{5000_B, 100_B});
  world.sim.run(world.write(part, 1));
  world.sim.run(world.read({0_B, 64_KiB}));

  Content expected = stored({0_B, part.offset});
  expected.append(written(1, part));
  expected.append(stored({part.end(), 64_KiB - part.end()}));
  CHECK(world.last_read == expected);
  CHECK(world.resident() <= 16_MiB);
}

TEST_CASE("what a file costs the cache does not grow with it", "[cache][memory]") {
  const Bytes size = GENERATE(64_MiB, 640_MiB);
  CacheWorld world{all_for_files, size};
  for (Bytes at; at < size; at += 64_KiB) {
    world.sim.run(world.read({at, 64_KiB}));
    world.sim.run(world.write({at, 64_KiB}, 1));
  }
  world.sim.run(world.flush());

  // 16 MiB are 64 views; at worst none of them is the neighbour of another.
  CHECK(world.file.views.size() <= 64);
  CHECK(world.file.content.runs() <= 64);
  CHECK(world.backing.written.runs() == 1);
  CHECK(world.backing.written.read({0_B, size}) == written(1, {0_B, size}));
}
