#include <copysim/sim/simulation.hpp>

#include <algorithm>

#include <copysim/sim/task_group.hpp>
#include <copysim/sim/wait_list.hpp>

namespace copysim {

namespace {

std::string at_time(SimTime t) {
  return std::to_string(seconds(t.time_since_epoch())) + " s";
}

std::string message_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const std::exception& e) {
    return e.what();
  } catch (...) {
    return "an exception of unknown type";
  }
}

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
  close();
}

void Simulation::close() {
  if (looping_) throw SimulationError{"a simulation cannot be closed from inside a task"};
  closing_ = true;
  for (std::uint32_t slot = 0; slot < slots_; ++slot) {
    if (at(slot).serial != 0) kill(at(slot));
  }
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
  if (t < now_) throw SimulationError{"run_until " + at_time(t) + " is before now"};
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
    ++events_;
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
  for (std::size_t i = 0; i < doomed_.size(); ++i) {
    if (Process* const process = find(doomed_[i].slot_, doomed_[i].serial_)) kill(*process);
  }
  doomed_.clear();
}

void Simulation::settle_finished(Process& process) {
  if (process.is_main) {
    if (process.path) {
      last_path_.clear();
      process.path->merge(cuts_);
      std::copy_if(process.path->pieces().begin(), process.path->pieces().end(),
                   std::back_inserter(last_path_),
                   [&](const auto& piece) { return piece.after >= run_started_; });
    }
    stop_ = true;
    return;
  }
  std::exception_ptr error = std::move(process.promise->exception);
  process.root.destroy();
  if (process.group != nullptr) {
    process.group->child_ended(process, std::move(error));
  } else if (error) {
    fail(process, std::move(error));
  }
  retire(process);
}

void Simulation::fail(Process& process, std::exception_ptr cause) {
  const std::string text =
      "task '" + names_[process.slot] + "' failed at " + at_time(now_) + ": " + message_of(cause);
  try {
    try {
      std::rethrow_exception(cause);
    } catch (...) {
      std::throw_with_nested(SimulationError{text});
    }
  } catch (...) {
    fail(std::current_exception());
  }
}

void Simulation::fail(std::exception_ptr error) {
  if (!failure_) failure_ = std::move(error);
  stop_ = true;
}

void Simulation::rethrow_failure() {
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

void Simulation::throw_deadlock(SimTime limit) {
  constexpr int most_named = 20;
  std::string text = calendar_.heap_empty() && calendar_.ring_empty()
                         ? "nothing is left to happen at " + at_time(now_)
                         : "the time limit of " + at_time(limit) + " is reached";
  text += "; waiting: ";
  int named = 0;
  for (std::uint32_t slot = 0; slot < slots_; ++slot) {
    if (at(slot).serial == 0) continue;
    if (++named > most_named) {
      text += ", and others";
      break;
    }
    if (named > 1) text += ", ";
    text += describe(at(slot));
  }
  throw DeadlockError{text};
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

void Simulation::Delay::record() {
  if (parts_.empty()) simulation_.record(label_, duration_);
  for (const LabelledPart& part : parts_) simulation_.record(part.label, part.duration);
}

void Simulation::record(Label label, Duration d) {
  current_->path->append(label, d, cuts_);
}

void Simulation::begin_constrained(Process& process) {
  process.waiting_since = now_;
  cuts_.add(now_);
}

void Simulation::end_constrained(Process& process) {
  cuts_.remove(process.waiting_since);
}

void Simulation::take_path(Process& process, Constraint constraint, SimTime since) {
  if (current_ != nullptr) {
    process.path->take_over(*current_->path, constraint, since, cuts_);
    return;
  }
  process.path->append({}, now_ - process.path->end(), cuts_);
  if (constraint.value != 0) process.path->mark(constraint, since);
}

void Simulation::take_path_of_wait(Process& process, Constraint constraint) {
  take_path(process, constraint, process.waiting_since);
  if (constraint.value != 0) end_constrained(process);
}

std::vector<PathRow> Simulation::path() const {
  std::vector<detail::Path::Piece> pieces = last_path_;
  if (current_ != nullptr && current_->path) {
    detail::Path own = *current_->path;
    own.merge(cuts_);
    pieces = own.pieces();
    std::erase_if(pieces, [&](const auto& piece) { return piece.after < run_started_; });
  }
  std::map<detail::Path::Key, Duration> sums;
  for (const auto& piece : pieces) sums[piece.key] += piece.duration;
  std::vector<PathRow> rows;
  for (const auto& [key, duration] : sums) {
    rows.push_back({components_.name(key.label.component.value),
                    activities_.name(key.label.activity.value),
                    constraints_.name(key.constraint.value), duration});
  }
  return rows;
}

}  // namespace copysim
