#include <copysim/error.hpp>
#include <copysim/models/cpu/multimedia_player.hpp>
#include <copysim/models/cpu/shared_cpu.hpp>
#include <copysim/sim/simulation.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

struct World {
  World() : cpu{sim, "client", {.cores = 1}} {}
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World() { sim.close(); }
  Simulation sim;
  SharedCpu cpu;
};

Task<> calls(Simulation& sim, SharedCpu& cpu, Duration work, Duration each) {
  for (;;) {
    const SimTime began = sim.now();
    co_await cpu.run_on(0, CpuLevel::deferred_call, work, CpuWork::network);
    co_await sim.delay(began + each - sim.now());
  }
}

Task<> busy(CpuThread& thread) {
  for (;;) co_await thread.run(1s);
}

}  // namespace

TEST_CASE("MultimediaPlayer alone misses no period", "[cpu][player]") {
  World world;
  const MultimediaPlayer player{world.sim, world.cpu, {.work = 4ms}};

  world.sim.run_until(SimTime{1s});

  CHECK(player.counters().periods == 100);
  CHECK(player.counters().drop_outs == 0);
}

TEST_CASE("MultimediaPlayer misses a period that deferred calls leave too little of",
          "[cpu][player]") {
  // Calls take the first 7 ms of each 10 ms, the player needs 4: it runs from 7 to 10 and from 17
  // to 18. So each piece ends one period late, and every second period drops out.
  World world;
  world.sim.spawn(calls(world.sim, world.cpu, 7ms, 10ms), "calls");
  const MultimediaPlayer player{world.sim, world.cpu, {.work = 4ms}};

  world.sim.run_until(SimTime{1s});

  CHECK(player.counters().periods == 100);
  CHECK(player.counters().drop_outs == 50);
}

TEST_CASE("MultimediaPlayer is raised above a busy program for 8 of 10 ms", "[cpu][player]") {
  // Work of 8 ms fits into the raised part exactly; 8 ms and a bit does not, and the rest waits for
  // the next cycle, as the busy program goes before it.
  for (const bool fits : {true, false}) {
    World world;
    CpuThread other{world.cpu, {.name = "busy", .priority = 8}};
    world.sim.spawn(busy(other), "busy");
    const MultimediaPlayer player{world.sim, world.cpu, {.work = fits ? 8ms : 8001us}};

    world.sim.run_until(SimTime{1s});

    CHECK((player.counters().drop_outs == 0) == fits);
    CHECK(world.cpu.used(0, CpuLevel::thread) == 1s);
  }
}

TEST_CASE("MultimediaPlayer refuses a boost longer than its window", "[cpu][player]") {
  World world;
  CHECK_THROWS_AS((MultimediaPlayer{world.sim, world.cpu, {.window = 10ms, .boost = 11ms}}),
                  ConfigError);
}
