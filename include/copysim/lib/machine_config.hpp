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
#include <copysim/models/cpu/shared_cpu.hpp>
#include <copysim/models/fs/fat32.hpp>
#include <copysim/models/fs/local_store.hpp>
#include <copysim/models/fs/ntfs.hpp>
#include <copysim/models/fs/volume.hpp>
#include <copysim/models/link/link_config.hpp>
#include <copysim/models/link/transport_end.hpp>
#include <copysim/models/parameter.hpp>
#include <copysim/models/shell/explorer.hpp>
#include <copysim/models/smb/redirector_config.hpp>
#include <copysim/models/smb/smb_server_config.hpp>

namespace copysim {

enum class FileSystemKind : std::uint8_t { ntfs, fat32 };
[[nodiscard]] std::string_view to_string(FileSystemKind kind);
[[nodiscard]] constexpr std::array<FileSystemKind, 2> all_values(FileSystemKind) {
  return {FileSystemKind::ntfs, FileSystemKind::fat32};
}

/// A volume of a machine: the table `volumes.<name>` of a machine sheet. The parameters of its
/// drive are in `volumes.<name>.device`; the sheet that `drive` names gives them.
struct VolumeSetup {
  std::string drive;  ///< id of the drive sheet
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

/// The operating system of a machine: a sheet of `lib/data/systems`.
struct SystemConfig {
  std::string id;
  CacheConfig cache;
  NtfsConfig ntfs;
  Fat32Config fat32;
  LocalStoreConfig store;
  StorageStackConfig storage;
  RedirectorConfig redirector;
  SmbServerConfig server;
  TcpConfig tcp;
  Explorer::Config shell;

  static constexpr auto parameters = std::tuple{
      section("cache", &SystemConfig::cache, "file cache"),
      section("ntfs", &SystemConfig::ntfs, "NTFS"),
      section("fat32", &SystemConfig::fat32, "FAT32"),
      section("store", &SystemConfig::store, "reads and writes of files"),
      section("storage", &SystemConfig::storage, "drivers below the file systems"),
      section("redirector", &SystemConfig::redirector, "SMB client"),
      section("server", &SystemConfig::server, "SMB server"),
      section("tcp", &SystemConfig::tcp, "TCP"),
      section("shell", &SystemConfig::shell, "Explorer around the copy engine"),
  };
};

/// One of the two machines: hardware and system, the tables `client` and `server` of a scenario.
struct HostConfig {
  MachineConfig machine;
  SystemConfig system;
};

}  // namespace copysim
