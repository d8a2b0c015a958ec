#pragma once

#include <optional>
#include <string>

#include <copysim/models/cpu/scheduling_policy.hpp>
#include <copysim/sim/task.hpp>
#include <copysim/units.hpp>

namespace copysim {

class SharedCpu;

/// A thread with a name and a priority on the processors of a machine.
///
/// It has one piece of work at a time: `run` must have ended before the next. Between two pieces it
/// sleeps. Its priority may change at any time and takes effect at once. It must outlive its work;
/// the processor must outlive it.
class CpuThread {
public:
  struct Config {
    std::string name = "thread";
    int priority = 8;                         ///< on the scale of the system's scheduling policy
    std::optional<int> core = std::nullopt;   ///< hard affinity: the only core that it may use
    std::optional<int> ideal = std::nullopt;  ///< the core that it takes if that is idle
  };

  /// \throws ConfigError if a core does not exist.
  CpuThread(SharedCpu& cpu, Config config);
  CpuThread(const CpuThread&) = delete;
  CpuThread& operator=(const CpuThread&) = delete;
  ~CpuThread() = default;

  /// Executes `work`, given as time on the reference core; ends when it is done.
  [[nodiscard]] Task<> run(Duration work);
  /// Makes this new thread a child process of `parent`; at its end `hand_back` tells the scheduler.
  void fork_from(CpuThread& parent);
  void hand_back(CpuThread& parent) const;
  /// Moves the thread to another base priority; without a boost.
  void set_priority(int priority);
  [[nodiscard]] const ThreadState& state() const { return state_; }

private:
  friend class SharedCpu;
  SharedCpu* cpu_;
  ThreadState state_;
  std::optional<int> core_;
  std::optional<int> ideal_;
  SimTime asleep_since_;
};

}  // namespace copysim
