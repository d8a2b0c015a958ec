#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>
#include <vector>

#include <copysim/models/parameter.hpp>
#include <copysim/models/storage/disk_mechanism.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// What a disk does after a read when nothing is asked of it.
enum class DiskReadAhead : std::uint8_t {
  off,           ///< the arm waits
  until_next,    ///< reads on until the next command needs the arm or the segment is full
  full_segment,  ///< fills the segment even if another command waits for the arm
};
[[nodiscard]] std::string_view to_string(DiskReadAhead policy);
[[nodiscard]] constexpr auto all_values(DiskReadAhead /*kind*/) {
  return std::array{DiskReadAhead::off, DiskReadAhead::until_next, DiskReadAhead::full_segment};
}

/// How far a disk reads ahead.
enum class DiskReadAheadGoal : std::uint8_t {
  segment,   ///< as far as `most` allows
  track,     ///< to the end of the track that holds the last sector asked for
  cylinder,  ///< to the end of its cylinder
  stream,    ///< to the end of the next sector's track, and of one more once a reader crossed one
};
[[nodiscard]] std::string_view to_string(DiskReadAheadGoal goal);
[[nodiscard]] constexpr auto all_values(DiskReadAheadGoal /*kind*/) {
  return std::array{DiskReadAheadGoal::segment, DiskReadAheadGoal::track,
                    DiskReadAheadGoal::cylinder, DiskReadAheadGoal::stream};
}

/// A piece of the disk's buffer that holds one run of consecutive sectors.
struct CacheSegment {
  SectorRange held;
  std::int64_t goal = 0;  ///< read-ahead goes up to this sector
  std::uint64_t last_use = 0;
};

/// The read side of a disk's buffer: segments of equal size, the least recently used is replaced.
///
/// A segment is a window that moves with a sequential reader: read-ahead goes one segment size
/// beyond the last sector asked for, and what no longer fits falls out at the low end. Writes cut
/// what they make stale. Firmware of the time sizes segments by the pattern; here the size is fixed
/// (the number of segments is rarely published: DiskSim's extracted drives have 3 to 10 of 140 to
/// 280 KB).
class ReadCache {
public:
  struct Config {
    int segments = 8;              ///< typical of 2 MiB buffers; not published for most drives
    Bytes segment_size = 256_KiB;  ///< buffer size / segments
    DiskReadAhead read_ahead = DiskReadAhead::until_next;
    DiskReadAheadGoal goal = DiskReadAheadGoal::segment;
    Bytes most{};                ///< read ahead of the last sector asked for; 0: a segment
    bool after_hit = true;       ///< a read from the buffer makes it go on
    bool joins_head = true;      ///< a read of the very next sector joins it
    bool keeps_passing = false;  ///< also keeps what passes before the first sector asked for
    bool keeps_written = false;  ///< written data take a segment and can be read from it
    bool write_empties = false;  ///< a write empties segments that it overlaps, not only cuts them

    static constexpr auto parameters = std::tuple{
        parameter("segments", &Config::segments, "sequential runs kept at once", between(0, 4096)),
        parameter("segment_size", &Config::segment_size, "size of one segment", at_least(512_B)),
        parameter("read_ahead", &Config::read_ahead, "off, until-next or full-segment"),
        parameter("goal", &Config::goal, "segment, track, cylinder or stream"),
        parameter("most", &Config::most, "most that it reads ahead; 0 B: a segment", at_least(0_B)),
        parameter("after_hit", &Config::after_hit, "a read from the buffer makes it go on"),
        parameter("joins_head", &Config::joins_head, "a read of the very next sector joins it"),
        parameter("keeps_passing", &Config::keeps_passing,
                  "keeps what passes before the first sector asked for"),
        parameter("keeps_written", &Config::keeps_written, "written data can be read again"),
        parameter("write_empties", &Config::write_empties,
                  "a write empties the segments that it overlaps"),
    };
  };

  /// \throws ConfigError if the values are out of range.
  explicit ReadCache(Config config);

  /// The segment that holds `sector` or, if `joins_head`, ends right before it; or nothing. Of
  /// several the one not used for longest (which one firmware takes is not known; see
  /// docs/drives.md).
  [[nodiscard]] CacheSegment* find(std::int64_t sector);
  /// Frees the least recently used segment for a new run; nothing if there is no buffer.
  [[nodiscard]] CacheSegment* replace();
  /// Notes that the host has used `segment`; read-ahead goes up to `goal` at least.
  void use(CacheSegment& segment, std::int64_t goal);
  /// Notes that `segment` now holds everything up to `end`.
  void fill(CacheSegment& segment, std::int64_t end) const;
  /// Cuts out what a write makes stale.
  void invalidate(SectorRange range);

  [[nodiscard]] const Config& config() const { return config_; }
  [[nodiscard]] std::int64_t most_ahead() const { return most_ahead_; }

private:
  Config config_;
  std::int64_t segment_sectors_;
  std::int64_t most_ahead_;
  std::vector<CacheSegment> segments_;
  std::uint64_t uses_ = 0;
};

}  // namespace copysim
