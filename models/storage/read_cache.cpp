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

std::string_view to_string(DiskReadAheadGoal goal) {
  switch (goal) {
    case DiskReadAheadGoal::segment:
      return "segment";
    case DiskReadAheadGoal::track:
      return "track";
    case DiskReadAheadGoal::cylinder:
      return "cylinder";
    case DiskReadAheadGoal::stream:
      return "stream";
  }
  return "?";
}

ReadCache::ReadCache(Config config)
    : config_{config},
      segment_sectors_{config.segment_size / sector_size},
      most_ahead_{config.most == Bytes{} ? segment_sectors_ : config.most / sector_size} {
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
    const bool fits = !segment.held.empty() && segment.held.begin <= sector &&
                      sector < segment.held.end + (config_.joins_head ? 1 : 0);
    if (fits && (best == nullptr || segment.last_use < best->last_use)) best = &segment;
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

void ReadCache::use(CacheSegment& segment, std::int64_t goal) {
  segment.last_use = ++uses_;
  segment.goal = std::max(segment.goal, goal);
}

void ReadCache::fill(CacheSegment& segment, std::int64_t end) const {
  segment.held.end = end;
  segment.held.begin = std::max(segment.held.begin, end - segment_sectors_);
}

void ReadCache::invalidate(SectorRange range) {
  for (CacheSegment& segment : segments_) {
    if (!segment.held.overlaps(range)) continue;
    if (config_.write_empties) {
      segment = {};
      continue;
    }
    if (segment.held.begin < range.begin)
      segment.held.end = range.begin;
    else
      segment.held.begin = std::min(range.end, segment.held.end);
    segment.goal = segment.held.end;
    if (segment.held.empty()) segment.last_use = 0;
  }
}

}  // namespace copysim
