#include <copysim/sim/task_group.hpp>

#include <algorithm>
#include <utility>

namespace copysim {

TaskGroup::TaskGroup(Simulation& simulation)
    : joiners_{simulation, "its group"}, uncaught_{std::uncaught_exceptions()} {
  if (const auto* const owner = simulation.current_) {
    owner_ = TaskHandle{simulation, owner->slot, owner->serial};
  }
}

TaskGroup::~TaskGroup() {
  const bool abandoned = live_ > 0;
  Simulation& world = simulation();
  cancel();
  const bool unwinding = std::uncaught_exceptions() > uncaught_;
  if (world.killing_ > 0 || unwinding || !world.looping_) return;
  if (error_) {
    world.fail(error_);
  } else if (abandoned) {
    world.fail(std::make_exception_ptr(
        SimulationError{"a task group went out of scope before its tasks were joined"}));
  }
}

TaskHandle TaskGroup::spawn(Task<> task, std::string_view name) {
  const auto handle = Simulation::checked(std::move(task));
  const TaskHandle child = simulation().start(handle, handle.promise(), this, name);
  children_.push_back(simulation().at(child.slot_));
  ++live_;
  return child;
}

void TaskGroup::cancel() {
  while (!children_.empty()) {
    detail::Process& child = children_.front();
    leave(child);
    simulation().cancel(child);
  }
  if (!simulation().closing()) joiners_.wake_all();
}

void TaskGroup::cancel_others() {
  const auto is_other = [this](const detail::Process& child) {
    return &child != simulation().current_;
  };
  // Ending one may end others, so the search starts anew.
  for (auto child = std::find_if(children_.begin(), children_.end(), is_other);
       child != children_.end();
       child = std::find_if(children_.begin(), children_.end(), is_other)) {
    detail::Process& other = *child;
    leave(other);
    simulation().cancel(other);
  }
}

void TaskGroup::child_ended(detail::Process& child, std::exception_ptr error) {
  leave(child);
  if (error && !error_) {
    error_ = std::move(error);
    cancel();
  }
  if (live_ == 0) joiners_.wake_all();
}

void TaskGroup::leave(detail::Process& child) {
  child.sibling_hook.unlink();
  child.group = nullptr;
  --live_;
}

void TaskGroup::Join::await_resume() {
  group_.joiners_.resumed();
  if (group_.error_) std::rethrow_exception(std::exchange(group_.error_, nullptr));
}

}  // namespace copysim
