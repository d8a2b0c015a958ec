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

Task<> thread_work(Simulation& sim, CpuThread& thread, Duration from, Duration amount, Log& log) {
  co_await sim.delay(from);
  co_await thread.run(amount);
  log.emplace_back(thread.state().name, sim.now() - SimTime{});
}

Task<> core_work(Simulation& sim, SharedCpu& cpu, int core, CpuLevel level, Duration from,
                 Duration amount, Log& log) {
  co_await sim.delay(from);
  co_await cpu.run_on(core, level, amount, CpuWork::network);
  log.emplace_back(level == CpuLevel::interrupt ? "interrupt" : "call", sim.now() - SimTime{});
}

Task<> all_levels(Simulation& sim, SharedCpu& cpu, CpuThread& thread, Log& log) {
  TaskGroup group{sim};
  group.spawn(thread_work(sim, thread, 0ms, 10ms, log));
  group.spawn(core_work(sim, cpu, 0, CpuLevel::deferred_call, 2ms, 4ms, log));
  group.spawn(core_work(sim, cpu, 0, CpuLevel::interrupt, 3ms, 1ms, log));
  co_await group.join();
}

Task<> two_threads(Simulation& sim, CpuThread& a, Duration a_from, CpuThread& b, Duration b_from,
                   Duration amount, Log& log) {
  TaskGroup group{sim};
  group.spawn(thread_work(sim, a, a_from, amount, log));
  group.spawn(thread_work(sim, b, b_from, amount, log));
  co_await group.join();
}

Task<> unbound_call(Simulation& sim, SharedCpu& cpu, Duration amount, Log& log) {
  co_await cpu.run(amount, CpuWork::storage);
  log.emplace_back("call", sim.now() - SimTime{});
}

Task<> calls(Simulation& sim, SharedCpu& cpu, Log& log) {
  TaskGroup group{sim};
  for (int i = 0; i < 3; ++i) {
    group.spawn(unbound_call(sim, cpu, 1ms, log));
    co_await sim.delay(1us);
  }
  co_await group.join();
}

Task<> raised(Simulation& sim, CpuThread& a, CpuThread& b, Log& log) {
  TaskGroup group{sim};
  group.spawn(thread_work(sim, a, 0ms, 4ms, log));
  group.spawn(thread_work(sim, b, 1ms, 4ms, log));
  co_await sim.delay(2ms);
  b.set_priority(26);
  co_await sim.delay(1ms);
  b.set_priority(4);
  co_await group.join();
}

Task<> cancelled(Simulation& sim, SharedCpu& cpu, CpuThread& thread, Log& log) {
  TaskGroup group{sim};
  TaskHandle low = group.spawn(thread_work(sim, thread, 0ms, 10ms, log));
  group.spawn(core_work(sim, cpu, 0, CpuLevel::deferred_call, 1ms, 2ms, log));
  co_await sim.delay(2ms);
  low.cancel();
  co_await group.join();
  co_await cpu.run(1ms, CpuWork::thread);
  log.emplace_back("next", sim.now() - SimTime{});
}

Task<> one_run(CpuThread& thread, Duration work) {
  co_await thread.run(work);
}

}  // namespace

TEST_CASE("SharedCpu lets an interrupt stop a deferred call, and that a thread", "[cpu]") {
  Simulation sim;
  SharedCpu cpu{sim, "client", {.cores = 1}};
  CpuThread thread{cpu, {.name = "thread", .priority = 31}};
  Log log;

  sim.run(all_levels(sim, cpu, thread, log));

  // The interrupt takes 3..4, the call 2..3 and 4..7, the thread 0..2 and 7..15.
  CHECK(log == Log{{"interrupt", 4ms}, {"call", 7ms}, {"thread", 15ms}});
  CHECK(cpu.used(0, CpuLevel::interrupt) == 1ms);
  CHECK(cpu.used(0, CpuLevel::deferred_call) == 4ms);
  CHECK(cpu.used(0, CpuLevel::thread) == 10ms);
  CHECK(cpu.used(CpuWork::network) == 5ms);
}

TEST_CASE("SharedCpu gives the core to a higher thread at once", "[cpu]") {
  Simulation sim;
  SharedCpu cpu{sim, "client", {.cores = 1}};
  CpuThread low{cpu, {.name = "low", .priority = 8}};
  CpuThread high{cpu, {.name = "high", .priority = 9}};
  Log log;

  sim.run(two_threads(sim, low, 0ms, high, 2ms, 5ms, log));

  CHECK(log == Log{{"high", 7ms}, {"low", 10ms}});
}

TEST_CASE("SharedCpu lets equal threads take turns of a quantum", "[cpu]") {
  Simulation sim;
  SharedCpu cpu{sim, "client", {.cores = 1}, {.quantum = 2ms}};
  CpuThread a{cpu, {.name = "a"}};
  CpuThread b{cpu, {.name = "b"}};
  Log log;

  sim.run(two_threads(sim, a, 0ms, b, 0ms, 5ms, log));

  // a 0..2, b 2..4, a 4..6, b 6..8, a 8..9, b 9..10.
  CHECK(log == Log{{"a", 9ms}, {"b", 10ms}});
}

