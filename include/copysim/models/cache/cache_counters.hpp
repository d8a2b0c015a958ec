#pragma once

#include <cstdint>

#include <copysim/units.hpp>

namespace copysim {

/// What a file cache has done since the start of the run; each field only grows.
struct CacheCounters {
  std::int64_t reads = 0;       ///< cached reads of programs
  std::int64_t read_hits = 0;   ///< of these, served without any wait for the device
  std::int64_t read_waits = 0;  ///< of these, waited for pages that read-ahead had asked for
  /// Of the reads, those that started no paging read themselves: read-ahead (or an earlier read)
  /// had brought in or asked for every page.
  std::int64_t read_ahead_hits = 0;
  std::int64_t faults = 0;            ///< paging reads that a program had to start itself
  std::int64_t read_aheads = 0;       ///< read-ahead requests made
  Bytes bytes_read_ahead;             ///< bytes brought in by read-ahead
  Bytes bytes_faulted;                ///< bytes brought in by faults
  std::int64_t flushes = 0;           ///< writes of the lazy writer or of an explicit flush
  Bytes bytes_flushed;                ///< bytes written back
  std::int64_t throttled_writes = 0;  ///< writes that had to wait for dirty pages to drain
  Duration throttled_time{};          ///< the time that they waited
  Bytes evicted;                      ///< clean bytes given up for others
  Bytes dirty_peak;                   ///< most dirty bytes at one time
  Bytes cached_peak;                  ///< most file bytes in memory at one time
};

}  // namespace copysim
