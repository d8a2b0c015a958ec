#pragma once

#include <cstdint>
#include <string>

#include <copysim/units.hpp>

namespace copysim {

/// What an operating system knows of a thread when it decides who runs.
///
/// `priority` is in the system's own scale; `current` is what the policy makes of it at the moment
/// (boosts, decay). `counter` and `epoch` belong to policies that count ticks, such as that of
/// Linux 2.4; others leave them alone.
struct ThreadState {
  std::string name;
  int priority = 8;         ///< base priority, or minus the nice value
  int current = 8;          ///< what decides now
  Duration quantum_left{};  ///< of the slice that the thread has; it survives preemption
  int counter = 0;
  std::int64_t epoch = 0;
};

/// How an operating system shares its processors among threads: one strategy per system family.
///
/// Contract: the processor asks `rank` of the ready threads whenever a core is free and gives it to
/// the highest, first come first served among equals. A thread that becomes ready takes a core from
/// a running one if it `preempts` it; the loser goes to the head of its equals and keeps the rest
/// of its quantum. When a quantum is used up the processor calls `quantum_over`, which gives a new
/// one, and lets the thread go behind its equals. The policy may change the states it is shown and
/// nothing else; it must not keep references to them.
class SchedulingPolicy {
public:
  virtual ~SchedulingPolicy() = default;
  /// A thread exists: sets `current` and the first quantum.
  virtual void admit(ThreadState& thread) = 0;
  /// The thread only stands for a system call of a program, or for a daemon of the system: called
  /// once after `admit`. Most systems make no difference.
  virtual void admit_call(ThreadState& /*thread*/) {}
  /// `child` was admitted as a new process of `parent`, which goes on or sleeps.
  virtual void forked(ThreadState& /*parent*/, ThreadState& /*child*/) {}
  /// `child` ended while `parent` waited for it.
  virtual void exited(const ThreadState& /*child*/, ThreadState& /*parent*/) {}
  /// A thread has work after it slept for `slept`.
  virtual void wake(ThreadState& thread, Duration slept) = 0;
  /// Higher goes first.
  [[nodiscard]] virtual int rank(const ThreadState& thread) const = 0;
  /// Whether a thread that becomes ready takes the core of a running one at once.
  [[nodiscard]] virtual bool preempts(const ThreadState& ready,
                                      const ThreadState& running) const = 0;
  virtual void quantum_over(ThreadState& thread) = 0;
};

}  // namespace copysim
