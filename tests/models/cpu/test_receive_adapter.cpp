#include <cstdint>
#include <vector>

#include <copysim/models/cpu/receive_adapter.hpp>
#include <copysim/models/cpu/shared_cpu.hpp>
#include <copysim/models/link/packet_stream.hpp>
#include <copysim/sim/simulation.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

/// Notes when each packet reaches the protocol.
class Protocol final : public PacketSink {
public:
  explicit Protocol(Simulation& sim) : sim_{sim} {}
  void arrive(const Packet& /*packet*/) override { times.push_back(sim_.now() - SimTime{}); }
  std::vector<Duration> times;

private:
  Simulation& sim_;
};

// A processor that costs nothing: what is left is the throttle and the ring.
ReceiveAdapter::Config free_card() {
  return {.ring = 256,
          .interrupt_rate = 1e9,
          .interrupt = 0ns,
          .deferred_call = 0ns,
          .packet = 0ns,
          .copy = Bandwidth{0},
          .packets_per_call = 16,
          .core = 0};
}

struct Machine {
  explicit Machine(ReceiveAdapter::Config config, PacketThrottle::Config limit = {},
                   int adapters = 1)
      : cpu{sim, "client", {.cores = 1}},
        throttle{limit, adapters},
        protocol{sim},
        card{sim, "card", cpu, throttle, config} {}
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;
  ~Machine() { sim.close(); }

  void burst(int packets) {
    Packet full;
    full.payload = Framing::segment;
    for (int i = 0; i < packets; ++i) card.receive(full, protocol);
  }

  Simulation sim;
  SharedCpu cpu;
  PacketThrottle throttle;
  Protocol protocol;
  ReceiveAdapter card;
};

}  // namespace

TEST_CASE("ReceiveAdapter charges one interrupt, one call and each packet", "[cpu][adapter]") {
  Machine machine{{.ring = 256,
                   .interrupt_rate = 8000,
                   .interrupt = 2us,
                   .deferred_call = 1500ns,
                   .packet = 3300ns,
                   .copy = Bandwidth{1.5e9}}};
  machine.sim.run_until(SimTime{1ms});
  machine.burst(3);

  machine.sim.run_until(SimTime{2ms});

  // 2 us, then 1.5 + 3 x 3.3 us + 4,500 B / 1.5 GB/s = 3 us: 14.4 us.
  CHECK(machine.cpu.used(0, CpuLevel::interrupt) == 2us);
  CHECK(machine.cpu.used(0, CpuLevel::deferred_call) == 14400ns);
  CHECK(machine.protocol.times == std::vector<Duration>(3, 1ms + 16400ns));
}

TEST_CASE("ReceiveAdapter interrupts no more often than its moderation allows", "[cpu][adapter]") {
  ReceiveAdapter::Config config = free_card();
  config.interrupt_rate = 8000;
  Machine machine{config};
  const ConstantStream stream{machine.sim, Bandwidth::bits_per_second(1e9), machine.card,
                              machine.protocol};

  machine.sim.run_until(SimTime{1s});

  // One each 125 us, the first when the first packet comes at 12.3 us.
  CHECK(machine.card.counters().interrupts == 8000);
  CHECK(machine.card.counters().passed >= 81'274 - 11);  // 1e9 / 8 / 1538 a second, less a batch
}

TEST_CASE("ReceiveAdapter drops what comes when the ring is full", "[cpu][adapter]") {
  Machine machine{free_card()};

  machine.burst(300);
  machine.sim.run_until(SimTime{1ms});

  CHECK(machine.card.counters().dropped == 44);  // 300 - 256
  CHECK(machine.card.counters().passed == 256);
}

// The closed form of the token bucket: with r packets per tick of 1 ms, packet n (from 1) of a
// burst at the start of a tick passes in tick ceil(n / r) - 1.
TEST_CASE("ReceiveAdapter hands a burst on at the rate of the throttle", "[cpu][adapter]") {
  for (const int adapters : {1, 2, 3}) {
    Machine machine{free_card(), {}, adapters};
    machine.throttle.set_playing(true);
    const int r = 12 - 2 * adapters;

    machine.burst(100);
    machine.sim.run_until(SimTime{1s});

    std::vector<Duration> expected;
    for (int n = 1; n <= 100; ++n) expected.push_back(((n + r - 1) / r - 1) * Duration{1ms});
    CHECK(machine.protocol.times == expected);
  }
}

// ... and a constant stream above it passes at exactly r per tick, whatever its rate.
TEST_CASE("ReceiveAdapter passes exactly 10, 8, 6 packets per millisecond of a faster stream",
          "[cpu][adapter]") {
  for (const int adapters : {1, 2, 3}) {
    for (const double rate : {200e6, 1e9, 10e9}) {
      Machine machine{free_card(), {}, adapters};
      machine.throttle.set_playing(true);
      const ConstantStream stream{machine.sim, Bandwidth::bits_per_second(rate), machine.card,
                                  machine.protocol};
      machine.sim.run_until(SimTime{100ms - 1ns});
      const std::int64_t before = machine.card.counters().passed;

      machine.sim.run_until(SimTime{1100ms - 1ns});

      CHECK(machine.card.counters().passed - before == 1000 * (12 - 2 * adapters));
    }
  }
}

TEST_CASE("ReceiveAdapter delays no packet of a stream below the throttle", "[cpu][adapter]") {
  Machine machine{free_card()};
  machine.throttle.set_playing(true);
  // 100 Mbit/s: 8,127 packets a second, 9 in the fullest tick.
  const ConstantStream stream{machine.sim, Bandwidth::bits_per_second(100e6), machine.card,
                              machine.protocol};

  machine.sim.run_until(SimTime{1s});

  CHECK(machine.card.counters().throttled_ticks == 0);
  CHECK(machine.card.counters().passed == 8127);
}
