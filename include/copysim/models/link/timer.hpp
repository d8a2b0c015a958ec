#pragma once

#include <functional>
#include <optional>
#include <string>

#include <copysim/sim/simulation.hpp>

namespace copysim {

/// Calls a function at an instant that moves: the retransmission and delayed-ACK timers of TCP.
///
/// Moving it later costs nothing; the one calendar entry looks at the clock again when it comes up.
class Timer {
public:
  /// `expired` is called by the timer's own task and must not wait.
  Timer(Simulation& simulation, std::string name, std::function<void()> expired);
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  /// Sets it to `at`, or stops it.
  void set(std::optional<SimTime> at);

private:
  Task<> watch();

  Simulation& simulation_;
  std::string name_;
  std::function<void()> expired_;
  std::optional<SimTime> due_;
  SimTime sleeps_until_ = SimTime::max();  // of the task, which may look too late
  TaskHandle task_;
};

}  // namespace copysim
