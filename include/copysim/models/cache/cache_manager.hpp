#pragma once

#include <boost/intrusive/list.hpp>

#include <copysim/models/cache/cache_config.hpp>
#include <copysim/models/cache/cached_file.hpp>
#include <copysim/models/cache/read_history.hpp>
#include <copysim/models/cpu/cpu.hpp>
#include <copysim/sim/semaphore.hpp>
#include <copysim/sim/signal.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim {

/// Who writes: it decides about throttling.
enum class Writer : std::uint8_t {
  program,        ///< held back when too much is dirty
  remote_client,  ///< the file server on behalf of a client
};

/// The file cache of a Windows machine, shared by all its volumes.
///
/// A cached read faults missing pages in (the reader waits) and lets `ReadHistory` start read-ahead
/// beside it; a cached write dirties pages and returns; the lazy writer scans each second and
/// writes an eighth of the dirty pages back, more when they come faster than they go; writers are
/// held back above the dirty threshold (CcCanIWrite). Clean views leave in least-recently-used
/// order when memory is full. Left out: the mapped page writer, standby priorities, the virtual
/// size limit of the cache. Sources: Windows Internals 6e part 2 (chapter 11), ReactOS ntoskrnl/cc.
class CacheManager {
public:
  CacheManager(Simulation& sim, Cpu& cpu, CacheConfig config, Bytes memory);
  CacheManager(const CacheManager&) = delete;
  CacheManager& operator=(const CacheManager&) = delete;
  ~CacheManager();

  /// Reads `extent`, which lies inside the file, through the cache.
  [[nodiscard]] Task<ReadResult> read(CachedFile& file, ReadHistory& history, Extent extent);
  /// Puts `content` into the cache and marks it dirty. Pages that it covers only in part are read
  /// first if they lie below `valid_to`, the file's valid data length before this write.
  [[nodiscard]] Task<IoStatus> write(CachedFile& file, Bytes offset, Content content,
                                     Bytes valid_to, Writer writer);
  /// Writes all dirty pages of `file` back; ends when they are on the device, or on its medium.
  [[nodiscard]] Task<IoStatus> flush(CachedFile& file, bool to_medium = false);
  /// The same for the pages of `extent` only.
  [[nodiscard]] Task<IoStatus> flush_part(CachedFile& file, Extent extent, bool to_medium);
  /// Forgets all pages of `file`, dirty ones and a failure too (the file is deleted or emptied).
  /// I/Os under way go on, but what they read is dropped; `CachedFile::writing` tells their end.
  void forget(CachedFile& file);
  /// Writes everything back.
  [[nodiscard]] Task<IoStatus> flush_all();

  [[nodiscard]] const CacheConfig& config() const { return config_; }
  [[nodiscard]] const CacheCounters& counters() const { return counters_; }
  [[nodiscard]] Bytes dirty() const { return dirty_; }

private:
  [[nodiscard]] Task<IoStatus> make_present(CachedFile& file, Extent extent, bool& waited,
                                            bool& faulted);
  [[nodiscard]] Task<IoStatus> load(CachedFile& file, Extent extent);
  void loaded(CachedFile& file, Extent pages, const ReadResult& result);
  [[nodiscard]] Task<IoStatus> fetch_edges(CachedFile& file, Extent extent, Bytes valid_to);
  [[nodiscard]] Task<> load_quietly(CachedFile& file, Extent extent);
  [[nodiscard]] Task<> read_ahead(CachedFile& file, Extent extent);
  [[nodiscard]] Task<> admit(Bytes size, bool exempt);
  [[nodiscard]] bool may_write(Bytes size, bool exempt) const;
  [[nodiscard]] Task<> lazy_writer();
  void scan();
  [[nodiscard]] Task<> write_behind(CachedFile& file);
  [[nodiscard]] Task<Bytes> write_cluster(CachedFile& file, bool to_medium);
  [[nodiscard]] Task<> write_out(CachedFile& file, Extent cluster, bool to_medium);
  [[nodiscard]] Extent take_run(CachedFile& file, Bytes from, Bytes most) const;
  [[nodiscard]] Extent take_cluster(CachedFile& file) const;
  void store(CachedFile& file, Extent extent, const Content& content);
  void mark_dirty(CachedFile& file, Extent extent);
  void make_room(const CachedFile& kept, Extent pages);
  void touch(CacheView& view);
  void account(std::int64_t pages);

  Simulation* sim_;
  Cpu* cpu_;
  CacheConfig config_;
  Bytes limit_;            ///< memory available for file pages
  Bytes dirty_limit_;      ///< writers wait above it
  Bytes cached_;           ///< valid or loading pages
  Bytes dirty_;            ///< dirty pages of all files
  Bytes written_in_scan_;  ///< written back since the last scan
  Bytes dirty_at_scan_;    ///< dirty at the last scan
  std::int64_t waiting_ = 0;
  Signal dirtied_;       ///< the first page became dirty
  Signal progress_;      ///< a write-behind finished
  Semaphore turnstile_;  ///< held-back writers pass in the order of their arrival
  Semaphore workers_;
  template <class T>
  using List = boost::intrusive::list<T, boost::intrusive::constant_time_size<false>>;
  List<CacheView> least_recently_used_;
  List<CachedFile> dirty_files_;
  CacheCounters counters_;
};

}  // namespace copysim
