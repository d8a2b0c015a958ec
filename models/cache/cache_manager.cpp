#include <copysim/models/cache/cache_manager.hpp>

#include <algorithm>
#include <bit>
#include <iterator>

#include <copysim/sim/task_group.hpp>

namespace copysim {

CacheView& CachedFile::view(std::int64_t index) {
  const auto [it, made] = views.try_emplace(index);
  if (made) {
    it->second.file = this;
    it->second.index = index;
  }
  return it->second;
}

CacheManager::CacheManager(Simulation& sim, Cpu& cpu, CacheConfig config, Bytes memory)
    : sim_{&sim},
      cpu_{&cpu},
      config_{config},
      limit_{std::max(memory - config.in_use, memory / 8)},
      dirty_limit_{
          static_cast<std::int64_t>(static_cast<double>(memory.count()) * config.dirty_threshold)},
      dirtied_{sim},
      progress_{sim},
      turnstile_{sim, 1},
      workers_{sim, config.workers} {
  sim.spawn(lazy_writer(), "lazy writer");
}

CacheManager::~CacheManager() {
  least_recently_used_.clear();
  dirty_files_.clear();
}

void CacheManager::account(std::int64_t pages) {
  cached_ += page_size * pages;
  counters_.cached_peak = std::max(counters_.cached_peak, cached_);
}

void CacheManager::touch(CacheView& view) {
  if (view.is_linked()) {
    least_recently_used_.erase(least_recently_used_.iterator_to(view));
  }
  least_recently_used_.push_back(view);
}

// Makes room for `pages` of `file`, whose own views stay.
void CacheManager::make_room(const CachedFile& kept, Extent pages) {
  const Bytes size = align_up(pages.end(), page_size) - align_down(pages.offset, page_size);
  // Views with work in flight go to the back; each view is looked at once per call.
  const CacheView* first_passed_over = nullptr;
  while (cached_ + size > limit_ && !least_recently_used_.empty()) {
    CacheView& view = least_recently_used_.front();
    if (&view == first_passed_over) break;
    least_recently_used_.pop_front();
    if (!view.idle() || (view.file == &kept && pages_in_view(pages, view.index) != 0)) {
      if (first_passed_over == nullptr) first_passed_over = &view;
      least_recently_used_.push_back(view);
      continue;
    }
    const std::int64_t evicted = std::popcount(view.valid);
    account(-evicted);
    counters_.evicted += page_size * evicted;
    CachedFile& file = *view.file;
    file.content.erase({view_size * view.index, view_size});
    file.views.erase(view.index);
  }
}

Task<IoStatus> CacheManager::load(CachedFile& file, Extent extent) {
  const Bytes end = std::min(extent.end(), align_up(file.backing->size(), page_size));
  if (end <= extent.offset) co_return IoStatus::end_of_file;
  const Extent pages{extent.offset, end - extent.offset};
  make_room(file, pages);
  const std::int64_t forgotten = file.forgotten;
  file.for_views(pages, [&](CacheView& view, std::uint64_t mask) {
    const std::uint64_t missing = mask & ~view.valid;
    account(std::popcount(missing & ~view.loading));
    view.loading |= missing;
    touch(view);
  });
  const ReadResult result = co_await file.backing->page_in(pages);
  if (file.forgotten == forgotten) loaded(file, pages, result);
  file.changed.notify_all();
  co_return result.status();
}

// Takes in the pages that are still missing: what was written meanwhile is newer than the medium.
void CacheManager::loaded(CachedFile& file, Extent pages, const ReadResult& result) {
  const std::int64_t last = (pages.end() - 1_B) / view_size;
  for (std::int64_t index = pages.offset / view_size; index <= last; ++index) {
    CacheView* view = file.find(index);
    if (view == nullptr) continue;
    const std::uint64_t mask = pages_in_view(pages, index);
    std::uint64_t came = mask & view->loading & ~view->valid;
    view->loading &= ~mask;
    if (!result.ok()) {
      account(-std::popcount(came));
      continue;
    }
    view->valid |= came;
    while (came != 0) {
      const int first = std::countr_zero(came);
      const int run = std::countr_one(came >> first);
      const Extent part{view_size * index + page_size * first, page_size * run};
      file.content.write(part.offset,
                         result.content().slice({part.offset - pages.offset, part.length}));
      came &= ~pages_in_view(part, index);
    }
  }
}

// Brings the pages of `extent`, which lies in one view, into memory.
Task<IoStatus> CacheManager::make_present(CachedFile& file, Extent extent, bool& waited,
                                          bool& faulted) {
  for (;;) {
    const std::int64_t index = extent.offset / view_size;
    CacheView* view = file.find(index);
    const std::uint64_t valid = view == nullptr ? 0 : view->valid;
    const std::uint64_t loading = view == nullptr ? 0 : view->loading;
    const std::uint64_t missing = pages_in_view(extent, index) & ~valid;
    if (missing == 0) {
      touch(*view);
      co_return IoStatus::ok;
    }
    const int first = std::countr_zero(missing);
    if ((loading >> first & 1) != 0) {
      if (!waited) ++counters_.read_waits;
      waited = true;
      co_await file.changed.wait();
      continue;
    }
    waited = faulted = true;
    const int run = std::countr_one((missing & ~loading) >> first);
    const Bytes from = view_size * index + page_size * first;
    const Bytes boundary = align_down(from, config_.fault_boundary) + config_.fault_boundary;
    const Bytes to = std::min({from + page_size * run, from + config_.max_paging_io, boundary});
    ++counters_.faults;
    counters_.bytes_faulted += to - from;
    const IoStatus status = co_await load(file, {from, to - from});
    if (status != IoStatus::ok) co_return status;
  }
}

Task<ReadResult> CacheManager::read(CachedFile& file, ReadHistory& history, Extent extent) {
  ++counters_.reads;
  // Queued first, but a worker runs it: the reader's own fault reaches the device before it.
  const auto ahead = history.note(extent);
  if (ahead) sim_->spawn(read_ahead(file, *ahead), "read-ahead");

  Content content;
  bool waited = false;
  bool faulted = false;
  for (Bytes at = extent.offset; at < extent.end();) {
    const Bytes to = std::min(extent.end(), align_down(at, view_size) + view_size);
    const IoStatus status = co_await make_present(file, {at, to - at}, waited, faulted);
    if (status != IoStatus::ok) co_return ReadResult{status};
    content.append(file.content.read({at, to - at}));
    at = to;
  }
  if (!waited) ++counters_.read_hits;
  if (!faulted) ++counters_.read_ahead_hits;
  co_await cpu_->run(extent.length / config_.copy_bandwidth, CpuWork::thread);
  co_return ReadResult{IoStatus::ok, std::move(content)};
}

// A failed read-ahead is nobody's failure: the reader will fault the page and hear of it.
Task<> CacheManager::load_quietly(CachedFile& file, Extent extent) {
  co_await load(file, extent);
}

Task<> CacheManager::read_ahead(CachedFile& file, Extent extent) {
  const Bytes end = std::min(extent.end(), align_up(file.backing->size(), page_size));
  if (extent.offset >= end) co_return;
  ++counters_.read_aheads;
  TaskGroup loads{*sim_};
  for (Bytes at = align_down(extent.offset, page_size); at < end;) {
    CacheView& view = file.view(at / view_size);
    const auto page = (at % view_size) / page_size;
    if (((view.valid | view.loading) >> page & 1) != 0) {
      at += page_size;
      continue;
    }
    Bytes to = at;
    while (to < end && to - at < config_.max_paging_io) {
      CacheView& next = file.view(to / view_size);
      if (((next.valid | next.loading) >> ((to % view_size) / page_size) & 1) != 0) break;
      to += page_size;
    }
    counters_.bytes_read_ahead += to - at;
    loads.spawn(load_quietly(file, {at, to - at}));
    at = to;
  }
  co_await loads.join();
}

// Puts written bytes into pages that are there or whose other bytes nobody has written.
void CacheManager::store(CachedFile& file, Extent extent, const Content& content) {
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

void CacheManager::mark_dirty(CachedFile& file, Extent extent) {
  std::int64_t fresh = 0;
  file.for_views(extent, [&](CacheView& view, std::uint64_t mask) {
    account(std::popcount(mask & ~(view.valid | view.loading)));
    fresh += std::popcount(mask & ~view.dirty);
    view.valid |= mask;
    view.dirty |= mask;
    file.dirty_views.insert(view.index);
    touch(view);
  });
  if (dirty_ == 0_B && fresh > 0) dirtied_.notify_all();
  file.dirty += page_size * fresh;
  dirty_ += page_size * fresh;
  counters_.dirty_peak = std::max(counters_.dirty_peak, dirty_);
  if (!file.is_linked()) dirty_files_.push_back(file);
}

Task<IoStatus> CacheManager::write(CachedFile& file, Bytes offset, Content content, Bytes valid_to,
                                   Writer writer) {
  const Extent extent{offset, content.size()};
  if (extent.empty()) co_return IoStatus::ok;
  const bool exempt = writer == Writer::remote_client && config_.remote_exempt;
  co_await admit(extent.length, exempt);

  co_await cpu_->run(extent.length / config_.copy_bandwidth, CpuWork::thread);
  const IoStatus status = co_await fetch_edges(file, extent, valid_to);
  if (status != IoStatus::ok) co_return status;
  store(file, extent, content);
  co_return file.failure;
}

// Brings in the pages that `extent` covers only in part, until both are there at the same time.
Task<IoStatus> CacheManager::fetch_edges(CachedFile& file, Extent extent, Bytes valid_to) {
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

void CacheManager::forget(CachedFile& file) {
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

}  // namespace copysim