TEST_CASE("SharedCpu takes no core from an equal thread before its quantum is over", "[cpu]") {
  Simulation sim;
  SharedCpu cpu{sim, "client", {.cores = 1}, {.quantum = 20ms}};
  CpuThread a{cpu, {.name = "a"}};
  CpuThread b{cpu, {.name = "b"}};
  Log log;

  sim.run(two_threads(sim, a, 0ms, b, 1ms, 5ms, log));

  CHECK(log == Log{{"a", 5ms}, {"b", 10ms}});
}

TEST_CASE("SharedCpu keeps a thread on the one core that it may use", "[cpu]") {
  Simulation sim;
  SharedCpu cpu{sim, "client", {.cores = 2}};
  CpuThread a{cpu, {.name = "a", .core = 1}};
  CpuThread b{cpu, {.name = "b", .core = 1}};
  Log log;

  sim.run(two_threads(sim, a, 0ms, b, 0ms, 5ms, log));

  CHECK(log == Log{{"a", 5ms}, {"b", 10ms}});
  CHECK(cpu.used(0, CpuLevel::thread) == 0ms);
  CHECK(cpu.used(1, CpuLevel::thread) == 10ms);
}

TEST_CASE("SharedCpu puts all deferred calls on the first core if the system does so", "[cpu]") {
  Simulation sim;
  SharedCpu cpu{sim, "server", {.cores = 4}, {.interrupts = InterruptPlacement::first_core}};
  Log log;

  sim.run(calls(sim, cpu, log));

  CHECK(log == Log{{"call", 1ms}, {"call", 2ms}, {"call", 3ms}});
  CHECK(cpu.used(0, CpuLevel::deferred_call) == 3ms);
}

TEST_CASE("SharedCpu spreads deferred calls over idle cores", "[cpu]") {
  Simulation sim;
  SharedCpu cpu{sim, "server", {.cores = 4}, {.interrupts = InterruptPlacement::all_cores}};
  Log log;

  sim.run(calls(sim, cpu, log));

  // Each starts a microsecond after the one before, on a core of its own.
  CHECK(log == Log{{"call", 1ms}, {"call", 1001us}, {"call", 1002us}});
  CHECK(cpu.used(2, CpuLevel::deferred_call) == 1ms);
}

TEST_CASE("SharedCpu keeps the order of deferred calls that wait for a core", "[cpu]") {
  Simulation sim;
  SharedCpu cpu{sim, "server", {.cores = 2}};
  Log log;

  sim.run(calls(sim, cpu, log));

  // The third waits for the first core that is free: 1 ms and 1 ms.
  CHECK(log == Log{{"call", 1ms}, {"call", 1001us}, {"call", 2ms}});
}

TEST_CASE("CpuThread moves before and behind others when its priority changes", "[cpu]") {
  Simulation sim;
  SharedCpu cpu{sim, "client", {.cores = 1}};
  CpuThread a{cpu, {.name = "a"}};
  CpuThread b{cpu, {.name = "b"}};
  Log log;

  sim.run(raised(sim, a, b, log));

  // a 0..2, b 2..3 while it is high, a 3..5, b 5..8.
  CHECK(log == Log{{"a", 5ms}, {"b", 8ms}});
}

TEST_CASE("SharedCpu forgets a thread that is cancelled while an interrupt holds it up", "[cpu]") {
  Simulation sim;
  SharedCpu cpu{sim, "client", {.cores = 1}};
  CpuThread thread{cpu, {.name = "gone"}};
  Log log;

  sim.run(cancelled(sim, cpu, thread, log));

  CHECK(log == Log{{"call", 3ms}, {"next", 4ms}});
}

TEST_CASE("SharedCpu charges a thread's time to its work, and the rest to being preempted",
          "[cpu]") {
  Simulation sim{{.record_paths = true}};
  SharedCpu cpu{sim, "client", {.cores = 1}, {.quantum = 3ms}};
  CpuThread thread{cpu, {.name = "thread"}};

  sim.run(one_run(thread, 10ms));

  // Four quanta, and nobody to give way to.
  CHECK(sim.now() == SimTime{10ms});
  CHECK(sim.path() == std::vector<PathRow>{{"client.cpu", "threads", "", 10ms}});
}

TEST_CASE("CpuThread refuses a core that does not exist", "[cpu]") {
  Simulation sim;
  SharedCpu cpu{sim, "client", {.cores = 2}};
  CHECK_THROWS_AS((CpuThread{cpu, {.core = 2}}), ConfigError);
  CHECK_THROWS_AS(sim.run(cpu.run_on(2, CpuLevel::interrupt, 1ms, CpuWork::network)),
                  SimulationError);
  CHECK_THROWS_AS(sim.run(cpu.run_on(0, CpuLevel::thread, 1ms, CpuWork::network)), SimulationError);
}
