#include <memory>

#include <copysim/models/cpu/shared_cpu.hpp>
#include <copysim/models/link/tcp_connection.hpp>

#include "models/link/link_support.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

// The rate at which 200 messages of 42 whole segments, all handed over at once, pass a receive
// window. (The short last segment of 60 KiB would take the place of a full one in the window.)
double windowed_rate(Bytes window, Duration rtt) {
  Simulation sim;
  const auto link = make_link(sim, {.rtt = rtt});
  const auto connection = link->open(plain_end(), plain_end(window));
  sim.run(deliver_all(sim, *connection, Toward::server, 42 * Framing::segment, 200));
  return 200 * 61320.0 / seconds(sim.now() - SimTime{});
}

// The time for 1 MB over a round trip of 100 ms, with two segments at first.
Duration slow_start_time(int ack_every) {
  Simulation sim;
  const auto link = make_link(sim, {.rtt = 100ms});
  TransportEnd receiver = plain_end(16_MiB, 2);
  receiver.tcp.ack_every = ack_every;
  const auto connection = link->open(plain_end(16_MiB, 2), receiver);
  sim.run(deliver(sim, *connection, Toward::server, 1000000_B));
  CHECK(connection->counters().window_stalls == 1);
  CHECK(connection->counters().delayed_acks == 0);
  return sim.now() - SimTime{};
}

Duration serial_time(Bytes stall_every) {
  Simulation sim;
  const auto link = make_link(sim, {.delayed_ack_stall_every = stall_every});
  const auto connection = link->open(plain_end(), plain_end());
  sim.run(deliver_serially(*connection, Toward::client, 64_KiB, 160));
  return sim.now() - SimTime{};
}

}  // namespace

TEST_CASE("TcpConnection carries one receive window per round trip", "[link][tcp]") {
  // mechanisms.md 6.3: 17,520 B give 17.5 MB/s at 1 ms and 0.28 MB/s at 62.5 ms, 64 KB give
  // 6.6 MB/s at 10 ms. A window of 65,535 holds 44 whole segments, 64,240 B.
  CHECK(windowed_rate(17520_B, 1ms) == Approx(17.52e6).epsilon(0.05));
  CHECK(windowed_rate(17520_B, 62500us) == Approx(0.28032e6).epsilon(0.05));
  CHECK(windowed_rate(65535_B, 10ms) == Approx(6.5535e6).epsilon(0.05));
  CHECK(windowed_rate(1048576_B, 50ms) == Approx(20.97e6).epsilon(0.05));
}

TEST_CASE("TcpConnection offers more than 65,535 bytes only if both ends scale", "[link][tcp]") {
  Simulation sim;
  const auto link = make_link(sim, {.rtt = 50ms});
  TransportEnd old = plain_end(16_MiB);
  old.tcp.window_scaling = false;
  const auto connection = link->open(old, plain_end(16_MiB));
  sim.run(deliver_all(sim, *connection, Toward::server, 61440_B, 200));

  // 65,535 B per 50 ms.
  CHECK(200 * 61440.0 / seconds(sim.now() - SimTime{}) == Approx(1.3107e6).epsilon(0.05));
}

TEST_CASE("TcpConnection fills the wire when its window is larger than the path", "[link][tcp]") {
  // 42 full frames take 516.768 us; 200 times that, and 100 us on the way.
  CHECK(windowed_rate(16777216_B, 200us) ==
        Approx(200 * 61320.0 / (200 * 516.768e-6 + 100e-6)).epsilon(1e-6));
}

TEST_CASE("TcpConnection starts slowly: one segment more for each ACK", "[link][tcp]") {
  // Rounds carry 2 g^k segments, in sum 2 (g^n - 1) / (g - 1); 1,000,000 B are 685 segments. All
  // are there n round trips and half a one later, n rounded up to whole rounds, less the first.
  // An ACK per segment: g = 2, n = 8.4, so 8 round trips. Per second segment: g = 1.5, n = 12.7;
  // an odd last segment of a round waits for the next round, so the law holds on the average only.
  CHECK(seconds(slow_start_time(1)) == Approx(8 * 0.1 + 0.05).epsilon(0.01));
  CHECK(seconds(slow_start_time(2)) == Approx(12.7 * 0.1 + 0.05).epsilon(0.05));
}

