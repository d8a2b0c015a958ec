#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>

#include <copysim/models/cache/file_cache.hpp>
#include <copysim/models/cpu/cpu.hpp>
#include <copysim/models/fs/directory.hpp>
#include <copysim/models/fs/file_node.hpp>
#include <copysim/models/fs/file_system.hpp>
#include <copysim/models/fs/volume.hpp>
#include <copysim/models/parameter.hpp>

namespace copysim {

/// Costs of a local store that belong to the system, not to the file system's format.
struct LocalStoreConfig {
  /// Processor time of a read or write call: user to kernel, checks, file lock (MSR-16 to 19 bound
  /// the whole unbuffered request at 50 us on a machine of 1999).
  Duration call_cpu = 10us;
  /// Zeros for a gap before a non-cached or write-through write go around the cache in pieces of
  /// this size (CcZeroData's largest transfer, 128 pages: recalled).
  Bytes zero_transfer = 512_KiB;
  /// Whether the zeros of a write-through file must be on the medium before its data is written.
  /// Inferred: they are paging writes, which carry no write-through flag, so the drive may keep
  /// them in its write cache.
  bool zeros_to_medium = false;

  static constexpr auto parameters = std::tuple{
      parameter("call_cpu", &LocalStoreConfig::call_cpu, "processor time of a read or write call",
                at_least(Duration{0})),
      parameter("zero_transfer", &LocalStoreConfig::zero_transfer,
                "size of the writes that zero a gap", at_least(4_KiB)),
      parameter("zeros_to_medium", &LocalStoreConfig::zeros_to_medium,
                "write-through files: zeros bypass the drive's write cache too"),
  };
};

/// The files in one directory of a volume, through the machine's file cache or around it.
///
/// A write that moves the valid data length holds the file for itself; one that starts behind it
/// first fills the gap with zeros: through the cache if it is written lazily, on the device if not.
/// That is why out-of-order writes cost NTFS the skipped bytes twice. Other reads and writes run
/// side by side. On a file system without write cache closing a file flushes it. A write-through
/// write ends when it is on the medium, not in the drive's write cache (the class driver sets
/// ForceUnitAccess; recalled). Several directories may share a volume.
class LocalStore final : public Directory {
public:
  /// `first_id`: the identity of its first file; stores of one simulation must not overlap.
  LocalStore(Simulation& sim, Volume& volume, FileSystem& file_system, FileCache& cache, Cpu& cpu,
             LocalStoreConfig config, std::uint32_t first_id);

  [[nodiscard]] Task<OpenResult> open(std::string name, OpenOptions options) override;
  [[nodiscard]] Task<IoStatus> query(std::string name) override;
  [[nodiscard]] Task<std::vector<Entry>> list() override;
  [[nodiscard]] Task<IoStatus> settle() override;
  [[nodiscard]] StoreTraits traits() const override {
    return {.holder = &volume_->device().whole()};
  }

  void add(const std::string& name, Bytes size) override;
  [[nodiscard]] Content peek(const std::string& name) const override;
  [[nodiscard]] std::vector<Entry> entries() const override;

private:
  friend class LocalFile;
  [[nodiscard]] Task<IoStatus> write(FileNode& node, Bytes offset, Content content,
                                     OpenOptions options);
  [[nodiscard]] Task<IoStatus> grow(FileNode& node, Bytes size);
  [[nodiscard]] Task<IoStatus> zero(FileNode& node, Extent gap, OpenOptions options);
  [[nodiscard]] Task<IoStatus> put(FileNode& node, Bytes offset, Content content,
                                   OpenOptions options);
  [[nodiscard]] FileNode& add_node(const std::string& name);

  Simulation* sim_;
  Volume* volume_;
  FileSystem* file_system_;
  FileCache* cache_;
  Cpu* cpu_;
  LocalStoreConfig config_;
  std::map<std::string, std::unique_ptr<FileNode>> files_;
  std::uint32_t first_id_;
};

}  // namespace copysim
