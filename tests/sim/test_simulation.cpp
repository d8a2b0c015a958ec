#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include <copysim/sim/semaphore.hpp>
#include <copysim/sim/signal.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/sim/stop_scope.hpp>
#include <copysim/sim/task_group.hpp>

#include "support/catch.hpp"
#include "support/trace_log.hpp"

using namespace copysim;
using Catch::Matchers::Contains;

namespace {

Task<> note_after(Simulation& sim, Duration d, std::string name, TraceLog& log) {
  co_await sim.delay(d);
  note(sim, log, std::move(name));
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

Task<> tick(Simulation& sim, Duration period) {
  for (;;) {
    co_await sim.delay(period);
  }
}

Task<> wait_for(Event& event) {
  co_await event.wait();
}

Task<> wait_with_child(Simulation& sim, Event& event) {
  TaskGroup group{sim};
  group.spawn(wait_for(event));
  group.spawn(wait_for(event), "reader");
  co_await group.join();
}

Task<> fail_after(Simulation& sim, Duration d) {
  co_await sim.delay(d);
  throw std::runtime_error{"disk is on fire"};
}

Task<> delay_of(Simulation& sim, Duration d) {
  co_await sim.delay(d);
}

Task<> run_inside(Simulation& sim) {
  sim.run(delay_of(sim, 1ms));
  co_return;
}

Task<> zero_delay_among_others(Simulation& sim, TraceLog& log) {
  note(sim, log, "before");
  co_await sim.delay(0ms);
  note(sim, log, "after");
}

Task<> wait_in_other(Simulation& other) {
  co_await other.delay(1ms);
}

// Holds something on the heap, so that a leaked frame is found by the sanitizer.
Task<> hold(Simulation& sim, Event& event, std::shared_ptr<int> token) {
  const std::shared_ptr<int> local = token;
  co_await sim.delay(1ms);
  co_await event.wait();
}

}  // namespace

TEST_CASE("run returns the result of the main task at the time at which it ends", "[sim]") {
  Simulation sim;

  CHECK(sim.run(sum_of_two(sim)) == 42);
  CHECK(sim.now().time_since_epoch() == 7ms);  // 3 ms, then 4 ms
}

TEST_CASE("Events of one instant happen in the order in which they were scheduled", "[sim]") {
  Simulation sim;
  TraceLog log;
  const TraceLog due{{"a", 2ms}, {"b", 1ms}, {"c", 2ms}, {"d", 0ms}, {"e", 1ms}};
  for (const auto& [name, delay] : due) sim.spawn(note_after(sim, delay, name, log), name);

  sim.run_until(SimTime{5ms});

  CHECK(log == TraceLog{{"d", 0ms}, {"b", 1ms}, {"e", 1ms}, {"a", 2ms}, {"c", 2ms}});
  CHECK(sim.now().time_since_epoch() == 5ms);
}

TEST_CASE("A delay of zero goes to the back of the present instant", "[sim]") {
  Simulation sim;
  TraceLog log;
  sim.spawn(zero_delay_among_others(sim, log), "zero");
  sim.spawn(note_after(sim, 0ms, "other", log), "other");

  sim.run_until(SimTime{});

  // "zero" starts, "other" starts, then their zero delays in that order.
  CHECK(log == TraceLog{{"before", 0ms}, {"after", 0ms}, {"other", 0ms}});
}

TEST_CASE("An event that was due at an instant comes before what is scheduled at that instant",
          "[sim]") {
  Simulation sim;
  TraceLog log;
  struct Local {
    static Task<> two_steps(Simulation& world, TraceLog& trace) {
      co_await world.delay(1ms);
      note(world, trace, "first");
      co_await world.delay(0ms);
      note(world, trace, "third");
    }
  };
  sim.spawn(Local::two_steps(sim, log), "two steps");
  sim.spawn(note_after(sim, 1ms, "second", log), "one step");

  sim.run_until(SimTime{1ms});

  CHECK(log == TraceLog{{"first", 1ms}, {"second", 1ms}, {"third", 1ms}});
}

TEST_CASE("run_until includes its last instant and continues where it stopped", "[sim]") {
  Simulation sim;
  TraceLog log;
  sim.spawn(note_after(sim, 2ms, "at", log), "at");
  sim.spawn(note_after(sim, 2ms + 1ns, "just after", log), "just after");

  sim.run_until(SimTime{2ms});
  CHECK(log == TraceLog{{"at", 2ms}});

  sim.run_until(SimTime{3ms});
  CHECK(log == TraceLog{{"at", 2ms}, {"just after", 2ms + 1ns}});
  CHECK_THROWS_AS(sim.run_until(SimTime{1ms}), SimulationError);
}

TEST_CASE("Background tasks do not keep run alive and go on in the next run", "[sim]") {
  Simulation sim;
  TraceLog log;
  sim.spawn(note_after(sim, 5ms, "background", log), "background");

  sim.run(delay_of(sim, 2ms));
  CHECK(sim.now().time_since_epoch() == 2ms);
  CHECK(log.empty());

  sim.run(delay_of(sim, 4ms));
  CHECK(log == TraceLog{{"background", 5ms}});
}

TEST_CASE("A task that changes nothing changes no result", "[sim]") {
  const auto trace = [](bool with_idle) {
    Simulation sim;
    TraceLog log;
    if (with_idle) sim.spawn(tick(sim, 1ms), "idle");
    for (const auto& [name, delay] : TraceLog{{"a", 2ms}, {"b", 1ms}, {"c", 2ms}, {"d", 2ms}}) {
      sim.spawn(note_after(sim, delay, name, log), name);
    }
    sim.run_until(SimTime{5ms});
    return log;
  };

  CHECK(trace(true) == trace(false));
}

TEST_CASE("A run that runs dry names the tasks that wait and what they wait for", "[sim]") {
  Simulation sim;
  Event done{sim, "done"};
  sim.spawn(wait_for(done), "lazy writer");

  try {
    sim.run(wait_with_child(sim, done));
    FAIL("nothing was thrown");
  } catch (const DeadlockError& e) {
    const std::string text = e.what();
    CHECK_THAT(text, Contains("lazy writer (event 'done')"));
    CHECK_THAT(text, Contains("main (its group)"));
    CHECK_THAT(text, Contains("a child of main (event 'done')"));
    CHECK_THAT(text, Contains("reader (event 'done')"));
  }
  CHECK(sim.tasks() == 1);  // the main task and its children are gone, the service stays
}

TEST_CASE("A time limit ends a main task that waits in vain beside a periodic service", "[sim]") {
  Simulation sim{{.limit = SimTime{10ms}}};
  Event never{sim};
  sim.spawn(tick(sim, 1ms), "ticker");

  CHECK_THROWS_AS(sim.run(wait_for(never)), DeadlockError);
  CHECK(sim.now().time_since_epoch() == 10ms);
}

TEST_CASE("The failure of a background task comes out of run with its name and time", "[sim]") {
  Simulation sim;
  sim.spawn(fail_after(sim, 1500ms), "lazy writer");

  try {
    sim.run(delay_of(sim, 2s));
    FAIL("nothing was thrown");
  } catch (const SimulationError& e) {
    CHECK(std::string{e.what()} == "task 'lazy writer' failed at 1.500000 s: disk is on fire");
    CHECK_THROWS_AS(std::rethrow_if_nested(e), std::runtime_error);
  }
  CHECK(sim.tasks() == 0);
}

TEST_CASE("Misuse of the simulation is an error with a name", "[sim]") {
  Simulation sim;
  Simulation other;

  CHECK_THROWS_AS(sim.run(delay_of(sim, -1ns)), SimulationError);
  CHECK_THROWS_AS(sim.run(delay_of(sim, Duration::min())), SimulationError);
  sim.run(delay_of(sim, 1ns));
  CHECK_THROWS_AS(sim.run(delay_of(sim, Duration::max())), SimulationError);
  CHECK_THROWS_AS(sim.run(run_inside(sim)), SimulationError);
  CHECK_THROWS_AS(sim.run(wait_in_other(other)), SimulationError);
  sim.close();
  CHECK_THROWS_AS(sim.run(delay_of(sim, 1ms)), SimulationError);
  CHECK_THROWS_AS(sim.spawn(delay_of(sim, 1ms), "late"), SimulationError);
}

TEST_CASE("The end of time can be reached but not passed", "[sim]") {
  Simulation sim;

  sim.run(delay_of(sim, Duration::max()));

  CHECK(sim.now() == SimTime::max());
}

TEST_CASE("The simulation destroys the tasks that are alive at its end", "[sim]") {
  auto token = std::make_shared<int>(1);
  {
    Simulation sim;
    Event never{sim};
    sim.spawn(hold(sim, never, token), "waits for an event");
    sim.run_until(SimTime{2ms});
    sim.spawn(hold(sim, never, token), "delayed");
    sim.run_until(SimTime{2ms});
    sim.spawn(hold(sim, never, token), "not started");
    CHECK(sim.tasks() == 3);
    CHECK(token.use_count() == 1 + 2 + 2 + 1);  // parameter and local, parameter only
  }
  CHECK(token.use_count() == 1);
}

TEST_CASE("Permits held at the end of the simulation do not touch semaphores that are gone",
          "[sim]") {
  struct Local {
    static Task<> keep(Simulation& sim, Semaphore& semaphore, std::shared_ptr<int> token) {
      auto permit = co_await semaphore.scoped();
      co_await sim.delay(1h);
      *token = 1;
    }
  };
  const auto token = std::make_shared<int>(0);
  auto sim = std::make_unique<Simulation>();
  auto semaphore = std::make_unique<Semaphore>(*sim, 1);
  sim->spawn(Local::keep(*sim, *semaphore, token), "holds");
  sim->spawn(Local::keep(*sim, *semaphore, token), "waits");
  sim->run_until(SimTime{1ms});

  semaphore.reset();
  sim.reset();

  // Both tasks are gone with what they held, and neither went on. (A sanitizer would report a
  // touch.)
  CHECK(token.use_count() == 1);
  CHECK(*token == 0);
}

TEST_CASE("Ten thousand tasks at once keep their order", "[sim]") {
  Simulation sim;
  TraceLog log;
  for (int i = 0; i < 10'000; ++i) {
    sim.spawn(note_after(sim, Duration{(i * 7919) % 1000}, std::to_string(i), log), "task");
  }

  sim.run_until(SimTime{1ms});

  REQUIRE(log.size() == 10'000);
  for (std::size_t i = 1; i < log.size(); ++i) {
    const bool in_order = log[i - 1].second < log[i].second ||
                          (log[i - 1].second == log[i].second &&
                           std::stoi(log[i - 1].first) < std::stoi(log[i].first));
    if (!in_order) FAIL("entry " << i << " is out of order");
  }
  CHECK(sim.tasks() == 0);
}

namespace {

Task<> tick_for_ever(Simulation& sim, std::stop_source& stop, std::int64_t ticks) {
  for (std::int64_t i = 0;; ++i) {
    co_await sim.delay(1ns);
    if (i == ticks) stop.request_stop();
  }
}

}  // namespace

TEST_CASE("A run that is asked to stop ends within some thousand events", "[sim]") {
  std::stop_source stop;
  const StopScope scope{stop.get_token()};
  Simulation sim;

  CHECK_THROWS_AS(sim.run(tick_for_ever(sim, stop, 10'000)), Stopped);

  CHECK(sim.events() >= 10'000);
  CHECK(sim.events() < 13'000);
  CHECK(sim.tasks() == 0);
}
