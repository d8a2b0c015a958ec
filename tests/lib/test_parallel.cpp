#include <atomic>
#include <string>
#include <vector>

#include <copysim/error.hpp>

#include "parallel.hpp"
#include "support/catch.hpp"

using namespace copysim;
using detail::for_each_index;

TEST_CASE("every index is worked on once, whatever the number of jobs", "[parallel]") {
  const int jobs = GENERATE(1, 2, 7);
  std::vector<int> visits(100);
  for_each_index(visits.size(), {.jobs = jobs}, [&](std::size_t i) { ++visits[i]; });
  CHECK(visits == std::vector<int>(100, 1));
}

TEST_CASE("progress counts up to the total, one call at a time", "[parallel]") {
  std::vector<std::size_t> heard;
  RunOptions options{.jobs = 4};
  options.progress = [&](std::size_t done, std::size_t total) {
    CHECK(total == 20);
    heard.push_back(done);
  };

  for_each_index(20, options, [](std::size_t) {});

  REQUIRE(heard.size() == 20);
  for (std::size_t i = 0; i < heard.size(); ++i) CHECK(heard[i] == i + 1);
}

TEST_CASE("of several failures the first index's is thrown", "[parallel]") {
  const int jobs = GENERATE(1, 3);
  const auto work = [](std::size_t i) {
    if (i % 10 == 5) throw ConfigError{"index " + std::to_string(i)};
  };
  CHECK_THROWS_WITH(for_each_index(100, {.jobs = jobs}, work), "index 5");
}

TEST_CASE("no work starts after a stop was asked for", "[parallel]") {
  std::stop_source stop;
  std::atomic<int> worked = 0;
  const auto work = [&](std::size_t) {
    if (++worked == 3) stop.request_stop();
  };

  CHECK_THROWS_AS(for_each_index(100, {.jobs = 1, .stop = stop.get_token()}, work), Cancelled);
  CHECK(worked == 3);
}

TEST_CASE("a number of jobs below one is refused", "[parallel]") {
  CHECK_THROWS_WITH(for_each_index(1, {.jobs = 0}, [](std::size_t) {}),
                    "run: jobs must be at least 1, got 0");
}
