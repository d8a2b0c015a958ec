#include <memory>

#include <copysim/error.hpp>
#include <copysim/models/cpu/packet_throttle.hpp>
#include <copysim/models/cpu/receive_adapter.hpp>
#include <copysim/models/cpu/shared_cpu.hpp>
#include <copysim/models/link/packet_connection.hpp>

#include "models/link/link_support.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

double windowed_rate(Bytes window, Duration rtt) {
  Simulation sim;
  const auto link = make_link(sim, {.detail = LinkDetail::packet, .rtt = rtt});
  const auto connection = link->open(plain_end(), plain_end(window));
  // Whole segments: a short one would take the place of a full one in the window.
  const Bytes message = 42 * Framing::segment;
  sim.run(deliver_all(sim, *connection, Toward::server, message, 200));
  return 200 * 61320.0 / seconds(sim.now() - SimTime{});
}

Duration slow_start_time(int ack_every, Bytes amount) {
  Simulation sim;
  const auto link = make_link(sim, {.detail = LinkDetail::packet, .rtt = 100ms});
  TransportEnd receiver = plain_end(16_MiB, 2);
  receiver.tcp.ack_every = ack_every;
  const auto connection = link->open(plain_end(16_MiB, 2), receiver);
  sim.run(deliver(sim, *connection, Toward::server, amount));
  CHECK(connection->counters().delayed_acks == 0);
  return sim.now() - SimTime{};
}

Duration one_message(const LinkConfig& config, Bytes message) {
  Simulation sim;
  LinkConfig packets = config;
  packets.detail = LinkDetail::packet;
  const auto link = make_link(sim, packets);
  const auto connection = link->open(plain_end(), plain_end());
  sim.run(deliver(sim, *connection, Toward::server, message));
  return sim.now() - SimTime{};
}

}  // namespace

TEST_CASE("PacketConnection sends a message for its wire time and half a round trip",
          "[link][packet]") {
  // As test_ethernet_link.cpp: 518.864 us + 100 us, and the other cases there.
  CHECK(one_message({.rtt = 200us}, 61504_B) == 618864ns);
  CHECK(one_message({.rtt = 200us, .switches = 1, .switch_latency = 5us}, 1460_B) == 129608ns);
  const LinkConfig narrow{.rtt = 10ms, .bottleneck = Bandwidth::bits_per_second(100e6)};
  CHECK(one_message(narrow, 14600_B) == 12304ns + 1230400ns + 5ms);
}

TEST_CASE("PacketConnection carries one receive window per round trip", "[link][packet]") {
  // A window of 17,520 B holds 12 segments, one of 65,535 holds 44: 64,240 B. A round trip takes
  // the time until the first pair is there and its ACK back: 2 frames and an ACK, 25.28 us.
  const auto law = [](double window, double rtt_s) { return window / (rtt_s + 25.28e-6); };
  CHECK(windowed_rate(17520_B, 1ms) == Approx(law(17520, 1e-3)).epsilon(0.01));
  CHECK(windowed_rate(17520_B, 62500us) == Approx(law(17520, 62.5e-3)).epsilon(0.01));
  CHECK(windowed_rate(65535_B, 10ms) == Approx(law(64240, 10e-3)).epsilon(0.02));
  // Without scaling on one side the larger window does not help.
  CHECK(windowed_rate(1048576_B, 50ms) == Approx(law(718 * 1460, 50e-3)).epsilon(0.05));
}

TEST_CASE("PacketConnection fills the wire when its window is larger than the path",
          "[link][packet]") {
  // 42 full frames take 516.768 us; 200 times that, and 100 us on the way.
  CHECK(windowed_rate(16777216_B, 200us) ==
        Approx(200 * 61320.0 / (200 * 516.768e-6 + 100e-6)).epsilon(1e-6));
}

