#include <copysim/sim/simulation.hpp>

#include <copysim/sim/stop_scope.hpp>
#include <copysim/sim/task_group.hpp>

namespace copysim {

namespace {

// Once in 1024 events the loop looks whether it should stop: a cost that does not show.
constexpr std::uint64_t stop_check_mask = 1023;

}  // namespace

namespace detail {

void throw_empty_task() {
  throw SimulationError{"an empty task, or one that was awaited before"};
}

void note_finished(Process& process) noexcept {
  process.simulation->finished_ = &process;
  process.simulation->attention_ = true;
}

}  // namespace detail

Simulation::Simulation(Config config) : config_{config} {}

Simulation::~Simulation() {
  kill_all();
}

void Simulation::close() {
  if (looping_) throw SimulationError{"a simulation cannot be closed from inside a task"};
  kill_all();
}

Simulation::MainTask::MainTask(Simulation& simulation, std::coroutine_handle<> root,
                               detail::PromiseBase& promise)
    : simulation_{simulation} {
  if (simulation.looping_) {
    root.destroy();
    throw SimulationError{"run was called from inside a task"};
  }
  started_ = simulation.now_;
  process_ = &simulation.allocate(root, promise);
  process_->is_main = true;
  simulation.names_[process_->slot] = "main";
  simulation.cuts_.add(started_);
  simulation.run_started_ = started_;
  if (process_->path) {
    process_->path->append({}, simulation.now_.time_since_epoch(), simulation.cuts_);
  }
}

Simulation::MainTask::~MainTask() {
  if (process_->root.done()) {
    process_->root.destroy();
    simulation_.retire(*process_);
  } else {
    simulation_.kill(*process_);
  }
  simulation_.cuts_.remove(started_);
  simulation_.run_started_ = SimTime::min();
}

void Simulation::MainTask::finish() {
  simulation_.loop(simulation_.config_.limit);
  simulation_.rethrow_failure();
  if (!process_->root.done()) simulation_.throw_deadlock(simulation_.config_.limit);
}

void Simulation::run_until(SimTime t) {
  if (looping_) throw SimulationError{"run_until was called from inside a task"};
  if (t < now_) throw SimulationError{"run_until: the time must not be before now"};
  loop(t);
  rethrow_failure();
  now_ = t;
}

void Simulation::loop(SimTime limit) {
  struct Looping {
    Simulation& simulation;
    ~Looping() {
      simulation.looping_ = false;
      simulation.current_ = nullptr;
    }
  };
  const Looping guard{*this};
  looping_ = true;
  stop_ = false;
  while (!stop_) {
    Process* const process = next(limit);
    if (process == nullptr) break;
    if ((++events_ & stop_check_mask) == 0 && StopScope::stop_requested()) [[unlikely]]
      throw Stopped{};
    process->ticket = 0;
    process->state = Process::State::running;
    current_ = process;
    process->resume.resume();
    if (attention_) settle();
  }
}

// Cancelled entries are dropped before the clock moves, so they never move it.
Simulation::Process* Simulation::next(SimTime limit) {
  const auto slot_of = [](detail::Calendar::Ticket ticket) {
    return static_cast<std::uint32_t>(ticket & detail::Calendar::slot_mask);
  };
  for (;;) {
    const bool heap_empty = calendar_.heap_empty();
    const bool due = !heap_empty && calendar_.top_time() == now_;
    if (!due && !calendar_.ring_empty()) {
      const auto ticket = calendar_.take_ring();
      Process& process = at(slot_of(ticket));
      if (process.ticket == ticket) return &process;
      continue;
    }
    if (heap_empty) return nullptr;
    const auto ticket = calendar_.top_ticket();
    Process& process = at(slot_of(ticket));
    if (process.ticket != ticket) {
      calendar_.take_top();
      calendar_.note_dropped();
      continue;
    }
    if (calendar_.top_time() > limit) return nullptr;
    now_ = calendar_.top_time();
    calendar_.take_top();
    return &process;
  }
}

void Simulation::settle() {
  attention_ = false;
  if (finished_ != nullptr) settle_finished(*std::exchange(finished_, nullptr));
  while (!doomed_.empty()) {  // ending one may doom others
    for (const TaskHandle& task : std::exchange(doomed_, {})) {
      if (Process* const process = find(task.slot_, task.serial_)) kill(*process);
    }
  }
}

void Simulation::settle_finished(Process& process) {
  if (process.is_main) {
    if (process.path) last_path_ = pieces_of_run(*process.path);
    stop_ = true;
    return;
  }
  std::exception_ptr error = std::move(process.promise->exception);
  process.root.destroy();
  if (process.group != nullptr) {
    process.group->child_ended(process, std::move(error));
  } else if (error) {
    fail(process, error);
  }
  retire(process);
}

void Simulation::throw_interrupted() {
  if (current_ == nullptr) {
    throw SimulationError{"a wait outside the tasks of the simulation that it belongs to"};
  }
  current_->interrupted = false;
  throw Interrupted{};
}

Simulation::Delay Simulation::delay(std::span<const LabelledPart> parts) {
  Duration total{};
  for (const LabelledPart& part : parts) {
    check_delay(part.duration);
    total += part.duration;
  }
  check_delay(total);
  return Delay{*this, total, parts};
}

}  // namespace copysim
