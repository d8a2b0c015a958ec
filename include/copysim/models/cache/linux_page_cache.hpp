#pragma once

#include <tuple>

#include <copysim/models/cache/linux_read_ahead.hpp>
#include <copysim/models/cache/view_cache.hpp>
#include <copysim/models/parameter.hpp>

namespace copysim {

/// The sizes and rules of a Linux page cache; a system sheet fills them in by version.
///
/// The parts of dirty memory are of the memory that file pages may use.
struct LinuxCacheConfig {
  LinuxReadAheadConfig read_ahead;

  /// Write-back starts above this part: 30 % in 2.4 (bdflush `nfract`, L24-PATCH), 5 % in 2.6.22
  /// and later (`dirty_background_ratio`, L26-WB).
  double background = 0.30;
  /// It then goes on down to this part: bdflush until 2.4.8 and its followers stop where they
  /// start, later 2.4 kernels at 20 % (`nfract_stop_bdflush`, L24-BUF).
  double background_stop = 0.30;
  /// Writers wait above this part: 60 % in 2.4 (`nfract_sync`, L24-PATCH), 10 % in 2.6.22 and later
  /// (`dirty_ratio`, L26-WB).
  double foreground = 0.60;
  /// A writer that waits tries again this often (L26-WB: 100 ms); 0: whenever a write-back ends.
  Duration retry = 0s;

  /// How often old pages are looked for (kupdate, pdflush; L24-PATCH, L26-WB).
  Duration wake = 5s;
  /// Pages are written back when they have been dirty for this long (L24-PATCH, L26-WB).
  Duration expire = 30s;

  /// Written back at a time before dirty memory is looked at again: 64 buffers of 4 KiB in 2.4
  /// (bdflush `ndirty`, recalled), 1,024 pages in 2.6 (L26-WB).
  Bytes batch = 256_KiB;
  /// The largest single request: IDE transfers up to 128 KiB (L24-TIO).
  Bytes io = 128_KiB;
  /// Write requests that may be at the device at once: its queue has 128 places in both kernels
  /// (`queue_nr_requests` and `nr_requests`, recalled).
  int requests = 128;

  /// Memory-to-memory copy between cache and program, on the reference core.
  Bandwidth copy_bandwidth{1.5e9};
  /// Memory that programs and the kernel itself use, so not available for file pages.
  Bytes in_use = 64_MiB;

  static constexpr auto parameters = std::tuple{
      section("read_ahead", &LinuxCacheConfig::read_ahead, "when and how far to read ahead"),
      parameter("background", &LinuxCacheConfig::background,
                "part of memory for files that may be dirty before write-back starts",
                between(0.001, 1.0)),
      parameter("background_stop", &LinuxCacheConfig::background_stop,
                "part down to which it goes on", between(0.0, 1.0)),
      parameter("foreground", &LinuxCacheConfig::foreground,
                "part of memory for files that may be dirty before writers wait",
                between(0.001, 1.0)),
      parameter("retry", &LinuxCacheConfig::retry,
                "time until a waiting writer tries again; 0: when a write-back ends",
                at_least(Duration{0})),
      parameter("wake", &LinuxCacheConfig::wake, "between two looks for old pages",
                at_least(Duration{1})),
      parameter("expire", &LinuxCacheConfig::expire, "age at which dirty pages are written back",
                at_least(Duration{0})),
      parameter("batch", &LinuxCacheConfig::batch,
                "written back before dirty memory is looked at again", at_least(4_KiB)),
      parameter("io", &LinuxCacheConfig::io, "largest single request", at_least(4_KiB)),
      parameter("requests", &LinuxCacheConfig::requests, "write requests at the device at once",
                at_least(1)),
      parameter("copy_bandwidth", &LinuxCacheConfig::copy_bandwidth, "rate of a copy in memory",
                at_least(Bandwidth{1e6})),
      parameter("in_use", &LinuxCacheConfig::in_use, "memory not available for file pages",
                at_least(0_B)),
  };
};

/// The page cache of a Linux machine, 2.4 or 2.6, shared by all its volumes.
///
/// A read visits its pages one by one and lets `LinuxReadAhead` submit windows beside them; a
/// write dirties pages and returns. Dirty pages go to the disk when they are `expire` old (looked
/// for every `wake`), or, the oldest first, while more than `background` is dirty; writers wait
/// while more than `foreground` is. Expired files are written file by file in the order in which
/// they became dirty, and each in the order of its offsets. Left out: swapping, the active and
/// inactive lists (clean views leave least recently used first), per-device limits of 2.6.24 on.
/// WRENCH's page cache model (Do et al. 2021) is its peer; that one keeps no read-ahead.
///
/// Sources: L24-FILEMAP, L24-BUF, L24-PATCH (2.4 fs/buffer.c), L26-RA, L26-WB (mechanisms 10).
class LinuxPageCache final : public ViewCache {
public:
  LinuxPageCache(Simulation& sim, Cpu& cpu, LinuxCacheConfig config, Bytes memory);

  [[nodiscard]] std::unique_ptr<CacheReader> open(CachedFile& file, bool sequential_hint) override;
  /// Reads `extent`, which lies inside the file, through the cache.
  [[nodiscard]] Task<ReadResult> read(CachedFile& file, LinuxReadAhead& ahead, Extent extent);

  [[nodiscard]] const LinuxCacheConfig& config() const { return config_; }

private:
  [[nodiscard]] bool may_write(Bytes size, Writer writer) const override;
  [[nodiscard]] bool passes_others(Writer) const override { return false; }
  void note_dirtied() override;
  [[nodiscard]] Task<> wait_to_retry() override;
  /// Asks for the missing pages of a range, in requests of at most `io`.
  void submit(CachedFile& file, PageRange pages);
  /// Lets read-ahead see `page` and submits what it wants, and the page itself.
  void visit(CachedFile& file, LinuxReadAhead& ahead, std::int64_t page, bool& faulted);
  [[nodiscard]] Task<> write_old();
  [[nodiscard]] Task<> write_in_background();
  /// The next dirty run that is older than `before`, the oldest file first; empty if there is none.
  struct Run {
    CachedFile* file = nullptr;
    Extent pages;
  };
  [[nodiscard]] Run take_older(SimTime before);
  [[nodiscard]] Run take_next();
  /// Hands a run to the device as soon as its queue has room.
  [[nodiscard]] Task<> start_write(Run run);
  [[nodiscard]] Task<> write_and_release(Run run);
  /// What is dirty and not on its way to the device yet.
  [[nodiscard]] Bytes waiting_dirty() const { return dirty_ - in_flight_; }

  LinuxCacheConfig config_;
  Bytes background_limit_, background_stop_, foreground_limit_;
  Bytes in_flight_;   ///< handed to the device, not written yet
  Signal too_dirty_;  ///< more than `background` is dirty
  Semaphore requests_;
};

}  // namespace copysim
