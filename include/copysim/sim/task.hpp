#pragma once

#include <coroutine>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

#include <copysim/error.hpp>
#include <copysim/sim/frame_pool.hpp>

namespace copysim {

template <class T = void>
class Task;

namespace detail {

struct Process;
/// Tells the simulation that the outermost coroutine of `process` has come to its end.
void note_finished(Process& process) noexcept;
[[noreturn]] void throw_empty_task();

/// What every frame carries besides its result: who continues, and the exception that left it.
struct PromiseBase {
  std::coroutine_handle<> continuation;  // the awaiting coroutine
  Process* process = nullptr;            // set for the outermost coroutine of a process instead
  std::exception_ptr exception;
  bool entered_inline = false;  // the awaiting coroutine still is inside its await_suspend

  static void* operator new(std::size_t size) { return allocate_frame(size); }
  static void operator delete(void* frame, std::size_t size) noexcept { free_frame(frame, size); }

  struct FinalAwaiter {
    static bool await_ready() noexcept { return false; }
    template <class Promise>
    static std::coroutine_handle<> await_suspend(std::coroutine_handle<Promise> self) noexcept {
      PromiseBase& promise = self.promise();
      if (promise.process != nullptr) {
        note_finished(*promise.process);
        return std::noop_coroutine();
      }
      if (promise.entered_inline) return std::noop_coroutine();
      return promise.continuation;
    }
    static void await_resume() noexcept {}
  };

  static std::suspend_always initial_suspend() noexcept { return {}; }
  static FinalAwaiter final_suspend() noexcept { return {}; }
  void unhandled_exception() noexcept { exception = std::current_exception(); }
};

template <class T>
struct Promise : PromiseBase {
  std::optional<T> value;

  Task<T> get_return_object() noexcept;
  template <class U>
    requires std::is_convertible_v<U&&, T>
  void return_value(U&& result) {
    value.emplace(std::forward<U>(result));
  }
  T result() {
    if (exception) std::rethrow_exception(std::exchange(exception, nullptr));
    return std::move(*value);
  }
};

template <>
struct Promise<void> : PromiseBase {
  Task<void> get_return_object() noexcept;
  static void return_void() noexcept {}
  void result() {
    if (exception) std::rethrow_exception(std::exchange(exception, nullptr));
  }
};

}  // namespace detail

/// A simulated activity that can wait: a coroutine that runs when it is awaited, and yields a `T`.
///
/// A task is lazy: its body starts at `co_await`, at the same simulated time, without an event. The
/// awaiting coroutine goes on in the same step in which the body ends, and an exception that left
/// the body is rethrown there. To run tasks side by side give them to a `TaskGroup` or to
/// `Simulation::spawn`; to start the first one use `Simulation::run`.
///
/// A task owns its frame. Destroying it destroys the locals of the body, wherever it waits.
///
/// Parameters are copied into the frame when the task is made; a reference parameter must outlive
/// the task. A lambda that captures must not be a coroutine: its captures die before the body runs.
template <class T>
class [[nodiscard]] Task {
public:
  using promise_type = detail::Promise<T>;
  using Handle = std::coroutine_handle<promise_type>;

  Task() noexcept = default;
  explicit Task(Handle handle) noexcept : handle_{handle} {}
  Task(Task&& other) noexcept : handle_{std::exchange(other.handle_, {})} {}
  Task& operator=(Task&& other) noexcept {
    if (this != &other) {
      destroy();
      handle_ = std::exchange(other.handle_, {});
    }
    return *this;
  }
  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;
  ~Task() { destroy(); }

  /// Whether there is a body to run: false for a default-made or moved-from task.
  [[nodiscard]] bool valid() const noexcept { return static_cast<bool>(handle_); }

  /// Gives up the frame, for the kernel.
  [[nodiscard]] Handle release() noexcept { return std::exchange(handle_, {}); }

  class Awaiter {
  public:
    explicit Awaiter(Handle handle) noexcept : handle_{handle} {}
    static bool await_ready() noexcept { return false; }
    // A body that ends without waiting returns here and the caller just goes on. So the stack
    // does not grow in a loop of such calls, even where the compiler makes no tail calls (-O0).
    bool await_suspend(std::coroutine_handle<> caller) {
      detail::PromiseBase& promise = handle_.promise();
      promise.continuation = caller;
      promise.entered_inline = true;
      handle_.resume();
      promise.entered_inline = false;
      return !handle_.done();
    }
    T await_resume() { return handle_.promise().result(); }

  private:
    Handle handle_;
  };

  /// \throws SimulationError if the task is empty or was awaited before.
  Awaiter operator co_await() const {
    if (!handle_ || handle_.promise().continuation || handle_.done()) detail::throw_empty_task();
    return Awaiter{handle_};
  }

private:
  void destroy() noexcept {
    if (handle_) handle_.destroy();
  }

  Handle handle_;
};

namespace detail {

template <class T>
Task<T> Promise<T>::get_return_object() noexcept {
  return Task<T>{std::coroutine_handle<Promise<T>>::from_promise(*this)};
}

inline Task<void> Promise<void>::get_return_object() noexcept {
  return Task<void>{std::coroutine_handle<Promise<void>>::from_promise(*this)};
}

}  // namespace detail

}  // namespace copysim
