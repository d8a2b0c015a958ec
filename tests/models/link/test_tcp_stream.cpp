#include <cstdint>

#include <copysim/models/link/tcp_stream.hpp>
#include <copysim/sim/simulation.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

/// Hands everything to the stream at once, except the packets that it is told to lose.
class Path final : public PacketReceiver {
public:
  Path(TcpStream& stream, std::int64_t lose_every) : stream_{stream}, lose_every_{lose_every} {}
  bool arrive(IpPacket packet) override {
    if (lose_every_ > 0 && ++came_ % lose_every_ == 0) return false;
    return stream_.arrive(packet);
  }

private:
  TcpStream& stream_;
  std::int64_t lose_every_;
  std::int64_t came_ = 0;
};

Duration time_of(TcpStream::Config config, std::int64_t packets, std::int64_t lose_every,
                 TcpStream::Counters& counters) {
  Simulation sim;
  TcpStream stream{sim, "stream", config};
  Path path{stream, lose_every};
  stream.start(path);
  stream.write(packets);
  sim.run(stream.received(packets));
  const Duration took = sim.now() - SimTime{};
  counters = stream.counters();
  sim.close();
  return took;
}

}  // namespace

TEST_CASE("TcpStream fills a link that its windows cover", "[link][tcp-stream]") {
  TcpStream::Counters counters;
  const Duration took =
      time_of({.rate = Bandwidth::bits_per_second(1e9), .rtt = 200us}, 100'000, 0, counters);

  // 100,000 frames of 12.304 us, half a round trip, and slow start, which costs a few round trips.
  CHECK(took >= 100'000 * 12304ns + 100us);
  CHECK(took <= 100'000 * 12304ns + 2ms);
  CHECK(counters.retransmitted == 0);
}

TEST_CASE("TcpStream is limited to a window per round trip", "[link][tcp-stream]") {
  // 65,535 bytes are 44 packets. A round trip is 20 ms, and an ACK comes for every second packet,
  // so the window's packets go out in pairs: 44 per 20 ms + the frame time of a pair.
  TcpStream::Counters counters;
  const Duration took =
      time_of({.rate = Bandwidth::bits_per_second(1e9), .rtt = 20ms}, 44'000, 0, counters);

  const double rate = 44'000 / seconds(took);
  CHECK(rate <= 44 / 0.020);
  CHECK(rate >= 44 / 0.0202 * 0.99);  // slow start: four round trips of a thousand
}

TEST_CASE("TcpStream delivers everything in spite of loss", "[link][tcp-stream]") {
  TcpStream::Counters counters;
  const Duration took =
      time_of({.rate = Bandwidth::bits_per_second(1e9), .rtt = 1ms}, 20'000, 100, counters);

  // At least the lost ones go again, and less than one in ten of the rest.
  CHECK(counters.sent >= 20'200);
  CHECK(counters.sent < 22'000);
  CHECK(took < 60s);
}

TEST_CASE("TcpStream waits for the timer when the only packet is lost", "[link][tcp-stream]") {
  TcpStream::Counters counters;
  // Every second arrival is lost: the second packet. The first arrives after 12.304 us and half a
  // round trip, its ACK is delayed by 200 ms and takes another half; the timer runs 300 ms from
  // then: 12.304 us + 1 ms + 200 ms + 300 ms, and 12.304 us + 0.5 ms for the packet.
  const Duration took =
      time_of({.rate = Bandwidth::bits_per_second(1e9), .rtt = 1ms}, 2, 2, counters);

  CHECK(counters.timeouts == 1);
  CHECK(took == 2 * 12304ns + 501'500us);
}

TEST_CASE("TcpStream follows a slower line in the middle", "[link][tcp-stream]") {
  TcpStream::Counters counters;
  const Duration took = time_of({.rate = Bandwidth::bits_per_second(1e9),
                                 .bottleneck = Bandwidth::bits_per_second(16e6),
                                 .rtt = 10ms},
                                2'000, 0, counters);

  // 1,538 bytes at 16 Mbit/s are 0.769 ms: 1.538 s, and the round trips of slow start.
  CHECK(took >= 2'000 * 769us);
  CHECK(took <= 2'000 * 769us + 60ms);
}
