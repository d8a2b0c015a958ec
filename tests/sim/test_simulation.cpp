#include <string>
#include <utility>
#include <vector>

#include <copysim/sim/simulation.hpp>
#include <copysim/sim/signal.hpp>
#include <copysim/sim/task_group.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

using Log = std::vector<std::pair<std::string, Duration>>;

Task<> note_after(Simulation& sim, Duration d, std::string name, Log& log) {
  co_await sim.delay(d);
  log.emplace_back(std::move(name), sim.now().time_since_epoch());
}

Task<int> answer(Simulation& sim, int value, Duration d) {
  co_await sim.delay(d);
  co_return value;
}

Task<int> sum_of_two(Simulation& sim) {
  const int first = co_await answer(sim, 40, 3ms);
  const int second = co_await answer(sim, 2, 4ms);
  co_return first + second;
}

}  // namespace

TEST_CASE("run returns the result of the main task at the time at which it ends", "[sim]") {
  Simulation sim;

  CHECK(sim.run(sum_of_two(sim)) == 42);
  CHECK(sim.now().time_since_epoch() == 7ms);  // 3 ms, then 4 ms
}

TEST_CASE("Events of one instant happen in the order in which they were scheduled", "[sim]") {
  Simulation sim;
  Log log;
  for (const auto& [name, due] : Log{{"a", 2ms}, {"b", 1ms}, {"c", 2ms}, {"d", 0ms}, {"e", 1ms}}) {
    sim.spawn(note_after(sim, due, name, log), name);
  }

  sim.run_until(SimTime{5ms});

  CHECK(log == Log{{"d", 0ms}, {"b", 1ms}, {"e", 1ms}, {"a", 2ms}, {"c", 2ms}});
  CHECK(sim.now().time_since_epoch() == 5ms);
}
