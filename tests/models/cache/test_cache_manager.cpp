#include <copysim/models/cache/cache_manager.hpp>

#include "fake_backing.hpp"
#include "support/catch.hpp"
#include "support/free_cpu.hpp"

using namespace copysim;

namespace {

struct World {
  explicit World(CacheConfig config = {}, Bytes size = 4_MiB, Bytes memory = 1_GiB)
      : backing{sim, size}, cache{sim, cpu, config, memory}, file{sim, backing} {}
  ~World() { sim.close(); }

  Duration timed_read(ReadHistory& history, Extent extent) {
    const SimTime before = sim.now();
    const ReadResult result = sim.run(cache.read(file, history, extent));
    CHECK(result.ok());
    CHECK(result.content() == Content{Origin{9, 0, extent.offset}, extent.length});
    return sim.now() - before;
  }
  Task<> write_from(Bytes from, Bytes to, Bytes step) {
    for (Bytes at = from; at < to; at += step) {
      const Content content{Origin{5, 0, at}, step};
      const IoStatus status = co_await cache.write(file, at, content, Bytes{}, Writer::program);
      if (status != IoStatus::ok) co_return;
    }
  }

  Simulation sim;
  FreeCpu cpu;
  FakeBacking backing;
  CacheManager cache;
  CachedFile file;
};

}  // namespace

TEST_CASE("a cached page is read from the device once", "[cache]") {
  World world;
  ReadHistory history{{.factor = 0}, false};

  CHECK(world.timed_read(history, {0_B, 60_KiB}) == 1ms);
  CHECK(world.timed_read(history, {0_B, 60_KiB}) == 0ms);
  CHECK(world.backing.reads == std::vector<Extent>{{0_B, 60_KiB}});
  CHECK(world.cache.counters().read_hits == 1);
}

TEST_CASE("a fault ends at the view, at the fault boundary and at the largest paging read",
          "[cache]") {
  ReadHistory history{{.factor = 0}, false};

  SECTION("view: 240..300 KiB lies in two views") {
    World world;
    CHECK(world.timed_read(history, {240_KiB, 60_KiB}) == 2ms);
    CHECK(world.backing.reads == std::vector<Extent>{{240_KiB, 16_KiB}, {256_KiB, 44_KiB}});
  }
  SECTION("boundary of 64 KiB: 60..120 KiB is cut at 64") {
    World world{{.read_ahead = {}, .fault_boundary = 64_KiB}};
    CHECK(world.timed_read(history, {60_KiB, 60_KiB}) == 2ms);
    CHECK(world.backing.reads == std::vector<Extent>{{60_KiB, 4_KiB}, {64_KiB, 56_KiB}});
  }
  SECTION("largest paging read: 256 KiB is four reads of 64") {
    World world;
    CHECK(world.timed_read(history, {0_B, 256_KiB}) == 4ms);
  }
}

TEST_CASE("read-ahead turns the reads of a sequence into hits", "[cache]") {
  World world;
  ReadHistory history{{}, true};

  CHECK(world.timed_read(history, {0_B, 64_KiB}) == 1ms);  // the fault; 128 KiB are read beside it
  CHECK(world.timed_read(history, {64_KiB, 64_KiB}) == 0ms);
  world.sim.run_until(SimTime{10ms});
  CHECK(world.cache.counters().bytes_read_ahead == 192_KiB);  // 64 to 192 KiB, then to 256 KiB
}

TEST_CASE(
    "the first scan of the lazy writer comes 3 s after the first dirty page, then each second",
    "[cache][lazy-writer]") {
  World world;
  world.sim.run(world.write_from(0_B, 1_MiB, 64_KiB));

  world.sim.run_until(SimTime{2999ms});
  CHECK(world.backing.writes.empty());
  // 1 MiB dirty: an eighth is 128 KiB, two writes of 64 KiB.
  world.sim.run_until(SimTime{3900ms});
  CHECK(world.backing.writes == std::vector<Extent>{{0_B, 64_KiB}, {64_KiB, 64_KiB}});
  // 896 KiB dirty: an eighth is 112 KiB, again two writes.
  world.sim.run_until(SimTime{4900ms});
  CHECK(world.backing.writes.size() == 4);
}

TEST_CASE("writers wait while the dirty threshold is reached, remote ones do not",
          "[cache][throttle]") {
  // 3/8 of 16 MiB are 6 MiB. Each write counts at most 256 KiB.
  World world{{.read_ahead = {}, .reserve = 0_B, .in_use = 0_B}, 64_MiB, 16_MiB};
  world.sim.run(world.write_from(0_B, 7_MiB, 256_KiB));

  CHECK(world.cache.counters().throttled_writes > 0);
  CHECK(world.cache.counters().dirty_peak < 6_MiB);
  CHECK(world.sim.now() >= SimTime{3s});  // nothing drains before the first scan
}

TEST_CASE("flush writes every dirty byte, in order", "[cache]") {
  World world;
  world.sim.run(world.write_from(0_B, 512_KiB, 64_KiB));
  const IoStatus status = world.sim.run(world.cache.flush(world.file));

  CHECK(status == IoStatus::ok);
  CHECK(world.cache.dirty() == 0_B);
  CHECK(world.backing.written.read({0_B, 512_KiB}) == Content{Origin{5, 0, 0_B}, 512_KiB});
  CHECK(world.backing.writes.size() == 8);
}

TEST_CASE("clean pages leave when memory is full, so a file may be larger than memory", "[cache]") {
  World world{{.read_ahead = {}, .in_use = 0_B}, 64_MiB, 8_MiB};
  ReadHistory history{{.factor = 0}, false};
  for (Bytes at; at < 64_MiB; at += 64_KiB) world.timed_read(history, {at, 64_KiB});

  CHECK(world.cache.counters().cached_peak <= 8_MiB);
  CHECK(world.cache.counters().evicted == 56_MiB);
  CHECK(world.file.content.runs() == 1);
}
