#pragma once

#include <tuple>

#include <copysim/models/cache/read_history.hpp>
#include <copysim/models/parameter.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// The sizes and rules of a Windows cache manager; a system sheet fills them in by version.
struct CacheConfig {
  ReadAheadConfig read_ahead;

  /// The largest single paging read: 64 KiB on XP and 2003, 1 MiB from Vista (DS8800).
  Bytes max_paging_io = 64_KiB;
  /// A page fault never reads over a multiple of this: 256 KiB is the view itself.
  Bytes fault_boundary = 256_KiB;
  /// The largest single write of the lazy writer: 64 KiB on XP and 2003 (DS8800), 1 MiB on Vista
  /// clients, 32 MiB on Server 2008 (Windows Internals 6e part 2, p. 187).
  Bytes flush_io = 64_KiB;

  /// The first scan comes this long after the first dirty page (ReactOS lazywrite.c).
  Duration lazy_first_delay = 3s;
  /// Then one scan per period while anything is dirty (ReactOS lazywrite.c).
  Duration lazy_period = 1s;
  /// A scan aims at this part of the dirty pages (ReactOS lazywrite.c).
  double lazy_fraction = 0.125;

  /// Files written back side by side: critical worker threads less one (Windows Internals 6e 2, p.
  /// 189).
  int workers = 4;

  /// Writers wait while this part of the memory is dirty: 3/8 on large systems (ReactOS
  /// cacheman.c).
  double dirty_threshold = 0.375;
  /// A waiting write counts at most this much (ReactOS CcCanIWrite).
  Bytes admission_cap = 256_KiB;
  /// Memory that must stay available when a write is admitted: 450 pages (ReactOS CcCanIWrite).
  Bytes reserve = 1800_KiB;
  /// Writes for a remote client are let in without this test on their first try (ReactOS
  /// CcCanIWrite).
  bool remote_exempt = true;

  /// Memory-to-memory copy between cache and program: 1.0 to 2.5 GB/s for a Core 2 (IOBLK bound).
  Bandwidth copy_bandwidth{1.5e9};
  /// Memory that programs and the system itself use, so not available for file pages.
  Bytes in_use = 512_MiB;

  static constexpr auto parameters = std::tuple{
      section("read_ahead", &CacheConfig::read_ahead, "when and how far to read ahead"),
      parameter("max_paging_io", &CacheConfig::max_paging_io, "largest paging read",
                at_least(4_KiB)),
      parameter("fault_boundary", &CacheConfig::fault_boundary,
                "a page fault does not read across a multiple of it", between(4_KiB, 256_KiB)),
      parameter("flush_io", &CacheConfig::flush_io, "largest write of the lazy writer",
                at_least(4_KiB)),
      parameter("lazy_first_delay", &CacheConfig::lazy_first_delay,
                "from the first dirty page to the first scan", at_least(Duration{1})),
      parameter("lazy_period", &CacheConfig::lazy_period, "between scans", at_least(Duration{1})),
      parameter("lazy_fraction", &CacheConfig::lazy_fraction, "part of the dirty pages per scan",
                between(0.001, 1.0)),
      parameter("workers", &CacheConfig::workers, "files written back side by side", at_least(1)),
      parameter("dirty_threshold", &CacheConfig::dirty_threshold,
                "part of memory that may be dirty before writers wait", between(0.001, 1.0)),
      parameter("admission_cap", &CacheConfig::admission_cap, "most that a waiting write counts",
                at_least(4_KiB)),
      parameter("reserve", &CacheConfig::reserve, "memory that stays available", at_least(0_B)),
      parameter("remote_exempt", &CacheConfig::remote_exempt,
                "writes of remote clients are not held back"),
      parameter("copy_bandwidth", &CacheConfig::copy_bandwidth, "rate of a copy in memory",
                at_least(Bandwidth{1e6})),
      parameter("in_use", &CacheConfig::in_use, "memory not available for file pages",
                at_least(0_B)),
  };
};

}  // namespace copysim
