#include <copysim/models/fs/ext2.hpp>

#include "models/fs/store_world.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::testing;

namespace {

Task<> wait(Simulation& sim, Duration time) {
  co_await sim.delay(time);
}

}  // namespace

TEST_CASE("ext2 writes nothing at a create and its metadata when it is 30 s old", "[fs][ext2]") {
  StoreWorld<Ext2> world;
  const auto file = world.open({.create = true});
  REQUIRE(world.write(*file, {0_B, 4_KiB}) == IoStatus::ok);
  CHECK(world.sim.run(file->close()) == IoStatus::ok);
  CHECK(world.device.requests.empty());

  world.sim.run(wait(world.sim, 29s));
  CHECK(world.counters().metadata_writes == 0);
  world.sim.run(wait(world.sim, 2s));
  // Directory block; inode bitmap and inode block (neighbours in the home group); and the block
  // bitmap of the group that the data lies in with, if it is the same group, its inode block: the
  // volume of 1 GiB keeps existing files at 5 % (group 0) and puts new ones at 10 % (group 0 too).
  // So block bitmap, inode bitmap and inode block are the neighbours 2, 3 and 4: one write, and one
  // for the directory.
  CHECK(world.counters().metadata_writes == 2);
}

TEST_CASE("ext2 reads the inodes of 32 files with one block and the directory with another",
          "[fs][ext2]") {
  StoreWorld<Ext2> world;
  for (int i = 0; i < 33; ++i) world.store.add("file-" + std::to_string(100 + i), 4_KiB);
  for (int i = 0; i < 33; ++i) {
    const auto file = world.open({}, "file-" + std::to_string(100 + i));
    CHECK(world.sim.run(file->close()) == IoStatus::ok);
  }
  // 33 inodes lie in 2 blocks, 33 entries in 1.
  CHECK(world.counters().metadata_reads == 3);
}

TEST_CASE("a long file on ext2 has a block of addresses to read, a short one not", "[fs][ext2]") {
  StoreWorld<Ext2> world;
  world.store.add("long", 52_KiB);  // 13 blocks, one more than the inode itself maps
  world.store.add("short", 48_KiB);

  const auto one = world.open({}, "short");
  CHECK(world.counters().metadata_reads == 2);  // directory and inode
  const auto two = world.open({}, "long");
  CHECK(world.counters().metadata_reads == 3);  // those are there; its addresses are not
}

TEST_CASE("settling a volume with ext2 leaves no metadata behind", "[fs][ext2]") {
  StoreWorld<Ext2> world;
  const auto file = world.open({.create = true});
  REQUIRE(world.write(*file, {0_B, 64_KiB}) == IoStatus::ok);
  CHECK(world.sim.run(file->close()) == IoStatus::ok);
  CHECK(world.sim.run(world.store.settle()) == IoStatus::ok);
  const auto writes = world.counters().metadata_writes;
  CHECK(writes > 0);
  world.sim.run(wait(world.sim, 60s));
  CHECK(world.counters().metadata_writes == writes);
  CHECK(world.store.peek("f") == program_bytes({0_B, 64_KiB}));
}