TEST_CASE("PacketConnection starts slowly: the pipe is full after log(W / W0) / log(g) rounds",
          "[link][packet]") {
  // An ACK per segment: rounds carry 2, 4, 8, ... segments; 2^(n+1) - 2 after n rounds. 510
  // segments are 8 rounds: 7 round trips, then 256 frames on the wire and half a round trip. The
  // frames of a round leave in pairs, each pair at its ACK, so the last waits for nothing else.
  const Duration eight = slow_start_time(1, 510 * 1460_B);
  CHECK(seconds(eight) == Approx(7 * 0.1 + 0.05 + 256 * 12.304e-6).epsilon(0.005));
  // One per two segments: g = 1.5; sum 2 (1.5^n - 1) / 0.5 = 685 at n = 12.7 rounds.
  CHECK(seconds(slow_start_time(2, 1000000_B)) == Approx(12.7 * 0.1 + 0.05).epsilon(0.05));
}

TEST_CASE("PacketConnection stalls for exactly 200 ms where a lone segment fills the window",
          "[link][packet]") {
  Simulation sim;
  const auto link = make_link(sim, {.detail = LinkDetail::packet, .rtt = 0us});
  const auto connection = link->open(plain_end(64_KiB, 1), plain_end(64_KiB, 1));

  sim.run(deliver(sim, *connection, Toward::server, 2920_B));

  // The first segment, the timer, its ACK of 84 bytes (672 ns), the second segment.
  CHECK(sim.now() == SimTime{12304ns + 200ms + 672ns + 12304ns});
  CHECK(connection->counters().delayed_acks == 1);
}

TEST_CASE(
    "PacketConnection with Nagle's algorithm stalls 200 ms for an odd segment before a "
    "small one",
    "[link][packet]") {
  // Two messages: one full segment, then 100 bytes. The small one waits for the ACK of the first,
  // and that ACK waits for the timer.
  const auto time = [](bool nagle) {
    Simulation sim;
    const auto link = make_link(sim, {.detail = LinkDetail::packet, .rtt = 0us});
    TransportEnd sender = plain_end();
    sender.tcp.nagle = nagle;
    const auto connection = link->open(sender, plain_end());
    sim.run(deliver(sim, *connection, Toward::server, 1560_B));
    return sim.now() - SimTime{};
  };
  // 100 bytes are 178 on the wire: 1.424 us.
  CHECK(time(false) == 12304ns + 1424ns);
  CHECK(time(true) == 12304ns + 200ms + 672ns + 1424ns);
}

TEST_CASE("PacketConnection never stalls where the ACK rides on the answer", "[link][packet]") {
  Simulation sim;
  const auto link = make_link(sim, {.detail = LinkDetail::packet, .rtt = 0us});
  const auto connection = link->open(plain_end(1460_B, 1), plain_end(1460_B, 1));

  sim.run(ping_pong(*connection, 1460_B, 1460_B, 100));

  CHECK(sim.now() == SimTime{200 * 12304ns});
  CHECK(connection->counters().delayed_acks == 0);
}

TEST_CASE("PacketConnection shakes hands in one round trip", "[link][packet]") {
  Simulation sim;
  const auto link = make_link(sim, {.detail = LinkDetail::packet, .rtt = 10ms});
  const auto connection = link->open(plain_end(), plain_end());

  const IoStatus status = sim.run(connection->connect());

  CHECK(status == IoStatus::ok);
  CHECK(sim.now() == SimTime{10ms + 2 * 672ns});  // two bare frames of 84 bytes
  sim.run(deliver(sim, *connection, Toward::server, 1460_B));
  CHECK(sim.now() == SimTime{15ms + 2 * 672ns + 12304ns});
}

