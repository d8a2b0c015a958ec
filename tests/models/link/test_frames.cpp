#include <copysim/models/link/frames.hpp>

#include "support/catch.hpp"

using namespace copysim;

TEST_CASE("Framing counts frames and wire bytes as mechanisms.md 6.3 does", "[link]") {
  const Bandwidth gigabit = Bandwidth::bits_per_second(1e9);

  // SMB1 answer to 60 KiB: 64 + 61,440 = 61,504 bytes, 42 full frames and 184 bytes;
  // 61,504 + 43 x 78 = 64,858 wire bytes, at 125 bytes per microsecond 518.864 us.
  CHECK(Framing::frames(61504_B) == 43);
  CHECK(Framing::wire(61504_B) == 64858_B);
  CHECK(Framing::wire(61504_B) / gigabit == 518864ns);
  // 32 KiB: 23 frames, 277 us. SMB2 64 KiB: 45 frames, 553 us.
  CHECK(Framing::frames(32832_B) == 23);
  CHECK(Framing::wire(32832_B) / gigabit == 277008ns);
  CHECK(Framing::frames(65620_B) == 45);
  CHECK(Framing::wire(65620_B) / gigabit == 553040ns);
}

TEST_CASE("Framing starts a new frame at 1,461 bytes", "[link]") {
  CHECK(Framing::frames(1460_B) == 1);
  CHECK(Framing::wire(1460_B) == 1538_B);
  CHECK(Framing::frames(1461_B) == 2);
  // The second frame carries one byte: 79 bytes, but a frame occupies 84 at least.
  CHECK(Framing::wire(1461_B) == 1538_B + 84_B);
}

TEST_CASE("Framing gives an empty message one frame of the least size", "[link]") {
  CHECK(Framing::frames(0_B) == 1);
  CHECK(Framing::wire(0_B) == 84_B);
}
