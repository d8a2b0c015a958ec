#include "models/fs/store_world.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::testing;

TEST_CASE("eight non-cached writes side by side, the last one first, zero all before it",
          "[fs][ntfs]") {
  NtfsWorld world;
  const auto file = world.open({.create = true, .cached = false});
  CHECK(world.sim.run(file->set_size(512_KiB)) == IoStatus::ok);

  world.sim.run(world.write_pieces(*file, {7, 3, 5, 1, 6, 0, 2, 4}, 64_KiB));

  // Piece 7 fills 7 x 64 KiB and moves the valid data length to the end: no gap is left.
  CHECK(world.failed == IoStatus::ok);
  CHECK(world.counters().zero_filled == 448_KiB);
  CHECK(world.counters().out_of_order_writes == 1);
  CHECK(world.store.peek("f") == program_bytes({0_B, 512_KiB}));
  CHECK(file->size() == 512_KiB);
}

TEST_CASE("eight non-cached writes in swapped pairs zero every other piece", "[fs][ntfs]") {
  NtfsWorld world;
  const auto file = world.open({.create = true, .cached = false});

  world.sim.run(world.write_pieces(*file, {1, 0, 3, 2, 5, 4, 7, 6}, 64_KiB));

  // Pieces 1, 3, 5 and 7 each find a gap of 64 KiB before them.
  CHECK(world.failed == IoStatus::ok);
  CHECK(world.counters().zero_filled == 256_KiB);
  CHECK(world.counters().out_of_order_writes == 4);
  CHECK(world.store.peek("f") == program_bytes({0_B, 512_KiB}));
}

TEST_CASE("non-cached writes side by side in order write no zeros", "[fs][ntfs]") {
  NtfsWorld world;
  const auto file = world.open({.create = true, .cached = false});

  world.sim.run(world.write_pieces(*file, {0, 1, 2, 3, 4, 5, 6, 7}, 64_KiB));

  CHECK(world.counters().zero_filled == 0_B);
  CHECK(world.store.peek("f") == program_bytes({0_B, 512_KiB}));
}

TEST_CASE("cached writes out of order end with the same bytes", "[fs][ntfs]") {
  NtfsWorld world;
  const auto file = world.open({.create = true});

  // 60,000 B are no multiple of a page. Piece 3 fills 180,000 B, piece 7 the 180,000 B of 4 to 6.
  world.sim.run(world.write_pieces(*file, {3, 7, 0, 1, 2, 4, 5, 6}, 60'000_B));
  CHECK(world.sim.run(world.store.settle()) == IoStatus::ok);

  CHECK(world.counters().zero_filled == 360'000_B);
  CHECK(world.store.peek("f") == program_bytes({0_B, 480'000_B}));
}

TEST_CASE("bytes behind the valid data length read as zeros, also in the page that it cuts",
          "[fs][ntfs]") {
  const bool cached = GENERATE(true, false);
  NtfsWorld world;
  world.store.add("f", 64_KiB);
  // The old bytes stay in the clusters, which the new file takes over.
  const auto file = world.open({.create = true, .cached = false});
  CHECK(world.write(*file, {0_B, 100_B}) == IoStatus::ok);
  CHECK(world.sim.run(file->set_size(8_KiB)) == IoStatus::ok);

  const auto reader = world.open({.cached = cached});
  const ReadResult result = world.sim.run(reader->read({0_B, 8_KiB}));

  Content expected = program_bytes({0_B, 100_B});
  expected.append(Content::zeros(8_KiB - 100_B));
  CHECK(result.content() == expected);
}

TEST_CASE("an overwritten file holds the new bytes only", "[fs]") {
  const bool cached = GENERATE(true, false);
  NtfsWorld world;
  world.store.add("f", 200_KiB);
  const auto old_reader = world.open({});
  CHECK(world.sim.run(old_reader->read({0_B, 200_KiB})).ok());

  const auto file = world.open({.create = true, .cached = cached});
  CHECK(file->size() == 0_B);
  CHECK(world.write(*file, {0_B, 100_KiB}) == IoStatus::ok);

  CHECK(world.sim.run(old_reader->read({0_B, 200_KiB})).content() == program_bytes({0_B, 100_KiB}));
  CHECK(world.sim.run(world.store.settle()) == IoStatus::ok);
  CHECK(world.store.peek("f") == program_bytes({0_B, 100_KiB}));
  CHECK(world.cache.dirty() == 0_B);
}

TEST_CASE("overwriting waits for what is being written back of the old file", "[fs][cache]") {
  NtfsWorld world;
  const auto old = world.open({.create = true});
  CHECK(world.write(*old, {0_B, 1_MiB}) == IoStatus::ok);
  world.sim.run_until(SimTime{3s});  // the first scan: two writes of 64 KiB go out
  world.sim.run_until(SimTime{3'000'500us});
  REQUIRE(world.device.writes().size() == 1);

  const auto file = world.open({.create = true});
  // The first write ends at 3.001 s. Opening reads the MFT until 3.002 s and empties the file, but
  // the second write already waits behind it: until 3.003 s. Nothing else of the old file is
  // written.
  CHECK(world.sim.now() == SimTime{3'003ms});
  CHECK(world.device.writes().size() == 2);
  CHECK(world.sim.run(file->write(0_B, program_bytes({0_B, 64_KiB}, 8))) == IoStatus::ok);
  CHECK(world.sim.run(world.store.settle()) == IoStatus::ok);

  CHECK(world.store.peek("f") == program_bytes({0_B, 64_KiB}, 8));
  CHECK(world.cache.dirty() == 0_B);
}
