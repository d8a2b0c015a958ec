#include <memory>
#include <vector>

#include <copysim/models/link/ethernet_link.hpp>

#include "models/link/link_support.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

Duration one_message(const LinkConfig& config, Bytes message) {
  Simulation sim;
  const auto link = make_link(sim, config);
  const auto connection = link->open(plain_end(), plain_end());
  sim.run(deliver(sim, *connection, Toward::server, message));
  return sim.now() - SimTime{};
}

Task<> two_connections(Simulation& sim, Transport& one, Transport& other, Toward other_toward,
                       std::vector<Duration>& arrivals) {
  TaskGroup group{sim};
  group.spawn(deliver(sim, one, Toward::server, 61504_B, &arrivals));
  group.spawn(deliver(sim, other, other_toward, 61504_B, &arrivals));
  co_await group.join();
}

std::vector<Duration> arrivals_of_two(Toward other_toward) {
  Simulation sim;
  const auto link = make_link(sim, {.rtt = 200us});
  const auto one = link->open(plain_end(), plain_end());
  const auto other = link->open(plain_end(), plain_end());
  std::vector<Duration> arrivals;
  sim.run(two_connections(sim, *one, *other, other_toward, arrivals));
  return arrivals;
}

}  // namespace

TEST_CASE("EthernetLink sends a message for its wire time and half a round trip", "[link]") {
  // 518.864 us (see test_frames.cpp) + 100 us.
  CHECK(one_message({.rtt = 200us}, 61504_B) == 618864ns);
}

TEST_CASE("EthernetLink lets a switch repeat one frame time and add its latency", "[link]") {
  // One full frame: 12.304 us twice, 5 us for the switch, 100 us on the way.
  CHECK(one_message({.rtt = 200us, .switches = 1, .switch_latency = 5us}, 1460_B) == 129608ns);
}

TEST_CASE("EthernetLink lets the bottleneck follow the card one frame behind", "[link]") {
  // 12.304 us on the card, then 10 frames of 123.04 us at 100 Mbit/s, then 5 ms on the way.
  const LinkConfig config{.rtt = 10ms, .bottleneck = Bandwidth::bits_per_second(100e6)};
  CHECK(one_message(config, 14600_B) == 12304ns + 1230400ns + 5ms);
}

TEST_CASE("EthernetLink makes a second connection wait for the wire", "[link]") {
  // 518.864 us each, one behind the other.
  CHECK(arrivals_of_two(Toward::server) == std::vector<Duration>{618864ns, 1137728ns});
}

TEST_CASE("EthernetLink is full duplex: the other direction does not wait", "[link]") {
  CHECK(arrivals_of_two(Toward::client) == std::vector<Duration>{618864ns, 618864ns});
}

TEST_CASE("make_link refuses a negative round trip", "[link]") {
  Simulation sim;
  CHECK_THROWS_AS(make_link(sim, {.rtt = -1ms}), ConfigError);
}
