#include <copysim/models/cache/view_cache.hpp>

#include <algorithm>
#include <bit>
#include <iterator>

namespace copysim {

CacheView& CachedFile::view(std::int64_t index) {
  const auto [it, made] = views.try_emplace(index);
  if (made) {
    it->second.file = this;
    it->second.index = index;
  }
  return it->second;
}

ViewCache::ViewCache(Simulation& sim, Cpu& cpu, Sizes sizes)
    : sim_{&sim}, cpu_{&cpu}, sizes_{sizes}, dirtied_{sim}, progress_{sim}, turnstile_{sim, 1} {}

ViewCache::~ViewCache() {
  least_recently_used_.clear();
  dirty_files_.clear();
}

void ViewCache::account(std::int64_t pages) {
  cached_ += page_size * pages;
  counters_.cached_peak = std::max(counters_.cached_peak, cached_);
}

void ViewCache::touch(CacheView& view) {
  if (view.is_linked()) {
    least_recently_used_.erase(least_recently_used_.iterator_to(view));
  }
  least_recently_used_.push_back(view);
}

// Makes room for `pages` of `file`, whose own views stay.
void ViewCache::make_room(const CachedFile& kept, Extent pages) {
  const Bytes size = align_up(pages.end(), page_size) - align_down(pages.offset, page_size);
  // Views with work in flight go to the back; each view is looked at once per call.
  const CacheView* first_passed_over = nullptr;
  while (cached_ + size > sizes_.limit && !least_recently_used_.empty()) {
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

Extent ViewCache::begin_load(CachedFile& file, Extent extent) {
  const Bytes end = std::min(extent.end(), align_up(file.backing->size(), page_size));
  if (end <= extent.offset) return {};
  const Extent pages{extent.offset, end - extent.offset};
  make_room(file, pages);
  file.for_views(pages, [&](CacheView& view, std::uint64_t mask) {
    const std::uint64_t missing = mask & ~view.valid;
    account(std::popcount(missing & ~view.loading));
    view.loading |= missing;
    touch(view);
  });
  return pages;
}

Task<IoStatus> ViewCache::finish_load(CachedFile& file, Extent pages) {
  const std::int64_t forgotten = file.forgotten;
  const ReadResult result = co_await file.backing->page_in(pages);
  if (file.forgotten == forgotten) loaded(file, pages, result);
  file.changed.notify_all();
  co_return result.status();
}

Task<IoStatus> ViewCache::load(CachedFile& file, Extent extent) {
  const Extent pages = begin_load(file, extent);
  if (pages.empty()) co_return IoStatus::end_of_file;
  const IoStatus status = co_await finish_load(file, pages);
  co_return status;
}

// Takes in the pages that are still missing: what was written meanwhile is newer than the medium.
void ViewCache::loaded(CachedFile& file, Extent pages, const ReadResult& result) {
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

Task<> ViewCache::finish_quietly(CachedFile& file, Extent pages) {
  co_await finish_load(file, pages);
}

Task<> ViewCache::load_quietly(CachedFile& file, Extent extent) {
  co_await load(file, extent);
}

Task<IoStatus> ViewCache::make_present(CachedFile& file, Extent extent, bool& waited,
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
    const Bytes boundary = align_down(from, sizes_.fault_boundary) + sizes_.fault_boundary;
    const Bytes to = std::min({from + page_size * run, from + sizes_.max_paging_io, boundary});
    ++counters_.faults;
    counters_.bytes_faulted += to - from;
    const IoStatus status = co_await load(file, {from, to - from});
    if (status != IoStatus::ok) co_return status;
  }
}

Task<ReadResult> ViewCache::read_pages(CachedFile& file, Extent extent) {
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
  co_await cpu_->run(extent.length / sizes_.copy_bandwidth, CpuWork::thread);
  co_return ReadResult{IoStatus::ok, std::move(content)};
}

}  // namespace copysim
