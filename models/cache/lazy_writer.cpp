// The part of the cache manager that writes dirty pages back and holds writers to its pace.
#include <algorithm>
#include <bit>
#include <iterator>

#include <copysim/models/cache/cache_manager.hpp>

namespace copysim {

bool CacheManager::may_write(Bytes size, bool exempt) const {
  // However small the memory, a write passes when it is the only one.
  if (dirty_ == 0_B) return true;
  const Bytes counted = std::min(size, config_.admission_cap);
  // Clean pages can be given up at once, so what is available is all that is not dirty. Nobody is
  // exempt from that part: without a free page the memory manager makes every writer wait.
  const bool available = limit_ - dirty_ - counted > config_.reserve;
  return available && (exempt || dirty_ + counted < dirty_limit_);
}

Task<> CacheManager::admit(Bytes size, bool exempt) {
  if ((waiting_ == 0 || exempt) && may_write(size, exempt)) co_return;
  ++counters_.throttled_writes;
  ++waiting_;
  const SimTime since = sim_->now();
  co_await turnstile_.acquire();
  while (!may_write(size, exempt)) {
    co_await progress_.wait();
  }
  turnstile_.release();
  --waiting_;
  counters_.throttled_time += sim_->now() - since;
}

Task<> CacheManager::lazy_writer() {
  for (;;) {
    while (dirty_ == 0_B) {
      co_await dirtied_.wait();
    }
    co_await sim_->delay(config_.lazy_first_delay);
    while (dirty_ > 0_B) {
      scan();
      co_await sim_->delay(config_.lazy_period);
    }
  }
}

// One scan, as CcLazyWriteScan does it: an eighth of the dirty pages, and more if at the present
// rate of dirtying the next scan would find over three quarters of the limit.
void CacheManager::scan() {
  const auto share =
      static_cast<std::int64_t>(static_cast<double>(dirty_.count()) * config_.lazy_fraction);
  Bytes target = std::max(Bytes{share}, std::min(dirty_, config_.flush_io));
  const Bytes dirtied = dirty_ + written_in_scan_ - dirty_at_scan_;
  const Bytes expected = dirty_ - target + dirtied;
  const Bytes comfortable = dirty_limit_ * 3 / 4;
  if (expected > comfortable) target += expected - comfortable;
  if (waiting_ > 0) target = std::max(target, dirty_ - comfortable);
  dirty_at_scan_ = dirty_;
  written_in_scan_ = 0_B;

  for (CachedFile& file : dirty_files_) {
    if (target <= 0_B) break;
    const Bytes part = std::min(target, file.dirty);
    file.goal = std::max(file.goal, part);
    target -= part;
    if (!file.flushing && file.goal > 0_B) {
      file.flushing = true;
      sim_->spawn(write_behind(file), "write-behind");
    }
  }
}

Task<> CacheManager::write_behind(CachedFile& file) {
  co_await workers_.acquire();
  while (file.goal > 0_B && file.dirty > 0_B) {
    const Bytes written = co_await write_cluster(file, false);
    if (written == 0_B && file.dirty > 0_B) {
      co_await file.changed.wait();
      continue;
    }
    file.goal -= std::min(file.goal, written);
    // While writers are held back, write on without waiting for the next scan.
    if (waiting_ > 0) file.goal = std::max(file.goal, std::min(file.dirty, config_.flush_io));
  }
  file.goal = 0_B;
  file.flushing = false;
  workers_.release();
  progress_.notify_all();
}

// Takes the next run of neighbouring dirty pages, at most `flush_io` long, and marks it as being
// written. A page that became dirty again while it is written waits: two writes of one page may
// overtake each other in the device. Empty if all dirty pages wait.
Extent CacheManager::take_cluster(CachedFile& file) const {
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
  return take_run(file, from, from + config_.flush_io);
}

// Takes the dirty pages from `from` on, before `most`.
Extent CacheManager::take_run(CachedFile& file, Bytes from, Bytes most) const {
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
Task<Bytes> CacheManager::write_cluster(CachedFile& file, bool to_medium) {
  const Extent cluster = take_cluster(file);
  if (cluster.empty()) co_return Bytes{};
  co_await write_out(file, cluster, to_medium);
  co_return cluster.length;
}

Task<> CacheManager::write_out(CachedFile& file, Extent cluster, bool to_medium) {
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
  written_in_scan_ += cluster.length;
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

Task<IoStatus> CacheManager::flush(CachedFile& file, bool to_medium) {
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

Task<IoStatus> CacheManager::flush_part(CachedFile& file, Extent extent, bool to_medium) {
  for (Bytes at = align_down(extent.offset, page_size); at < extent.end();) {
    const CacheView* view = file.find(at / view_size);
    const auto page = at % view_size / page_size;
    const bool dirty = view != nullptr && (view->dirty >> page & 1) != 0;
    const bool writing = view != nullptr && (view->writing >> page & 1) != 0;
    if (writing) {
      co_await file.changed.wait();
    } else if (dirty) {
      const Bytes end = std::min(align_up(extent.end(), page_size), at + config_.flush_io);
      const Extent cluster = take_run(file, at, end);
      co_await write_out(file, cluster, to_medium);
    } else {
      at += page_size;
    }
  }
  co_return file.failure;
}

Task<IoStatus> CacheManager::flush_all() {
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
