#pragma once

// Work that Python waits for without holding the GIL.

#include <chrono>
#include <exception>
#include <future>
#include <optional>
#include <stop_token>

#include "bindings.hpp"

namespace copysim::python {

/// Raises the Python exception that `failure` stands for.
[[noreturn]] inline void raise(const std::exception_ptr& failure) {
  const py::object error = to_python(failure);
  PyErr_SetObject(py::type::of(error).ptr(), error.ptr());
  throw py::error_already_set{};
}

/// Calls `work()` without the GIL; what it throws comes out as a Python exception.
template <typename Work>
auto without_gil(Work work) {
  std::exception_ptr failure;
  std::optional<decltype(work())> result;
  {
    const py::gil_scoped_release released;
    try {
      result.emplace(work());
    } catch (...) {
      failure = std::current_exception();
    }
  }
  if (failure) raise(failure);
  return std::move(*result);
}

/// Calls `work(stop)` in a thread of its own without the GIL. Ctrl-C asks it to stop, and comes out
/// when the simulations that it had started are over.
template <typename Work>
auto interruptible(Work work) {
  constexpr std::chrono::milliseconds patience{20};
  std::stop_source stop;
  auto running = std::async(std::launch::async, [&work, &stop] { return work(stop.get_token()); });
  std::optional<py::error_already_set> interrupt;
  const auto over = [&running, patience] {
    const py::gil_scoped_release released;
    return running.wait_for(patience) == std::future_status::ready;
  };
  while (!over()) {
    if (interrupt || PyErr_CheckSignals() == 0) continue;
    interrupt.emplace();
    stop.request_stop();
  }
  if (interrupt) throw py::error_already_set{*interrupt};
  std::exception_ptr failure;
  try {
    return running.get();
  } catch (...) {
    failure = std::current_exception();
  }
  raise(failure);
}

}  // namespace copysim::python
