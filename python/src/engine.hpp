#pragma once

// How an engine in Python runs inside a simulation.
//
// Its `async def copy(self, job)` makes a Python coroutine. A C++ task drives it: it resumes the
// coroutine, which yields an `Operation` where it awaits one; the task performs the operation in
// simulated time and resumes the coroutine with the outcome. So an engine in Python passes through
// the same events as one in C++ that does the same.
//
// The GIL is held only while Python code runs. What belongs to the simulation (open files, task
// groups) is owned by C++ frames and never by Python objects, which refer to it through handles
// that are cut when it goes: the garbage collector may run on any thread.

#include <coroutine>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <variant>
#include <vector>

#include <copysim/models/copy/copy_policy.hpp>

#include "bindings.hpp"

namespace copysim::python {

class Groups;
struct FileHandle;

/// One copy that an engine in Python does: what its job, files and operations refer to.
struct JobContext {
  explicit JobContext(CopyJob copy_job) : job{std::move(copy_job)} {}

  CopyJob job;
  bool open = true;     ///< until the copy ends; then no operation is allowed
  bool ending = false;  ///< coroutines are being closed: nothing new may start
  CopyReport report;    ///< counted by the operations
  std::vector<std::unique_ptr<File>>
      files;                           ///< all that were opened; they live as long as the copy
  std::vector<std::string> left_open;  ///< those not closed yet: "source", "target"

  /// \throws SimulationError if the copy is over.
  void check_open() const;
};

/// An open file as Python holds it.
struct FileHandle {
  std::shared_ptr<JobContext> context;
  File* file = nullptr;
  std::string end;  ///< "source" or "target"
  bool closed = false;

  /// \throws SimulationError if it is closed or the copy is over.
  [[nodiscard]] File& get() const;
};

/// A group of tasks as Python holds it; `group` is null outside of its `async with`.
struct GroupHandle {
  std::shared_ptr<JobContext> context;
  TaskGroup* group = nullptr;
};

/// What an operation gave: nothing, whether a file exists, data, an open file, an entered group, or
/// a simulated failure.
using Reply = std::variant<std::monostate, bool, Content, std::shared_ptr<FileHandle>,
                           std::shared_ptr<GroupHandle>, IoStatus>;

/// Something that a coroutine of an engine awaits.
class Operation {
public:
  using Start = std::function<Task<Reply>(Groups&)>;

  explicit Operation(Start start) : start_{std::move(start)} {}
  /// One that is over before it begins and gives `value`, such as entering an open file.
  explicit Operation(py::object value);

  /// For Python's protocol of iterators: yields itself once, then returns the outcome.
  [[nodiscard]] static py::object next(const py::object& self);

  /// Makes the task that performs it. \throws SimulationError if it was awaited before.
  [[nodiscard]] Task<Reply> begin(Groups& groups);
  void set_reply(Reply reply);
  void set_failure(std::exception_ptr failure);

private:
  enum class State { fresh, awaited, running, answered, over };

  [[nodiscard]] py::object take_outcome();

  Start start_;
  State state_ = State::fresh;
  std::shared_ptr<py::object> ready_;  // its last owner takes the GIL
  Reply reply_;
  std::exception_ptr failure_;
};

/// The task groups of one coroutine of an engine, owned by the C++ task that drives it.
class Groups {
public:
  TaskGroup& add(Simulation& simulation);
  void remove(const TaskGroup* group);

private:
  std::vector<std::unique_ptr<TaskGroup>> groups_;
};

/// A Python coroutine, held outside the GIL.
class Coroutine {
public:
  /// Takes a reference; the GIL must be held. \throws TypeError in Python if it is no coroutine.
  explicit Coroutine(py::object object, std::shared_ptr<JobContext> context);
  Coroutine(Coroutine&& other) noexcept;
  Coroutine& operator=(Coroutine&&) = delete;
  Coroutine(const Coroutine&) = delete;
  Coroutine& operator=(const Coroutine&) = delete;
  /// Closes the coroutine if it has not ended.
  ~Coroutine();

  /// Runs it to its next operation; none when it has ended. What it raises is thrown as
  /// `py::error_already_set`.
  [[nodiscard]] std::shared_ptr<Operation> resume();

private:
  PyObject* object_ = nullptr;
  std::shared_ptr<JobContext> context_;
};

/// Drives a coroutine of an engine to its end.
[[nodiscard]] Task<> drive(Coroutine coroutine);

/// An engine written in Python.
class PythonPolicy final : public CopyPolicy {
public:
  /// The GIL must be held.
  PythonPolicy(const py::object& engine, std::shared_ptr<EngineThreads> threads);
  PythonPolicy(const PythonPolicy&) = delete;
  PythonPolicy& operator=(const PythonPolicy&) = delete;
  ~PythonPolicy() override;

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] Task<CopyReport> copy(CopyJob job) override;

private:
  [[nodiscard]] Coroutine start(const std::shared_ptr<JobContext>& context) const;

  PyObject* engine_;
  std::string name_;
  std::shared_ptr<EngineThreads> threads_;
};

}  // namespace copysim::python
