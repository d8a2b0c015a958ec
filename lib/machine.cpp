#include <copysim/lib/machine.hpp>

#include <vector>

#include <copysim/error.hpp>
#include <copysim/models/cache/cache_manager.hpp>
#include <copysim/models/cache/linux_page_cache.hpp>
#include <copysim/models/cpu/shared_cpu.hpp>
#include <copysim/models/cpu/thread_starter.hpp>
#include <copysim/models/fs/ext3.hpp>
#include <copysim/models/fs/fat32.hpp>
#include <copysim/models/fs/local_store.hpp>
#include <copysim/models/fs/ntfs.hpp>
#include <copysim/models/fs/tmpfs.hpp>
#include <copysim/models/fs/volume.hpp>

#include "device_counters.hpp"
#include "trace_recorder.hpp"

namespace copysim {

struct Machine::MountedVolume {
  std::unique_ptr<BlockDevice> device;     // none if it shares that of another volume
  std::unique_ptr<BlockDevice> partition;  // none if it has the whole device
  std::unique_ptr<Volume> volume;
  std::unique_ptr<FileSystem> file_system;
  std::vector<std::unique_ptr<Directory>> directories;
};

namespace {

std::unique_ptr<FileCache> make_cache(Simulation& sim, Cpu& cpu, const HostConfig& config) {
  const Bytes memory = config.machine.memory.size;
  if (config.system.file_cache == FileCacheKind::page_cache) {
    return std::make_unique<LinuxPageCache>(sim, cpu, config.system.page_cache, memory);
  }
  return std::make_unique<CacheManager>(sim, cpu, config.system.cache, memory);
}

}  // namespace

struct Machine::Parts {
  Parts(Simulation& sim, const std::string& name, const HostConfig& config)
      : cpu{sim, name, config.machine.cpu, config.system.scheduler},
        processes{cpu},
        cache{make_cache(sim, cpu, config)} {}

