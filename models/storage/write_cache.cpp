#include <copysim/models/storage/write_cache.hpp>

#include <algorithm>
#include <string>

#include <copysim/error.hpp>

namespace copysim {

namespace {

auto first_ending_at_or_after(std::vector<SectorRange>& runs, std::int64_t sector) {
  return std::lower_bound(runs.begin(), runs.end(), sector,
                          [](const SectorRange& run, std::int64_t s) { return run.end < s; });
}

}  // namespace

WriteCache::WriteCache(Config config) : config_{config} {
  if (config.size < sector_size)
    throw ConfigError{"hard-disk", "write_cache.size must be at least 512 B, got " +
                                       std::to_string(config.size.count()) + " B"};
  if (config.batch > config.size)
    throw ConfigError{"hard-disk", "write_cache.batch must not exceed write_cache.size, got " +
                                       std::to_string(config.batch.count()) + " B"};
}

void WriteCache::add(SectorRange range) {
  const auto first = first_ending_at_or_after(runs_, range.begin);
  auto last = first;
  SectorRange merged = range;
  while (last != runs_.end() && last->begin <= range.end) {
    merged.begin = std::min(merged.begin, last->begin);
    merged.end = std::max(merged.end, last->end);
    dirty_ -= last->size();
    ++last;
  }
  dirty_ += merged.size();
  if (first == last) {
    runs_.insert(first, merged);
  } else {
    *first = merged;
    runs_.erase(first + 1, last);
  }
}

void WriteCache::remove(SectorRange range) {
  if (range.empty()) return;
  auto run = first_ending_at_or_after(runs_, range.begin + 1);
  while (run != runs_.end() && run->begin < range.end) {
    const SectorRange left{run->begin, range.begin};
    const SectorRange right{range.end, run->end};
    dirty_ -= std::min(run->end, range.end) - std::max(run->begin, range.begin);
    run = runs_.erase(run);
    if (!right.empty()) run = runs_.insert(run, right);
    if (!left.empty()) run = runs_.insert(run, left) + 1;
    if (!right.empty()) return;
  }
}

bool WriteCache::holds(SectorRange range) const {
  const auto run =
      std::upper_bound(runs_.begin(), runs_.end(), range.begin,
                       [](std::int64_t sector, const SectorRange& r) { return sector < r.end; });
  return run != runs_.end() && run->begin <= range.begin && range.end <= run->end;
}

std::optional<SectorRange> WriteCache::take_next(std::int64_t position) {
  if (runs_.empty()) return std::nullopt;
  auto run =
      std::lower_bound(runs_.begin(), runs_.end(), position,
                       [](const SectorRange& r, std::int64_t sector) { return r.begin < sector; });
  if (run == runs_.end()) run = runs_.begin();
  const SectorRange taken = *run;
  dirty_ -= taken.size();
  runs_.erase(run);
  return taken;
}

}  // namespace copysim
