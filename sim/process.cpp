// How tasks start and end: the part of Simulation that looks after processes.

#include <copysim/sim/process.hpp>

#include <copysim/sim/simulation.hpp>
#include <copysim/sim/task_group.hpp>
#include <copysim/sim/wait_list.hpp>

namespace copysim {

Simulation::Process& Simulation::allocate(std::coroutine_handle<> root,
                                          detail::PromiseBase& promise) {
  if (closing_ || live_ == detail::Calendar::max_slots) {
    root.destroy();
    throw SimulationError{closing_ ? "a task was started in a closed simulation"
                                   : "more than 2^24 tasks at once"};
  }
  if (free_slots_.empty()) {
    chunks_.push_back(std::make_unique<Chunk>());
    free_slots_.reserve(slots_ + chunk_size);
    names_.resize(slots_ + chunk_size);
    for (std::uint32_t i = chunk_size; i-- > 0;) {  // the lowest slot is used first
      Process& fresh = (*chunks_.back())[i];
      fresh.slot = slots_ + i;
      fresh.simulation = this;
      if (config_.record_paths) fresh.path = std::make_unique<detail::Path>();
      free_slots_.push_back(fresh.slot);
    }
    slots_ += chunk_size;
  }
  Process& process = at(free_slots_.back());
  free_slots_.pop_back();
  ++live_;
  process.serial = ++serial_;
  process.root = root;
  process.resume = root;
  process.promise = &promise;
  promise.process = &process;
  if (process.path) process.path->clear();
  process.state = Process::State::runnable;
  process.ticket = calendar_.schedule_now(process.slot);
  return process;
}

TaskHandle Simulation::start(std::coroutine_handle<> root, detail::PromiseBase& promise,
                             TaskGroup* group, std::string_view name) {
  Process& process = allocate(root, promise);
  process.group = group;
  names_[process.slot].assign(name);
  if (process.path) take_path(process, {}, now_);
  return TaskHandle{*this, process.slot, process.serial};
}

void Simulation::retire(Process& process) noexcept {
  process.state = Process::State::unused;
  process.serial = 0;
  process.ticket = 0;
  process.interrupted = false;
  process.doomed = false;
  process.is_main = false;
  process.group = nullptr;
  --live_;
  free_slots_.push_back(process.slot);  // cannot allocate: room for all slots is reserved
}

void Simulation::stop_waiting(Process& process) noexcept {
  if (process.hook.is_linked()) {
    if (process.waits_in->constraint_.value != 0 && config_.record_paths) end_constrained(process);
    process.hook.unlink();
    process.waits_in = nullptr;
  }
  process.ticket = 0;
  if (process.state == Process::State::delayed && calendar_.note_cancelled()) {
    calendar_.sweep([this](detail::Calendar::Ticket ticket) {
      return at(static_cast<std::uint32_t>(ticket & detail::Calendar::slot_mask)).ticket == ticket;
    });
  }
}

void Simulation::interrupt(Process& process) {
  process.interrupted = true;
  if (process.state == Process::State::runnable || process.state == Process::State::running) return;
  stop_waiting(process);
  process.state = Process::State::runnable;
  process.ticket = calendar_.schedule_now(process.slot);
  if (process.path) take_path(process, {}, now_);
}

void Simulation::cancel(Process& process) {
  if (!is_running_or_its_ancestor(process)) {
    kill(process);
  } else if (!process.doomed) {
    process.doomed = true;
    doomed_.push_back(TaskHandle{*this, process.slot, process.serial});
    attention_ = true;
  }
}

void Simulation::kill(Process& process) noexcept {
  stop_waiting(process);
  process.serial = 0;
  ++killing_;
  process.root.destroy();
  --killing_;
  if (process.group != nullptr) process.group->child_ended(process, nullptr);
  retire(process);
}

void Simulation::kill_all() noexcept {
  closing_ = true;
  for (std::uint32_t slot = 0; slot < slots_; ++slot) {
    if (at(slot).serial != 0) kill(at(slot));
  }
}

// The chain of groups leads from the running task to those that wait for it.
bool Simulation::is_running_or_its_ancestor(const Process& process) const {
  const Process* task = current_;
  while (task != nullptr && task != &process) {
    const TaskGroup* const group = task->group;
    task = group == nullptr ? nullptr : find(group->owner_.slot_, group->owner_.serial_);
  }
  return task != nullptr;
}

Simulation::Process* Simulation::find(std::uint32_t slot, std::uint64_t serial) const {
  if (serial == 0 || slot >= slots_) return nullptr;
  Process& process = at(slot);
  return process.serial == serial ? &process : nullptr;
}

}  // namespace copysim
