#include <copysim/models/cpu/windows_scheduling.hpp>

#include <algorithm>

namespace copysim {

void WindowsScheduling::boost(ThreadState& thread, int levels) {
  if (thread.priority >= real_time) return;
  thread.current = std::max(thread.current, std::min(thread.priority + levels, dynamic_top));
}

void WindowsScheduling::admit(ThreadState& thread) {
  thread.priority = std::clamp(thread.priority, least, greatest);
  thread.current = thread.priority;
  thread.quantum_left = quantum_;
}

void WindowsScheduling::wake(ThreadState& thread, Duration slept) {
  // Inferred: a wait of a whole quantum starts a new one; a shorter one keeps what is left.
  if (slept >= quantum_) thread.quantum_left = quantum_;
}

void WindowsScheduling::quantum_over(ThreadState& thread) {
  thread.quantum_left = quantum_;
  if (thread.current > thread.priority) --thread.current;
}

}  // namespace copysim
