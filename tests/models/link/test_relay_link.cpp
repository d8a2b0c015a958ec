#include <copysim/models/cpu/shared_cpu.hpp>
#include <copysim/models/link/relay_link.hpp>

#include "models/link/link_support.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

TEST_CASE("RelayLink paces the payload alone and then delays it by half a round trip", "[link]") {
  Simulation sim;
  const auto link = make_link(
      sim, {.kind = LinkKind::relay, .rate = Bandwidth::bits_per_second(100e6), .rtt = 20ms});
  const auto connection = link->open(plain_end(), plain_end());

  sim.run(deliver_all(sim, *connection, Toward::client, 1000000_B, 2));

  // smb-measured.md section 2: bulk takes the ideal time and one one-way delay.
  // 2 MB at 12.5 MB/s = 160 ms, + 10 ms.
  CHECK(sim.now() == SimTime{170ms});
  CHECK(connection->counters().wire_bytes == 2000000_B);
}

TEST_CASE("RelayLink without a rate only delays", "[link]") {
  Simulation sim;
  const auto link = make_link(sim, {.kind = LinkKind::relay, .rate = Bandwidth{0}, .rtt = 62500us});
  const auto connection = link->open(plain_end(), plain_end());

  sim.run(ping_pong(*connection, 63_B, 61504_B, 16));

  CHECK(sim.now() == SimTime{1s});  // 16 x 62.5 ms
}

TEST_CASE("RelayLink copies in one thread on the client's processors", "[link]") {
  Simulation sim;
  SharedCpu cpu{sim, "client", {.cores = 2}};
  const auto link = make_link(
      sim,
      {.kind = LinkKind::relay, .rate = Bandwidth{0}, .rtt = 20ms, .relay_copy = Bandwidth{1e9}});
  TransportEnd client = plain_end();
  client.cpu = &cpu;
  const auto connection = link->open(client, plain_end());

  sim.run(deliver_all(sim, *connection, Toward::client, 1000000_B, 3));

  // Three times 1 ms of copying one after another, then the delay of the last.
  CHECK(sim.now() == SimTime{13ms});
  CHECK(cpu.used(CpuWork::thread) == 3ms);
}

TEST_CASE("A relay refuses what happens to frames only", "[link]") {
  Simulation sim;
  const auto made = [&sim](LinkConfig config) {
    config.kind = LinkKind::relay;
    return make_link(sim, config);
  };
  CHECK_THROWS_WITH(made({.loss = 0.5}), Catch::Contains("loss must be 0 with kind relay"));
  CHECK_THROWS_WITH(made({.jitter = 1ms}), Catch::Contains("jitter must be 0"));
  CHECK_THROWS_WITH(made({.down_for = 30s}), Catch::Contains("down_for must be 0"));
  CHECK_THROWS_WITH(made({.medium = LinkMedium::wifi}),
                    Catch::Contains("medium must be full-duplex with kind relay, got wifi"));
}
