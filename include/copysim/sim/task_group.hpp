#pragma once

#include <coroutine>
#include <exception>
#include <string_view>

#include <copysim/sim/simulation.hpp>
#include <copysim/sim/wait_list.hpp>

namespace copysim {

/// Tasks that run side by side and are joined in the scope that started them.
///
/// Children start at the time of `spawn`, behind what is already due. `join` waits until all have
/// ended. If one fails, the others are cancelled and `join` rethrows its exception.
///
/// A group must outlive its children: one that goes out of scope before `join` cancels them, and
/// the run ends with a `SimulationError`; unless the scope is left by an exception, or because its
/// own task is cancelled, which is how cancelling a task also ends its children.
class TaskGroup {
public:
  explicit TaskGroup(Simulation& simulation);
  TaskGroup(const TaskGroup&) = delete;
  TaskGroup& operator=(const TaskGroup&) = delete;
  ~TaskGroup();

  /// Starts a child. `name` shows in a `DeadlockError`.
  TaskHandle spawn(Task<> task, std::string_view name = {});

  class Join;
  /// Waits for all children, including those that are spawned meanwhile.
  [[nodiscard]] Join join();

  /// Cancels the children that still run. A child must not call it.
  void cancel();
  /// Cancels all children but the running task: for a child that makes the others superfluous.
  void cancel_others();

  [[nodiscard]] std::size_t size() const { return live_; }
  [[nodiscard]] Simulation& simulation() const { return joiners_.simulation(); }

private:
  friend class Simulation;
  void child_ended(detail::Process& child, std::exception_ptr error);
  void leave(detail::Process& child);

  WaitList joiners_;
  detail::SiblingList children_;
  std::size_t live_ = 0;
  TaskHandle owner_;  // the task that made the group
  std::exception_ptr error_;
  int uncaught_;  // exceptions in flight when the group was made
};

/// The awaitable of `TaskGroup::join`.
class [[nodiscard]] TaskGroup::Join {
public:
  explicit Join(TaskGroup& group) : group_{group} {}
  [[nodiscard]] bool await_ready() const noexcept { return group_.live_ == 0; }
  void await_suspend(std::coroutine_handle<> where) { group_.joiners_.suspend(where); }
  void await_resume();

private:
  TaskGroup& group_;
};

inline TaskGroup::Join TaskGroup::join() {
  return Join{*this};
}

}  // namespace copysim
