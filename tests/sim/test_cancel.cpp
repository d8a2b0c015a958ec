#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <copysim/sim/channel.hpp>
#include <copysim/sim/resource.hpp>
#include <copysim/sim/semaphore.hpp>
#include <copysim/sim/signal.hpp>
#include <copysim/sim/task_group.hpp>
#include <copysim/sim/task_handle.hpp>

#include "support/catch.hpp"
#include "support/trace_log.hpp"

// Every state that a task can be in x every way to end it early.

using namespace copysim;

namespace {

// Notes the end of a scope, also of one that is cancelled.
class Guard {
public:
  Guard(Simulation& sim, TraceLog& log) : sim_{sim}, log_{log} {}
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard() { note(sim_, log_, "scope left"); }

private:
  Simulation& sim_;
  TraceLog& log_;
};

// A world with one of each thing to wait for, none of which lets a task pass.
struct World {
  Simulation sim;
  TraceLog log;
  Signal signal{sim};
  Event event{sim};
  Semaphore semaphore{sim, 0};
  PriorityResource resource{sim};
  Channel<int> empty{sim};
  Channel<int> full{sim, 1};
  PriorityResource::Occupancy taken;
};

Task<> occupy(World& w) {
  w.taken = co_await w.resource.acquire();
}

Task<> in_delay(World& w) {
  co_await w.sim.delay(1h);
}
Task<> in_zero_delays(World& w) {
  for (;;) {
    co_await w.sim.delay(1ms);
    co_await w.sim.delay(0ms);
  }
}
Task<> in_signal(World& w) {
  co_await w.signal.wait();
}
Task<> in_event(World& w) {
  co_await w.event.wait();
}
Task<> in_semaphore(World& w) {
  co_await w.semaphore.acquire();
}
Task<> in_scoped(World& w) {
  auto permit = co_await w.semaphore.scoped(2);
}
Task<> in_resource(World& w) {
  auto held = co_await w.resource.acquire();
}
Task<> in_pop(World& w) {
  const int item = co_await w.empty.pop();
  static_cast<void>(item);
}
Task<> in_push(World& w) {
  co_await w.full.push(2);
}
Task<> in_join(World& w) {
  TaskGroup group{w.sim};
  group.spawn(in_delay(w));
  group.spawn(in_event(w));
  co_await group.join();
}
Task<> in_nested(World& w) {
  const Guard inner{w.sim, w.log};
  co_await in_join(w);
}

Task<> guarded(World& w, Task<> wait) {
  const Guard guard{w.sim, w.log};
  try {
    co_await wait;
    note(w.sim, w.log, "went on");
  } catch (const Interrupted&) {
    note(w.sim, w.log, "interrupted");
  }
}

struct Place {
  const char* name;
  Task<> (*wait)(World&);
};

const std::vector<Place>& places() {
  static const std::vector<Place> all{
      {"delay", in_delay},         {"zero delays", in_zero_delays},
      {"signal", in_signal},       {"event", in_event},
      {"semaphore", in_semaphore}, {"scoped", in_scoped},
      {"resource", in_resource},   {"pop", in_pop},
      {"push", in_push},           {"join", in_join},
  };
  return all;
}

void prepare(World& w) {
  w.sim.spawn(occupy(w), "occupant");
  w.full.push_now(1);
  w.sim.run_until(w.sim.now());
}

Task<> cancel_at(Simulation& sim, Duration d, TaskHandle& victim) {
  co_await sim.delay(d);
  victim.cancel();
}

Task<> interrupt_at(Simulation& sim, Duration d, TaskHandle& victim) {
  co_await sim.delay(d);
  victim.interrupt();
}

}  // namespace

TEST_CASE("A task can be cancelled wherever it waits, by another task", "[sim][cancel]") {
  for (const Place& place : places()) {
    CAPTURE(place.name);
    World w;
    prepare(w);
    TaskHandle victim = w.sim.spawn(guarded(w, place.wait(w)), "victim");
    w.sim.spawn(cancel_at(w.sim, 5ms, victim), "killer");

    w.sim.run_until(SimTime{10ms});

    CHECK(w.log == TraceLog{{"scope left", 5ms}});
    CHECK_FALSE(victim.alive());
    CHECK(w.sim.tasks() == 0);
    CHECK_FALSE(w.signal.has_waiters());
    CHECK(w.semaphore.waiting() == 0);
    CHECK(w.resource.waiting() == 0);
    victim.cancel();  // of a task that has ended: nothing
    victim.interrupt();
  }
}

