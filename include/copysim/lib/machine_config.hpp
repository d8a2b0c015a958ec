#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>

#include <copysim/lib/machine_drive.hpp>
#include <copysim/lib/workload.hpp>
#include <copysim/models/cache/cache_config.hpp>
#include <copysim/models/cache/linux_page_cache.hpp>
#include <copysim/models/cpu/receive_scaling.hpp>
#include <copysim/models/cpu/shared_cpu.hpp>
#include <copysim/models/fs/ext2.hpp>
#include <copysim/models/fs/ext3.hpp>
#include <copysim/models/fs/fat32.hpp>
#include <copysim/models/fs/local_store.hpp>
#include <copysim/models/fs/ntfs.hpp>
#include <copysim/models/fs/volume.hpp>
#include <copysim/models/link/link_config.hpp>
#include <copysim/models/link/transport_end.hpp>
#include <copysim/models/parameter.hpp>
#include <copysim/models/shell/explorer.hpp>
#include <copysim/models/smb/redirector_config.hpp>
#include <copysim/models/smb/smb_message_cost.hpp>
#include <copysim/models/smb/smb_server_config.hpp>
#include <copysim/models/storage/partition.hpp>

namespace copysim {

enum class FileSystemKind : std::uint8_t { ntfs, fat32, ext2, ext3, tmpfs };
[[nodiscard]] std::string_view to_string(FileSystemKind kind);
[[nodiscard]] constexpr std::array<FileSystemKind, 5> all_values(FileSystemKind) {
  return {FileSystemKind::ntfs, FileSystemKind::fat32, FileSystemKind::ext2, FileSystemKind::ext3,
          FileSystemKind::tmpfs};
}

/// A volume of a machine: the table `volumes.<name>` of a machine sheet. The parameters of its
/// drive are in `volumes.<name>.device`; the sheet that `drive` names gives them. With `shares` it
/// has no drive of its own but lies on that of another volume: two partitions of one spindle.
struct VolumeSetup {
  std::string drive;            ///< id of the drive sheet; tmpfs has none
  std::string shares;           ///< name of the volume whose drive it shares; empty: its own
  Partition::Config partition;  ///< the part of the drive that the volume has
  FileSystemKind file_system = FileSystemKind::ntfs;
  VolumeConfig layout;
  DriveConfig device;
};

struct MemoryConfig {
  Bytes size = 2_GiB;  ///< of the machine; usual in 2008

  static constexpr auto parameters = std::tuple{
      parameter("size", &MemoryConfig::size, "memory of the machine", at_least(16_MiB)),
  };
};

/// A machine's hardware: a sheet of `lib/data/machines`.
struct MachineConfig {
  std::string id;
  SharedCpu::Config cpu;
  MemoryConfig memory;
  NetworkCost network;  ///< what the network card costs the processors
  std::map<std::string, VolumeSetup> volumes;
};

/// What the drivers between file system and device allow.
struct StorageStackConfig {
  Bytes max_request = 64_KiB;  ///< 64 KiB before Vista, 1 MiB from Vista on [DS8800]

  static constexpr auto parameters = std::tuple{
      parameter("max_request", &StorageStackConfig::max_request,
                "longest request that reaches a disk", at_least(512_B)),
  };
};

/// Whose file cache a system has: the sections `cache` (Windows) and `page_cache` (Linux) of a
/// system sheet hold the parameters of each.
enum class FileCacheKind : std::uint8_t { cache_manager, page_cache };
[[nodiscard]] std::string_view to_string(FileCacheKind kind);
[[nodiscard]] constexpr std::array<FileCacheKind, 2> all_values(FileCacheKind) {
  return {FileCacheKind::cache_manager, FileCacheKind::page_cache};
}

/// The operating system of a machine: a sheet of `lib/data/systems`.
struct SystemConfig {
  std::string id;
  FileCacheKind file_cache = FileCacheKind::cache_manager;
  SchedulerConfig scheduler;
  ReceiveScaling::Config scaling;
  CacheConfig cache;
  LinuxCacheConfig page_cache;
  NtfsConfig ntfs;
  Fat32Config fat32;
  Ext2Config ext2;
  Ext3Config ext3;
  LocalStoreConfig store;
  StorageStackConfig storage;
  RedirectorConfig redirector;
  SmbServerConfig server;
  SmbMessageCost smb;
  TcpConfig tcp;
  Explorer::Config shell;

  static constexpr auto parameters = std::tuple{
      section("scheduler", &SystemConfig::scheduler, "threads and interrupts on the processors"),
      section("scaling", &SystemConfig::scaling, "cores that handle received packets"),
      parameter("file_cache", &SystemConfig::file_cache,
                "cache-manager (Windows) or page-cache (Linux)"),
      section("cache", &SystemConfig::cache, "file cache of Windows"),
      section("page_cache", &SystemConfig::page_cache, "file cache of Linux"),
      section("ntfs", &SystemConfig::ntfs, "NTFS"),
      section("fat32", &SystemConfig::fat32, "FAT32"),
      section("ext2", &SystemConfig::ext2, "ext2, and what ext3 has of it"),
      section("ext3", &SystemConfig::ext3, "the journal of ext3"),
      section("store", &SystemConfig::store, "reads and writes of files"),
      section("storage", &SystemConfig::storage, "drivers below the file systems"),
      section("redirector", &SystemConfig::redirector, "SMB client"),
      section("server", &SystemConfig::server, "SMB server"),
      section("smb", &SystemConfig::smb, "cost of SMB messages, as client and as server"),
      section("tcp", &SystemConfig::tcp, "TCP"),
      section("shell", &SystemConfig::shell, "Explorer around the copy engine"),
  };
};

/// One of the two machines: hardware and system, the tables `client` and `server` of a scenario.
struct HostConfig {
  MachineConfig machine;
  SystemConfig system;
  /// The server runs on the client's machine (`machine = "client"`): it shares processors, memory
  /// and volumes, and `machine` is a copy of the client's.
  bool on_client = false;
};

}  // namespace copysim
