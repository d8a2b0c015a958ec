// The part of the view cache that takes writes in and writes dirty pages back.
#include <algorithm>
#include <bit>
#include <iterator>

#include <copysim/models/cache/view_cache.hpp>

namespace copysim {

Task<> ViewCache::wait_to_retry() {
  co_await progress_.wait();
}

Task<> ViewCache::admit(Bytes size, Writer writer) {
  if ((waiting_ == 0 || passes_others(writer)) && may_write(size, writer)) co_return;
  ++counters_.throttled_writes;
  ++waiting_;
  const SimTime since = sim_->now();
  co_await turnstile_.acquire();
  while (!may_write(size, writer)) {
    co_await wait_to_retry();
  }
  turnstile_.release();
  --waiting_;
  counters_.throttled_time += sim_->now() - since;
}

Task<IoStatus> ViewCache::write(CachedFile& file, Bytes offset, Content content, Bytes valid_to,
                                Writer writer) {
  const Extent extent{offset, content.size()};
  if (extent.empty()) co_return IoStatus::ok;
  co_await admit(extent.length, writer);

  co_await cpu_->run(extent.length / sizes_.copy_bandwidth, CpuWork::thread);
  const IoStatus status = co_await fetch_edges(file, extent, valid_to);
  if (status != IoStatus::ok) co_return status;
  store(file, extent, content);
  co_return file.failure;
}

// Brings in the pages that `extent` covers only in part, until both are there at the same time.
Task<IoStatus> ViewCache::fetch_edges(CachedFile& file, Extent extent, Bytes valid_to) {
  const Bytes first_page = align_down(extent.offset, page_size);
  const Bytes last_page = align_down(extent.end(), page_size);
  const bool first = first_page != extent.offset && first_page < valid_to;
  const bool last = last_page != extent.end() && extent.end() < valid_to;
  bool faulted = false;
  for (bool waited = first || last; waited;) {
    waited = false;
    if (first) {
      const IoStatus status = co_await make_present(file, {first_page, page_size}, waited, faulted);
      if (status != IoStatus::ok) co_return status;
    }
    if (last) {
      const IoStatus status = co_await make_present(file, {last_page, page_size}, waited, faulted);
      if (status != IoStatus::ok) co_return status;
    }
  }
  co_return IoStatus::ok;
}

// Puts written bytes into pages that are there or whose other bytes nobody has written.
void ViewCache::store(CachedFile& file, Extent extent, const Content& content) {
  make_room(file, extent);
  const Bytes last_page = align_down(extent.end(), page_size);
  const CacheView* last = file.find(last_page / view_size);
  const bool fresh =
      last == nullptr || (last->valid >> (last_page % view_size / page_size) & 1) == 0;
  if (last_page != extent.end() && fresh) {
    file.content.write(last_page, Content::zeros(page_size));
  }
  file.content.write(extent.offset, content);
  mark_dirty(file, extent);
}

void ViewCache::mark_dirty(CachedFile& file, Extent extent) {
  std::int64_t fresh = 0;
  file.for_views(extent, [&](CacheView& view, std::uint64_t mask) {
    account(std::popcount(mask & ~(view.valid | view.loading)));
    fresh += std::popcount(mask & ~view.dirty);
    if (view.dirty == 0) view.dirtied = sim_->now();
    view.valid |= mask;
    view.dirty |= mask;
    file.dirty_views.insert(view.index);
    touch(view);
  });
  if (dirty_ == 0_B && fresh > 0) dirtied_.notify_all();
  file.dirty += page_size * fresh;
  dirty_ += page_size * fresh;
  counters_.dirty_peak = std::max(counters_.dirty_peak, dirty_);
  if (!file.is_linked()) {
    file.dirtied = sim_->now();
    dirty_files_.push_back(file);
  }
  note_dirtied();
}

void ViewCache::forget(CachedFile& file) {
  for (auto& [index, view] : file.views) {
    account(-std::popcount(view.valid | view.loading));
    if (view.is_linked()) least_recently_used_.erase(least_recently_used_.iterator_to(view));
  }
  dirty_ -= file.dirty;
  file.dirty = 0_B;
  file.dirty_views.clear();
  file.views.clear();
  file.content = {};
  file.goal = 0_B;
  file.flush_from = 0_B;
  file.failure = IoStatus::ok;
  ++file.forgotten;
  if (file.is_linked()) dirty_files_.erase(dirty_files_.iterator_to(file));
  file.changed.notify_all();
  progress_.notify_all();
}

// Takes the next run of neighbouring dirty pages, at most `flush_io` long, and marks it as being
// written. A page that became dirty again while it is written waits: two writes of one page may
// overtake each other in the device. Empty if all dirty pages wait.
Extent ViewCache::take_cluster(CachedFile& file) const {
  const auto ready = [&](std::int64_t index) {
    const CacheView& view = file.view(index);
    return (view.dirty & ~view.writing) != 0;
  };
  const auto start = file.dirty_views.lower_bound(file.flush_from / view_size);
  auto it = std::find_if(start, file.dirty_views.end(), ready);
  if (it == file.dirty_views.end()) it = std::find_if(file.dirty_views.begin(), start, ready);
  if (it == file.dirty_views.end() || !ready(*it)) return {};

  const CacheView& found = file.view(*it);
  const int first = std::countr_zero(found.dirty & ~found.writing);
  const Bytes from = view_size * *it + page_size * first;
  return take_run(file, from, from + sizes_.flush_io);
}

// Takes the dirty pages from `from` on, before `most`.
Extent ViewCache::take_run(CachedFile& file, Bytes from, Bytes most) const {
  Bytes to = from;
  std::int64_t pages = 0;
  while (to < most) {
    CacheView* view = file.find(to / view_size);
    const auto page = static_cast<int>((to % view_size) / page_size);
    const int run = view == nullptr ? 0 : std::countr_one((view->dirty & ~view->writing) >> page);
    if (run == 0) break;
    const auto take = std::min<std::int64_t>(run, (most - to) / page_size);
    const std::uint64_t mask = pages_in_view({to, page_size * take}, view->index);
    view->dirty &= ~mask;
    view->writing |= mask;
    if (view->dirty == 0) file.dirty_views.erase(view->index);
    pages += take;
    to += page_size * take;
    if (page + take < 64) break;
  }
  file.dirty -= page_size * pages;
  file.writing += page_size * pages;
  file.flush_from = to;
  return {from, to - from};
}

// Writes the next cluster and says how long it was.
Task<Bytes> ViewCache::write_cluster(CachedFile& file, bool to_medium) {
  const Extent cluster = take_cluster(file);
  if (cluster.empty()) co_return Bytes{};
  co_await write_out(file, cluster, to_medium);
  co_return cluster.length;
}

Task<> ViewCache::write_out(CachedFile& file, Extent cluster, bool to_medium) {
  const std::int64_t forgotten = file.forgotten;
  const Bytes from = cluster.offset;
  const Bytes end = std::min(cluster.end(), file.backing->size());
  IoStatus status = IoStatus::ok;
  if (end > from) {
    status =
        co_await file.backing->page_out(from, file.content.read({from, end - from}), to_medium);
  }
  // Dirty memory counts as given back only now that the device has the pages.
  dirty_ -= cluster.length;
  file.writing -= cluster.length;
  written_ += cluster.length;
  ++counters_.flushes;
  counters_.bytes_flushed += cluster.length;
  if (file.forgotten == forgotten) {
    file.for_views(cluster, [](CacheView& view, std::uint64_t mask) { view.writing &= ~mask; });
    if (status != IoStatus::ok && file.failure == IoStatus::ok) file.failure = status;
  }
  if (file.dirty == 0_B && file.is_linked()) dirty_files_.erase(dirty_files_.iterator_to(file));
  file.changed.notify_all();
  progress_.notify_all();
}

Task<IoStatus> ViewCache::flush(CachedFile& file, bool to_medium) {
  for (;;) {
    if (file.dirty > 0_B) {
      const Bytes written = co_await write_cluster(file, to_medium);
      if (written > 0_B) continue;
    }
    if (file.dirty == 0_B && file.writing == 0_B) break;
    co_await file.changed.wait();
  }
  co_return file.failure;
}

Task<IoStatus> ViewCache::flush_part(CachedFile& file, Extent extent, bool to_medium) {
  for (Bytes at = align_down(extent.offset, page_size); at < extent.end();) {
    const CacheView* view = file.find(at / view_size);
    const auto page = at % view_size / page_size;
    const bool dirty = view != nullptr && (view->dirty >> page & 1) != 0;
    const bool writing = view != nullptr && (view->writing >> page & 1) != 0;
    if (writing) {
      co_await file.changed.wait();
    } else if (dirty) {
      const Bytes end = std::min(align_up(extent.end(), page_size), at + sizes_.flush_io);
      const Extent cluster = take_run(file, at, end);
      co_await write_out(file, cluster, to_medium);
    } else {
      at += page_size;
    }
  }
  co_return file.failure;
}

Task<IoStatus> ViewCache::flush_all() {
  IoStatus status = IoStatus::ok;
  while (dirty_ > 0_B) {
    if (dirty_files_.empty()) {
      co_await progress_.wait();
      continue;
    }
    const IoStatus one = co_await flush(dirty_files_.front());
    if (status == IoStatus::ok) status = one;
  }
  co_return status;
}

}  // namespace copysim
