#include <stdexcept>
#include <string>

#include <copysim/sim/signal.hpp>
#include <copysim/sim/task_group.hpp>

#include "support/catch.hpp"
#include "support/trace_log.hpp"

using namespace copysim;

namespace {

Task<> note_after(Simulation& sim, Duration d, std::string name, TraceLog& log) {
  co_await sim.delay(d);
  note(sim, log, std::move(name));
}

Task<> fail_after(Simulation& sim, Duration d) {
  co_await sim.delay(d);
  throw std::runtime_error{"broken"};
}

Task<> join_three(Simulation& sim, TraceLog& log) {
  TaskGroup group{sim};
  group.spawn(note_after(sim, 3ms, "a", log));
  group.spawn(note_after(sim, 1ms, "b", log));
  group.spawn(note_after(sim, 2ms, "c", log));
  co_await group.join();
  note(sim, log, "joined");
}

Task<> join_nothing(Simulation& sim) {
  TaskGroup group{sim};
  co_await group.join();
}

Task<> spawn_during_join(Simulation& sim, TaskGroup& group, TraceLog& log) {
  co_await sim.delay(1ms);
  group.spawn(note_after(sim, 5ms, "grandchild", log));
}

Task<> join_growing(Simulation& sim, TraceLog& log) {
  TaskGroup group{sim};
  group.spawn(spawn_during_join(sim, group, log));
  co_await group.join();
  note(sim, log, "joined");
}

Task<> join_failing(Simulation& sim, TraceLog& log) {
  TaskGroup group{sim};
  group.spawn(note_after(sim, 9ms, "never", log));
  group.spawn(fail_after(sim, 2ms));
  try {
    co_await group.join();
  } catch (const std::runtime_error& e) {
    note(sim, log, e.what());
  }
  CHECK(group.size() == 0);
}

Task<> forget_join(Simulation& sim, TraceLog& log) {
  TaskGroup group{sim};
  group.spawn(note_after(sim, 9ms, "never", log));
  co_await sim.delay(1ms);
}

Task<> throw_before_join(Simulation& sim, TraceLog& log) {
  TaskGroup group{sim};
  group.spawn(note_after(sim, 9ms, "never", log));
  co_await sim.delay(1ms);
  throw std::runtime_error{"before join"};
}

Task<> fail_unjoined(Simulation& sim) {
  TaskGroup group{sim};
  group.spawn(fail_after(sim, 1ms));
  co_await sim.delay(2ms);
}

Task<> cancel_and_join(Simulation& sim, TraceLog& log) {
  TaskGroup group{sim};
  group.spawn(note_after(sim, 9ms, "never", log));
  co_await sim.delay(1ms);
  group.cancel();
  co_await group.join();
  note(sim, log, "joined");
}

}  // namespace

TEST_CASE("A group joins when the last of its children has ended", "[sim][group]") {
  Simulation sim;
  TraceLog log;

  sim.run(join_three(sim, log));

  CHECK(log == TraceLog{{"b", 1ms}, {"c", 2ms}, {"a", 3ms}, {"joined", 3ms}});
}

TEST_CASE("Joining a group of nothing takes no time and no event", "[sim][group]") {
  Simulation sim;

  sim.run(join_nothing(sim));

  CHECK(sim.now() == SimTime{});
  CHECK(sim.events() == 1);  // the start of the main task
}

TEST_CASE("A join also waits for children that are spawned meanwhile", "[sim][group]") {
  Simulation sim;
  TraceLog log;

  sim.run(join_growing(sim, log));

  CHECK(log == TraceLog{{"grandchild", 6ms}, {"joined", 6ms}});  // 1 ms + 5 ms
}

TEST_CASE("The failure of a child cancels the others and surfaces at the join", "[sim][group]") {
  Simulation sim;
  TraceLog log;

  sim.run(join_failing(sim, log));

  CHECK(log == TraceLog{{"broken", 2ms}});
  CHECK(sim.tasks() == 0);
}

TEST_CASE("A group that ends before its children is an error of the run", "[sim][group]") {
  Simulation sim;
  TraceLog log;

  CHECK_THROWS_AS(sim.run(forget_join(sim, log)), SimulationError);
  CHECK(sim.tasks() == 0);
  CHECK(log.empty());
}

TEST_CASE("An exception that passes a group ends its children and stays the one that counts",
          "[sim][group]") {
  Simulation sim;
  TraceLog log;

  CHECK_THROWS_AS(sim.run(throw_before_join(sim, log)), std::runtime_error);
  CHECK(sim.tasks() == 0);
}

TEST_CASE("The failure of a child surfaces even if nobody joins", "[sim][group]") {
  Simulation sim;

  CHECK_THROWS_AS(sim.run(fail_unjoined(sim)), std::runtime_error);
}

TEST_CASE("A cancelled group can be joined at once", "[sim][group]") {
  Simulation sim;
  TraceLog log;

  sim.run(cancel_and_join(sim, log));

  CHECK(log == TraceLog{{"joined", 1ms}});
}
