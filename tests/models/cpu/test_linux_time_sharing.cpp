#include <copysim/models/cpu/cpu_thread.hpp>
#include <copysim/models/cpu/linux_time_sharing.hpp>
#include <copysim/models/cpu/shared_cpu.hpp>
#include <copysim/sim/task_group.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

constexpr int nice_0 = LinuxTimeSharing::normal;

ThreadState process(LinuxTimeSharing& linux_24, int priority = nice_0) {
  ThreadState state{.name = "process", .priority = priority};
  linux_24.admit(state);
  return state;
}

/// A process computes for `work` and notes when it has done.
Task<> compute(Simulation& sim, CpuThread& thread, Duration work, SimTime& end) {
  co_await thread.run(work);
  end = sim.now();
}

/// Sleeps for `sleep`, then computes for `work`, again and again; notes the longest wait.
Task<> play(Simulation& sim, CpuThread& thread, Duration sleep, Duration work, int times,
            Duration& longest) {
  for (int i = 0; i < times; ++i) {
    co_await sim.delay(sleep);
    const SimTime ready = sim.now();
    co_await thread.run(work);
    longest = std::max(longest, sim.now() - ready - work);
  }
}

Task<> side_by_side(Simulation& sim, std::vector<Task<>> tasks) {
  TaskGroup group{sim};
  for (Task<>& task : tasks) group.spawn(std::move(task));
  co_await group.join();
}

}  // namespace

TEST_CASE("an epoch of Linux 2.4 gives 6 ticks at nice 0, 11 at -20 and 1 at 19", "[cpu][linux]") {
  // NICE_TO_TICKS with HZ = 100: (20 - nice) / 4 + 1, in whole numbers.
  CHECK(LinuxTimeSharing::ticks(nice_0) == 6);
  CHECK(LinuxTimeSharing::ticks(nice_0 + 20) == 11);
  CHECK(LinuxTimeSharing::ticks(nice_0 - 19) == 1);
}

TEST_CASE("the process with the most ticks left goes first, and one without after all others",
          "[cpu][linux]") {
  LinuxTimeSharing linux_24{{}};
  ThreadState fresh = process(linux_24);
  ThreadState used = process(linux_24);
  used.quantum_left = 20ms;
  // goodness: ticks left + 20 - nice.
  CHECK(linux_24.rank(fresh) == 26);
  CHECK(linux_24.rank(used) == 22);
  CHECK(linux_24.preempts(fresh, used));
  CHECK_FALSE(linux_24.preempts(used, fresh));

  linux_24.quantum_over(fresh);
  CHECK(linux_24.preempts(used, fresh));
}

TEST_CASE("a sleeper collects up to twice the ticks of an epoch", "[cpu][linux]") {
  LinuxTimeSharing linux_24{{}};
  ThreadState busy = process(linux_24);
  ThreadState sleeper = process(linux_24);
  // The only one that computes uses up one epoch after the other.
  linux_24.quantum_over(busy);  // of the first; the second epoch begins when it runs again
  linux_24.quantum_over(busy);
  linux_24.wake(sleeper, 1s);
  // 60 ms / 2 + 60 ms.
  CHECK(sleeper.quantum_left == 90ms);
  CHECK(linux_24.preempts(sleeper, busy));

  for (int i = 0; i < 40; ++i) linux_24.quantum_over(busy);
  linux_24.wake(sleeper, 1s);
  // 60 ms x (1 + 1/2 + 1/4 + ...) = 120 ms less what 16 halvings leave.
  CHECK(sleeper.quantum_left > 119ms);
  CHECK(sleeper.quantum_left <= 120ms);
}

TEST_CASE("a child takes half of its parent's ticks and gives back what it leaves",
          "[cpu][linux]") {
  LinuxTimeSharing linux_24{{}};
  ThreadState parent = process(linux_24);
  ThreadState child = process(linux_24);
  linux_24.forked(parent, child);
  CHECK(child.quantum_left == 30ms);
  CHECK(parent.quantum_left == 30ms);

  child.quantum_left = 10ms;
  linux_24.exited(child, parent);
  CHECK(parent.quantum_left == 40ms);

  // A child that has used up its ticks has nothing to give until the next epoch begins.
  ThreadState other = process(linux_24);
  linux_24.forked(parent, other);
  linux_24.quantum_over(other);
  linux_24.exited(other, parent);
  CHECK(parent.quantum_left == 20ms);
}

TEST_CASE("a system call is not held up by processes", "[cpu][linux]") {
  LinuxTimeSharing linux_24{{}};
  const ThreadState fresh = process(linux_24);
  ThreadState call = process(linux_24);
  linux_24.admit_call(call);
  CHECK(linux_24.preempts(call, fresh));
  CHECK_FALSE(linux_24.preempts(fresh, call));
}

TEST_CASE("processes share a processor of Linux 2.4 by their nice values", "[cpu][linux]") {
  Simulation sim;
  SharedCpu cpu{sim, "machine", {.cores = 1, .speed = 1.0}, {.rule = SchedulingRule::time_sharing}};
  CpuThread normal{cpu, {.priority = nice_0}};
  CpuThread nice{cpu, {.priority = nice_0 - 19}};
  SimTime first;
  SimTime second;

  std::vector<Task<>> both;
  both.push_back(compute(sim, normal, 6s, first));
  both.push_back(compute(sim, nice, 6s, second));
  sim.run(side_by_side(sim, std::move(both)));

  // 60 ms against 10 ms in each epoch of 70 ms: 6 s are 100 epochs, in the last of which the normal
  // one, with more goodness, is done before the nice one has its turn.
  CHECK(first == SimTime{} + 100 * 70ms - 10ms);
  CHECK(second == SimTime{} + 12s);
}

TEST_CASE("a player that sleeps most of the time need not wait for processes that compute",
          "[cpu][linux]") {
  Simulation sim;
  SharedCpu cpu{sim, "machine", {.cores = 1, .speed = 1.0}, {.rule = SchedulingRule::time_sharing}};
  CpuThread player{cpu, {}};
  CpuThread one{cpu, {}};
  CpuThread other{cpu, {}};
  SimTime ends;
  Duration longest{};

  std::vector<Task<>> all;
  all.push_back(compute(sim, one, 2s, ends));
  all.push_back(compute(sim, other, 2s, ends));
  all.push_back(play(sim, player, 100ms, 2ms, 30, longest));
  sim.run(side_by_side(sim, std::move(all)));

  // It wakes at 100 ms, when each of the others has had 40 to 60 ms of its 60 ms, with 6 ticks left
  // itself, and with more after each epoch: it always has more goodness.
  CHECK(longest == 0ns);
}