TEST_CASE("A task can be cancelled wherever it waits, from outside of the tasks", "[sim][cancel]") {
  for (const Place& place : places()) {
    CAPTURE(place.name);
    World w;
    prepare(w);
    TaskHandle victim = w.sim.spawn(guarded(w, place.wait(w)), "victim");
    w.sim.run_until(SimTime{5ms});

    victim.cancel();

    CHECK(w.log == TraceLog{{"scope left", 5ms}});
    CHECK(w.sim.tasks() == 0);
    w.sim.run_until(SimTime{10ms});
  }
}

TEST_CASE("A task can be interrupted wherever it waits, and goes on", "[sim][cancel]") {
  for (const Place& place : places()) {
    CAPTURE(place.name);
    World w;
    prepare(w);
    TaskHandle victim = w.sim.spawn(guarded(w, place.wait(w)), "victim");
    w.sim.spawn(interrupt_at(w.sim, 5ms, victim), "interrupter");

    w.sim.run_until(SimTime{10ms});

    CHECK(w.log == TraceLog{{"interrupted", 5ms}, {"scope left", 5ms}});
    CHECK(w.sim.tasks() == 0);
    CHECK(w.semaphore.waiting() == 0);
    CHECK(w.resource.waiting() == 0);
  }
}

TEST_CASE("A task that is cancelled before it starts never runs", "[sim][cancel]") {
  World w;
  auto token = std::make_shared<int>();
  struct Local {
    static Task<> run(World& world, std::shared_ptr<int>) {
      note(world.sim, world.log, "ran");
      co_return;
    }
  };
  TaskHandle victim = w.sim.spawn(Local::run(w, token), "victim");
  CHECK(token.use_count() == 2);

  victim.cancel();
  CHECK(token.use_count() == 1);
  w.sim.run_until(SimTime{1ms});

  CHECK(w.log.empty());
}

TEST_CASE("A task that is interrupted before it starts throws at its first wait", "[sim][cancel]") {
  World w;
  TaskHandle victim = w.sim.spawn(guarded(w, in_delay(w)), "victim");

  victim.interrupt();
  w.sim.run_until(SimTime{1ms});

  CHECK(w.log == TraceLog{{"interrupted", 0ms}, {"scope left", 0ms}});
}

TEST_CASE("What was granted to a task that is interrupted before it resumes goes back",
          "[sim][cancel]") {
  World w;
  prepare(w);
  TaskHandle on_semaphore = w.sim.spawn(guarded(w, in_semaphore(w)), "on semaphore");
  TaskHandle on_channel = w.sim.spawn(guarded(w, in_pop(w)), "on channel");
  TaskHandle on_resource = w.sim.spawn(guarded(w, in_resource(w)), "on resource");
  w.sim.run_until(SimTime{1ms});

  w.semaphore.release();
  w.empty.push_now(7);
  w.taken.release();
  CHECK(w.semaphore.available() == 0);
  CHECK(w.empty.empty());
  CHECK(w.resource.occupied() == 1);
  on_semaphore.interrupt();
  on_channel.interrupt();
  on_resource.interrupt();
  w.sim.run_until(SimTime{2ms});

  CHECK(w.semaphore.available() == 1);
  CHECK(w.empty.size() == 1);
  CHECK(w.resource.occupied() == 0);
  CHECK(w.log == TraceLog{{"interrupted", 1ms},
                          {"scope left", 1ms},
                          {"interrupted", 1ms},
                          {"scope left", 1ms},
                          {"interrupted", 1ms},
                          {"scope left", 1ms}});
}

TEST_CASE("Cancelling a task destroys all that it awaits, innermost first, and its children",
          "[sim][cancel]") {
  World w;
  TaskHandle victim = w.sim.spawn(guarded(w, in_nested(w)), "victim");
  w.sim.spawn(cancel_at(w.sim, 5ms, victim), "killer");

  w.sim.run_until(SimTime{4ms});
  CHECK(w.sim.tasks() == 4);  // victim, its two children, killer
  w.sim.run_until(SimTime{10ms});

  CHECK(w.log == TraceLog{{"scope left", 5ms}, {"scope left", 5ms}});
  CHECK(w.sim.tasks() == 0);
}

