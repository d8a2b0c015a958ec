#pragma once

#include <memory>
#include <string>
#include <vector>

#include <copysim/models/cache/cache_manager.hpp>
#include <copysim/models/fs/ext2.hpp>
#include <copysim/models/fs/ext3.hpp>
#include <copysim/models/fs/fat32.hpp>
#include <copysim/models/fs/local_store.hpp>
#include <copysim/models/fs/ntfs.hpp>
#include <copysim/sim/task_group.hpp>

#include "models/fs/fake_device.hpp"
#include "support/free_cpu.hpp"

namespace copysim::testing {

/// The bytes that programs write in these tests.
inline Content program_bytes(Extent extent, std::uint32_t file = 7) {
  return Content{Origin{file, 0, extent.offset}, extent.length};
}

/// A directory of a volume with one file system, on a device of 1 ms per request.
template <class FileSystemType>
struct StoreWorld {
  explicit StoreWorld(LocalStoreConfig config = {})
      : device{sim},
        volume{sim, device, cpu, {}},
        cache{sim, cpu, {}, 1_GiB},
        store{sim, volume, files(), cache, cpu, config, Origin::first_file} {}
  ~StoreWorld() { sim.close(); }

  std::unique_ptr<File> open(OpenOptions options, const std::string& name = "f") {
    return sim.run(store.open(name, options)).take();
  }
  IoStatus write(File& file, Extent extent) {
    return sim.run(file.write(extent.offset, program_bytes(extent)));
  }
  Task<> write_one(File& file, Extent extent) {
    const IoStatus status = co_await file.write(extent.offset, program_bytes(extent));
    if (status != IoStatus::ok) failed = status;
  }
  /// Writes pieces of one size, all at once, handed over in the order of `indices`.
  Task<> write_pieces(File& file, std::vector<int> indices, Bytes piece) {
    TaskGroup group{sim};
    for (const int i : indices) group.spawn(write_one(file, {piece * i, piece}));
    co_await group.join();
  }
  [[nodiscard]] const FileSystemCounters& counters() { return file_system->counters(); }

  Simulation sim;
  FreeCpu cpu;
  FakeDevice device;
  Volume volume;
  CacheManager cache;
  std::unique_ptr<FileSystem> file_system;
  LocalStore store;
  IoStatus failed = IoStatus::ok;

private:
  FileSystem& files() {
    if constexpr (std::is_same_v<FileSystemType, Ntfs>) {
      file_system = std::make_unique<Ntfs>(sim, volume, cpu, NtfsConfig{});
    } else if constexpr (std::is_same_v<FileSystemType, Ext2>) {
      file_system = std::make_unique<Ext2>(sim, volume, cpu, Ext2Config{});
    } else if constexpr (std::is_same_v<FileSystemType, Ext3>) {
      file_system = std::make_unique<Ext3>(sim, volume, cache, cpu, Ext2Config{}, Ext3Config{});
    } else {
      file_system = std::make_unique<Fat32>(volume, cpu, Fat32Config{});
    }
    return *file_system;
  }
};

using NtfsWorld = StoreWorld<Ntfs>;
using Fat32World = StoreWorld<Fat32>;

}  // namespace copysim::testing