TEST_CASE("PacketConnection charges both processors, overlapping the wire", "[link][packet][cpu]") {
  Simulation sim;
  SharedCpu client{sim, "client", {.cores = 1}};
  SharedCpu server{sim, "server", {.cores = 1}};
  TransportEnd sender = plain_end();
  TransportEnd receiver = plain_end();
  sender.cpu = &client;
  receiver.cpu = &server;
  sender.cost = receiver.cost = NetworkCost{};
  const auto link = make_link(sim, {.detail = LinkDetail::packet, .rtt = 200us});
  const auto connection = link->open(sender, receiver);

  sim.run(deliver(sim, *connection, Toward::server, 61504_B));

  // As in bursts: the first frame is ready after 1.65 us and there 12.304 us and 100 us later.
  // Frames come for 506.56 us more, so the last is seen at the fifth interrupt after the first, 625
  // us later. The fourth came at 500 us and took all frames whose last bit came by then: 40 of the
  // 42 that follow the first. Left are one of 1,460 and one of 184 bytes: 3.5 + 2 x 3.3 us, an ACK
  // of 1.25 us (the 41st and 42nd frame, or the 40th and 41st) and 1,644 B / 1.5 GB/s = 1.096 us.
  CHECK(sim.now() == SimTime{1650ns + 12304ns + 100us + 625us + 12446ns});
  // 43 x 3.3 + 21 x 1.25 + 41.003 us, and six interrupts of 3.5; each copy is rounded up.
  const Duration work = 141900ns + 26250ns + 41003ns + 6 * 3500ns;
  CHECK(server.used(CpuWork::network) >= work);
  CHECK(server.used(CpuWork::network) <= work + 6ns);
}

TEST_CASE("autotuning keeps ahead of slow start, so that its final window is as good",
          "[link][packet]") {
  const auto time = [](bool autotuning) {
    Simulation sim;
    const auto link = make_link(sim, {.detail = LinkDetail::packet, .rtt = 50ms});
    TransportEnd receiver = plain_end(16_MiB, 2);
    receiver.tcp.autotuning = autotuning;
    const auto connection = link->open(plain_end(16_MiB, 2), receiver);
    sim.run(deliver(sim, *connection, Toward::server, 64_MiB));
    return seconds(sim.now() - SimTime{});
  };
  CHECK(time(true) == Approx(time(false)).epsilon(0.01));
}

TEST_CASE("frames with data pass the card of an end: a throttle there holds TCP down",
          "[link][packet][throttle]") {
  const Bytes window = GENERATE(65535_B, 16777216_B);
  Simulation sim;
  SharedCpu cpu{sim, "client", {.cores = 1}};
  PacketThrottle throttle{{}, 1};
  throttle.set_playing(true);
  ReceiveAdapter card{sim,
                      "card",
                      cpu,
                      throttle,
                      {.interrupt_rate = 1e9,
                       .interrupt = 0ns,
                       .deferred_call = 0ns,
                       .packet = 0ns,
                       .copy = Bandwidth{0}}};
  const auto link = make_link(sim, {.detail = LinkDetail::packet});
  TransportEnd receiver = plain_end(window);
  receiver.card = &card;
  const auto connection = link->open(receiver, plain_end());

  sim.run(deliver(sim, *connection, Toward::client, 1000 * Framing::segment));

  // Ten in each of 100 ticks of 1 ms. The smaller window fits the ring of 256; what the larger one
  // lets go at once overflows it, and goes again.
  const bool fits = window < 256 * Framing::segment;
  CHECK(sim.now() >= SimTime{99ms});
  if (fits) CHECK(sim.now() <= SimTime{101ms});
  CHECK((card.counters().dropped == 0) == fits);
  CHECK((connection->counters().retransmissions == 0) == fits);
  CHECK(card.counters().passed >= 1000);
  sim.close();
}

TEST_CASE("bursts know no card that takes single frames in", "[link]") {
  Simulation sim;
  SharedCpu cpu{sim, "client", {.cores = 1}};
  PacketThrottle throttle{{}, 1};
  ReceiveAdapter card{sim, "card", cpu, throttle, {}};
  const auto link = make_link(sim, {});
  TransportEnd receiver = plain_end();
  receiver.card = &card;
  CHECK_THROWS_WITH(link->open(receiver, plain_end()),
                    "link: detail must be packet where a card takes packets in, got burst");
  sim.close();
}
