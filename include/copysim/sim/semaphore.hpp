#pragma once

#include <coroutine>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <copysim/sim/wait_list.hpp>

namespace copysim {

/// A stock of equal units, such as credits or buffers, that tasks take and give back.
///
/// Strictly first come first served: a task that asks for many units holds up those behind it, and
/// nobody overtakes a task that waits. Units are handed over inside `release`; the task that gets
/// them resumes at the present time, behind what is already due. Units may be released that nobody
/// acquired (a server grants more credits).
class Semaphore {
public:
  /// `name` shows in a `DeadlockError`; `constraint` marks the paths of tasks that had to wait.
  /// \throws SimulationError if `units` is negative.
  Semaphore(Simulation& simulation, std::int64_t units, Constraint constraint = {},
            std::string_view name = {})
      : waiters_{simulation, "semaphore", name, constraint}, available_{units} {
    if (units < 0) throw_bad_units(units);
  }

  class Acquire;
  class Scoped;
  class Permit;

  /// Takes `n` units, waiting until it is this task's turn and they are there.
  /// \throws SimulationError if `n` is not positive.
  [[nodiscard]] Acquire acquire(std::int64_t n = 1);
  /// Like `acquire`, and yields a `Permit` that gives the units back.
  [[nodiscard]] Scoped scoped(std::int64_t n = 1);
  /// Takes `n` units if that is possible at once.
  [[nodiscard]] bool try_acquire(std::int64_t n = 1);
  /// Gives `n` units back.
  /// \throws SimulationError if `n` is not positive.
  void release(std::int64_t n = 1) {
    if (n <= 0) throw_bad_units(n);
    give_back(n);
  }

  [[nodiscard]] std::int64_t available() const { return available_; }
  /// The number of tasks that wait.
  [[nodiscard]] std::size_t waiting() const { return waiters_.size(); }

private:
  void give_back(std::int64_t n) {
    available_ += n;
    hand_out();
  }
  void hand_out();
  [[noreturn]] static void throw_bad_units(std::int64_t n) {
    throw SimulationError{"a semaphore takes and gives at least one unit, got " +
                          std::to_string(n)};
  }

  WaitList waiters_;
  std::int64_t available_;
};

/// The awaitable of `Semaphore::acquire`.
class [[nodiscard]] Semaphore::Acquire {
public:
  Acquire(Semaphore& semaphore, std::int64_t n)
      : semaphore_{semaphore}, simulation_{semaphore.waiters_.simulation()}, n_{n} {
    if (n <= 0) throw_bad_units(n);
  }
  Acquire(const Acquire&) = delete;
  Acquire& operator=(const Acquire&) = delete;
  // The task was cancelled or interrupted: units go back, and those behind get their turn.
  ~Acquire() {
    if (state_ == State::idle || simulation_.closing()) return;
    if (state_ == State::granted) semaphore_.available_ += n_;
    semaphore_.hand_out();
  }

  [[nodiscard]] bool await_ready() { return semaphore_.try_acquire(n_); }
  void await_suspend(std::coroutine_handle<> where) {
    semaphore_.waiters_.suspend(where, this);
    state_ = State::waiting;
  }
  void await_resume() {
    if (state_ == State::idle) return;
    semaphore_.waiters_.resumed();
    state_ = State::idle;
  }

private:
  friend class Semaphore;
  enum class State : std::uint8_t { idle, waiting, granted };

  Semaphore& semaphore_;
  Simulation& simulation_;
  std::int64_t n_;
  State state_ = State::idle;
};

/// Units that a task holds; gives them back at the end of its scope. Make it a local of the
/// coroutine, never a parameter: parameters live until the frame dies.
class [[nodiscard]] Semaphore::Permit {
public:
  Permit() = default;
  Permit(Semaphore& semaphore, std::int64_t n)
      : semaphore_{&semaphore}, simulation_{&semaphore.waiters_.simulation()}, n_{n} {}
  Permit(Permit&& other) noexcept
      : semaphore_{std::exchange(other.semaphore_, nullptr)},
        simulation_{other.simulation_},
        n_{other.n_} {}
  Permit& operator=(Permit&& other) noexcept {
    if (this != &other) {
      release();
      semaphore_ = std::exchange(other.semaphore_, nullptr);
      simulation_ = other.simulation_;
      n_ = other.n_;
    }
    return *this;
  }
  ~Permit() { release(); }

  /// Gives the units back before the end of the scope.
  void release() {
    if (semaphore_ == nullptr || simulation_->closing()) return;
    std::exchange(semaphore_, nullptr)->give_back(n_);
  }

private:
  Semaphore* semaphore_ = nullptr;
  Simulation* simulation_ = nullptr;
  std::int64_t n_ = 0;
};

/// The awaitable of `Semaphore::scoped`.
class [[nodiscard]] Semaphore::Scoped {
public:
  Scoped(Semaphore& semaphore, std::int64_t n)
      : semaphore_{semaphore}, n_{n}, acquire_{semaphore, n} {}
  [[nodiscard]] bool await_ready() { return acquire_.await_ready(); }
  void await_suspend(std::coroutine_handle<> where) { acquire_.await_suspend(where); }
  Permit await_resume() {
    acquire_.await_resume();
    return Permit{semaphore_, n_};
  }

private:
  Semaphore& semaphore_;
  std::int64_t n_;
  Acquire acquire_;
};

inline Semaphore::Acquire Semaphore::acquire(std::int64_t n) {
  return Acquire{*this, n};
}
inline Semaphore::Scoped Semaphore::scoped(std::int64_t n) {
  return Scoped{*this, n};
}

inline bool Semaphore::try_acquire(std::int64_t n) {
  if (!waiters_.empty() || available_ < n) return false;
  available_ -= n;
  return true;
}

inline void Semaphore::hand_out() {
  while (!waiters_.empty()) {
    auto& first = waiters_.front<Acquire>();
    if (first.n_ > available_) return;
    available_ -= first.n_;
    first.state_ = Acquire::State::granted;
    waiters_.wake_front();
  }
}

}  // namespace copysim
