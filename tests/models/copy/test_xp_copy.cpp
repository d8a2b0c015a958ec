#include <copysim/error.hpp>
#include <copysim/models/copy/xp_copy.hpp>

#include "copy_bench.hpp"

using namespace copysim;
using namespace copysim::testing;
using Log = std::vector<std::string>;

TEST_CASE("XpCopy makes the calls of CopyFileEx in their order, 64 KiB at a time", "[copy][xp]") {
  CopyBench bench{100_KiB, {}, {}};
  XpCopy policy;

  const CopyReport report = bench.copy(policy);

  CHECK(report.status == IoStatus::ok);
  // 100 KiB = 65536 + 36864 B.
  CHECK(bench.source.log ==
        Log{"open f", "query f", "query f", "read 0+65536", "read 65536+36864", "close"});
  CHECK(bench.target.log == Log{"query f", "open f", "set_size", "write 0+65536",
                                "write 65536+36864", "set_times", "close"});
  CHECK(bench.source.opened.cached);
  CHECK(bench.source.opened.sequential);
  CHECK(bench.target.opened.cached);
}

TEST_CASE("XpCopy uses 60 KiB when either end is an SMB1 share", "[copy][xp]") {
  using Protocol = StoreTraits::Protocol;
  const bool remote_source = GENERATE(true, false);
  const FakeStore::Config local{};
  const FakeStore::Config share{.protocol = Protocol::smb1};
  CopyBench bench{120_KiB, remote_source ? share : local, remote_source ? local : share};
  XpCopy policy;

  const CopyReport report = bench.copy(policy);

  CHECK(report.reads == 2);  // 120 / 60
  CHECK(bench.source.log.at(3) == "read 0+61440");
}

TEST_CASE("XpCopy never has two requests outstanding", "[copy][xp]") {
  CopyBench bench{1_MiB, {.rate = 1_MiB / 1s}, {.rate = 1_MiB / 1s}};
  XpCopy policy;

  const CopyReport report = bench.copy(policy);

  // 1 MiB read at 1 MiB/s plus 1 MiB written at 1 MiB/s, never side by side.
  CHECK(report.elapsed == 2s);
  CHECK(bench.source.most_reading == 1);
  CHECK(bench.target.most_writing == 1);
}

TEST_CASE("XpCopy refuses a chunk of nothing", "[copy][xp]") {
  XpCopy::Config config;
  config.chunk = 0_B;
  CHECK_THROWS_AS(XpCopy{config}, ConfigError);
}