  SharedCpu cpu;
  ThreadStarter processes;
  std::unique_ptr<FileCache> cache;
  std::map<std::string, MountedVolume> volumes;
};

namespace {

std::unique_ptr<BlockDevice> make_device(Simulation& sim, const std::string& name,
                                         const VolumeSetup& setup, const SystemConfig& system) {
  DriveConfig drive = setup.device;
  drive.limit_requests(system.storage.max_request);
  return make_drive(sim, name, drive);
}

std::unique_ptr<FileSystem> make_file_system(Simulation& sim, Volume& volume, FileCache& cache,
                                             Cpu& cpu, FileSystemKind kind,
                                             const SystemConfig& system) {
  if (kind == FileSystemKind::ext2) return std::make_unique<Ext2>(sim, volume, cpu, system.ext2);
  if (kind == FileSystemKind::ext3) {
    return std::make_unique<Ext3>(sim, volume, cache, cpu, system.ext2, system.ext3);
  }
  if (kind == FileSystemKind::fat32) return std::make_unique<Fat32>(volume, cpu, system.fat32);
  return std::make_unique<Ntfs>(sim, volume, cpu, system.ntfs);
}

double bytes(Bytes value) {
  return static_cast<double>(value.count());
}

void count_cache(Counters& counters, const std::string& name, const CacheCounters& cache) {
  const auto add = [&](const char* what, double value) {
    counters.emplace_back(name + "." + what, value);
  };
  add("reads", static_cast<double>(cache.reads));
  add("read_hits", static_cast<double>(cache.read_hits));
  add("read_ahead_hits", static_cast<double>(cache.read_ahead_hits));
  add("read_waits", static_cast<double>(cache.read_waits));
  add("faults", static_cast<double>(cache.faults));
  add("faulted_bytes", bytes(cache.bytes_faulted));
  add("read_aheads", static_cast<double>(cache.read_aheads));
  add("read_ahead_bytes", bytes(cache.bytes_read_ahead));
  add("flushes", static_cast<double>(cache.flushes));
  add("flushed_bytes", bytes(cache.bytes_flushed));
  add("throttled_writes", static_cast<double>(cache.throttled_writes));
  add("throttled_s", seconds(cache.throttled_time));
  add("evicted_bytes", bytes(cache.evicted));
  add("dirty_peak_bytes", bytes(cache.dirty_peak));
  add("peak_bytes", bytes(cache.cached_peak));
}

void count_file_system(Counters& counters, const std::string& name,
                       const FileSystemCounters& file_system) {
  const auto add = [&](const char* what, double value) {
    counters.emplace_back(name + "." + what, value);
  };
  add("creates", static_cast<double>(file_system.creates));
  add("opens", static_cast<double>(file_system.opens));
  add("metadata_reads", static_cast<double>(file_system.metadata_reads));
  add("metadata_writes", static_cast<double>(file_system.metadata_writes));
  add("zero_filled_bytes", bytes(file_system.zero_filled));
  add("out_of_order_writes", static_cast<double>(file_system.out_of_order_writes));
}

}  // namespace

Machine::Machine(Simulation& sim, std::string name, HostConfig config,
                 detail::TraceRecorder* recorder)
    : sim_{&sim},
      name_{std::move(name)},
      config_{std::move(config)},
      recorder_{recorder},
      parts_{std::make_unique<Parts>(sim, name_, config_)} {}

Machine::~Machine() = default;

Machine::MountedVolume& Machine::mount(const std::string& volume) {
  const auto mounted = parts_->volumes.find(volume);
  if (mounted != parts_->volumes.end()) return mounted->second;

  const auto setup = config_.machine.volumes.find(volume);
  if (setup == config_.machine.volumes.end()) {
    std::string known;
    for (const auto& [id, unused] : config_.machine.volumes) {
      known += (known.empty() ? "" : ", ") + id;
    }
    throw ConfigError{name_, "volume must be one of " + known + ", got " + volume};
  }
  const VolumeSetup& how = setup->second;
  if (how.file_system == FileSystemKind::tmpfs) return parts_->volumes[volume];
  BlockDevice* device = nullptr;
  // That volume has a device of its own: the resolver has checked it.
  if (!how.shares.empty()) device = mount(how.shares).device.get();
  MountedVolume& made = parts_->volumes[volume];
  if (device == nullptr) {
    made.device = make_device(*sim_, name_ + ".disk." + volume, how, config_.system);
    if (recorder_ != nullptr) {
      made.device =
          detail::traced(*sim_, std::move(made.device), name_ + ".disk." + volume, *recorder_);
    }
    device = made.device.get();
  }
  if (!how.partition.whole()) {
    made.partition = std::make_unique<Partition>(*device, how.partition);
    device = made.partition.get();
  }
  made.volume = std::make_unique<Volume>(*sim_, *device, parts_->cpu, how.layout);
  made.file_system = make_file_system(*sim_, *made.volume, *parts_->cache, parts_->cpu,
                                      how.file_system, config_.system);
  return made;
}

Directory& Machine::add_directory(const std::string& volume, std::uint32_t first_id) {
  MountedVolume& mounted = mount(volume);
  if (mounted.volume == nullptr) {
    mounted.directories.push_back(std::make_unique<Tmpfs>(first_id));
    return *mounted.directories.back();
  }
  mounted.directories.push_back(
      std::make_unique<LocalStore>(*sim_, *mounted.volume, *mounted.file_system, *parts_->cache,
                                   parts_->cpu, config_.system.store, first_id));
  return *mounted.directories.back();
}

ProcessStarter& Machine::processes() {
  return parts_->processes;
}

Cpu& Machine::cpu() {
  return parts_->cpu;
}

Bytes Machine::dirty() const {
  return parts_->cache->dirty();
}

void Machine::count(Counters& counters) const {
  const auto used = [&](const char* what, CpuWork kind) {
    counters.emplace_back(name_ + ".cpu." + what, seconds(parts_->cpu.used(kind)));
  };
  used("thread_s", CpuWork::thread);
  used("network_s", CpuWork::network);
  used("storage_s", CpuWork::storage);
  for (int core = 0; core < parts_->cpu.cores(); ++core) {
    const std::string prefix = name_ + ".cpu.core" + std::to_string(core) + ".";
    const auto busy = [&](const char* what, CpuLevel level) {
      counters.emplace_back(prefix + what, seconds(parts_->cpu.used(core, level)));
    };
    busy("thread_s", CpuLevel::thread);
    busy("deferred_call_s", CpuLevel::deferred_call);
    busy("interrupt_s", CpuLevel::interrupt);
  }
  count_cache(counters, name_ + ".cache", parts_->cache->counters());
  for (const auto& [volume, mounted] : parts_->volumes) {
    if (mounted.volume == nullptr) continue;
    if (mounted.device) {
      detail::count_device(counters, name_ + ".disk." + volume, mounted.device->counters(),
                           config_.machine.volumes.at(volume).device);
    }
    count_file_system(counters, name_ + ".files." + volume, mounted.file_system->counters());
  }
}

}  // namespace copysim
