#pragma once

#include <coroutine>
#include <string_view>

#include <copysim/sim/wait_list.hpp>

namespace copysim {

/// Wakes tasks that wait for something to happen again and again, like a condition variable.
///
/// A notification reaches the tasks that wait at that moment, first come first served; it is not
/// kept for later ones. Woken tasks resume at the present time, behind what is already due.
class Signal {
public:
  explicit Signal(Simulation& simulation, std::string_view name = {}, Constraint constraint = {})
      : waiters_{simulation, "signal", name, constraint} {}

  class Wait;
  /// Waits for the next notification.
  [[nodiscard]] Wait wait();

  /// Wakes the task that has waited longest, if any. Passes on to the next if that one is
  /// cancelled or interrupted before it resumes.
  void notify_one();
  /// Wakes all tasks that wait now.
  void notify_all() { waiters_.wake_all(); }

  [[nodiscard]] bool has_waiters() const { return !waiters_.empty(); }

private:
  WaitList waiters_;
};

/// The awaitable of `Signal::wait`.
class [[nodiscard]] Signal::Wait {
public:
  explicit Wait(Signal& signal) : signal_{signal}, simulation_{signal.waiters_.simulation()} {}
  Wait(const Wait&) = delete;
  Wait& operator=(const Wait&) = delete;
  ~Wait() {
    if (chosen_ && !simulation_.closing()) signal_.notify_one();
  }
  static bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<> where) { signal_.waiters_.suspend(where, this); }
  void await_resume() {
    signal_.waiters_.resumed();
    chosen_ = false;
  }

private:
  friend class Signal;
  Signal& signal_;
  Simulation& simulation_;
  bool chosen_ = false;  // by notify_one, and not yet resumed
};

inline Signal::Wait Signal::wait() {
  return Wait{*this};
}

inline void Signal::notify_one() {
  if (waiters_.empty()) return;
  waiters_.front<Wait>().chosen_ = true;
  waiters_.wake_front();
}

/// Something that happens once, such as the completion of a request.
///
/// Waiting for an event that has happened passes at once, without an entry in the calendar.
class Event {
public:
  explicit Event(Simulation& simulation, std::string_view name = {}, Constraint constraint = {})
      : waiters_{simulation, "event", name, constraint} {}

  class Wait;
  [[nodiscard]] Wait wait();

  /// Marks it as happened and wakes all that wait, in the order in which they came. Setting it
  /// again does nothing.
  void set() {
    set_ = true;
    waiters_.wake_all();
  }
  [[nodiscard]] bool is_set() const { return set_; }

private:
  WaitList waiters_;
  bool set_ = false;
};

/// The awaitable of `Event::wait`.
class [[nodiscard]] Event::Wait {
public:
  explicit Wait(Event& event) : event_{event} {}
  [[nodiscard]] bool await_ready() const noexcept { return event_.set_; }
  void await_suspend(std::coroutine_handle<> where) { event_.waiters_.suspend(where); }
  void await_resume() { event_.waiters_.resumed(); }

private:
  Event& event_;
};

inline Event::Wait Event::wait() {
  return Wait{*this};
}

}  // namespace copysim
