#pragma once

#include <coroutine>
#include <cstdint>
#include <string_view>
#include <utility>

#include <copysim/sim/statistics.hpp>
#include <copysim/sim/wait_list.hpp>

namespace copysim {

/// A number of equal servers that tasks occupy one at a time, with priorities.
///
/// The lower number goes first; equal numbers are first come first served. Nobody is preempted. A
/// server that becomes free goes to the first that waits inside `release`, who resumes at the
/// present time, behind what is already due.
///
/// utilisation = (mean number of occupied servers) / capacity.
class PriorityResource {
public:
  /// \throws SimulationError if `capacity` is not positive.
  PriorityResource(Simulation& simulation, std::int64_t capacity = 1, std::string_view name = {},
                   Constraint constraint = {});

  class Acquire;
  class Occupancy;

  /// Occupies a server: `auto held = co_await resource.acquire(priority);` with `held` a local, at
  /// whose end of scope the server is free again.
  [[nodiscard]] Acquire acquire(int priority = 0);

  [[nodiscard]] std::int64_t capacity() const { return capacity_; }
  [[nodiscard]] std::int64_t occupied() const { return occupied_.value(); }
  /// The number of tasks that wait.
  [[nodiscard]] std::int64_t waiting() const { return queue_.value(); }

  /// Statistics since the start or the last `restart_statistics`.
  [[nodiscard]] double utilisation() const;
  [[nodiscard]] double mean_queue() const;
  /// Time from asking to getting a server, in seconds; of all who got one.
  [[nodiscard]] const Tally& waits() const { return waits_; }
  [[nodiscard]] Duration busy_time() const;
  void restart_statistics();

private:
  void release();
  void hand_out();

  WaitList waiters_;
  std::int64_t capacity_;
  TimeWeighted occupied_;
  TimeWeighted queue_;
  Tally waits_;
};

/// A server that a task occupies, until the end of the scope.
class [[nodiscard]] PriorityResource::Occupancy {
public:
  Occupancy() = default;
  explicit Occupancy(PriorityResource& resource)
      : resource_{&resource}, simulation_{&resource.waiters_.simulation()} {}
  Occupancy(Occupancy&& other) noexcept
      : resource_{std::exchange(other.resource_, nullptr)}, simulation_{other.simulation_} {}
  Occupancy& operator=(Occupancy&& other) noexcept {
    if (this != &other) {
      release();
      resource_ = std::exchange(other.resource_, nullptr);
      simulation_ = other.simulation_;
    }
    return *this;
  }
  ~Occupancy() { release(); }

  /// Frees the server before the end of the scope.
  void release() {
    if (resource_ == nullptr || simulation_->closing()) return;
    std::exchange(resource_, nullptr)->release();
  }

private:
  PriorityResource* resource_ = nullptr;
  Simulation* simulation_ = nullptr;
};

/// The awaitable of `PriorityResource::acquire`; yields an `Occupancy`.
class [[nodiscard]] PriorityResource::Acquire {
public:
  Acquire(PriorityResource& resource, int priority);
  Acquire(const Acquire&) = delete;
  Acquire& operator=(const Acquire&) = delete;
  ~Acquire();

  [[nodiscard]] bool await_ready();
  void await_suspend(std::coroutine_handle<> where);
  Occupancy await_resume();

private:
  friend class PriorityResource;
  enum class State : std::uint8_t { idle, waiting, granted };

  PriorityResource& resource_;
  Simulation& simulation_;
  SimTime asked_;
  int priority_;
  State state_ = State::idle;
};

}  // namespace copysim
