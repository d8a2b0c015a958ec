#include <stdexcept>
#include <string>
#include <vector>

#include <copysim/sim/combine.hpp>

#include "support/catch.hpp"
#include "support/trace_log.hpp"

using namespace copysim;

namespace {

Task<int> yield_after(Simulation& sim, Duration d, int value) {
  if (d > 0ms) {
    co_await sim.delay(d);
  }
  co_return value;
}

Task<> end_after(Simulation& sim, Duration d) {
  co_await sim.delay(d);
}

Task<int> fail_after(Simulation& sim, Duration d) {
  co_await sim.delay(d);
  throw std::runtime_error{"broken"};
}

// Two delays, of which the second is scheduled at `first`.
Task<int> two_delays(Simulation& sim, Duration first, Duration second) {
  co_await sim.delay(first);
  co_await sim.delay(second);
  co_return 1;
}

std::vector<Task<int>> three(Simulation& sim) {
  std::vector<Task<int>> tasks;
  tasks.push_back(yield_after(sim, 3ms, 30));
  tasks.push_back(yield_after(sim, 1ms, 10));
  tasks.push_back(yield_after(sim, 2ms, 20));
  return tasks;
}

}  // namespace

TEST_CASE("all_of yields the results in the order given when the last has ended",
          "[sim][combine]") {
  Simulation sim;

  CHECK(sim.run(all_of(sim, three(sim))) == std::vector{30, 10, 20});
  CHECK(sim.now().time_since_epoch() == 3ms);
}

TEST_CASE("all_of of nothing ends at once", "[sim][combine]") {
  Simulation sim;

  CHECK(sim.run(all_of(sim, std::vector<Task<int>>{})).empty());
  sim.run(all_of(sim, std::vector<Task<>>{}));
  CHECK(sim.now() == SimTime{});
}

TEST_CASE("all_of of tasks that end without waiting takes no time", "[sim][combine]") {
  Simulation sim;
  std::vector<Task<int>> tasks;
  tasks.push_back(yield_after(sim, 0ms, 1));
  tasks.push_back(yield_after(sim, 0ms, 2));

  CHECK(sim.run(all_of(sim, std::move(tasks))) == std::vector{1, 2});
  CHECK(sim.now() == SimTime{});
}

TEST_CASE("all_of rethrows the failure of a task at its time and ends the others",
          "[sim][combine]") {
  Simulation sim;
  auto tasks = three(sim);
  tasks.push_back(fail_after(sim, 2ms));

  CHECK_THROWS_AS(sim.run(all_of(sim, std::move(tasks))), std::runtime_error);
  CHECK(sim.now().time_since_epoch() == 2ms);
  CHECK(sim.tasks() == 0);
}

TEST_CASE("any_of yields the first to end and cancels the others", "[sim][combine]") {
  Simulation sim;

  const FirstOf<int> first = sim.run(any_of(sim, three(sim)));

  CHECK(first.index == 1);
  CHECK(first.value == 10);
  CHECK(sim.now().time_since_epoch() == 1ms);
  CHECK(sim.tasks() == 0);
}

TEST_CASE("Of two tasks of any_of at one instant the one scheduled earlier wins",
          "[sim][combine]") {
  Simulation sim;
  std::vector<Task<int>> tasks;
  tasks.push_back(two_delays(sim, 1ms, 1ms));  // its last event is scheduled at 1 ms
  tasks.push_back(yield_after(sim, 2ms, 2));   // scheduled at 0 ms
  tasks.push_back(yield_after(sim, 2ms, 3));

  CHECK(sim.run(any_of(sim, std::move(tasks))).index == 1);
}

TEST_CASE("any_of of tasks without result yields the index, and refuses none", "[sim][combine]") {
  Simulation sim;
  std::vector<Task<>> tasks;
  tasks.push_back(end_after(sim, 2ms));
  tasks.push_back(end_after(sim, 1ms));

  CHECK(sim.run(any_of(sim, std::move(tasks))) == 1);
  CHECK_THROWS_AS(sim.run(any_of(sim, std::vector<Task<>>{})), SimulationError);
  CHECK_THROWS_AS(sim.run(any_of(sim, std::vector<Task<int>>{})), SimulationError);
}

TEST_CASE("with_timeout yields the result in time and nothing when late", "[sim][combine]") {
  Simulation sim;

  CHECK(sim.run(with_timeout(sim, yield_after(sim, 2ms - 1ns, 7), 2ms)) == 7);
  CHECK(sim.now().time_since_epoch() == 2ms - 1ns);
  CHECK_FALSE(sim.run(with_timeout(sim, yield_after(sim, 2ms + 1ns, 7), 2ms)));
  CHECK(sim.now().time_since_epoch() == 4ms - 1ns);
  CHECK(sim.run(with_timeout(sim, end_after(sim, 1ms), 2ms)));
  CHECK_FALSE(sim.run(with_timeout(sim, end_after(sim, 3ms), 2ms)));
  CHECK(sim.tasks() == 0);
}

TEST_CASE("A task that ends exactly at its timeout is late if scheduled after the call",
          "[sim][combine]") {
  Simulation sim;

  CHECK(sim.run(with_timeout(sim, yield_after(sim, 2ms, 7), 2ms)) == 7);
  CHECK_FALSE(sim.run(with_timeout(sim, two_delays(sim, 1ms, 1ms), 2ms)));
}
