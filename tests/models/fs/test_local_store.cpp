#include <copysim/models/cache/cache_manager.hpp>
#include <copysim/models/fs/fat32.hpp>
#include <copysim/models/fs/local_store.hpp>
#include <copysim/models/fs/ntfs.hpp>

#include "fake_device.hpp"
#include "support/catch.hpp"
#include "support/free_cpu.hpp"

using namespace copysim;

namespace {

struct World {
  World()
      : device{sim},
        volume{sim, device, cpu, {}},
        ntfs{sim, volume, cpu, {}},
        cache{sim, cpu, {}, 1_GiB},
        store{sim, volume, ntfs, cache, cpu, {}, Origin::first_file} {}
  ~World() { sim.close(); }

  std::unique_ptr<File> create(OpenOptions options) {
    options.create = true;
    return sim.run(store.open("new", options)).take();
  }
  IoStatus write(File& file, Bytes from, Bytes length) {
    return sim.run(file.write(from, Content{Origin{7, 0, from}, length}));
  }
  // Device writes relative to the start of the new file.
  std::vector<Extent> writes() const {
    std::vector<Extent> result = device.writes();
    const auto start = static_cast<std::int64_t>(static_cast<double>((1_GiB).count()) * 0.1);
    for (Extent& extent : result) extent.offset -= align_down(Bytes{start}, 4_MiB);
    return result;
  }

  Simulation sim;
  FreeCpu cpu;
  FakeDevice device;
  Volume volume;
  Ntfs ntfs;
  CacheManager cache;
  LocalStore store;
};

}  // namespace

TEST_CASE("a non-cached write behind the valid data length writes zeros first", "[fs][ntfs]") {
  World world;
  const auto file = world.create({.cached = false});
  CHECK(world.sim.run(file->set_size(256_KiB)) == IoStatus::ok);

  CHECK(world.write(*file, 128_KiB, 64_KiB) == IoStatus::ok);

  // 128 KiB of zeros are two requests of 64 KiB, then the data.
  CHECK(world.writes() == std::vector<Extent>{{0_B, 64_KiB}, {64_KiB, 64_KiB}, {128_KiB, 64_KiB}});
  CHECK(world.ntfs.counters().zero_filled == 128_KiB);
  CHECK(world.ntfs.counters().out_of_order_writes == 1);

  // The gap lies below the valid data length now: no more zeros.
  CHECK(world.write(*file, 0_B, 128_KiB) == IoStatus::ok);
  CHECK(world.ntfs.counters().zero_filled == 128_KiB);
  CHECK(world.store.peek("new").slice({0_B, 192_KiB}) == Content{Origin{7, 0, 0_B}, 192_KiB});
}

TEST_CASE("a write at the valid data length needs no zeros", "[fs][ntfs]") {
  World world;
  const auto file = world.create({.cached = false});

  CHECK(world.write(*file, 0_B, 64_KiB) == IoStatus::ok);
  CHECK(world.write(*file, 64_KiB, 64_KiB) == IoStatus::ok);
  CHECK(world.ntfs.counters().zero_filled == 0_B);
  CHECK(file->size() == 128_KiB);
}

TEST_CASE("what lies behind the valid data length reads as zeros without the device", "[fs]") {
  World world;
  const auto file = world.create({.cached = false});
  CHECK(world.sim.run(file->set_size(64_KiB)) == IoStatus::ok);

  const ReadResult result = world.sim.run(file->read({0_B, 64_KiB}));

  CHECK(result.content() == Content::zeros(64_KiB));
  CHECK(world.device.requests.empty());
}

TEST_CASE("a read across the end of the file is short, one behind it fails", "[fs]") {
  World world;
  world.store.add("old", 100_KiB);
  const auto file = world.sim.run(world.store.open("old", {.cached = false})).take();

  CHECK(world.sim.run(file->read({64_KiB, 64_KiB})).content().size() == 36_KiB);
  CHECK(world.sim.run(file->read({100_KiB, 64_KiB})).status() == IoStatus::end_of_file);
}

