#include <copysim/error.hpp>
#include <copysim/models/cpu/packet_throttle.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

SimTime at(Duration d) {
  return SimTime{d};
}

}  // namespace

TEST_CASE("PacketThrottle lets 10, 8, 6 packets pass with one, two, three adapters",
          "[cpu][throttle]") {
  // Article 003; the fourth follows the same step, which no source tells.
  CHECK(PacketThrottle{{}, 1}.limit() == 10);
  CHECK(PacketThrottle{{}, 2}.limit() == 8);
  CHECK(PacketThrottle{{}, 3}.limit() == 6);
  CHECK(PacketThrottle{{}, 4}.limit() == 4);
}

TEST_CASE("PacketThrottle without its fault has the same limit for all adapters",
          "[cpu][throttle]") {
  CHECK(PacketThrottle{{.index = 10, .faulty = false}, 3}.limit() == 10);
}

TEST_CASE("PacketThrottle never falls below one packet unless it is off", "[cpu][throttle]") {
  CHECK(PacketThrottle{{.index = 1}, 3}.limit() == 1);
  CHECK(PacketThrottle{{.index = 0}, 3}.limit() == 0);
}

TEST_CASE("PacketThrottle gives a tick its packets and no more", "[cpu][throttle]") {
  PacketThrottle throttle{{}, 1};
  throttle.set_playing(true);

  CHECK(throttle.take(at(0us), 7) == 7);
  CHECK(throttle.take(at(500us), 7) == 3);
  CHECK(throttle.take(at(999'999ns), 1) == 0);
  CHECK(throttle.take(at(1ms), 20) == 10);
}

TEST_CASE("PacketThrottle keeps nothing of a tick for the next", "[cpu][throttle]") {
  PacketThrottle throttle{{}, 1};
  throttle.set_playing(true);

  CHECK(throttle.take(at(0ms), 1) == 1);
  CHECK(throttle.take(at(5ms), 100) == 10);
}

TEST_CASE("PacketThrottle knows the tick after the present one", "[cpu][throttle]") {
  const PacketThrottle throttle{{}, 1};

  CHECK(throttle.next_tick(at(0us)) == at(1ms));
  CHECK(throttle.next_tick(at(999us)) == at(1ms));
  CHECK(throttle.next_tick(at(1ms)) == at(2ms));
}

TEST_CASE("PacketThrottle is off while nothing plays, or with an index of 0", "[cpu][throttle]") {
  PacketThrottle silent{{}, 1};
  CHECK(silent.take(at(0us), 1000) == 1000);

  PacketThrottle off{{.index = 0}, 1};
  off.set_playing(true);
  CHECK(off.take(at(0us), 1000) == 1000);
}

TEST_CASE("PacketThrottle refuses an index beyond 70 and a machine without adapter",
          "[cpu][throttle]") {
  CHECK_NOTHROW(PacketThrottle{{.index = 70}, 1});
  CHECK_THROWS_AS((PacketThrottle{{.index = 71}, 1}), ConfigError);
  CHECK_THROWS_AS((PacketThrottle{{}, 0}), ConfigError);
}
