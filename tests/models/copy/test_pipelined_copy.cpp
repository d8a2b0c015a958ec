#include <copysim/error.hpp>
#include <copysim/models/copy/pipelined_copy.hpp>

#include "copy_bench.hpp"

using namespace copysim;
using namespace copysim::testing;

namespace {

// Serves one chunk of 1 MiB per second, one at a time.
constexpr FakeStore::Config disk{.rate = 1_MiB / 1s, .width = 1};

}  // namespace

TEST_CASE("PipelinedCopy with depth 2 hides all but one read behind the writes",
          "[copy][pipelined]") {
  CopyBench bench{4_MiB, disk, disk};
  PipelinedCopy policy{{.chunk = 1_MiB, .depth = 2}};
  CHECK(bench.copy(policy).elapsed == 5s);  // 1 s first read, then 4 s of writes
}

TEST_CASE("PipelinedCopy with depth 1 is the classic loop in either shape", "[copy][pipelined]") {
  const bool batch = GENERATE(false, true);
  CopyBench bench{4_MiB, disk, disk};
  PipelinedCopy policy{{.chunk = 1_MiB, .depth = 1, .batch = batch}};
  CHECK(bench.copy(policy).elapsed == 8s);  // 4 x (1 s + 1 s)
}

TEST_CASE("PipelinedCopy in batches never reads while it writes", "[copy][pipelined]") {
  CopyBench bench{4_MiB, disk, disk};
  PipelinedCopy policy{{.chunk = 1_MiB, .depth = 2, .batch = true}};
  CHECK(bench.copy(policy).elapsed == 8s);  // 2 x (2 s reading + 2 s writing)
  CHECK(bench.source.most_reading == 2);
}

TEST_CASE("PipelinedCopy writes in the file's order if told so", "[copy][pipelined]") {
  // With random times the second of eight reads may well end before the first.
  CopyBench bench{8_MiB, {.jitter = 1s}, {.jitter = 1s}};
  PipelinedCopy policy{{.chunk = 1_MiB, .depth = 8, .ordered = true}};

  const CopyReport report = bench.copy(policy);

  CHECK(report.status == IoStatus::ok);
  for (int i = 0; i < 8; ++i) {
    const auto call = static_cast<std::size_t>(3 + i);  // behind query, open, set_size
    CHECK(bench.target.log.at(call) == "write " + std::to_string(i << 20) + "+1048576");
  }
  CHECK(bench.target.most_writing == 1);
}

TEST_CASE("PipelinedCopy names the parameter that is out of range", "[copy][pipelined]") {
  CHECK_THROWS_WITH((PipelinedCopy{{.depth = 0}}), "pipelined: depth must be at least 1, got 0");
  CHECK_THROWS_WITH((PipelinedCopy{{.chunk = 0_B}}),
                    "pipelined: chunk must be at least 1 B, got 0 B");
}
