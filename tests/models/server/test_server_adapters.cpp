#include <string>
#include <utility>
#include <vector>

#include <copysim/models/cpu/shared_cpu.hpp>
#include <copysim/models/server/server_adapters.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/sim/task_group.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

using Log = std::vector<std::pair<int, Duration>>;

Task<> receive(Simulation& sim, ServerAdapters& adapters, int client, Bytes message, Log& log) {
  co_await adapters.receive(client, message);
  log.emplace_back(client, sim.now() - SimTime{});
}

Task<> send(ServerAdapters& adapters, int client, Bytes message) {
  co_await adapters.send(client, message);
}

Task<> receive_from(Simulation& sim, ServerAdapters& adapters, std::vector<int> clients, Log& log) {
  TaskGroup group{sim};
  for (const int client : clients) group.spawn(receive(sim, adapters, client, Bytes{1460}, log));
  co_await group.join();
}

// A full frame takes 12.304 us on the wire, the path 30 us, an interrupt 2 us, a call 1 us, and a
// packet 10 us, of which 4 stay with the driver; sorting takes 1 us.
ServerAdapters::Config config() {
  return {.adapters = 2,
          .rate = Bandwidth::bits_per_second(1e9),
          .latency = 30us,
          .interrupt_rate = 1e9,
          .interrupt = 2us,
          .deferred_call = 1us,
          .packet = 10us,
          .driver_share = 0.4,
          .sort = 1us};
}

struct World {
  explicit World(ReceiveScaling::Config scaling)
      : cpu{sim, "server", {.cores = 4}}, adapters{sim, "adapters", cpu, config(), scaling} {}
  World(const World&) = delete;
  World& operator=(const World&) = delete;
  ~World() { sim.close(); }
  Simulation sim;
  SharedCpu cpu;
  ServerAdapters adapters;
  Log log;
};

}  // namespace

TEST_CASE("ServerAdapters without scaling work on the first core, one adapter after the other",
          "[server]") {
  World world{{.kind = ScalingKind::none}};

  world.sim.run(receive_from(world.sim, world.adapters, {0, 1}, world.log));

  // Both arrive at 42.304 us on wires of their own. The interrupts take until 46.304 us, then
  // the calls of 11 us each follow one another.
  CHECK(world.log == Log{{0, 57304ns}, {1, 68304ns}});
  CHECK(world.cpu.used(0, CpuLevel::deferred_call) == 22us);
  CHECK(world.cpu.used(1, CpuLevel::deferred_call) == 0us);
}

TEST_CASE("ServerAdapters with a shared base sort on the first core and work side by side",
          "[server]") {
  World world{{.kind = ScalingKind::shared_base, .cores = 2}};

  // Clients 0 and 2 share adapter 0 and have cores 0 and 1.
  world.sim.run(receive_from(world.sim, world.adapters, {0, 2}, world.log));

  // Client 0 comes at 42.304 us and is alone: interrupt 2, driver and sorting 1 + 5, protocol 1 +
  // 6: 57.304 us. Client 2 comes at 54.608 us and waits until interrupts are enabled at 57.304 us;
  // then 2 + 6 on core 0 and 7 on core 1: 72.304 us.
  CHECK(world.log == Log{{0, 57304ns}, {2, 72304ns}});
  CHECK(world.cpu.used(0, CpuLevel::deferred_call) == 6us + 7us + 6us);
  CHECK(world.cpu.used(1, CpuLevel::deferred_call) == 7us);
}

TEST_CASE("ServerAdapters with bases of their own interrupt different cores", "[server]") {
  World world{{.kind = ScalingKind::own_base, .cores = 2}};

  world.sim.run(receive_from(world.sim, world.adapters, {0, 1}, world.log));

  // Side by side on cores 0 and 2: 42.304 + 2 + 6 + 7.
  CHECK(world.log == Log{{0, 57304ns}, {1, 57304ns}});
  CHECK(world.cpu.used(0, CpuLevel::interrupt) == 2us);
  CHECK(world.cpu.used(2, CpuLevel::interrupt) == 2us);
}

TEST_CASE("ServerAdapters count acknowledgements of what they send as packets", "[server]") {
  World world{{.kind = ScalingKind::none}};
  world.sim.run(send(world.adapters, 0, Bytes{14600}));  // ten frames: five acknowledgements

  world.sim.run(receive_from(world.sim, world.adapters, {0}, world.log));

  CHECK(world.adapters.counters(0).packets == 6);
  CHECK(world.cpu.used(0, CpuLevel::deferred_call) == 1us + 6 * 10us);
}
