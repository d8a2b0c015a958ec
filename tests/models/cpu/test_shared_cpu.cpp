#include <string>
#include <utility>
#include <vector>

#include <copysim/models/cpu/shared_cpu.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/sim/task_group.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

using Log = std::vector<std::pair<std::string, Duration>>;

Task<> work(Simulation& sim, SharedCpu& cpu, std::string name, Duration amount, CpuWork kind,
            Log& log) {
  co_await cpu.run(amount, kind);
  log.emplace_back(std::move(name), sim.now() - SimTime{});
}

Task<> three_threads(Simulation& sim, SharedCpu& cpu, Log& log) {
  TaskGroup group{sim};
  group.spawn(work(sim, cpu, "a", 3ms, CpuWork::thread, log));
  group.spawn(work(sim, cpu, "b", 5ms, CpuWork::thread, log));
  group.spawn(work(sim, cpu, "c", 1ms, CpuWork::thread, log));
  co_await group.join();
}

Task<> thread_and_interrupts(Simulation& sim, SharedCpu& cpu, Log& log) {
  TaskGroup group{sim};
  group.spawn(work(sim, cpu, "running", 3ms, CpuWork::thread, log));
  group.spawn(work(sim, cpu, "thread", 1ms, CpuWork::thread, log));
  group.spawn(work(sim, cpu, "network", 1ms, CpuWork::network, log));
  group.spawn(work(sim, cpu, "storage", 1ms, CpuWork::storage, log));
  co_await group.join();
}

Task<> cancel_one_that_waits(Simulation& sim, SharedCpu& cpu, Log& log) {
  TaskGroup group{sim};
  group.spawn(work(sim, cpu, "running", 3ms, CpuWork::thread, log));
  TaskHandle waiting = group.spawn(work(sim, cpu, "cancelled", 5ms, CpuWork::thread, log));
  group.spawn(work(sim, cpu, "next", 1ms, CpuWork::thread, log));
  co_await sim.delay(1ms);
  waiting.cancel();
  co_await group.join();
}

Task<> nothing(SharedCpu& cpu) {
  co_await cpu.run(0ns, CpuWork::thread);
}

}  // namespace

TEST_CASE("SharedCpu with two cores serves a third thread when the first is done", "[cpu]") {
  Simulation sim;
  SharedCpu cpu{sim, "client", {.cores = 2}};
  Log log;

  sim.run(three_threads(sim, cpu, log));

  // a and b start at once, c follows a: 3 + 1 ms.
  CHECK(log == Log{{"a", 3ms}, {"c", 4ms}, {"b", 5ms}});
  CHECK(cpu.used(CpuWork::thread) == 9ms);
  CHECK(cpu.used(CpuWork::network) == 0ms);
}

TEST_CASE("SharedCpu stops a thread for deferred calls, which are served in order", "[cpu]") {
  Simulation sim;
  SharedCpu cpu{sim, "client", {.cores = 1}};
  Log log;

  sim.run(thread_and_interrupts(sim, cpu, log));

  // All come at 0: the calls take 1 ms each, and the thread that they stopped goes on after them.
  CHECK(log == Log{{"network", 1ms}, {"storage", 2ms}, {"running", 5ms}, {"thread", 6ms}});
  CHECK(cpu.used(CpuWork::storage) == 1ms);
}

TEST_CASE("SharedCpu of half the reference speed takes twice the time", "[cpu]") {
  Simulation sim;
  SharedCpu cpu{sim, "client", {.cores = 1, .speed = 0.5}};

  sim.run(cpu.run(3ms, CpuWork::thread));

  CHECK(sim.now() == SimTime{6ms});
  CHECK(cpu.used(CpuWork::thread) == 6ms);
}

TEST_CASE("SharedCpu gives the core on when a task that waits for it is cancelled", "[cpu]") {
  Simulation sim;
  SharedCpu cpu{sim, "client", {.cores = 1}};
  Log log;

  sim.run(cancel_one_that_waits(sim, cpu, log));

  CHECK(log == Log{{"running", 3ms}, {"next", 4ms}});
}

TEST_CASE("SharedCpu does nothing for work of zero, at the cost of no event", "[cpu]") {
  Simulation sim;
  SharedCpu cpu{sim, "client", {}};

  sim.run(nothing(cpu));

  CHECK(sim.events() == 1);  // the start of the task itself
}

TEST_CASE("SharedCpu refuses to have no core", "[cpu]") {
  Simulation sim;
  CHECK_THROWS_AS((SharedCpu{sim, "client", {.cores = 0}}), ConfigError);
  CHECK_THROWS_AS((SharedCpu{sim, "client", {.cores = 1, .speed = 0}}), ConfigError);
}
