#include <copysim/models/cache/cache_manager.hpp>

#include <algorithm>

#include <copysim/sim/task_group.hpp>

namespace copysim {

namespace {

/// A handle's reads through the cache manager: its read history is the private cache map.
class HistoryReader final : public CacheReader {
public:
  HistoryReader(CacheManager& cache, CachedFile& file, bool sequential_hint)
      : cache_{&cache}, file_{&file}, history_{cache.config().read_ahead, sequential_hint} {}

  [[nodiscard]] Task<ReadResult> read(Extent extent) override {
    return cache_->read(*file_, history_, extent);
  }

private:
  CacheManager* cache_;
  CachedFile* file_;
  ReadHistory history_;
};

}  // namespace

CacheManager::CacheManager(Simulation& sim, Cpu& cpu, CacheConfig config, Bytes memory)
    : ViewCache{sim,
                cpu,
                {.limit = std::max(memory - config.in_use, memory / 8),
                 .max_paging_io = config.max_paging_io,
                 .fault_boundary = config.fault_boundary,
                 .flush_io = config.flush_io,
                 .copy_bandwidth = config.copy_bandwidth}},
      config_{config},
      dirty_limit_{
          static_cast<std::int64_t>(static_cast<double>(memory.count()) * config.dirty_threshold)},
      workers_{sim, config.workers} {
  sim.spawn(lazy_writer(), "lazy writer");
}

std::unique_ptr<CacheReader> CacheManager::open(CachedFile& file, bool sequential_hint) {
  return std::make_unique<HistoryReader>(*this, file, sequential_hint);
}

Task<ReadResult> CacheManager::read(CachedFile& file, ReadHistory& history, Extent extent) {
  ++counters_.reads;
  // Queued first, but a worker runs it: the reader's own fault reaches the device before it.
  const auto ahead = history.note(extent);
  if (ahead) sim_->spawn(read_ahead(file, *ahead), "read-ahead");

  ReadResult result = co_await read_pages(file, extent);
  co_return result;
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

}  // namespace copysim
