#include <memory>
#include <stdexcept>
#include <string>

#include <copysim/sim/simulation.hpp>
#include <copysim/sim/task.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

Task<int> immediate(int value) {
  co_return value;
}

Task<> mark(bool& started) {
  started = true;
  co_return;
}

Task<int> fails(Simulation& sim) {
  co_await sim.delay(1ms);
  throw std::runtime_error{"broken"};
}

Task<std::string> catches(Simulation& sim) {
  std::string caught;
  try {
    const int value = co_await fails(sim);
    caught = std::to_string(value);
  } catch (const std::runtime_error& e) {
    caught = e.what();
  }
  co_return caught;
}

Task<std::int64_t> many_calls(std::int64_t count) {
  std::int64_t sum = 0;
  for (std::int64_t i = 0; i < count; ++i) {
    const int one = co_await immediate(1);
    sum += one;
  }
  co_return sum;
}

Task<> await_twice(Simulation& sim) {
  Task<int> task = immediate(1);
  const int first = co_await task;
  co_await sim.delay(Duration{first});
  const int second = co_await task;
  static_cast<void>(second);
}

Task<> await_empty() {
  Task<> empty;
  co_await empty;
}

Task<std::unique_ptr<int>> move_only(Simulation& sim) {
  auto value = std::make_unique<int>(7);
  co_await sim.delay(1ms);
  co_return value;
}

Task<int> unpack(Simulation& sim) {
  const auto value = co_await move_only(sim);
  co_return *value;
}

}  // namespace

TEST_CASE("A task does nothing until it is awaited", "[sim][task]") {
  bool started = false;

  {
    const Task<> task = mark(started);
  }

  CHECK_FALSE(started);
}

TEST_CASE("An exception is rethrown where the task is awaited", "[sim][task]") {
  Simulation sim;

  CHECK(sim.run(catches(sim)) == "broken");
}

TEST_CASE("An exception that leaves the main task leaves run as it is", "[sim][task]") {
  Simulation sim;

  CHECK_THROWS_AS(sim.run(fails(sim)), std::runtime_error);
  CHECK(sim.run(immediate(3)) == 3);  // and the simulation can go on
}

TEST_CASE("A million calls that end at once need no stack and no time", "[sim][task]") {
  Simulation sim;

  CHECK(sim.run(many_calls(1'000'000)) == 1'000'000);
  CHECK(sim.now() == SimTime{});
  CHECK(sim.events() == 1);
}

TEST_CASE("Awaiting a task twice, or an empty one, is an error", "[sim][task]") {
  Simulation sim;

  CHECK_THROWS_AS(sim.run(await_twice(sim)), SimulationError);
  CHECK_THROWS_AS(sim.run(await_empty()), SimulationError);
  CHECK_THROWS_AS(sim.run(Task<>{}), SimulationError);
}

TEST_CASE("A result can be move-only", "[sim][task]") {
  Simulation sim;

  CHECK(sim.run(unpack(sim)) == 7);
}