TEST_CASE("a long non-cached read becomes requests of the device's size, all outstanding",
          "[fs][volume]") {
  World world;
  world.store.add("old", 1_MiB);
  const auto file = world.sim.run(world.store.open("old", {.cached = false})).take();
  const SimTime before = world.sim.now();

  CHECK(world.sim.run(file->read({0_B, 256_KiB})).ok());

  CHECK(world.sim.now() - before == 4ms);
}

TEST_CASE("a cached write is durable after settle, a write-through one at once", "[fs][cache]") {
  World world;
  const auto lazy = world.create({});
  CHECK(world.write(*lazy, 0_B, 64_KiB) == IoStatus::ok);
  CHECK(world.device.writes().empty());
  CHECK(world.sim.run(world.store.settle()) == IoStatus::ok);
  CHECK(world.store.peek("new") == Content{Origin{7, 0, 0_B}, 64_KiB});

  const auto through = world.create({.write_through = true});
  const auto before = world.device.writes().size();
  CHECK(world.write(*through, 0_B, 64_KiB) == IoStatus::ok);
  CHECK(world.device.writes().size() == before + 2);  // the data, then the log
  CHECK(world.device.requests.back().force_unit_access);
}

TEST_CASE("scattered files lie inside the used part, apart from each other", "[fs][volume]") {
  Simulation sim;
  FreeCpu cpu;
  FakeDevice device{sim};
  Volume volume{sim, device, cpu, {.files_at = 0.25, .free_at = 0.5, .scattered = true}};
  std::map<std::int64_t, Extent> taken;
  for (int i = 0; i < 100; ++i) {
    FileMap map;
    REQUIRE(volume.allocate_existing(map, 1_MiB));
    REQUIRE(map.fragments() == 1);
    taken.emplace(map.extents().front().offset.count(), map.extents().front());
  }

  REQUIRE(taken.size() == 100);
  Bytes end = 256_MiB;  // a quarter of 1 GiB
  for (const auto& [offset, extent] : taken) {
    CHECK(extent.offset >= end);
    end = extent.end();
  }
  CHECK(end <= 512_MiB);
  FileMap none;
  CHECK_FALSE(volume.allocate_existing(none, 300_MiB));
}

TEST_CASE("opening what is not there fails, and so does a full volume", "[fs]") {
  World world;
  CHECK(world.sim.run(world.store.open("nothing", {})).status() == IoStatus::not_found);
  CHECK(world.sim.run(world.store.query("nothing")) == IoStatus::not_found);

  const auto file = world.create({});
  CHECK(world.sim.run(file->set_size(2_GiB)) == IoStatus::disk_full);
  CHECK_THROWS_AS(world.store.add("huge", 2_GiB), ConfigError);
}

TEST_CASE("FAT32 writes both tables and the directory at once, and data when the file is closed",
          "[fs][fat32]") {
  Simulation sim;
  FreeCpu cpu;
  FakeDevice device{sim};
  Volume volume{sim, device, cpu, {.free_at = 0.5, .cluster = 32_KiB}};
  Fat32 fat{volume, cpu, {}};
  CacheManager cache{sim, cpu, {}, 1_GiB};
  LocalStore store{sim, volume, fat, cache, cpu, {}, Origin::first_file};

  const auto file = sim.run(store.open("new", {.create = true})).take();
  CHECK(device.writes().size() == 1);  // the directory entry
  CHECK(sim.run(file->set_size(64_KiB)) == IoStatus::ok);
  CHECK(device.writes().size() == 4);  // table, second table, directory
  // 1 GiB of 32 KiB clusters: 32,768 entries of 4 bytes, so the second table is 128 KiB on.
  CHECK(device.writes()[2].offset - device.writes()[1].offset == 128_KiB);
  CHECK(sim.run(file->write(0_B, Content{Origin{7, 0, 0_B}, 64_KiB})) == IoStatus::ok);
  CHECK(device.writes().size() == 4);
  CHECK(sim.run(file->close()) == IoStatus::ok);
  CHECK(device.writes().size() == 6);  // 64 KiB of data, directory
  sim.close();
}
