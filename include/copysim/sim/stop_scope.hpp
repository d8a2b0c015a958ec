#pragma once

#include <stdexcept>
#include <stop_token>

namespace copysim {

/// Thrown by a simulation that was asked to stop before its main task had ended.
class Stopped : public std::runtime_error {
public:
  Stopped() : std::runtime_error{"the simulation was stopped"} {}
};

/// Lets whoever runs simulations give up a long one from another thread.
///
/// While it lives, `Simulation::run` and `run_until` on this thread throw `Stopped` within a
/// thousand events after `stop` was asked to stop. It is no part of a simulation, which stays a
/// pure function of its tasks and its seed: what is not stopped is not changed. Scopes nest; the
/// innermost counts.
class StopScope {
public:
  explicit StopScope(std::stop_token stop);
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;
  ~StopScope();

  /// Whether the innermost scope of this thread, if any, was asked to stop.
  [[nodiscard]] static bool stop_requested();

private:
  std::stop_token stop_;
  const std::stop_token* outer_;
};

}  // namespace copysim
