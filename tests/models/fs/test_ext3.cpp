#include <copysim/models/fs/ext3.hpp>

#include "models/fs/store_world.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::testing;

namespace {

Task<> wait(Simulation& sim, Duration time) {
  co_await sim.delay(time);
}

}  // namespace

TEST_CASE("ext3 writes new data and a record of its metadata 5 s after the first change",
          "[fs][ext3]") {
  StoreWorld<Ext3> world;
  const auto file = world.open({.create = true});
  world.sim.run(wait(world.sim, 4s));
  REQUIRE(world.write(*file, {0_B, 48_KiB}) == IoStatus::ok);
  CHECK(world.sim.run(file->close()) == IoStatus::ok);

  world.sim.run(wait(world.sim, 1s - 1ns));
  CHECK(world.device.requests.empty());
  world.sim.run(wait(world.sim, 500ms));
  // The data first. Then directory block, inode bitmap, block bitmap and inode block, with a
  // descriptor and a commit block: 6 blocks in one write. (The cache itself would write the data
  // after 3 s, at 7 s.)
  const std::vector<Extent> writes = world.device.writes();
  REQUIRE(writes.size() == 2);
  CHECK(writes[0].length == 48_KiB);
  CHECK(writes[1].length == 6 * 4_KiB);
  CHECK(world.store.peek("f") == program_bytes({0_B, 48_KiB}));

  // The blocks go to their places when they are 30 s old, as on ext2: directory and inode bitmap
  // of 0 s at 30 s, block bitmap and inode block of 4 s, on either side of the inode bitmap, at 35
  // s. With the record that is five.
  world.sim.run(wait(world.sim, 60s));
  CHECK(world.counters().metadata_writes == 5);
}

TEST_CASE("flushing a file on ext3 commits at once, and only once", "[fs][ext3]") {
  StoreWorld<Ext3> world;
  const auto file = world.open({.create = true});
  REQUIRE(world.write(*file, {0_B, 64_KiB}) == IoStatus::ok);
  CHECK(world.sim.run(file->flush()) == IoStatus::ok);
  CHECK(world.counters().metadata_writes == 1);
  CHECK(world.sim.run(file->flush()) == IoStatus::ok);
  CHECK(world.counters().metadata_writes == 1);
  CHECK(world.device.flushes == 2);
}
