#include <copysim/models/storage/read_cache.hpp>

#include <algorithm>
#include <string>

#include <copysim/error.hpp>

namespace copysim {

std::string_view to_string(DiskReadAhead policy) {
  switch (policy) {
    case DiskReadAhead::off:
      return "off";
    case DiskReadAhead::until_next:
      return "until-next";
    case DiskReadAhead::full_segment:
      return "full-segment";
  }
  return "?";
}

ReadCache::ReadCache(Config config)
    : config_{config}, segment_sectors_{config.segment_size / sector_size} {
  if (config.segments < 0)
    throw ConfigError{"hard-disk", "read_cache.segments must not be negative, got " +
                                       std::to_string(config.segments)};
  if (segment_sectors_ < 1)
    throw ConfigError{"hard-disk", "read_cache.segment_size must be at least 512 B, got " +
                                       std::to_string(config.segment_size.count()) + " B"};
  segments_.resize(static_cast<std::size_t>(config.segments));
}

CacheSegment* ReadCache::find(std::int64_t sector) {
  CacheSegment* best = nullptr;
  for (CacheSegment& segment : segments_) {
    const bool fits =
        !segment.held.empty() && segment.held.begin <= sector && sector <= segment.held.end;
    if (fits && (best == nullptr || segment.held.end > best->held.end)) best = &segment;
  }
  return best;
}

CacheSegment* ReadCache::replace() {
  const auto oldest = std::min_element(
      segments_.begin(), segments_.end(),
      [](const CacheSegment& a, const CacheSegment& b) { return a.last_use < b.last_use; });
  if (oldest == segments_.end()) return nullptr;
  oldest->held = {};
  return &*oldest;
}

void ReadCache::use(CacheSegment& segment, std::int64_t end, std::int64_t disk_sectors) {
  segment.last_use = ++uses_;
  if (config_.read_ahead == DiskReadAhead::off)
    segment.goal = segment.held.end;
  else
    segment.goal = std::max(segment.goal, std::min(end + segment_sectors_, disk_sectors));
}

void ReadCache::fill(CacheSegment& segment, std::int64_t end) const {
  segment.held.end = end;
  segment.held.begin = std::max(segment.held.begin, end - segment_sectors_);
}

void ReadCache::invalidate(SectorRange range) {
  for (CacheSegment& segment : segments_) {
    if (!segment.held.overlaps(range)) continue;
    if (segment.held.begin < range.begin)
      segment.held.end = range.begin;
    else
      segment.held.begin = std::min(range.end, segment.held.end);
    segment.goal = segment.held.end;
  }
}

}  // namespace copysim
