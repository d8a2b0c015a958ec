#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include <copysim/error.hpp>
#include <copysim/lib/batch.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

using Points = std::vector<std::vector<std::string>>;

Scenario small_copy() {
  const std::vector<std::string> settings{"workloads.single.size=2MiB", "run.replications=2"};
  return load_scenario("apc/disk-to-disk").with(settings);
}

std::vector<BatchRow> all_rows(const Points& points, int jobs) {
  Batch batch{small_copy(), points, builtin_policies(), jobs};
  std::vector<BatchRow> rows;
  while (!batch.wait_for(std::chrono::milliseconds{50})) {
  }
  for (BatchRow& row : batch.take()) rows.push_back(std::move(row));
  std::ranges::sort(rows, [](const BatchRow& a, const BatchRow& b) {
    return std::pair{a.point, a.replication} < std::pair{b.point, b.replication};
  });
  return rows;
}

}  // namespace

TEST_CASE("A batch gives what single runs give, whatever the number of threads", "[batch]") {
  const Points points{{"policy=xp"}, {"policy=vista-rtm", "run.replications=1"}, {}};

  for (const int jobs : {1, 3}) {
    const std::vector<BatchRow> rows = all_rows(points, jobs);

    // Two replications of the first and the last point, one of the second.
    REQUIRE(rows.size() == 5);
    for (const BatchRow& row : rows) {
      const ResolvedScenario alone = small_copy().with(points[row.point]).resolve();
      CHECK(row.result.elapsed == run(alone, row.replication).elapsed);
      CHECK(row.replications == alone.config.run.replications);
      CHECK(row.failure == nullptr);
    }
  }
}

TEST_CASE("A point of a batch that cannot be resolved costs the others nothing", "[batch]") {
  const std::vector<BatchRow> rows =
      all_rows({{"run.replications=1"}, {"lnk.rtt=1ms"}, {"run.replications=1", "run.seed=2"}}, 2);

  REQUIRE(rows.size() == 3);
  CHECK(rows[0].failure == nullptr);
  CHECK(rows[2].failure == nullptr);
  CHECK_THROWS_AS(std::rethrow_exception(rows[1].failure), ConfigError);
}

TEST_CASE("A batch that is stopped gives up the simulations that run", "[batch]") {
  // 300 million requests: this would take minutes.
  Batch batch{small_copy(),
              {{"policy=pipelined", "workloads.single.size=60GiB", "policy.chunk=200B",
                "run.replications=9"}},
              builtin_policies(),
              2};
  batch.stop();

  while (!batch.wait_for(std::chrono::milliseconds{50})) {
  }
  CHECK(batch.take().empty());
  CHECK(batch.points_done() == 0);
}

TEST_CASE("A batch needs a thread", "[batch]") {
  CHECK_THROWS_AS(Batch(small_copy(), {}, builtin_policies(), 0), ConfigError);
}