TEST_CASE("TcpConnection stalls for exactly 200 ms where a lone segment fills the window",
          "[link][tcp]") {
  Simulation sim;
  const auto link = make_link(sim, {.rtt = 0us});
  const auto connection = link->open(plain_end(64_KiB, 1), plain_end(64_KiB, 1));

  sim.run(deliver(sim, *connection, Toward::server, 2920_B));

  // The first segment, the timer, the second segment: 12.304 us + 200 ms + 12.304 us.
  CHECK(sim.now() == SimTime{200ms + 24608ns});
  CHECK(connection->counters().delayed_acks == 1);
}

TEST_CASE("TcpConnection never stalls where the ACK rides on the answer", "[link][tcp]") {
  Simulation sim;
  const auto link = make_link(sim, {.rtt = 0us});
  const auto connection = link->open(plain_end(1460_B, 1), plain_end(1460_B, 1));

  sim.run(ping_pong(*connection, 1460_B, 1460_B, 100));

  CHECK(sim.now() == SimTime{200 * 12304ns});
  CHECK(connection->counters().delayed_acks == 0);
  CHECK(connection->counters().window_stalls == 0);
}

TEST_CASE("TcpConnection waits once per MiB if the link is told to", "[link][tcp]") {
  // 160 messages of 64 KiB are 10 MiB: ten times 200 ms more.
  CHECK(serial_time(1_MiB) - serial_time(0_B) == 2s);
}

TEST_CASE("TcpConnection shakes hands in one round trip", "[link][tcp]") {
  Simulation sim;
  const auto link = make_link(sim, {.rtt = 10ms});
  const auto connection = link->open(plain_end(), plain_end());

  const IoStatus status = sim.run(connection->connect());

  CHECK(status == IoStatus::ok);
  CHECK(sim.now() == SimTime{10ms + 2 * 672ns});  // two bare frames of 84 bytes
}

TEST_CASE("TcpConnection charges both processors, overlapping the wire", "[link][tcp][cpu]") {
  Simulation sim;
  SharedCpu client{sim, "client", {.cores = 1}};
  SharedCpu server{sim, "server", {.cores = 1}};
  TransportEnd sender = plain_end();
  TransportEnd receiver = plain_end();
  sender.cpu = &client;
  receiver.cpu = &server;
  sender.cost = receiver.cost = NetworkCost{};
  const auto link = make_link(sim, {.rtt = 0us});
  const auto connection = link->open(sender, receiver);

  sim.run(deliver(sim, *connection, Toward::server, 61504_B));

  // Sending 43 frames: 43 x 1.65 + 21 ACKs x 1.25 = 97.2 us.
  CHECK(client.used(CpuWork::network) == 97200ns);
  // Receiving: frames come over 506.56 us, at 8,000 per second 5 interrupts of 3.5; 43 x 3.3;
  // 21 x 1.25; 61,504 B / 1.5 GB/s = 41.003: 17.5 + 141.9 + 26.25 + 41.003 us.
  CHECK(server.used(CpuWork::network) == 226653ns);
  // The first frame is ready after 1.65 us and there 12.304 us later: the first interrupt. Frames
  // come for 506.56 us more, so the last is seen at the fifth interrupt after it, 625 us later.
  // The fourth came at 500 us and took all frames whose last bit came by then: 40 of the 42 that
  // follow the first. Left are one of 1,460 and one of 184 bytes: 3.5 + 2 x 3.3 us, an ACK of 1.25
  // us and 1,644 B / 1.5 GB/s = 1.096 us. So it is frame by frame (`test_packet_connection.cpp`).
  CHECK(sim.now() == SimTime{1650ns + 12304ns + 625000ns + 12446ns});
}

namespace {

// Works for 10 ms, from 10 ms on.
Task<> compute(Simulation& sim, Cpu& cpu, SimTime& done) {
  co_await sim.delay(10ms);
  co_await cpu.run(10ms, CpuWork::thread);
  done = sim.now();
}

}  // namespace

