#pragma once

#include <tuple>

#include <copysim/models/cpu/cpu.hpp>
#include <copysim/models/fs/file_system.hpp>
#include <copysim/models/fs/volume.hpp>
#include <copysim/models/parameter.hpp>

namespace copysim {

/// The sizes and costs of FAT32 metadata.
struct Fat32Config {
  /// Bytes of one entry of the file allocation table (the format).
  Bytes entry = 4_B;
  /// Metadata is written in whole pages of the cache.
  Bytes write_unit = 4_KiB;
  /// Processor time of each operation (mechanisms 9, as for NTFS: U).
  Duration operation_cpu = 100us;
  /// Windows XP to 7 keep no write cache for FAT on a removable stick, whatever its removal policy
  /// (USIEBER, HWLUXX): metadata goes out at once, and closing a file flushes its data (that it may
  /// wait until then is inferred).
  bool write_cache = false;

  static constexpr auto parameters = std::tuple{
      parameter("entry", &Fat32Config::entry, "size of a table entry", at_least(2_B)),
      parameter("write_unit", &Fat32Config::write_unit, "metadata is written in multiples of it",
                at_least(512_B)),
      parameter("operation_cpu", &Fat32Config::operation_cpu, "processor time of an operation",
                at_least(Duration{0})),
      parameter("write_cache", &Fat32Config::write_cache, "data may stay in the file cache"),
  };
};

/// FAT32: both copies of the table and the directory entry are written at the time of each change.
///
/// The tables lie at the start of the volume, the directory is the first cluster behind them, data
/// follows. Left out: long names that need several entries, the free-space sector.
class Fat32 final : public FileSystem {
public:
  Fat32(Volume& volume, Cpu& cpu, Fat32Config config);

  [[nodiscard]] std::string_view name() const override { return "fat32"; }
  [[nodiscard]] Task<IoStatus> opened(FileNode& file) override;
  [[nodiscard]] Task<IoStatus> created(FileNode& file) override;
  [[nodiscard]] Task<IoStatus> extended(FileNode& file, Bytes by) override;
  [[nodiscard]] Task<IoStatus> changed(FileNode& file) override;
  [[nodiscard]] Task<IoStatus> moved_through(FileNode& file) override;
  [[nodiscard]] Task<IoStatus> closed(FileNode& file, bool written) override;
  [[nodiscard]] Task<IoStatus> queried() override;
  [[nodiscard]] Task<IoStatus> listed(std::size_t entries) override;
  [[nodiscard]] Task<IoStatus> flushed(FileNode& file) override;
  [[nodiscard]] Task<IoStatus> settle() override;
  /// The directory entry has 32 bits for the size (the format).
  [[nodiscard]] Bytes largest_file() const override { return 4_GiB - 1_B; }
  [[nodiscard]] bool lazy() const override { return config_.write_cache; }

private:
  [[nodiscard]] Task<IoStatus> write(Bytes address, Bytes length);
  [[nodiscard]] Task<IoStatus> write_directory(const FileNode& file);

  Volume* volume_;
  Cpu* cpu_;
  Fat32Config config_;
  Bytes table_;      ///< length of one table
  Bytes directory_;  ///< device address of the directory
};

}  // namespace copysim
