#pragma once

#include <copysim/models/cache/cache_config.hpp>
#include <copysim/models/cache/read_history.hpp>
#include <copysim/models/cache/view_cache.hpp>
#include <copysim/models/cpu/cpu.hpp>
#include <copysim/sim/semaphore.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim {

/// The file cache of a Windows machine, shared by all its volumes.
///
/// A cached read faults missing pages in (the reader waits) and lets `ReadHistory` start read-ahead
/// beside it; a cached write dirties pages and returns; the lazy writer scans each second and
/// writes an eighth of the dirty pages back, more when they come faster than they go; writers are
/// held back above the dirty threshold (CcCanIWrite). Clean views leave in least-recently-used
/// order when memory is full. Left out: the mapped page writer, standby priorities, the virtual
/// size limit of the cache. Sources: Windows Internals 6e part 2 (chapter 11), ReactOS ntoskrnl/cc.
class CacheManager final : public ViewCache {
public:
  CacheManager(Simulation& sim, Cpu& cpu, CacheConfig config, Bytes memory);

  [[nodiscard]] std::unique_ptr<CacheReader> open(CachedFile& file, bool sequential_hint) override;
  /// Reads `extent`, which lies inside the file, through the cache.
  [[nodiscard]] Task<ReadResult> read(CachedFile& file, ReadHistory& history, Extent extent);

  [[nodiscard]] const CacheConfig& config() const { return config_; }

private:
  [[nodiscard]] bool may_write(Bytes size, Writer writer) const override;
  [[nodiscard]] bool passes_others(Writer writer) const override { return exempt(writer); }
  [[nodiscard]] bool exempt(Writer writer) const;
  [[nodiscard]] Task<> read_ahead(CachedFile& file, Extent extent);
  [[nodiscard]] Task<> lazy_writer();
  void scan();
  [[nodiscard]] Task<> write_behind(CachedFile& file);

  CacheConfig config_;
  Bytes dirty_limit_;      ///< writers wait above it
  Bytes written_at_scan_;  ///< written back before the last scan
  Bytes dirty_at_scan_;    ///< dirty at the last scan
  Semaphore workers_;
};

}  // namespace copysim
