#pragma once

#include <boost/intrusive/list.hpp>

#include <copysim/models/cache/cached_file.hpp>
#include <copysim/models/cache/file_cache.hpp>
#include <copysim/models/cpu/cpu.hpp>
#include <copysim/sim/semaphore.hpp>
#include <copysim/sim/signal.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim {

/// What every file cache does whatever its rules: which pages are there, dirty, loading or being
/// written, and which leave when memory is full.
///
/// Pages are kept as bits of 256 KiB views. Clean views leave in least-recently-used order. Writers
/// that a strategy holds back pass in the order of their arrival. A strategy adds when to read
/// ahead, when to write back and whom to hold back.
class ViewCache : public FileCache {
public:
  ViewCache(const ViewCache&) = delete;
  ViewCache& operator=(const ViewCache&) = delete;
  ~ViewCache() override;

  [[nodiscard]] Task<IoStatus> write(CachedFile& file, Bytes offset, Content content,
                                     Bytes valid_to, Writer writer) override;
  [[nodiscard]] Task<IoStatus> flush(CachedFile& file, bool to_medium = false) override;
  [[nodiscard]] Task<IoStatus> flush_part(CachedFile& file, Extent extent, bool to_medium) override;
  void forget(CachedFile& file) override;
  [[nodiscard]] Task<IoStatus> flush_all() override;

  [[nodiscard]] const CacheCounters& counters() const override { return counters_; }
  [[nodiscard]] Bytes dirty() const override { return dirty_; }

protected:
  /// The sizes that the mechanics need; a strategy's own configuration gives them.
  struct Sizes {
    Bytes limit;           ///< memory available for file pages
    Bytes max_paging_io;   ///< the largest single paging read
    Bytes fault_boundary;  ///< a page fault never reads over a multiple of this
    Bytes flush_io;        ///< the largest single write of dirty pages
    Bandwidth copy_bandwidth;
  };
  ViewCache(Simulation& sim, Cpu& cpu, Sizes sizes);

  /// Whether a write of `size` may dirty its pages now.
  [[nodiscard]] virtual bool may_write(Bytes size, Writer writer) const = 0;
  /// Whether `writer` passes others that are held back, if it may write at all.
  [[nodiscard]] virtual bool passes_others(Writer writer) const = 0;
  /// Called when pages became dirty: write-back may have to start.
  virtual void note_dirtied() {}
  /// Waits until it is worth trying a held-back write again.
  [[nodiscard]] virtual Task<> wait_to_retry();

  /// Copies the bytes of `extent` out of the cache, after bringing in what is missing. Counts a hit
  /// or a wait.
  [[nodiscard]] Task<ReadResult> read_pages(CachedFile& file, Extent extent);
  /// Brings the pages of `extent`, which lies in one view, into memory.
  [[nodiscard]] Task<IoStatus> make_present(CachedFile& file, Extent extent, bool& waited,
                                            bool& faulted);
  /// Marks the missing pages of `extent` as loading; returns what there is to load, perhaps
  /// nothing.
  [[nodiscard]] Extent begin_load(CachedFile& file, Extent extent);
  /// Reads what `begin_load` returned.
  [[nodiscard]] Task<IoStatus> finish_load(CachedFile& file, Extent pages);
  [[nodiscard]] Task<IoStatus> load(CachedFile& file, Extent extent);
  /// A failed read-ahead is nobody's failure: the reader will fault the page and hear of it.
  [[nodiscard]] Task<> finish_quietly(CachedFile& file, Extent pages);
  [[nodiscard]] Task<> load_quietly(CachedFile& file, Extent extent);
  /// Writes the next cluster of dirty pages and returns how long it was: 0 if there is none.
  [[nodiscard]] Task<Bytes> write_cluster(CachedFile& file, bool to_medium);
  /// Takes the next run of neighbouring dirty pages and marks it as being written.
  [[nodiscard]] Extent take_cluster(CachedFile& file) const;
  /// Takes the dirty pages from `from` on, before `most`.
  [[nodiscard]] Extent take_run(CachedFile& file, Bytes from, Bytes most) const;
  [[nodiscard]] Task<> write_out(CachedFile& file, Extent cluster, bool to_medium);

  template <class T>
  using List = boost::intrusive::list<T, boost::intrusive::constant_time_size<false>>;

  Simulation* sim_;
  Cpu* cpu_;
  Sizes sizes_;
  Bytes cached_;                  ///< valid or loading pages
  Bytes dirty_;                   ///< dirty pages of all files
  Bytes written_;                 ///< written back since the start
  std::int64_t waiting_ = 0;      ///< writers that are held back
  Signal dirtied_;                ///< the first page became dirty
  Signal progress_;               ///< some write-back finished
  List<CachedFile> dirty_files_;  ///< in the order in which they became dirty
  CacheCounters counters_;

private:
  void loaded(CachedFile& file, Extent pages, const ReadResult& result);
  [[nodiscard]] Task<IoStatus> fetch_edges(CachedFile& file, Extent extent, Bytes valid_to);
  [[nodiscard]] Task<> admit(Bytes size, Writer writer);
  void store(CachedFile& file, Extent extent, const Content& content);
  void mark_dirty(CachedFile& file, Extent extent);
  void make_room(const CachedFile& kept, Extent pages);
  void touch(CacheView& view);
  void account(std::int64_t pages);

  Semaphore turnstile_;  ///< held-back writers pass in the order of their arrival
  List<CacheView> least_recently_used_;
};

}  // namespace copysim
