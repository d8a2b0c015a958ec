#include <copysim/models/link/timer.hpp>

#include <algorithm>
#include <utility>

namespace copysim {

Timer::Timer(Simulation& simulation, std::string name, std::function<void()> expired)
    : simulation_{simulation}, name_{std::move(name)}, expired_{std::move(expired)} {}

void Timer::set(std::optional<SimTime> at) {
  due_ = at;
  if (!at) return;
  if (!task_.alive()) {
    task_ = simulation_.spawn(watch(), name_);
    sleeps_until_ = *at;
  } else if (*at < sleeps_until_) {
    // It sleeps longer than that: another task takes its place.
    task_.cancel();
    task_ = simulation_.spawn(watch(), name_);
    sleeps_until_ = *at;
  }
}

// Ends when the timer is stopped, so that a connection at rest leaves nothing in the calendar.
Task<> Timer::watch() {
  while (due_) {
    const SimTime until = *due_;
    sleeps_until_ = until;
    const Duration wait = std::max(Duration::zero(), until - simulation_.now());
    co_await simulation_.delay(wait);
    if (!due_ || *due_ > simulation_.now()) continue;
    due_.reset();
    expired_();
  }
}

}  // namespace copysim
