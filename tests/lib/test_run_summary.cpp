#include <copysim/error.hpp>
#include <copysim/lib/run_summary.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

RunSummary three_runs() {
  RunSummary summary;
  for (const int second : {1, 2, 3}) {
    RunResult result;
    result.elapsed = std::chrono::seconds{second};
    result.durable = result.elapsed + 10s;
    result.copied = Bytes{6'000'000};
    result.counters = {{"seeks", second}, {"wire bytes", 7}};
    summary.results.push_back(result);
  }
  return summary;
}

}  // namespace

TEST_CASE("columns of a summary are means over its replications", "[run]") {
  const RunSummary summary = three_runs();

  // 1, 2, 3: mean 2, deviation 1, t of two degrees of freedom 4.303: 4.303 / sqrt(3) = 2.484.
  CHECK(summary.elapsed_s().mean == 2);
  CHECK(summary.elapsed_s().ci95 == Approx(2.484).epsilon(1e-3));
  CHECK(summary.durable_s().mean == 12);
  // 6, 3 and 2 MB/s: the mean of the rates, not the rate of the mean.
  CHECK(summary.throughput_bytes_per_s().mean == Approx(11e6 / 3));
  CHECK(summary.counters() == Counters{{"seeks", 2}, {"wire bytes", 7}});
}

TEST_CASE("the first estimate is that of the dialogs that showed one", "[run]") {
  RunSummary summary = three_runs();
  CHECK_FALSE(summary.first_estimate_s().has_value());
  summary.results[2].first_estimate = 2s;
  REQUIRE(summary.first_estimate_s().has_value());
  CHECK(summary.first_estimate_s()->mean == 2);
}

TEST_CASE("a summary tells the first failure of its replications", "[run]") {
  RunSummary summary = three_runs();
  CHECK(summary.status() == IoStatus::ok);
  summary.results[1].status = IoStatus::disk_full;
  CHECK(summary.status() == IoStatus::disk_full);
}

TEST_CASE("an estimate of nothing is refused", "[statistics]") {
  CHECK_THROWS_AS(estimate({}), SimulationError);
}
