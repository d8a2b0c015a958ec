#pragma once

#include <cstdint>
#include <map>
#include <set>

#include <boost/intrusive/list.hpp>

#include <copysim/models/cache/backing_file.hpp>
#include <copysim/models/content.hpp>
#include <copysim/sim/signal.hpp>
#include <copysim/units.hpp>

namespace copysim {

class CachedFile;

/// Files and views leave the cache manager's lists by themselves when they go.
using CacheHook =
    boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>>;

/// The unit in which the cache keeps file pages, as the processor maps them: 4 KiB.
inline constexpr Bytes page_size = 4_KiB;
/// The unit in which the cache manager maps files: 256 KiB views (Windows: VACB slots).
inline constexpr Bytes view_size = 256_KiB;

/// One aligned 256 KiB piece of a file in memory, with a bit for each of its 64 pages.
struct CacheView : CacheHook {
  CachedFile* file = nullptr;
  std::int64_t index = 0;
  std::uint64_t valid = 0;    ///< holds the file's content
  std::uint64_t dirty = 0;    ///< differs from the medium; always valid too
  std::uint64_t loading = 0;  ///< being read from the medium
  std::uint64_t writing = 0;  ///< being written to the medium
  SimTime dirtied{};          ///< when the first of its dirty pages became dirty

  [[nodiscard]] bool idle() const { return (dirty | loading | writing) == 0; }
};

/// What the cache holds of one file: its views and which bytes they carry.
///
/// Kept per view, so memory is bounded by the simulated machine's memory, not by the file. Owned by
/// the file system's node of that file; it outlives every read-ahead and write-behind of it.
class CachedFile : public CacheHook {
public:
  CachedFile(Simulation& sim, BackingFile& below) : changed{sim}, backing{&below} {}
  CachedFile(const CachedFile&) = delete;
  CachedFile& operator=(const CachedFile&) = delete;

  /// Calls `visit(view, mask)` for each view under `extent`, made if missing; `mask` has the pages.
  template <class Visit>
  void for_views(Extent extent, Visit visit);
  [[nodiscard]] CacheView& view(std::int64_t index);
  [[nodiscard]] CacheView* find(std::int64_t index);

  std::map<std::int64_t, CacheView> views;
  std::set<std::int64_t> dirty_views;  ///< indices of views with a dirty page, in file order
  ContentMap content;                  ///< of all valid pages, by file offset
  Signal changed;                      ///< some page finished loading or writing
  BackingFile* backing;
  SimTime dirtied{};                ///< when its first dirty page became dirty
  Bytes dirty;                      ///< sum of dirty pages
  Bytes writing;                    ///< sum of pages being written back
  Bytes goal;                       ///< what the lazy writer still has to write of it
  Bytes flush_from;                 ///< where the lazy writer goes on
  bool flushing = false;            ///< a write-behind task is at work
  IoStatus failure = IoStatus::ok;  ///< the first failed write-behind
  std::int64_t forgotten = 0;       ///< how often all pages were dropped: tells late I/Os
};

/// The pages of view `index` that `extent` touches, as bits.
[[nodiscard]] constexpr std::uint64_t pages_in_view(Extent extent, std::int64_t index) {
  const Bytes start = view_size * index;
  const Bytes from = extent.offset > start ? extent.offset - start : Bytes{};
  const Bytes to = extent.end() < start + view_size ? extent.end() - start : view_size;
  if (from >= to) return 0;
  const auto first = from / page_size;
  const auto last = (to - Bytes{1}) / page_size;
  return (~std::uint64_t{0} << first) & (~std::uint64_t{0} >> (63 - last));
}

template <class Visit>
void CachedFile::for_views(Extent extent, Visit visit) {
  const std::int64_t last = (extent.end() - Bytes{1}) / view_size;
  for (std::int64_t index = extent.offset / view_size; index <= last; ++index) {
    visit(view(index), pages_in_view(extent, index));
  }
}

inline CacheView* CachedFile::find(std::int64_t index) {
  const auto it = views.find(index);
  return it == views.end() ? nullptr : &it->second;
}

}  // namespace copysim
