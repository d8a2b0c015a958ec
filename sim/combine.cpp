#include <copysim/sim/combine.hpp>

namespace copysim {

namespace detail {

Task<> store_first(Task<> task, std::size_t index, std::optional<std::size_t>& first,
                   TaskGroup& group) {
  co_await task;
  first = index;
  group.cancel_others();
}

Task<> expire(Simulation& simulation, Duration limit, TaskGroup& group) {
  co_await simulation.delay(limit);
  group.cancel_others();
}

Task<> store_in_time(Task<> task, bool& ended, TaskGroup& group) {
  co_await task;
  ended = true;
  group.cancel_others();
}

}  // namespace detail

Task<> all_of(Simulation& simulation, std::vector<Task<>> tasks) {
  TaskGroup group{simulation};
  for (Task<>& task : tasks) group.spawn(std::move(task));
  co_await group.join();
}

Task<std::size_t> any_of(Simulation& simulation, std::vector<Task<>> tasks) {
  if (tasks.empty()) throw SimulationError{"any_of needs a task"};
  std::optional<std::size_t> first;
  TaskGroup group{simulation};
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    group.spawn(detail::store_first(std::move(tasks[i]), i, first, group));
  }
  co_await group.join();
  co_return *first;
}

Task<bool> with_timeout(Simulation& simulation, Task<> task, Duration limit) {
  bool ended = false;
  TaskGroup group{simulation};
  group.spawn(detail::store_in_time(std::move(task), ended, group));
  group.spawn(detail::expire(simulation, limit, group));
  co_await group.join();
  co_return ended;
}

}  // namespace copysim
