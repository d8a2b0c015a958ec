// What goes wrong and how it is told: the part of Simulation that reports errors.

#include <copysim/sim/simulation.hpp>
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

void Simulation::fail(Process& process, const std::exception_ptr& cause) {
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

std::string Simulation::describe(const Process& process) const {
  std::string text = names_[process.slot];
  if (text.empty() && process.group != nullptr) {
    const auto& owner = process.group->owner_;
    const Process* const parent = find(owner.slot_, owner.serial_);
    text = "a child of " + (parent == nullptr ? "nobody" : names_[parent->slot]);
  }
  if (process.waits_in != nullptr) text += " (" + process.waits_in->describe() + ")";
  return text;
}

}  // namespace copysim
