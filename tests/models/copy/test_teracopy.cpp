#include <algorithm>
#include <string>
#include <vector>

#include <copysim/error.hpp>
#include <copysim/models/copy/teracopy.hpp>

#include "copy_bench.hpp"

using namespace copysim;
using namespace copysim::testing;

namespace {

const int disk = 0;
constexpr Bandwidth one_mib_per_s{1048576};

}  // namespace

TEST_CASE("TeraCopy reads a buffer, then writes it, when one disk holds both ends", "[copy]") {
  CopyBench bench{
      8_MiB, {.rate = one_mib_per_s, .holder = &disk}, {.rate = one_mib_per_s, .holder = &disk}};
  TeraCopy policy{{.buffer = 2_MiB}};

  const CopyReport report = bench.copy(policy);

  // Four buffers, 2 s to read each and 2 s to write it: 4 (2 + 2) s. A disk that served both at
  // once would be the bench's fault, so the order is looked at too.
  CHECK(report.elapsed == 16s);
  CHECK(report.reads == 4);
  CHECK(report.writes == 4);
  CHECK(bench.source.most_reading == 1);
  CHECK(bench.target.most_writing == 1);
  CHECK(bench.same());
}

TEST_CASE("TeraCopy reads the next buffer while one is written between two disks", "[copy]") {
  CopyBench bench{8_MiB, {.rate = one_mib_per_s}, {.rate = one_mib_per_s}};
  TeraCopy policy{{.buffer = 2_MiB}};

  const CopyReport report = bench.copy(policy);

  // 2 s for the first read, three times max(2, 2) s, 2 s for the last write.
  CHECK(report.elapsed == 10s);
  CHECK(bench.source.most_reading == 1);
  CHECK(bench.target.most_writing == 1);
  CHECK(bench.same());
}

TEST_CASE("TeraCopy never reads ahead of what its buffers hold", "[copy]") {
  // Reading takes 1 s a buffer, writing 4 s. Two buffers: reads at 0 and 1 s; the third starts when
  // the first buffer is written at 5 s, the fourth at 9 s; writes end at 5, 9, 13 and 17 s.
  CopyBench bench{8_MiB, {.rate = Bandwidth{2097152}}, {.rate = Bandwidth{524288}}};
  TeraCopy policy{{.buffer = 2_MiB}};

  CHECK(bench.copy(policy).elapsed == 17s);
  const std::vector<std::string> order{"read 0+2097152", "read 2097152+2097152"};
  CHECK(std::search(bench.source.log.begin(), bench.source.log.end(), order.begin(), order.end()) !=
        bench.source.log.end());
}

TEST_CASE("TeraCopy leaves a file smaller than its buffer in one piece", "[copy]") {
  CopyBench bench{100'001_B, {}, {}};
  TeraCopy policy;

  const CopyReport report = bench.copy(policy);

  CHECK(report.reads == 1);
  CHECK(report.writes == 1);
  CHECK_FALSE(bench.source.opened.cached);
  CHECK(bench.same());
}

TEST_CASE("TeraCopy wants a buffer", "[copy]") {
  CHECK_THROWS_AS(TeraCopy{{.buffer = 0_B}}, ConfigError);
  CHECK_THROWS_AS(TeraCopy{{.buffers = 0}}, ConfigError);
}
