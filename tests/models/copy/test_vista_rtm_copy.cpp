#include <algorithm>

#include <copysim/models/copy/builtin_policies.hpp>
#include <copysim/models/copy/vista_rtm_copy.hpp>
#include <copysim/models/parameter_check.hpp>

#include "copy_bench.hpp"

using namespace copysim;
using namespace copysim::testing;

TEST_CASE("VistaRtmCopy chooses size and number of I/Os by the published table",
          "[copy][vista-rtm]") {
  // Just below and just at each published limit: 1 MiB, 2 MiB, 8 MiB.
  const VistaRtmCopy policy;
  CHECK(policy.io_size(1_MiB - 1_B) == 1_MiB - 1_B);
  CHECK(policy.io_size(1_MiB) == 1_MiB);
  CHECK(policy.io_size(2_MiB) == 1_MiB);
  CHECK(policy.io_size(2_MiB + 1_B) == 2_MiB);
  CHECK(policy.in_flight(300_KiB) == 2);
  CHECK(policy.in_flight(2_MiB) == 2);
  CHECK(policy.in_flight(4_MiB + 1_B) == 3);  // ceil(4+ / 2)
  CHECK(policy.in_flight(8_MiB) == 4);        // ceil(8 / 2)
  CHECK(policy.in_flight(9_MiB) == 5);        // the file has no more than five I/Os
  CHECK(policy.in_flight(2560_MiB) == 8);
}

TEST_CASE("VistaRtmCopy copies up to 256 KiB through the cache and more around it",
          "[copy][vista-rtm]") {
  VistaRtmCopy policy;
  CopyBench small{256_KiB, {}, {}};
  CopyBench large{256_KiB + 1_B, {}, {}};

  const CopyReport cached = small.copy(policy);
  const CopyReport uncached = large.copy(policy);

  CHECK(small.source.opened.cached);
  CHECK(small.target.opened.cached);
  CHECK(cached.reads == 4);  // 256 KiB in 64 KiB chunks
  CHECK_FALSE(large.source.opened.cached);
  CHECK_FALSE(large.target.opened.cached);
  CHECK(uncached.reads == 1);
}

TEST_CASE("VistaRtmCopy reads a batch side by side, then writes it side by side",
          "[copy][vista-rtm]") {
  // One 2 MiB I/O takes 1 s, eight side by side too. 32 MiB are two batches of eight:
  // 2 x (1 s reading + 1 s writing).
  CopyBench bench{32_MiB, {.rate = 2_MiB / 1s}, {.rate = 2_MiB / 1s}};
  VistaRtmCopy policy;

  const CopyReport report = bench.copy(policy);

  CHECK(report.elapsed == 4s);
  CHECK(report.reads == 16);
  CHECK(report.writes == 16);
  CHECK(bench.source.most_reading == 8);
  CHECK(bench.target.most_writing == 8);
}

TEST_CASE("VistaRtmCopy has five I/Os in flight for a file of 8.53 MiB", "[copy][vista-rtm]") {
  CopyBench bench{Bytes{8'947'848}, {.rate = 2_MiB / 1s}, {.rate = 2_MiB / 1s}};
  VistaRtmCopy policy;

  const CopyReport report = bench.copy(policy);

  CHECK(bench.source.most_reading == 5);  // four of 2 MiB and the rest
  CHECK(report.elapsed == 2s);            // the largest read and the largest write
}

TEST_CASE("VistaRtmCopy flushes what it copied around the cache to a local disk, nothing else",
          "[copy][vista-rtm]") {
  using Protocol = StoreTraits::Protocol;
  const auto flushes = [](CopyPolicy& policy, Bytes size, Protocol to) {
    CopyBench bench{size, {}, {.protocol = to}};
    CHECK(bench.copy(policy).status == IoStatus::ok);
    return std::count(bench.target.log.begin(), bench.target.log.end(), "flush");
  };
  VistaRtmCopy rtm;
  VistaRtmCopy lazy{{.flush_at_end = false}};

  CHECK(flushes(rtm, 4_MiB, Protocol::local) == 1);
  CHECK(flushes(rtm, 256_KiB, Protocol::local) == 0);  // through the cache
  CHECK(flushes(rtm, 4_MiB, Protocol::smb1) == 0);
  CHECK(flushes(rtm, 4_MiB, Protocol::smb2) == 0);
  CHECK(flushes(lazy, 4_MiB, Protocol::local) == 0);
  const PolicyRegistry registry = builtin_policies();
  detail::RangeCheck defaults{"test"};
  for (const char* other : {"xp", "vista-sp1", "pipelined"}) {
    const auto policy = registry.find(other).make(defaults);
    CHECK(flushes(*policy, 4_MiB, Protocol::local) == 0);
  }
}

TEST_CASE("the patched VistaRtmCopy is the same engine under its own name", "[copy][vista-rtm]") {
  const VistaRtmCopy policy{VistaRtmCopy::Config{}, VistaRtmCopy::patched_id};
  CHECK(policy.name() == "vista-rtm-patched");
  CHECK(policy.io_size(3_MiB) == 2_MiB);
}
