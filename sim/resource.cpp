#include <copysim/sim/resource.hpp>

#include <string>

namespace copysim {

PriorityResource::PriorityResource(Simulation& simulation, std::int64_t capacity,
                                   std::string_view name, Constraint constraint)
    : waiters_{simulation, "resource", name, constraint},
      capacity_{capacity},
      occupied_{0, simulation.now()},
      queue_{0, simulation.now()} {
  if (capacity <= 0) {
    throw SimulationError{"a resource has at least one server, got " + std::to_string(capacity)};
  }
}

PriorityResource::Acquire PriorityResource::acquire(int priority) {
  return Acquire{*this, priority};
}

double PriorityResource::utilisation() const {
  return occupied_.mean(waiters_.simulation().now()) / static_cast<double>(capacity_);
}

double PriorityResource::mean_queue() const {
  return queue_.mean(waiters_.simulation().now());
}

Duration PriorityResource::busy_time() const {
  return from_seconds(occupied_.integral(waiters_.simulation().now()));
}

void PriorityResource::restart_statistics() {
  const SimTime now = waiters_.simulation().now();
  occupied_.restart(now);
  queue_.restart(now);
  waits_ = Tally{};
}

void PriorityResource::release() {
  occupied_.add(waiters_.simulation().now(), -1);
  hand_out();
}

void PriorityResource::hand_out() {
  const SimTime now = waiters_.simulation().now();
  while (!waiters_.empty() && occupied() < capacity_) {
    auto& first = waiters_.front<Acquire>();
    first.state_ = Acquire::State::granted;
    occupied_.add(now, 1);
    queue_.add(now, -1);
    waiters_.wake_front();
  }
}

PriorityResource::Acquire::Acquire(PriorityResource& resource, int priority)
    : resource_{resource},
      simulation_{resource.waiters_.simulation()},
      asked_{simulation_.now()},
      priority_{priority} {}

// Only a task that was cancelled or interrupted gets here with another state than idle.
PriorityResource::Acquire::~Acquire() {
  if (state_ == State::idle || simulation_.closing()) return;
  if (state_ == State::waiting) resource_.queue_.add(simulation_.now(), -1);
  if (state_ == State::granted) resource_.release();
}

bool PriorityResource::Acquire::await_ready() {
  if (!resource_.waiters_.empty() || resource_.occupied() == resource_.capacity_) return false;
  resource_.occupied_.add(simulation_.now(), 1);
  return true;
}

void PriorityResource::Acquire::await_suspend(std::coroutine_handle<> where) {
  resource_.waiters_.suspend_ordered(
      where, this, [](const Acquire& a, const Acquire& b) { return a.priority_ <= b.priority_; });
  resource_.queue_.add(simulation_.now(), 1);
  state_ = State::waiting;
}

PriorityResource::Occupancy PriorityResource::Acquire::await_resume() {
  if (state_ != State::idle) resource_.waiters_.resumed();
  state_ = State::idle;
  resource_.waits_.add(simulation_.now() - asked_);
  return Occupancy{resource_};
}

}  // namespace copysim
