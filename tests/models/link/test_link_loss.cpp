#include <cstdint>

#include <copysim/models/link/link.hpp>

#include "models/link/link_support.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

// The line of a WAN: 20 ms and 100 Mbit/s.
LinkConfig line() {
  return {.rtt = 20ms, .bottleneck = Bandwidth::bits_per_second(100e6)};
}

struct Copy {
  LinkConfig link = line();
  CongestionControlKind control = CongestionControlKind::reno;
  bool selective = true;
  int streams = 8;  // requests of 63 bytes, each with an answer of 60 KiB; 0: 20 MB at once
};

Task<> send(Simulation& sim, Transport& transport, int streams) {
  if (streams == 0) {
    co_await transport.deliver(Toward::client, 20000000_B);
    co_return;
  }
  TaskGroup group{sim};
  for (int i = 0; i < streams; ++i) group.spawn(ping_pong(transport, 63_B, 61504_B, 320 / streams));
  co_await group.join();
}

// Seconds that it takes on the average over ten seeds.
double mean_time(const Copy& copy, LinkDetail detail) {
  double sum = 0;
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    Simulation sim{{.seed = seed}};
    LinkConfig config = copy.link;
    config.detail = detail;
    const auto link = make_link(sim, config);
    TransportEnd end = plain_end(1_MiB, 2);
    end.tcp.congestion_control = copy.control;
    end.tcp.selective_acknowledgement = copy.selective;
    const auto transport = link->open(end, end);
    sim.run(send(sim, *transport, copy.streams));
    sum += seconds(sim.now() - SimTime{});
  }
  return sum / 10;
}

// By how much bursts take longer than packets, as a share.
double difference(const Copy& copy) {
  return mean_time(copy, LinkDetail::burst) / mean_time(copy, LinkDetail::packet) - 1;
}

}  // namespace

TEST_CASE("bursts and packets agree under random loss", "[link][packet][tcp]") {
  // Both levels draw their losses from the same stream, so the means over ten seeds differ by less
  // than each of them varies with the seeds (4 %).
  Copy copy;
  copy.streams = GENERATE(0, 8);
  copy.link.loss = GENERATE(0.0001, 0.001, 0.005);
  copy.control = GENERATE(CongestionControlKind::reno, CongestionControlKind::compound,
                          CongestionControlKind::cubic);
  INFO(copy.streams << ' ' << copy.link.loss << ' ' << to_string(copy.control));
  CHECK(difference(copy) == Approx(0).margin(0.03));
}

TEST_CASE("bursts and packets agree within 5 % where each fiftieth frame is lost",
          "[link][packet][tcp]") {
  // What bursts leave out begins to matter: acknowledgements get lost too.
  Copy copy;
  copy.streams = GENERATE(0, 8);
  copy.link.loss = 0.02;
  CHECK(difference(copy) == Approx(0).margin(0.05));
}

TEST_CASE("bursts and packets agree without selective acknowledgements", "[link][packet][tcp]") {
  Copy copy;
  copy.selective = false;
  copy.link.loss = 0.001;
  CHECK(difference(copy) == Approx(0).margin(0.03));
}

TEST_CASE("bursts and packets agree where losses come in runs", "[link][packet][tcp]") {
  Copy copy;
  copy.streams = GENERATE(0, 8);
  copy.link.loss = 0.005;
  copy.link.loss_run = 4;
  CHECK(difference(copy) == Approx(0).margin(0.05));
}

TEST_CASE("bursts and packets agree where a queue overflows", "[link][packet][tcp]") {
  Copy copy;
  copy.streams = GENERATE(0, 8);
  copy.link.queue = 64_KiB;
  copy.control = GENERATE(CongestionControlKind::reno, CongestionControlKind::cubic);
  INFO(copy.streams << ' ' << to_string(copy.control));
  CHECK(difference(copy) == Approx(0).margin(0.03));
}

TEST_CASE("bursts and packets agree where the delay varies", "[link][packet][tcp]") {
  Copy copy;
  copy.streams = GENERATE(0, 8);
  copy.link.jitter = 10ms;
  CHECK(difference(copy) == Approx(0).margin(0.01));
}
