#pragma once

#include <cstdint>

#include <copysim/error.hpp>

namespace copysim {

class Simulation;
class TaskGroup;

/// Thrown at the wait of a task that another one interrupted; see `TaskHandle::interrupt`.
class Interrupted : public SimulationError {
public:
  Interrupted() : SimulationError{"the wait was interrupted"} {}
};

/// Refers to a task that was started, to end it early. Valid as long as its simulation, also after
/// the task has ended; then nothing happens.
class TaskHandle {
public:
  TaskHandle() = default;

  /// Whether the task has been started and has not ended.
  [[nodiscard]] bool alive() const;

  /// Ends the task where it stands: its locals are destroyed, with those of all that it awaits; its
  /// groups end their children. It leaves the queue that it waits in, and gives back what it was
  /// granted but has not received. A task that cancels itself, or one that waits for it, ends when
  /// it waits next.
  void cancel();

  /// Makes the wait of the task throw `Interrupted`. Its wait then has no effect: it leaves the
  /// queue, and gives back what it was granted but has not received. A task that has not started
  /// or that runs throws at its next wait, at once.
  void interrupt();

private:
  friend class Simulation;
  friend class TaskGroup;
  TaskHandle(Simulation& simulation, std::uint32_t slot, std::uint64_t serial)
      : simulation_{&simulation}, slot_{slot}, serial_{serial} {}

  Simulation* simulation_ = nullptr;
  std::uint32_t slot_ = 0;
  std::uint64_t serial_ = 0;
};

}  // namespace copysim
