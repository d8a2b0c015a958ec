#include <copysim/models/cache/linux_page_cache.hpp>

#include "fake_backing.hpp"
#include "support/catch.hpp"
#include "support/free_cpu.hpp"

using namespace copysim;

namespace {

// 100 MiB for file pages: 30 MiB may be dirty before write-back starts, 60 MiB before writers wait.
LinuxCacheConfig plain() {
  LinuxCacheConfig config;
  config.in_use = 0_B;
  return config;
}

struct World {
  explicit World(LinuxCacheConfig config = plain(), Bytes size = 256_MiB)
      : backing{sim, size}, cache{sim, cpu, config, 100_MiB}, file{sim, backing} {}
  ~World() { sim.close(); }

  Task<> write(Bytes from, Bytes to, Bytes step) {
    for (Bytes at = from; at < to; at += step) {
      const Content content{Origin{5, 0, at}, step};
      const IoStatus status = co_await cache.write(file, at, content, Bytes{}, Writer::program);
      if (status != IoStatus::ok) failed = status;
    }
  }
  Task<> wait(Duration time) { co_await sim.delay(time); }

  Simulation sim;
  FreeCpu cpu;
  FakeBacking backing;
  LinuxPageCache cache;
  CachedFile file;
  IoStatus failed = IoStatus::ok;
};

}  // namespace

TEST_CASE("the page cache reads a file with the requests of its read-ahead, each once",
          "[cache][linux]") {
  World world;
  const auto reader = world.cache.open(world.file, false);

  Content all;
  for (Bytes at; at < 104_KiB; at += 4_KiB) {
    const ReadResult result = world.sim.run(reader->read({at, 4_KiB}));
    REQUIRE(result.ok());
    all.append(result.content());
  }
  world.sim.run_until(world.sim.now());  // the last window goes to the device at this instant

  CHECK(all == Content{Origin{9, 0, 0_B}, 104_KiB});
  // Windows of 1 + 3, 7, 13, 25 and 32 pages, as `WindowReadAhead` asks for. The reader, which
  // takes no time, waits for the first page of each and asks for the next window at the second:
  // page 25, the last one read, asks for pages 49 to 80.
  CHECK(world.backing.reads == std::vector<Extent>{{0_B, 16_KiB},
                                                   {16_KiB, 28_KiB},
                                                   {44_KiB, 52_KiB},
                                                   {96_KiB, 100_KiB},
                                                   {196_KiB, 128_KiB}});
  // Each request takes 1 ms, and the reader takes no time: it waits for four of them.
  CHECK(world.sim.now() == SimTime{} + 4ms);
}

TEST_CASE("a read past what is cached fails as the device does", "[cache][linux]") {
  World world;
  const auto reader = world.cache.open(world.file, false);
  world.backing.read_status = IoStatus::device_error;
  const ReadResult result = world.sim.run(reader->read({0_B, 4_KiB}));
  CHECK(result.status() == IoStatus::device_error);
}

TEST_CASE("dirty pages go to the disk when they are 30 s old, looked for every 5 s",
          "[cache][linux][write-back]") {
  World world;
  world.sim.run(world.write(0_B, 1_MiB, 64_KiB));

  // Dirty from 0 s on, looked for at 5 s, 10 s, ...: at 30 s they are 30 s old.
  world.sim.run(world.wait(30s - 1ns));
  CHECK(world.backing.writes.empty());
  world.sim.run(world.wait(1s));
  // 1 MiB in requests of 128 KiB, all at the device at once: 1 ms.
  CHECK(world.backing.writes.size() == 8);
  CHECK(world.cache.dirty() == 0_B);
  CHECK(world.backing.written.read({0_B, 1_MiB}) == Content{Origin{5, 0, 0_B}, 1_MiB});
}

TEST_CASE("pages that became dirty just after a look wait for up to 35 s",
          "[cache][linux][write-back]") {
  World world;
  world.sim.run(world.write(0_B, 256_KiB, 64_KiB));
  world.sim.run(world.wait(1s));
  world.sim.run(world.write(1_MiB, 1_MiB + 256_KiB, 64_KiB));

  world.sim.run(world.wait(30s));
  CHECK(world.cache.dirty() == 256_KiB);  // those of 1 s are 29 s old at the look of 30 s
  world.sim.run(world.wait(5s));
  CHECK(world.cache.dirty() == 0_B);  // and 34 s at that of 35 s
}

TEST_CASE("write-back starts above 30 % of the memory for files and not below",
          "[cache][linux][write-back]") {
  World world;
  world.sim.run(world.write(0_B, 30_MiB, 64_KiB));
  world.sim.run(world.wait(1s));
  CHECK(world.backing.writes.empty());

  world.sim.run(world.write(30_MiB, 30_MiB + 64_KiB, 64_KiB));
  world.sim.run(world.wait(1s));
  // 64 KiB too many: one cycle of 256 KiB, in requests of 128 KiB, brings it below.
  CHECK(world.backing.writes == std::vector<Extent>{{0_B, 128_KiB}, {128_KiB, 128_KiB}});
  CHECK(world.cache.dirty() == 30_MiB + 64_KiB - 256_KiB);
}

TEST_CASE("writers wait above 60 % of the memory for files until the disk has caught up",
          "[cache][linux][write-back]") {
  LinuxCacheConfig config = plain();
  config.requests = 1;
  World world{config};
  // The disk takes 1 ms for 128 KiB, one request at a time: 125 MiB/s. A program that takes no time
  // writes 100 MiB: the first 60 MiB at once, the other 40 MiB as fast as 320 requests go.
  world.sim.run(world.write(0_B, 100_MiB, 128_KiB));
  CHECK(world.sim.now() == SimTime{} + 320ms);
  CHECK(world.cache.counters().dirty_peak == 60_MiB);
  CHECK(world.cache.counters().throttled_time == 320ms);
}

TEST_CASE("2.6 blocks writers from 10 % on and lets them try each 100 ms",
          "[cache][linux][write-back]") {
  LinuxCacheConfig config = plain();
  config.background = config.background_stop = 0.05;
  config.foreground = 0.10;
  config.retry = 100ms;
  config.requests = 1;
  World world{config};
  // 10 MiB at once. Write-back goes on down to 5 MiB within the first 100 ms (40 requests), so the
  // writer, which tries at 100 ms, finds room for 5 MiB more, and so on: 5 MiB for each 100 ms.
  world.sim.run(world.write(0_B, 25_MiB, 128_KiB));
  CHECK(world.sim.now() == SimTime{} + 300ms);
  CHECK(world.cache.counters().dirty_peak == 10_MiB);
}

TEST_CASE("what a page cache keeps does not grow with what was copied", "[cache][linux]") {
  World world;
  world.sim.run(world.write(0_B, 200_MiB, 128_KiB));
  world.sim.run(world.wait(60s));
  // 100 MiB of memory hold 400 views of 256 KiB at most.
  CHECK(world.file.views.size() <= 400);
  CHECK(world.cache.counters().cached_peak <= 100_MiB);
  CHECK(world.backing.written.read({0_B, 200_MiB}) == Content{Origin{5, 0, 0_B}, 200_MiB});
}
