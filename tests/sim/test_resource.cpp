#include <string>

#include <copysim/sim/resource.hpp>

#include "support/catch.hpp"
#include "support/trace_log.hpp"

using namespace copysim;

namespace {

Task<> use(Simulation& sim, PriorityResource& resource, int priority, Duration d, std::string name,
           TraceLog& log) {
  auto held = co_await resource.acquire(priority);
  note(sim, log, std::move(name));
  co_await sim.delay(d);
}

}  // namespace

TEST_CASE("The lower priority number is served first, equal ones in the order of asking",
          "[sim][resource]") {
  Simulation sim;
  TraceLog log;
  PriorityResource resource{sim};
  sim.spawn(use(sim, resource, 9, 1ms, "first", log), "first");
  sim.spawn(use(sim, resource, 5, 1ms, "five", log), "five");
  sim.spawn(use(sim, resource, 7, 1ms, "seven", log), "seven");
  sim.spawn(use(sim, resource, 5, 1ms, "five too", log), "five too");
  sim.spawn(use(sim, resource, -1, 1ms, "minus one", log), "minus one");

  sim.run_until(SimTime{1s});

  CHECK(log ==
        TraceLog{
            {"first", 0ms}, {"minus one", 1ms}, {"five", 2ms}, {"five too", 3ms}, {"seven", 4ms}});
}

TEST_CASE("A resource knows how busy it was and how long tasks waited", "[sim][resource]") {
  Simulation sim;
  TraceLog log;
  PriorityResource resource{sim, 2};
  for (const char* name : {"a", "b", "c"}) {
    sim.spawn(use(sim, resource, 0, 4ms, name, log), name);
  }

  sim.run_until(SimTime{10ms});

  // Two servers are busy for 4 ms, then one for 4 ms: 12 server-ms of 2 x 10.
  CHECK(resource.utilisation() == Approx(0.6));
  CHECK(resource.busy_time() == 12ms);
  // One task waits for 4 ms of 10.
  CHECK(resource.mean_queue() == Approx(0.4));
  CHECK(resource.waits().count() == 3);
  CHECK(resource.waits().mean() == Approx(0.004 / 3));
  CHECK(resource.waits().greatest() == Approx(0.004));
}

TEST_CASE("Cancelled tasks leave the queue and free the servers that they had", "[sim][resource]") {
  Simulation sim;
  TraceLog log;
  PriorityResource resource{sim};
  TaskHandle holder = sim.spawn(use(sim, resource, 0, 1h, "holder", log), "holder");
  TaskHandle waiter = sim.spawn(use(sim, resource, 0, 1h, "waiter", log), "waiter");
  sim.spawn(use(sim, resource, 0, 1ms, "last", log), "last");
  sim.run_until(SimTime{1ms});
  CHECK(resource.waiting() == 2);

  waiter.cancel();
  CHECK(resource.waiting() == 1);
  holder.cancel();
  sim.run_until(SimTime{5ms});

  CHECK(log == TraceLog{{"holder", 0ms}, {"last", 1ms}});
  CHECK(resource.occupied() == 0);
}

TEST_CASE("A server granted to a task that is cancelled before it resumes goes to the next",
          "[sim][resource]") {
  Simulation sim;
  TraceLog log;
  PriorityResource resource{sim};
  TaskHandle holder = sim.spawn(use(sim, resource, 0, 1h, "holder", log), "holder");
  TaskHandle waiter = sim.spawn(use(sim, resource, 0, 1h, "waiter", log), "waiter");
  sim.spawn(use(sim, resource, 0, 1ms, "last", log), "last");
  sim.run_until(SimTime{1ms});

  holder.cancel();  // grants to the waiter
  waiter.cancel();
  sim.run_until(SimTime{5ms});

  CHECK(log == TraceLog{{"holder", 0ms}, {"last", 1ms}});
  CHECK(resource.waiting() == 0);
}

TEST_CASE("A resource without servers is refused", "[sim][resource]") {
  Simulation sim;

  CHECK_THROWS_AS(PriorityResource(sim, 0), SimulationError);
}
