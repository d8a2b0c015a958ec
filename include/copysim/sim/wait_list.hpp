#pragma once

#include <coroutine>
#include <string>
#include <string_view>

#include <copysim/sim/label.hpp>
#include <copysim/sim/process.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim {

/// The tasks that wait for one thing, in order: what every primitive is made of.
///
/// Waiting links the task itself into the list, so it allocates nothing. A woken task is resumed
/// through the calendar at the present time. A task that is cancelled or interrupted leaves by
/// itself. If the list dies first its tasks wait for ever.
///
/// An awaiter calls `suspend` in `await_suspend` and `resumed` in `await_resume`, and passes its
/// address so that the primitive can hand it what it waited for. An awaiter that can be handed
/// something needs a destructor that passes it on, if `resumed` did not come to its end.
class WaitList {
public:
  /// `kind` is a literal such as "semaphore"; it and `name` tell in a `DeadlockError` what a task
  /// waits for. `constraint` marks the paths of tasks that had to wait.
  explicit WaitList(Simulation& simulation, const char* kind, std::string_view name = {},
                    Constraint constraint = {})
      : simulation_{simulation}, kind_{kind}, name_{name}, constraint_{constraint} {}
  ~WaitList();
  WaitList(const WaitList&) = delete;
  WaitList& operator=(const WaitList&) = delete;

  [[nodiscard]] Simulation& simulation() const { return simulation_; }
  [[nodiscard]] bool empty() const { return tasks_.empty(); }
  [[nodiscard]] std::size_t size() const { return tasks_.size(); }
  [[nodiscard]] std::string describe() const;

  /// Puts the running task at the end of the list.
  void suspend(std::coroutine_handle<> where, void* waiter = nullptr) {
    tasks_.push_back(enter(where, waiter));
  }

  /// Puts the running task behind the last one whose waiter `goes_before` it.
  template <class Waiter, class GoesBefore>
  void suspend_ordered(std::coroutine_handle<> where, Waiter* waiter, GoesBefore goes_before) {
    detail::Process& process = enter(where, waiter);
    auto position = tasks_.end();
    while (position != tasks_.begin()) {
      auto before = std::prev(position);
      if (goes_before(*static_cast<Waiter*>(before->waiter), *waiter)) break;
      position = before;
    }
    tasks_.insert(position, process);
  }

  /// Ends the wait of the running task.
  /// \throws Interrupted if it was interrupted.
  void resumed() const { simulation_.end_wait(); }

  /// The waiter that is first in the list.
  template <class Waiter>
  [[nodiscard]] Waiter& front() const {
    return *static_cast<Waiter*>(tasks_.front().waiter);
  }

  /// Wakes the first task.
  void wake_front() { simulation_.wake(tasks_.front(), constraint_); }
  void wake_all() {
    while (!tasks_.empty()) wake_front();
  }

private:
  friend class Simulation;

  detail::Process& enter(std::coroutine_handle<> where, void* waiter) {
    detail::Process& process = simulation_.begin_wait(where);
    process.state = detail::Process::State::waiting;
    process.waits_in = this;
    process.waiter = waiter;
    if (constraint_.value != 0 && simulation_.records_paths()) [[unlikely]] {
      simulation_.begin_constrained(process);
    }
    return process;
  }

  Simulation& simulation_;
  const char* kind_;
  std::string name_;
  Constraint constraint_;
  detail::ProcessList tasks_;
};

}  // namespace copysim
