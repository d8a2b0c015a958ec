#include <algorithm>
#include <cmath>
#include <memory>

#include <copysim/models/link/packet_connection.hpp>

#include "models/link/link_support.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

struct Loss {
  CongestionControlKind control = CongestionControlKind::reno;
  double random = 0;
  std::int64_t every = 0;
  int ack_every = 1;
  Duration rtt = 100ms;
};

// The mean congestion window, in segments, of a sender that always has data: its rate times the
// round trip. The wire is so fast that only loss limits it. It measures after `skip` segments.
double mean_window(const Loss& loss, std::int64_t skip, std::int64_t segments) {
  Simulation sim;
  LinkConfig config{
      .detail = LinkDetail::packet, .rate = Bandwidth::bits_per_second(100e9), .rtt = loss.rtt};
  config.loss = loss.random;
  config.loss_every = loss.every;
  const auto link = make_link(sim, config);
  TransportEnd sender = plain_end(Bytes{1LL << 40}, 2);
  sender.tcp.congestion_control = loss.control;
  TransportEnd receiver = plain_end(Bytes{1LL << 40}, 2);
  receiver.tcp.ack_every = loss.ack_every;
  const auto connection = link->open(sender, receiver);
  sim.run(deliver(sim, *connection, Toward::server, skip * Framing::segment));
  const SimTime start = sim.now();
  sim.run(deliver(sim, *connection, Toward::server, segments * Framing::segment));
  // The pause of half a round trip between the two messages is not the sender's.
  const double rounds = seconds(sim.now() - start - loss.rtt / 2) / seconds(loss.rtt);
  return static_cast<double>(segments) / rounds;
}

// How a segment that is sent when the path has just gone down fares, and how long after that.
struct Outage {
  IoStatus status;
  Duration elapsed;
  std::int64_t retransmissions;
};
Task<IoStatus> two_messages(Simulation& sim, Transport& transport) {
  // The first one gives the sender a round trip to know.
  const IoStatus first = co_await transport.deliver(Toward::server, 2920_B);
  if (first != IoStatus::ok) co_return first;
  co_await sim.delay(20ms);
  const IoStatus second = co_await transport.deliver(Toward::server, 1460_B);
  co_return second;
}
Outage through_outage(Duration down_for, TcpConfig tcp) {
  Simulation sim;
  LinkConfig config{.detail = LinkDetail::packet, .rate = Bandwidth{0}, .rtt = 10ms};
  config.down_from = 25ms;
  config.down_for = down_for;
  const auto link = make_link(sim, config);
  TransportEnd sender = plain_end();
  sender.tcp = tcp;
  const auto connection = link->open(sender, plain_end());
  const IoStatus status = sim.run(two_messages(sim, *connection));
  return {status, sim.now() - SimTime{25ms}, connection->counters().retransmissions};
}

}  // namespace

TEST_CASE("Reno follows the square-root law under periodic loss", "[link][packet][tcp][paper]") {
  // Mathis, Semke, Mahdavi, Ott 1997: a saw tooth between W / 2 and W, one loss per 3/8 W^2
  // segments (ACK for each) or 3/4 W^2 (ACK for two): the mean window is sqrt(3 / (2 b p)).
  const double p = 1.0 / 4000;
  CHECK(mean_window({.every = 4000}, 20000, 400000) == Approx(std::sqrt(1.5 / p)).epsilon(0.05));
  CHECK(mean_window({.every = 4000, .ack_every = 2}, 20000, 400000) ==
        Approx(std::sqrt(0.75 / p)).epsilon(0.05));
}

TEST_CASE("Reno follows the square-root law under random loss", "[link][packet][tcp][paper]") {
  // The same paper: constants 1.31 and 0.93 (Ott, Kemperman, Mathis 1996 for the first). About 800
  // losses, whose cycles vary by about half their length: a standard error of 1.8 %.
  const double p = 0.0005;
  CHECK(mean_window({.random = p}, 20000, 1600000) == Approx(1.31 / std::sqrt(p)).epsilon(0.05));
  CHECK(mean_window({.random = p, .ack_every = 2}, 20000, 1600000) ==
        Approx(0.93 / std::sqrt(p)).epsilon(0.05));
}

