#include <copysim/units.hpp>

#include "support/catch.hpp"

using namespace copysim;

TEST_CASE("a transfer time is rounded up to the next nanosecond", "[units]") {
  // 10 bytes at 3 bytes per microsecond: 3333.33 ns.
  CHECK(Bytes{10} / Bandwidth{3e6} == 3334ns);
  CHECK(Bytes{9} / Bandwidth{3e6} == 3000ns);
}

TEST_CASE("pieces and alignment round as their names say", "[units]") {
  CHECK(pieces(2_MiB, 60_KiB) == 35);  // 34 x 60 KiB = 2040 KiB, then 8 KiB
  CHECK(align_down(100_KiB, 64_KiB) == 64_KiB);
  CHECK(align_up(100_KiB, 64_KiB) == 128_KiB);
  CHECK(align_up(128_KiB, 64_KiB) == 128_KiB);
}

TEST_CASE("bits per second are an eighth in bytes", "[units]") {
  CHECK(Bandwidth::bits_per_second(1e9).bytes_per_second() == Approx(125e6));
}
