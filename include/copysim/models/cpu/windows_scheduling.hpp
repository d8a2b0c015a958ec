#pragma once

#include <copysim/models/cpu/scheduling_policy.hpp>

namespace copysim {

/// The thread priorities of Windows NT to 7: 32 levels, the highest ready one runs.
///
/// Levels 1 to 15 are the dynamic range, 16 to 31 the real-time range, 0 the zero page thread. A
/// ready thread preempts every thread of a lower level; equals take turns of a quantum. `boost`
/// raises a thread of the dynamic range above its base, at most to 15; each quantum that it uses up
/// takes one level back. Real-time threads are never boosted and never decay.
///
/// Source: Windows Internals 5e, chapter 5. Left out: the boost of starved threads after four
/// seconds, the longer quantum of the foreground process, ideal processors.
class WindowsScheduling final : public SchedulingPolicy {
public:
  static constexpr int least = 0;
  static constexpr int normal = 8;
  static constexpr int dynamic_top = 15;
  static constexpr int real_time = 16;
  static constexpr int greatest = 31;

  explicit WindowsScheduling(Duration quantum) : quantum_{quantum} {}

  /// Raises a thread by `levels` above its base, as the end of an I/O does (disk 1, network 2,
  /// sound 8).
  static void boost(ThreadState& thread, int levels);

  void admit(ThreadState& thread) override;
  void wake(ThreadState& thread, Duration slept) override;
  [[nodiscard]] int rank(const ThreadState& thread) const override { return thread.current; }
  [[nodiscard]] bool preempts(const ThreadState& ready, const ThreadState& running) const override {
    return ready.current > running.current;
  }
  void quantum_over(ThreadState& thread) override;

private:
  Duration quantum_;
};

}  // namespace copysim
