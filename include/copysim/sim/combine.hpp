#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include <copysim/sim/signal.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/sim/task_group.hpp>

namespace copysim {

/// Which task of an `any_of` ended first, and what it yielded.
template <class T>
struct FirstOf {
  std::size_t index = 0;
  T value{};
};

namespace detail {

// The references of these children outlive them: they are locals of the task that joins the group.

template <class T>
Task<> store(Task<T> task, std::optional<T>& result) {
  T value = co_await task;
  result.emplace(std::move(value));
}

template <class T>
Task<> store_first(Task<T> task, std::size_t index, std::optional<FirstOf<T>>& first,
                   TaskGroup& group) {
  T value = co_await task;
  first.emplace(FirstOf<T>{index, std::move(value)});
  group.cancel_others();
}

Task<> store_first(Task<> task, std::size_t index, std::optional<std::size_t>& first,
                   TaskGroup& group);
Task<> expire(Simulation& simulation, Duration limit, TaskGroup& group);
Task<> store_in_time(Task<> task, bool& ended, TaskGroup& group);

template <class T>
Task<> store_in_time(Task<T> task, std::optional<T>& result, TaskGroup& group) {
  T value = co_await task;
  result.emplace(std::move(value));
  group.cancel_others();
}

}  // namespace detail

/// Runs the tasks side by side and yields their results in the order given, when the last has
/// ended. Of no tasks it ends at once. If one fails the others are cancelled and its exception is
/// rethrown.
template <class T>
Task<std::vector<T>> all_of(Simulation& simulation, std::vector<Task<T>> tasks) {
  std::vector<std::optional<T>> results(tasks.size());
  TaskGroup group{simulation};
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    group.spawn(detail::store<T>(std::move(tasks[i]), results[i]));
  }
  co_await group.join();
  std::vector<T> values;
  values.reserve(results.size());
  for (auto& result : results) values.push_back(std::move(*result));
  co_return values;
}

/// The same for tasks without a result.
Task<> all_of(Simulation& simulation, std::vector<Task<>> tasks);

/// Runs the tasks side by side until the first ends, and cancels the others. Of two that would end
/// at one instant the one whose event was scheduled earlier wins.
/// \throws SimulationError if there are no tasks; and what a task throws before one has ended.
template <class T>
Task<FirstOf<T>> any_of(Simulation& simulation, std::vector<Task<T>> tasks) {
  if (tasks.empty()) throw SimulationError{"any_of needs a task"};
  std::optional<FirstOf<T>> first;
  TaskGroup group{simulation};
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    group.spawn(detail::store_first<T>(std::move(tasks[i]), i, first, group));
  }
  co_await group.join();
  co_return std::move(*first);
}

/// The same for tasks without a result: yields the index of the first to end.
Task<std::size_t> any_of(Simulation& simulation, std::vector<Task<>> tasks);

/// Runs `task` for at most `limit`; yields nothing, and has cancelled it, if it was not done then.
/// A task that would end exactly at the limit is late if its last event was scheduled after the
/// call.
template <class T>
Task<std::optional<T>> with_timeout(Simulation& simulation, Task<T> task, Duration limit) {
  std::optional<T> result;
  TaskGroup group{simulation};
  group.spawn(detail::store_in_time<T>(std::move(task), result, group));
  group.spawn(detail::expire(simulation, limit, group));
  co_await group.join();
  co_return std::move(result);
}

/// The same for a task without a result: yields whether it ended in time.
Task<bool> with_timeout(Simulation& simulation, Task<> task, Duration limit);

}  // namespace copysim