TEST_CASE("A task that cancels itself ends at its next wait", "[sim][cancel]") {
  World w;
  struct Local {
    static Task<> run(World& world, TaskHandle& self) {
      const Guard guard{world.sim, world.log};
      co_await world.sim.delay(1ms);
      self.cancel();
      self.cancel();
      note(world.sim, world.log, "still runs");
      co_await world.sim.delay(0ms);
      note(world.sim, world.log, "never");
    }
  };
  TaskHandle self;
  self = w.sim.spawn(Local::run(w, self), "self");

  w.sim.run_until(SimTime{10ms});

  CHECK(w.log == TraceLog{{"still runs", 1ms}, {"scope left", 1ms}});
  CHECK(w.sim.tasks() == 0);
}

TEST_CASE("A task that cancels itself and then ends, ends", "[sim][cancel]") {
  World w;
  struct Local {
    static Task<> run(World& world, TaskHandle& self) {
      co_await world.sim.delay(1ms);
      self.cancel();
    }
  };
  TaskHandle self;
  self = w.sim.spawn(Local::run(w, self), "self");

  w.sim.run_until(SimTime{10ms});

  CHECK(w.sim.tasks() == 0);
}

TEST_CASE("A child that cancels the task that waits for it ends with it, at its next wait",
          "[sim][cancel]") {
  World w;
  struct Local {
    static Task<> child(World& world, TaskHandle& parent) {
      const Guard guard{world.sim, world.log};
      co_await world.sim.delay(1ms);
      parent.cancel();
      note(world.sim, world.log, "child still runs");
      co_await world.sim.delay(1ms);
      note(world.sim, world.log, "never");
    }
    static Task<> parent(World& world, TaskHandle& self) {
      TaskGroup group{world.sim};
      group.spawn(child(world, self));
      co_await group.join();
      note(world.sim, world.log, "never");
    }
  };
  TaskHandle parent;
  parent = w.sim.spawn(Local::parent(w, parent), "parent");

  w.sim.run_until(SimTime{10ms});

  CHECK(w.log == TraceLog{{"child still runs", 1ms}, {"scope left", 1ms}});
  CHECK(w.sim.tasks() == 0);
}

TEST_CASE("A task that interrupts itself throws at its next wait", "[sim][cancel]") {
  World w;
  struct Local {
    static Task<> wait(World& world, TaskHandle& self) {
      co_await world.sim.delay(1ms);
      self.interrupt();
      co_await world.sim.delay(1ms);
    }
  };
  TaskHandle self;
  self = w.sim.spawn(guarded(w, Local::wait(w, self)), "self");

  w.sim.run_until(SimTime{10ms});

  CHECK(w.log == TraceLog{{"interrupted", 1ms}, {"scope left", 1ms}});
}

TEST_CASE("A cancelled delay never moves the clock", "[sim][cancel]") {
  Simulation sim;
  struct Local {
    static Task<> wait(Simulation& world, Duration d) { co_await world.delay(d); }
    static Task<> kill_many(Simulation& world) {
      for (int i = 0; i < 1000; ++i) {
        TaskHandle victim = world.spawn(wait(world, 1h + Duration{i}), "victim");
        co_await world.delay(1us);
        victim.cancel();
      }
    }
  };

  sim.run(Local::kill_many(sim));
  CHECK(sim.now().time_since_epoch() == 1ms);  // 1000 x 1 us

  Event never{sim};
  struct Waiter {
    static Task<> wait(Event& event) { co_await event.wait(); }
  };
  CHECK_THROWS_AS(sim.run(Waiter::wait(never)), DeadlockError);
  CHECK(sim.now().time_since_epoch() == 1ms);
}

TEST_CASE("A task handle is good after the end of its task and of its slot's next user",
          "[sim][cancel]") {
  World w;
  TaskHandle none;
  CHECK_FALSE(none.alive());
  none.cancel();
  none.interrupt();

  TaskHandle first = w.sim.spawn(guarded(w, in_delay(w)), "first");
  first.cancel();
  TaskHandle second = w.sim.spawn(guarded(w, in_delay(w)), "second");  // takes the free slot
  first.cancel();

  CHECK_FALSE(first.alive());
  CHECK(second.alive());
}
