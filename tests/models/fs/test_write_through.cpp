#include "models/fs/store_world.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::testing;
using Forced = std::vector<bool>;

TEST_CASE("a write-through write that moves the valid data length forces data, then log",
          "[fs][ntfs][write-through]") {
  const bool cached = GENERATE(true, false);
  NtfsWorld world;
  const auto file = world.open({.create = true, .cached = cached, .write_through = true});

  CHECK(world.write(*file, {0_B, 64_KiB}) == IoStatus::ok);

  CHECK(world.device.forced() == Forced{true, true});
  CHECK(world.device.writes()[0].length == 64_KiB);
  CHECK(world.device.writes()[1].length == 4_KiB);  // the page of the log
  CHECK(world.counters().metadata_writes == 1);
  CHECK(world.store.peek("f") == program_bytes({0_B, 64_KiB}));
}

TEST_CASE("a write-through write below the valid data length forces its data only",
          "[fs][ntfs][write-through]") {
  NtfsWorld world;
  const auto file = world.open({.create = true, .write_through = true});
  CHECK(world.write(*file, {0_B, 128_KiB}) == IoStatus::ok);
  const auto before = world.device.writes().size();

  CHECK(world.write(*file, {32_KiB, 64_KiB}) == IoStatus::ok);

  CHECK(world.device.writes().size() == before + 1);
  CHECK(world.device.forced().back());
  CHECK(world.counters().metadata_writes == 1);
}

TEST_CASE("a write-through write that waited while another passed it forces its data only",
          "[fs][ntfs][write-through]") {
  NtfsWorld world;
  const auto file = world.open({.create = true, .write_through = true});

  // The second comes first and holds the file: 64 KiB of zeros, its data, the log. Then the valid
  // data length is 128 KiB, above the other.
  world.sim.run(world.write_pieces(*file, {1, 0}, 64_KiB));

  CHECK(world.failed == IoStatus::ok);
  CHECK(world.device.forced() == Forced{false, true, true, true});
  CHECK(world.counters().metadata_writes == 1);
  CHECK(world.store.peek("f") == program_bytes({0_B, 128_KiB}));
}

TEST_CASE("a write-through write writes its own pages only, and waits for no others",
          "[fs][ntfs][write-through]") {
  NtfsWorld world;
  const auto lazy = world.open({.create = true});
  CHECK(world.write(*lazy, {0_B, 1_MiB}) == IoStatus::ok);
  const auto through = world.open({.write_through = true});
  const SimTime before = world.sim.now();

  CHECK(world.write(*through, {256_KiB, 60_KiB}) == IoStatus::ok);

  CHECK(world.sim.now() - before == 1ms);  // one request
  CHECK(world.device.forced() == Forced{true});
  CHECK(world.device.writes()[0].length == 60_KiB);
  CHECK(world.cache.dirty() == 1_MiB - 60_KiB);
}

TEST_CASE("the zeros of a write-through file are forced only if its system says so",
          "[fs][ntfs][write-through]") {
  const bool forced = GENERATE(false, true);
  NtfsWorld world{{.zeros_to_medium = forced}};
  const auto file = world.open({.create = true, .write_through = true});

  CHECK(world.write(*file, {64_KiB, 64_KiB}) == IoStatus::ok);

  CHECK(world.device.forced() == Forced{forced, true, true});  // zeros, data, log
  CHECK(world.counters().zero_filled == 64_KiB);
}

TEST_CASE("FAT32 keeps no valid data length, so write-through forces the data only",
          "[fs][fat32][write-through]") {
  Fat32World world;
  const auto file = world.open({.create = true, .write_through = true});
  CHECK(world.sim.run(file->set_size(64_KiB)) == IoStatus::ok);
  const auto before = world.device.writes().size();

  CHECK(world.write(*file, {0_B, 64_KiB}) == IoStatus::ok);

  CHECK(world.device.writes().size() == before + 1);
  CHECK(world.device.forced().back());
}

TEST_CASE("flushing a file writes its data and the log, then empties the drive's buffer",
          "[fs][ntfs]") {
  NtfsWorld world;
  const auto file = world.open({.create = true});
  CHECK(world.write(*file, {0_B, 64_KiB}) == IoStatus::ok);
  REQUIRE(world.device.writes().empty());

  CHECK(world.sim.run(file->flush()) == IoStatus::ok);

  CHECK(world.device.forced() == Forced{false, false});
  CHECK(world.device.writes()[0].length == 64_KiB);
  CHECK(world.device.writes()[1].length == 4_KiB);
  CHECK(world.device.flushes == 1);
  // All is there: flushing again only asks the device.
  CHECK(world.sim.run(file->flush()) == IoStatus::ok);
  CHECK(world.device.writes().size() == 2);
  CHECK(world.device.flushes == 2);
}

TEST_CASE("flushing a file on FAT32 writes its data, whose metadata is there already",
          "[fs][fat32]") {
  Fat32World world;
  const auto file = world.open({.create = true});
  CHECK(world.write(*file, {0_B, 64_KiB}) == IoStatus::ok);
  const auto before = world.device.writes().size();

  CHECK(world.sim.run(file->flush()) == IoStatus::ok);

  CHECK(world.device.writes().size() == before + 1);
  CHECK(world.device.flushes == 1);
}

TEST_CASE("closing a file on FAT32 that nobody wrote to writes nothing", "[fs][fat32]") {
  Fat32World world;
  world.store.add("f", 64_KiB);
  const auto file = world.open({});
  CHECK(world.sim.run(file->read({0_B, 64_KiB})).ok());

  CHECK(world.sim.run(file->close()) == IoStatus::ok);

  CHECK(world.device.writes().empty());
}

TEST_CASE("setting times after the last write saves the directory entry at close", "[fs][fat32]") {
  const bool late_write = GENERATE(false, true);
  Fat32World world;
  const auto file = world.open({.create = true});
  CHECK(world.write(*file, {0_B, 64_KiB}) == IoStatus::ok);
  CHECK(world.sim.run(file->set_times()) == IoStatus::ok);
  if (late_write) CHECK(world.write(*file, {0_B, 4_KiB}) == IoStatus::ok);
  const auto before = world.counters().metadata_writes;

  CHECK(world.sim.run(file->close()) == IoStatus::ok);

  // The data goes in any case; the entry only if the times are older than the last write.
  CHECK(world.counters().metadata_writes == before + (late_write ? 1 : 0));
  CHECK(world.store.peek("f") == program_bytes({0_B, 64_KiB}));
}

TEST_CASE("setting a size writes metadata once, with the new space or alone", "[fs][fat32]") {
  Fat32World world;
  const auto file = world.open({.create = true});
  const auto created = world.counters().metadata_writes;

  CHECK(world.sim.run(file->set_size(64_KiB)) == IoStatus::ok);
  CHECK(world.counters().metadata_writes == created + 3);  // two tables, the entry
  CHECK(world.sim.run(file->set_size(32_KiB)) == IoStatus::ok);
  CHECK(world.counters().metadata_writes == created + 4);  // the entry
}
