#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include <copysim/models/content.hpp>
#include <copysim/models/cpu/cpu.hpp>
#include <copysim/models/fs/file_map.hpp>
#include <copysim/models/io_result.hpp>
#include <copysim/models/parameter.hpp>
#include <copysim/models/storage/block_device.hpp>
#include <copysim/sim/random.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// Where on its disk a volume keeps what, as parts of the disk counted from the outer edge.
struct VolumeConfig {
  /// Files that exist before the run start here, one after the other (defragmented). A fresh
  /// machine of 2005 to 2008 fills some 20 to 30 GB of 250 to 500 GB (inferred).
  double files_at = 0.05;
  /// New files are put here, one after the other.
  double free_at = 0.1;
  /// Files that exist lie at random places between the two instead of one after the other.
  bool scattered = false;
  /// Mean size of the pieces in which files that exist lie, at random places between the two; 0: in
  /// one piece. On volumes in use the mean is some 100 KiB to a few MiB (inferred).
  Bytes fragment{};
  /// Mean size of the free runs that new files fill, with as much taken space between them; 0: free
  /// space is one run.
  Bytes free_run{};
  /// Both sizes spread lognormally; the standard deviation of their logarithm. 1: two thirds lie
  /// between 0.2 and 1.6 times the mean (inferred).
  double fragment_sigma = 1.0;
  /// Both places are multiples of it: partitions and the clusters of a stick as delivered start at
  /// a multiple of the erase block, 4 MiB at most (inferred; no matter for a disk).
  Bytes alignment = 4_MiB;
  /// Unit of allocation: 4 KiB for NTFS volumes above 2 GB (KB140365).
  Bytes cluster = 4_KiB;
  /// Processor time of one device request: file system, class and port driver, interrupt. 20 us:
  /// the 50 us of a Windows 2000 machine of 1999 (MSR-16) on a processor some 2.5 times as fast.
  Duration request_cpu = 20us;

  static constexpr auto parameters = std::tuple{
      parameter("files_at", &VolumeConfig::files_at,
                "where the files that exist lie: part of the disk, 0 is the outer edge",
                between(0.0, 1.0)),
      parameter("free_at", &VolumeConfig::free_at, "where new files are put: part of the disk",
                between(0.0, 1.0)),
      parameter("scattered", &VolumeConfig::scattered,
                "files that exist lie at random places between files_at and free_at"),
      parameter("fragment", &VolumeConfig::fragment,
                "mean size of the pieces of files that exist; 0 B: one piece", at_least(0_B)),
      parameter("free_run", &VolumeConfig::free_run,
                "mean size of the free runs for new files; 0 B: one run", at_least(0_B)),
      parameter("fragment_sigma", &VolumeConfig::fragment_sigma,
                "standard deviation of the logarithm of both sizes", between(0.0, 5.0)),
      parameter("alignment", &VolumeConfig::alignment, "both places are multiples of it",
                at_least(512_B)),
      parameter("cluster", &VolumeConfig::cluster, "unit of allocation", at_least(512_B)),
      parameter("request_cpu", &VolumeConfig::request_cpu, "processor time of a device request",
                at_least(Duration{0})),
  };
};

/// A part of a disk with files on it: allocates space, cuts file requests into device requests and
/// remembers which byte lies where.
///
/// A request that is longer than the device's `max_request` becomes several device requests, all
/// outstanding at once, as the Windows class driver does it. Fragmentation is drawn once, when
/// space is taken; it does not grow with what a run deletes. Left out: what the file system reads
/// more to find the pieces.
class Volume {
public:
  Volume(Simulation& sim, BlockDevice& device, Cpu& cpu, VolumeConfig config);

  [[nodiscard]] Task<ReadResult> read(const FileMap& map, Extent extent);
  [[nodiscard]] Task<IoStatus> write(const FileMap& map, Bytes offset, Content content,
                                     bool force_unit_access);
  /// One device request at a device address, for metadata: no content is kept.
  [[nodiscard]] Task<IoStatus> metadata(Access access, Extent device, bool to_medium = false);
  [[nodiscard]] Task<IoStatus> flush() { return device_->flush(); }

  /// Space for a file that exists before the run, or for a new one; whole clusters. False if full.
  [[nodiscard]] bool allocate_existing(FileMap& map, Bytes length);
  [[nodiscard]] bool allocate(FileMap& map, Bytes length);
  /// Puts content on the medium without time passing, before the run.
  void place(const FileMap& map, const Content& content);
  /// What lies on the medium (or in the device's write cache), without time passing.
  [[nodiscard]] Content peek(const FileMap& map, Extent extent) const;

  [[nodiscard]] Bytes capacity() const { return device_->capacity(); }
  [[nodiscard]] const VolumeConfig& config() const { return config_; }
  [[nodiscard]] BlockDevice& device() { return *device_; }

private:
  [[nodiscard]] Task<IoStatus> transfer(const FileMap& map, Access access, Extent extent,
                                        bool force_unit_access);
  [[nodiscard]] Task<> piece(BlockRequest request, IoStatus& status);
  [[nodiscard]] bool take(Bytes& next, FileMap& map, Bytes length);
  [[nodiscard]] bool scatter(FileMap& map, Bytes space);
  [[nodiscard]] bool take_runs(FileMap& map, Bytes space);
  [[nodiscard]] Bytes draw_size(Bytes mean);

  Simulation* sim_;
  BlockDevice* device_;
  Cpu* cpu_;
  VolumeConfig config_;
  Bytes next_existing_;
  Bytes next_free_;
  Bytes run_left_;  // of the free run that new files are filling
  RandomStream places_;
  RandomStream sizes_;
  std::map<std::int64_t, Bytes> scattered_;  ///< what scattered files take, by address
  ContentMap medium_;
};

}  // namespace copysim
