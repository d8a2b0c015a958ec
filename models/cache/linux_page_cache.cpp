#include <copysim/models/cache/linux_page_cache.hpp>

#include <algorithm>

namespace copysim {

namespace {

/// A handle's reads through the page cache, with the read-ahead state of its `struct file`.
class PageReader final : public CacheReader {
public:
  PageReader(LinuxPageCache& cache, CachedFile& file)
      : cache_{&cache}, file_{&file}, ahead_{make_read_ahead(cache.config().read_ahead)} {}

  [[nodiscard]] Task<ReadResult> read(Extent extent) override {
    return cache_->read(*file_, *ahead_, extent);
  }

private:
  LinuxPageCache* cache_;
  CachedFile* file_;
  std::unique_ptr<LinuxReadAhead> ahead_;
};

Bytes available(const LinuxCacheConfig& config, Bytes memory) {
  return std::max(memory - config.in_use, memory / 8);
}

Bytes part(Bytes whole, double share) {
  return Bytes{static_cast<std::int64_t>(static_cast<double>(whole.count()) * share)};
}

LinuxReadAhead::Found found(CachedFile& file, std::int64_t page) {
  const std::int64_t pages_per_view = view_size / page_size;
  const CacheView* view = file.find(page / pages_per_view);
  if (view == nullptr) return LinuxReadAhead::Found::missing;
  const auto bit = page % pages_per_view;
  if ((view->valid >> bit & 1) != 0) return LinuxReadAhead::Found::ready;
  const bool loading = (view->loading >> bit & 1) != 0;
  return loading ? LinuxReadAhead::Found::loading : LinuxReadAhead::Found::missing;
}

}  // namespace

LinuxPageCache::LinuxPageCache(Simulation& sim, Cpu& cpu, LinuxCacheConfig config, Bytes memory)
    : ViewCache{sim,
                cpu,
                {.limit = available(config, memory),
                 .max_paging_io = config.io,
                 .fault_boundary = view_size,
                 .flush_io = config.io,
                 .copy_bandwidth = config.copy_bandwidth}},
      config_{config},
      background_limit_{part(sizes_.limit, config.background)},
      background_stop_{part(sizes_.limit, std::min(config.background_stop, config.background))},
      foreground_limit_{part(sizes_.limit, config.foreground)},
      too_dirty_{sim},
      requests_{sim, config.requests} {
  sim.spawn(write_old(), "kupdate");
  sim.spawn(write_in_background(), "bdflush");
}

// Linux of that time takes no hint from programs: cp and tar give none.
std::unique_ptr<CacheReader> LinuxPageCache::open(CachedFile& file, bool /*sequential_hint*/) {
  return std::make_unique<PageReader>(*this, file);
}

void LinuxPageCache::submit(CachedFile& file, PageRange pages) {
  const std::int64_t file_end = pieces(file.backing->size(), page_size);
  const std::int64_t most = config_.io / page_size;
  const std::int64_t end = std::min(pages.end, file_end);
  for (std::int64_t page = pages.first; page < end;) {
    if (found(file, page) != LinuxReadAhead::Found::missing) {
      ++page;
      continue;
    }
    std::int64_t next = page + 1;
    while (next < end && next - page < most &&
           found(file, next) == LinuxReadAhead::Found::missing) {
      ++next;
    }
    const Extent run = begin_load(file, {page_size * page, page_size * (next - page)});
    sim_->spawn(finish_quietly(file, run), "read-ahead");
    page = next;
  }
}

void LinuxPageCache::visit(CachedFile& file, LinuxReadAhead& ahead, std::int64_t page,
                           bool& faulted) {
  const LinuxReadAhead::Found how = found(file, page);
  PageRange wanted = ahead.visit(page, how, file.backing->size() / page_size);
  if (!wanted.empty()) {
    ++counters_.read_aheads;
    counters_.bytes_read_ahead += page_size * (wanted.end - wanted.first);
  }
  if (how == LinuxReadAhead::Found::missing) {
    faulted = true;
    ++counters_.faults;
    counters_.bytes_faulted += page_size;
    // The queue is plugged until the reader waits, so the page and its read-ahead are one request.
    if (wanted.empty() || wanted.first > page + 1) {
      submit(file, {page, page + 1});
    } else {
      wanted.first = std::min(wanted.first, page);
    }
  }
  submit(file, wanted);
}

Task<ReadResult> LinuxPageCache::read(CachedFile& file, LinuxReadAhead& ahead, Extent extent) {
  ++counters_.reads;
  const PageRange pages{extent.offset / page_size, pieces(extent.end(), page_size)};
  ahead.begin(pages);
  Content content;
  bool waited = false;
  bool faulted = false;
  for (std::int64_t page = pages.first; page < pages.end; ++page) {
    visit(file, ahead, page, faulted);
    const Bytes from = std::max(extent.offset, page_size * page);
    const Bytes to = std::min(extent.end(), page_size * (page + 1));
    const IoStatus status = co_await make_present(file, {from, to - from}, waited, faulted);
    if (status != IoStatus::ok) co_return ReadResult{status};
    content.append(file.content.read({from, to - from}));
  }
  if (!waited) ++counters_.read_hits;
  if (!faulted) ++counters_.read_ahead_hits;
  co_await cpu_->run(extent.length / sizes_.copy_bandwidth, CpuWork::thread);
  co_return ReadResult{IoStatus::ok, std::move(content)};
}

}  // namespace copysim
