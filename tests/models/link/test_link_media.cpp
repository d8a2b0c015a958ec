#include <memory>

#include <copysim/models/link/link.hpp>

#include "models/link/link_support.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

// Bytes per second of 100 messages of 64,240 B (44 segments) that are handed over at once.
double bulk_rate(const LinkConfig& config) {
  Simulation sim;
  const auto link = make_link(sim, config);
  const auto connection = link->open(plain_end(1_MiB), plain_end(1_MiB));
  sim.run(deliver_all(sim, *connection, Toward::server, 44 * Framing::segment, 100));
  return 6424000 / seconds(sim.now() - SimTime{});
}

LinkConfig wifi(LinkDetail detail, Bytes aggregate) {
  LinkConfig config{.detail = detail, .rate = Bandwidth::bits_per_second(130e6), .rtt = 100us};
  config.medium = LinkMedium::wifi;
  config.wifi_aggregate = aggregate;
  return config;
}

}  // namespace

TEST_CASE("Wi-Fi shares the air between data and acknowledgements, a whole access at a time",
          "[link][packet]") {
  // 42 frames of 1,538 B fit an access: 64,596 B take 3,975 us at 130 Mbit/s and 190 us; the 21
  // ACKs of 84 B that go back take 109 us and 190 us. 61,320 B of payload in 4,464 us. A
  // message of 44 segments fills one access and a short one, so bursts are a little slower.
  const double law = 61320 / 4464e-6;
  CHECK(bulk_rate(wifi(LinkDetail::packet, 65535_B)) < law * 1.02);
  CHECK(bulk_rate(wifi(LinkDetail::packet, 65535_B)) > law * 0.85);
  CHECK(bulk_rate(wifi(LinkDetail::burst, 65535_B)) == Approx(law).epsilon(0.1));
}

TEST_CASE("Wi-Fi without aggregation pays for each frame and each acknowledgement",
          "[link][packet]") {
  // Two frames of 94.65 + 190 us and an ACK of 5.2 + 190 us: 2,920 B in 764.5 us.
  const double law = 2920 / 764.5e-6;
  CHECK(bulk_rate(wifi(LinkDetail::packet, 1538_B)) == Approx(law).epsilon(0.03));
}

TEST_CASE("a duplex mismatch ruins a copy, though each message alone passes", "[link][packet]") {
  LinkConfig config{
      .detail = LinkDetail::packet, .rate = Bandwidth::bits_per_second(100e6), .rtt = 200us};
  const double sound = bulk_rate(config);
  config.medium = LinkMedium::duplex_mismatch;
  Simulation sim;
  const auto link = make_link(sim, config);
  TransportEnd end = plain_end(64_KiB, 2);
  end.tcp.max_retransmissions = 30;
  const auto connection = link->open(end, end);

  // One frame there and one back, in turn: nothing ever meets.
  sim.run(ping_pong(*connection, 100_B, 100_B, 100));
  CHECK(connection->counters().lost_frames == 0);
  CHECK(connection->counters().retransmissions == 0);

  const SimTime start = sim.now();
  sim.run(deliver_all(sim, *connection, Toward::server, 44 * Framing::segment, 20));
  const double rate = 20 * 64240 / seconds(sim.now() - start);
  // Frames of the two directions meet; each loss halves the window or waits for a timer.
  CHECK(connection->counters().retransmissions > 0);
  CHECK(rate < sound / 2);
}

TEST_CASE("bursts refuse a duplex mismatch", "[link]") {
  Simulation sim;
  LinkConfig config;
  config.medium = LinkMedium::duplex_mismatch;
  CHECK_THROWS_WITH(make_link(sim, config),
                    "link: detail must be packet on a duplex-mismatch, got burst");
}
