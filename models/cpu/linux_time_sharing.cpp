#include <copysim/models/cpu/linux_time_sharing.hpp>

#include <algorithm>

namespace copysim {

namespace {

// More than any goodness, so that an epoch counts before what is left of it.
constexpr int epoch_weight = 1000;
// `ThreadState::counter` of a system call; processes leave it 0.
constexpr int in_kernel = 1;
constexpr int least_nice = -20;
constexpr int most_nice = 19;

int nice_of(int priority) {
  return std::clamp(LinuxTimeSharing::normal - priority, least_nice, most_nice);
}

}  // namespace

int LinuxTimeSharing::ticks(int priority) {
  return (20 - nice_of(priority)) / 4 + 1;
}

Duration LinuxTimeSharing::given(const ThreadState& thread) const {
  return config_.tick * ticks(thread.priority);
}

void LinuxTimeSharing::admit(ThreadState& thread) {
  thread.current = thread.priority;
  thread.epoch = epoch_;
  thread.quantum_left = given(thread);
}

void LinuxTimeSharing::admit_call(ThreadState& thread) {
  thread.counter = in_kernel;
}

// n' = n / 2 + ticks for each epoch that passed.
void LinuxTimeSharing::catch_up(ThreadState& thread, std::int64_t epoch) const {
  constexpr std::int64_t enough = 16;  // then it is twice the ticks to the nanosecond or nearly
  const std::int64_t passed = std::min(epoch - thread.epoch, enough);
  for (std::int64_t i = 0; i < passed; ++i) {
    thread.quantum_left = thread.quantum_left / 2 + given(thread);
  }
  thread.epoch = std::max(thread.epoch, epoch);
}

void LinuxTimeSharing::wake(ThreadState& thread, Duration /*slept*/) {
  catch_up(thread, epoch_);
}

void LinuxTimeSharing::forked(ThreadState& parent, ThreadState& child) {
  catch_up(parent, epoch_);
  child.epoch = parent.epoch;
  child.quantum_left = parent.quantum_left / 2;
  parent.quantum_left -= child.quantum_left;
}

void LinuxTimeSharing::exited(const ThreadState& child, ThreadState& parent) {
  // A child that has used up its ticks holds those of the next epoch already, but in the kernel it
  // has none until that begins; it has begun if the child has run on them.
  const bool begun = child.epoch <= epoch_ || child.quantum_left < given(child);
  catch_up(parent, begun ? child.epoch : epoch_);
  if (!begun) return;
  parent.quantum_left = std::min(parent.quantum_left + std::max(child.quantum_left, Duration{0}),
                                 config_.tick * most_ticks);
}

int LinuxTimeSharing::rank(const ThreadState& thread) const {
  if (thread.counter == in_kernel) return 3 * epoch_weight;
  const auto left = (thread.quantum_left + config_.tick - 1ns) / config_.tick;
  const auto goodness = static_cast<int>(left) + 20 - nice_of(thread.priority);
  const auto later = static_cast<int>(std::clamp<std::int64_t>(thread.epoch - epoch_, -1, 1000));
  return goodness - epoch_weight * later;
}

void LinuxTimeSharing::quantum_over(ThreadState& thread) {
  // A process of the next epoch ran, so nobody who is ready has ticks left of the present one.
  epoch_ = std::max(epoch_, thread.epoch);
  thread.epoch = epoch_ + 1;
  thread.quantum_left = given(thread);
}

}  // namespace copysim