TEST_CASE("CUBIC has the mean window of RFC 8312 under periodic loss",
          "[link][packet][tcp][paper]") {
  // RFC 8312, 5.1: AVG_W = (C (3 + beta) / (4 (1 - beta)))^(1/4) (RTT / p)^(3/4), C = 0.4,
  // beta = 0.7: 1.0538 (0.1 x 10,000)^(3/4) = 187 segments; Reno would have 122. The law leaves out
  // fast convergence, which each dip of the window starts, so it is an upper bound by some per
  // cent.
  const double law = std::pow(0.4 * 3.7 / (4 * 0.3), 0.25) * std::pow(0.1 * 1e4, 0.75);
  const double mean =
      mean_window({.control = CongestionControlKind::cubic, .every = 10000}, 500000, 1000000);
  CHECK(mean < law);
  CHECK(mean == Approx(law).epsilon(0.1));
}

TEST_CASE("Compound TCP has the mean window of its paper under periodic loss",
          "[link][packet][tcp][paper]") {
  // Tan et al. 2006, section IV: between losses dW/dround = alpha W^k, from (1 - beta) W to W:
  // 1 / p = W^(2-k) (1 - (1-beta)^(2-k)) / (alpha (2-k)) segments in
  // W^(1-k) (1 - (1-beta)^(1-k)) / (alpha (1-k)) rounds.
  const double alpha = 0.125;
  const double k = 0.75;
  const double p = 1.0 / 20000;
  const double most = std::pow(alpha * (2 - k) / (p * (1 - std::pow(0.5, 2 - k))), 1 / (2 - k));
  const double rounds = std::pow(most, 1 - k) * (1 - std::pow(0.5, 1 - k)) / (alpha * (1 - k));
  CHECK(mean_window({.control = CongestionControlKind::compound, .every = 20000}, 100000,
                    1000000) == Approx(1 / p / rounds).epsilon(0.05));
}

TEST_CASE("a segment that is lost once is sent again after a round trip, at three duplicates",
          "[link][packet][tcp]") {
  // 20 segments at once; the fifth is lost. The 8th is the third one behind it: its ACK is back a
  // round trip after the start, and the fifth is there half a round trip later (no wire time).
  Simulation sim;
  LinkConfig config{.detail = LinkDetail::packet, .rate = Bandwidth{0}, .rtt = 10ms};
  const bool selective = GENERATE(true, false);
  config.loss_every = 5;
  const auto link = make_link(sim, config);
  TransportEnd end = plain_end();
  end.tcp.selective_acknowledgement = selective;
  const auto connection = link->open(end, end);
  sim.run(deliver(sim, *connection, Toward::server, 8 * 1460_B));
  CHECK(sim.now() == SimTime{15ms});
  CHECK(connection->counters().retransmissions == 1);
  CHECK(connection->counters().timeouts == 0);
}

TEST_CASE("the last segment has no duplicates behind it: only the timer finds it lost",
          "[link][packet][tcp]") {
  Simulation sim;
  LinkConfig config{.detail = LinkDetail::packet, .rate = Bandwidth{0}, .rtt = 10ms};
  config.loss_every = 5;
  const auto link = make_link(sim, config);
  const auto connection = link->open(plain_end(), plain_end());
  sim.run(deliver(sim, *connection, Toward::server, 5 * 1460_B));
  // ACKs of two pairs are back at 10 ms: srtt 10, least timeout 300 ms; then 5 ms to the other end.
  CHECK(sim.now() == SimTime{10ms + 300ms + 5ms});
  CHECK(connection->counters().timeouts == 1);
}

TEST_CASE("timeouts double while the path is down, and it recovers at the first after that",
          "[link][packet][tcp]") {
  // One sample of 10 ms: srtt 10, so the least timeout of 300 ms holds. Sent again after 300, 900,
  // 2,100 and 4,500 ms; the path is back after 3 s.
  const Outage three = through_outage(3s, {});
  CHECK(three.status == IoStatus::ok);
  CHECK(three.elapsed == 4500ms + 5ms);
  CHECK(three.retransmissions == 4);
}

TEST_CASE("30 s without a path end a connection of Windows, and one of Linux recovers",
          "[link][packet][tcp]") {
  // Windows: five times again, at 0.3 x (1, 3, 7, 15, 31) s; given up at 0.3 x 63 = 18.9 s.
  const Outage windows = through_outage(30s, {});
  CHECK(windows.status == IoStatus::link_down);
  CHECK(windows.elapsed == 300ms * 63);
  CHECK(windows.retransmissions == 5);
  // Linux: least timeout 200 ms, 15 times: 0.2 x (2^n - 1) is 25.4 s, then 51 s.
  TcpConfig tcp;
  tcp.least_timeout = 200ms;
  tcp.max_retransmissions = 15;
  const Outage other = through_outage(30s, tcp);
  CHECK(other.status == IoStatus::ok);
  CHECK(other.elapsed == 200ms * 255 + 5ms);
}