TEST_CASE("TcpConnection leaves the processor to threads while a long message comes",
          "[link][tcp][cpu]") {
  Simulation sim;
  SharedCpu server{sim, "server", {.cores = 1}};
  TransportEnd receiver = plain_end();
  receiver.cpu = &server;
  receiver.cost = NetworkCost::none();
  receiver.cost.interrupt_rate = 8000;
  receiver.cost.receive_frame = 6152ns;  // half of what a frame takes on the wire
  const auto link = make_link(sim, {.rtt = 0us});
  const auto connection = link->open(plain_end(), receiver);
  SimTime done;
  sim.spawn(compute(sim, server, done), "thread");

  // 5,746 frames, 70.7 ms: 35.35 ms of work.
  sim.run(deliver(sim, *connection, Toward::server, 5746 * Framing::segment));

  // A thread gets the other half of the processor, to a slice of 64 frames: 10 ms of work take 20.
  CHECK(seconds(done - SimTime{10ms}) == Approx(20e-3).margin(0.8e-3));
}

TEST_CASE("an interrupt comes at once when the card was idle, else after its period",
          "[link][tcp][cpu]") {
  Simulation sim;
  TransportEnd receiver = plain_end();
  receiver.cost.interrupt_rate = 8000;
  const auto link = make_link(sim, {.rtt = 0us});
  const auto connection = link->open(plain_end(), receiver);
  std::vector<Duration> arrivals;

  // One frame of 84 bytes on the wire is 672 ns; the second one follows at once.
  sim.run(deliver(sim, *connection, Toward::server, 1_B, &arrivals));
  sim.run(deliver(sim, *connection, Toward::server, 1_B, &arrivals));

  CHECK(arrivals == std::vector<Duration>{672ns, 672ns + 125us});
}

TEST_CASE("TcpConnection is bound by a processor that is slower than the wire",
          "[link][tcp][cpu]") {
  Simulation sim;
  SharedCpu server{sim, "server", {.cores = 2, .speed = 0.1}};
  TransportEnd receiver = plain_end();
  receiver.cpu = &server;
  receiver.cost = NetworkCost{};
  const auto link = make_link(sim, {});
  const auto connection = link->open(plain_end(), receiver);

  sim.run(deliver_all(sim, *connection, Toward::server, 61504_B, 100));

  // One connection is served by one core at a time: 2.26653 ms each, in a row.
  CHECK(seconds(sim.now() - SimTime{}) == Approx(100 * 2.26653e-3).epsilon(0.01));
}

TEST_CASE("TcpConnection needs at most four events per message", "[link][tcp]") {
  Simulation sim;
  SharedCpu client{sim, "client", {}};
  SharedCpu server{sim, "server", {}};
  TransportEnd here = plain_end();
  TransportEnd there = plain_end();
  here.cpu = &client;
  there.cpu = &server;
  here.cost = there.cost = NetworkCost{};
  const auto link = make_link(sim, {});
  const auto connection = link->open(here, there);

  sim.run(ping_pong(*connection, 63_B, 61504_B, 1000));

  CHECK(sim.events() <= 4 * 2000);
}

TEST_CASE("TcpConnection tells where the time of a message went", "[link][tcp][path]") {
  Simulation sim{{.record_paths = true}};
  const auto link = make_link(sim, {.rtt = 10ms});
  const auto connection = link->open(plain_end(), plain_end(17520_B));

  sim.run(deliver(sim, *connection, Toward::server, 29200_B));

  // Twelve segments fill the window; the first pair's ACK is back after 2 frames of 12.304 us, 10
  // ms and 0.672 us for the ACK itself, then the other eight go. 20 frames of wire, of which two
  // pass before that wait counts.
  Duration sum{};
  for (const PathRow& row : sim.path()) {
    CHECK(row.component == "link");
    if (row.activity == "latency") CHECK(row.duration == 5ms);
    if (row.activity == "window") CHECK(row.duration == 10ms + 672ns - 10 * 12304ns);
    if (row.activity == "wire") CHECK(row.duration == 20 * 12304ns);
    sum += row.duration;
  }
  CHECK(sum == sim.now() - SimTime{});
  CHECK(sim.now() == SimTime{15ms + 672ns + 10 * 12304ns});
}
