#include <string>

#include <copysim/sim/semaphore.hpp>

#include "support/catch.hpp"
#include "support/trace_log.hpp"

using namespace copysim;

namespace {

Task<> use(Simulation& sim, Semaphore& semaphore, std::int64_t n, Duration d, std::string name,
           TraceLog& log) {
  auto permit = co_await semaphore.scoped(n);
  note(sim, log, std::move(name));
  co_await sim.delay(d);
}

Task<> take(Semaphore& semaphore, std::int64_t n) {
  co_await semaphore.acquire(n);
}

Task<> release_and_retake(Simulation& sim, Semaphore& semaphore, TraceLog& log) {
  co_await semaphore.acquire();
  co_await sim.delay(1ms);
  semaphore.release();
  co_await semaphore.acquire();
  note(sim, log, "again");
}

Task<> move_permit(Simulation& sim, Semaphore& semaphore) {
  Semaphore::Permit kept;
  {
    auto permit = co_await semaphore.scoped();
    kept = std::move(permit);
  }
  CHECK(semaphore.available() == 0);
  co_await sim.delay(1ms);
  kept.release();
  CHECK(semaphore.available() == 1);
  kept.release();  // nothing left to give
  CHECK(semaphore.available() == 1);
}

}  // namespace

TEST_CASE("A semaphore of two lets two tasks in at a time, in the order of asking",
          "[sim][semaphore]") {
  Simulation sim;
  TraceLog log;
  Semaphore semaphore{sim, 2};
  for (const char* name : {"a", "b", "c", "d", "e"}) {
    sim.spawn(use(sim, semaphore, 1, 10ms, name, log), name);
  }

  sim.run_until(SimTime{1s});

  CHECK(log == TraceLog{{"a", 0ms}, {"b", 0ms}, {"c", 10ms}, {"d", 10ms}, {"e", 20ms}});
  CHECK(semaphore.available() == 2);
}

TEST_CASE("A task that asks for many units holds up those behind it", "[sim][semaphore]") {
  Simulation sim;
  TraceLog log;
  Semaphore semaphore{sim, 3};
  sim.spawn(use(sim, semaphore, 2, 10ms, "two", log), "two");
  sim.spawn(use(sim, semaphore, 3, 10ms, "three", log), "three");
  sim.spawn(use(sim, semaphore, 1, 10ms, "one", log), "one");

  sim.run_until(SimTime{1ms});
  CHECK(semaphore.available() == 1);
  CHECK(semaphore.waiting() == 2);
  CHECK_FALSE(semaphore.try_acquire());  // would overtake

  sim.run_until(SimTime{1s});
  CHECK(log == TraceLog{{"two", 0ms}, {"three", 10ms}, {"one", 20ms}});
}

TEST_CASE("A task that releases and asks again does not overtake one that waits",
          "[sim][semaphore]") {
  Simulation sim;
  TraceLog log;
  Semaphore semaphore{sim, 1};
  sim.spawn(release_and_retake(sim, semaphore, log), "greedy");
  sim.spawn(use(sim, semaphore, 1, 5ms, "patient", log), "patient");

  sim.run_until(SimTime{1s});

  CHECK(log == TraceLog{{"patient", 1ms}, {"again", 6ms}});
}

TEST_CASE("When the first waiter is cancelled the next ones get their turn", "[sim][semaphore]") {
  Simulation sim;
  TraceLog log;
  Semaphore semaphore{sim, 1};
  TaskHandle large = sim.spawn(take(semaphore, 5), "large");
  sim.spawn(use(sim, semaphore, 1, 1ms, "small", log), "small");
  sim.run_until(SimTime{1ms});
  CHECK(log.empty());

  large.cancel();
  sim.run_until(SimTime{2ms});

  CHECK(log == TraceLog{{"small", 1ms}});
}

TEST_CASE("Units granted to a task that is cancelled before it resumes go to the next",
          "[sim][semaphore]") {
  Simulation sim;
  TraceLog log;
  Semaphore semaphore{sim, 0};
  TaskHandle first = sim.spawn(take(semaphore, 1), "first");
  sim.spawn(use(sim, semaphore, 1, 1ms, "second", log), "second");
  sim.run_until(SimTime{1ms});

  semaphore.release();
  first.cancel();
  sim.run_until(SimTime{5ms});

  CHECK(log == TraceLog{{"second", 1ms}});
  CHECK(semaphore.available() == 1);
}

TEST_CASE("A permit can be moved and released early, once", "[sim][semaphore]") {
  Simulation sim;
  Semaphore semaphore{sim, 1};

  sim.run(move_permit(sim, semaphore));

  CHECK(semaphore.available() == 1);
}

TEST_CASE("A semaphore refuses numbers of units that make no sense", "[sim][semaphore]") {
  Simulation sim;
  Semaphore semaphore{sim, 1};

  CHECK_THROWS_AS(Semaphore(sim, -1), SimulationError);
  CHECK_THROWS_AS(semaphore.release(0), SimulationError);
  CHECK_THROWS_AS(sim.run(take(semaphore, 0)), SimulationError);
  CHECK_THROWS_AS(sim.run(take(semaphore, -3)), SimulationError);
}