TEST_CASE("a connection that was lost can be made again", "[link][packet][tcp]") {
  Simulation sim;
  LinkConfig config{.detail = LinkDetail::packet, .rate = Bandwidth{0}, .rtt = 10ms};
  config.down_for = 30s;
  const auto link = make_link(sim, config);
  TransportEnd client = plain_end();
  client.tcp.max_retransmissions = 0;
  const auto connection = link->open(client, plain_end());
  // No sample yet: the timeout is 3 s, and one is enough here.
  CHECK(sim.run(connection->deliver(Toward::server, 1_B)) == IoStatus::link_down);
  CHECK(sim.now() == SimTime{3s});
  CHECK(sim.run(connection->deliver(Toward::server, 1_B)) == IoStatus::link_down);
  // Handshakes at 3, 6 and 12 s are lost; given up at 24 s. Of the next ones, at 24, 27 and 33 s,
  // the last gets through.
  CHECK(sim.run(connection->connect()) == IoStatus::link_down);
  CHECK(sim.now() == SimTime{24s});
  CHECK(sim.run(connection->connect()) == IoStatus::ok);
  CHECK(sim.now() == SimTime{33s + 10ms});
  CHECK(sim.run(connection->deliver(Toward::server, 1460_B)) == IoStatus::ok);
  CHECK(sim.now() == SimTime{33s + 15ms});
}

TEST_CASE("no byte is lost or doubled in the stream, whatever the path loses",
          "[link][packet][tcp][property]") {
  const double run = GENERATE(1.0, 4.0);
  const double share = GENERATE(0.001, 0.02, 0.1);
  const bool selective = GENERATE(true, false);
  const auto control = GENERATE(CongestionControlKind::reno, CongestionControlKind::compound,
                                CongestionControlKind::cubic);
  INFO(run << ' ' << share << ' ' << selective << ' ' << to_string(control));
  Simulation sim;
  LinkConfig config{
      .detail = LinkDetail::packet, .rtt = 10ms, .bottleneck = Bandwidth::bits_per_second(50e6)};
  config.loss = share;
  config.loss_run = run;
  config.queue = 64_KiB;
  config.jitter = 5ms;
  const auto link = make_link(sim, config);
  TransportEnd end = plain_end(1_MiB, 2);
  end.tcp.selective_acknowledgement = selective;
  end.tcp.congestion_control = control;
  end.tcp.max_retransmissions = 30;
  PacketConnection* packets = nullptr;
  const auto connection = link->open(end, end);
  packets = dynamic_cast<PacketConnection*>(connection.get());
  REQUIRE(packets != nullptr);
  sim.run(deliver_all(sim, *connection, Toward::server, 61504_B, 40));
  // Everything written has come in order exactly once; what came twice was dropped and counted.
  const TcpReceiver& receiver = packets->end(Toward::server).receiver();
  CHECK(receiver.received() == 40 * 61504_B);
  CHECK(connection->counters().lost_frames > 0);
  CHECK(connection->counters().retransmissions >= 1);
}

TEST_CASE("two connections share a bottleneck and its queue", "[link][packet][tcp]") {
  Simulation sim;
  LinkConfig config{
      .detail = LinkDetail::packet, .rtt = 20ms, .bottleneck = Bandwidth::bits_per_second(20e6)};
  config.queue = 64_KiB;
  const auto link = make_link(sim, config);
  const auto one = link->open(plain_end(1_MiB, 2), plain_end(1_MiB, 2));
  const auto other = link->open(plain_end(1_MiB, 2), plain_end(1_MiB, 2));
  // What both have delivered after 60 s: the line carries 1,460 of 1,538 bytes.
  const TaskHandle first = sim.spawn(deliver(sim, *one, Toward::server, 1_GiB), "bulk");
  const TaskHandle second = sim.spawn(deliver(sim, *other, Toward::server, 1_GiB), "bulk");
  sim.run_until(SimTime{60s});
  const auto delivered = [](const Transport& transport) {
    const auto& packets = dynamic_cast<const PacketConnection&>(transport);
    return static_cast<double>(packets.end(Toward::server).receiver().received().count());
  };
  const double both = delivered(*one) + delivered(*other);
  const double line = 60 * 20e6 / 8 * 1460 / 1538;
  // The queue holds more than the pipe of 50 kB, so halving windows leave the line busy.
  CHECK(both == Approx(line).epsilon(0.05));
  CHECK(delivered(*one) / both > 0.3);
  CHECK(delivered(*one) / both < 0.7);
  CHECK(one->counters().retransmissions > 0);
  CHECK(one->counters().timeouts == 0);
  CHECK(first.alive());
  CHECK(second.alive());
}
