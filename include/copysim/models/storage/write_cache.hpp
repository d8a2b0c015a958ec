#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include <copysim/models/parameter.hpp>
#include <copysim/models/storage/disk_mechanism.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// The write side of a disk's buffer: runs of sectors that the host believes written.
///
/// Writes that touch or overlap become one run, so sequential small writes reach the medium as one
/// long access. Runs are written back in the order of their position (an elevator that goes up and
/// starts again at the bottom).
class WriteCache {
public:
  struct Config {
    bool enabled = true;    ///< desktop drives ship with it on
    Bytes size = 2_MiB;     ///< share of the buffer; not published
    Bytes batch = 512_KiB;  ///< once full: freed before a read gets the arm
    Duration idle = 5ms;    ///< pause before writing back; not published, below a revolution
    /// Each write goes to the medium at once and is finished before anything else gets the arm
    /// (drives of the 1990s), instead of waiting for idle time.
    bool at_once = false;
    int runs = 1;           ///< `at_once`: runs that may wait, the one under way included
    bool hits_pass = true;  ///< `at_once`: a read from the buffer does not wait for a write
    static constexpr auto parameters = std::tuple{
        parameter("enabled", &Config::enabled, "whether a write completes in the buffer"),
        parameter("size", &Config::size, "most that may wait for the medium", at_least(512_B)),
        parameter("batch", &Config::batch, "written back before a read once it is full",
                  at_least(512_B)),
        parameter("idle", &Config::idle, "time without reads before it writes back",
                  at_least(Duration{})),
        parameter("at_once", &Config::at_once, "writes go to the medium at once and are finished"),
        parameter("runs", &Config::runs, "at_once: runs that may wait for the medium",
                  between(1, 4096)),
        parameter("hits_pass", &Config::hits_pass,
                  "at_once: a read from the buffer does not wait for a write"),
    };
  };

  /// \throws ConfigError if the values are out of range.
  explicit WriteCache(Config config);

  void add(SectorRange range);
  void remove(SectorRange range);
  /// Whether all of `range` is here.
  [[nodiscard]] bool holds(SectorRange range) const;
  /// Takes out the next run to write back, going up from `position`.
  [[nodiscard]] std::optional<SectorRange> take_next(std::int64_t position);

  [[nodiscard]] bool empty() const { return runs_.empty(); }
  [[nodiscard]] std::int64_t dirty_sectors() const { return dirty_; }
  [[nodiscard]] std::int64_t size_sectors() const { return config_.size / sector_size; }
  [[nodiscard]] std::int64_t batch_sectors() const { return config_.batch / sector_size; }
  [[nodiscard]] Duration idle() const { return config_.idle; }
  [[nodiscard]] bool enabled() const { return config_.enabled; }
  [[nodiscard]] bool hits_pass() const { return config_.hits_pass || !config_.at_once; }
  [[nodiscard]] bool at_once() const { return config_.at_once; }
  [[nodiscard]] int most_runs() const { return config_.runs; }
  [[nodiscard]] int runs() const { return static_cast<int>(runs_.size()); }

private:
  Config config_;
  std::vector<SectorRange> runs_;  // ascending, neither touching nor overlapping
  std::int64_t dirty_ = 0;
};

}  // namespace copysim
