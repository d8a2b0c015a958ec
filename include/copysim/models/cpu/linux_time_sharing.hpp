#pragma once

#include <cstdint>

#include <copysim/models/cpu/scheduling_policy.hpp>

namespace copysim {

/// The time sharing of Linux 2.4: an epoch in which each process has a number of clock ticks to
/// spend; when all that are ready have spent theirs, the next epoch gives them new ones.
///
/// The ready process with the most goodness runs: its ticks left, plus 20, less its nice value;
/// none if it has spent them. A process that becomes ready takes the processor if it has more
/// goodness than the running one. At the start of an epoch each process has half of what it has
/// left, and `NICE_TO_TICKS` = (20 - nice) / 4 + 1 ticks (HZ = 100), so one that sleeps collects up
/// to twice as many and goes before those that compute. A new process takes half of its
/// parent's ticks, and what it has left at its end goes back, so a family that starts many
/// processes, as make does, also spends what its sleeping members have collected. A system call is
/// not preempted by processes: this kernel gives a processor away only on return to user mode.
///
/// Source: Linux 2.4 kernel/sched.c (`goodness`, `schedule`, `reschedule_idle`) and kernel/fork.c,
/// recalled. The scan of the whole run queue, O(n), costs nothing here. Left out: real-time
/// classes, the penalty for changing the processor, the point for sharing memory.
class LinuxTimeSharing final : public SchedulingPolicy {
public:
  struct Config {
    Duration tick = 10ms;  ///< HZ = 100 on the PCs of 2001
  };
  /// The priority that stands for nice 0; each level more is one nice less.
  static constexpr int normal = 8;

  explicit LinuxTimeSharing(Config config) : config_{config} {}

  void admit(ThreadState& thread) override;
  void admit_call(ThreadState& thread) override;
  void forked(ThreadState& parent, ThreadState& child) override;
  void exited(const ThreadState& child, ThreadState& parent) override;
  void wake(ThreadState& thread, Duration slept) override;
  [[nodiscard]] int rank(const ThreadState& thread) const override;
  [[nodiscard]] bool preempts(const ThreadState& ready, const ThreadState& running) const override {
    return rank(ready) > rank(running);
  }
  void quantum_over(ThreadState& thread) override;

  /// Ticks that an epoch gives a process of this priority: 6 at nice 0.
  [[nodiscard]] static int ticks(int priority);
  /// The most that a parent gets together from its children (MAX_COUNTER).
  static constexpr int most_ticks = 20;

private:
  [[nodiscard]] Duration given(const ThreadState& thread) const;
  /// Gives a sleeper what it has collected up to `epoch`.
  void catch_up(ThreadState& thread, std::int64_t epoch) const;

  Config config_;
  std::int64_t epoch_ = 0;
};

}  // namespace copysim
