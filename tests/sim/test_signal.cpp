#include <string>

#include <copysim/sim/signal.hpp>

#include "support/catch.hpp"
#include "support/trace_log.hpp"

using namespace copysim;

namespace {

Task<> wait_signal(Simulation& sim, Signal& signal, std::string name, TraceLog& log) {
  co_await signal.wait();
  note(sim, log, std::move(name));
}

Task<> wait_event(Simulation& sim, Event& event, std::string name, TraceLog& log) {
  co_await event.wait();
  note(sim, log, std::move(name));
}

Task<> notify(Simulation& sim, Signal& signal, TraceLog& log) {
  co_await sim.delay(1ms);
  signal.notify_one();
  note(sim, log, "notified one");
  co_await sim.delay(1ms);
  signal.notify_all();
  note(sim, log, "notified all");
  signal.notify_one();  // nobody waits: lost
}

Task<> set_later(Simulation& sim, Event& event) {
  co_await sim.delay(2ms);
  event.set();
  event.set();
}

Task<> wait_for_set(Simulation& sim, Event& event) {
  event.set();
  const std::uint64_t before = sim.events();
  co_await event.wait();
  CHECK(sim.events() == before);
}

}  // namespace

TEST_CASE("A signal wakes one or all in the order of waiting, never inside notify",
          "[sim][signal]") {
  Simulation sim;
  TraceLog log;
  Signal signal{sim};
  for (const char* name : {"a", "b", "c"}) sim.spawn(wait_signal(sim, signal, name, log), name);
  sim.spawn(notify(sim, signal, log), "notifier");

  sim.run_until(SimTime{2ms});

  CHECK(log ==
        TraceLog{{"notified one", 1ms}, {"a", 1ms}, {"notified all", 2ms}, {"b", 2ms}, {"c", 2ms}});
  CHECK_FALSE(signal.has_waiters());
}

TEST_CASE("A notification is not kept for later", "[sim][signal]") {
  Simulation sim;
  TraceLog log;
  Signal signal{sim};
  signal.notify_all();
  sim.spawn(wait_signal(sim, signal, "late", log), "late");

  sim.run_until(SimTime{1ms});

  CHECK(log.empty());
  CHECK(signal.has_waiters());
}

TEST_CASE("A cancelled waiter passes its notification on", "[sim][signal]") {
  Simulation sim;
  TraceLog log;
  Signal signal{sim};
  TaskHandle first = sim.spawn(wait_signal(sim, signal, "a", log), "a");
  sim.spawn(wait_signal(sim, signal, "b", log), "b");
  sim.run_until(SimTime{1ms});

  signal.notify_one();
  first.cancel();  // after it was chosen, before it resumes
  sim.run_until(SimTime{1ms});

  CHECK(log == TraceLog{{"b", 1ms}});
}

TEST_CASE("An event wakes all waiters once", "[sim][event]") {
  Simulation sim;
  TraceLog log;
  Event event{sim};
  for (const char* name : {"a", "b"}) sim.spawn(wait_event(sim, event, name, log), name);
  sim.spawn(set_later(sim, event), "setter");

  sim.run_until(SimTime{5ms});

  CHECK(log == TraceLog{{"a", 2ms}, {"b", 2ms}});
  CHECK(event.is_set());
}

TEST_CASE("Waiting for an event that has happened passes without an entry in the calendar",
          "[sim][event]") {
  Simulation sim;
  Event event{sim};

  sim.run(wait_for_set(sim, event));

  CHECK(sim.now() == SimTime{});
}
