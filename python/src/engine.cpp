#include "engine.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <copysim/sim/task_group.hpp>

namespace copysim::python {

namespace {

py::object engine_module() {
  return py::module_::import("copysim._engine");
}

[[noreturn]] void raise(const py::object& error) {
  PyErr_SetObject(py::type::handle_of(error).ptr(), error.ptr());
  throw py::error_already_set{};
}

/// Keeps the calling thread known to Python, so that taking the GIL for each step is cheap.
class KnownThread {
public:
  explicit KnownThread(EngineThreads& threads) : threads_{&threads}, state_{PyGILState_Ensure()} {
    threads_->enter(PyThread_get_thread_ident());
    saved_ = PyEval_SaveThread();
  }
  KnownThread(const KnownThread&) = delete;
  KnownThread& operator=(const KnownThread&) = delete;
  ~KnownThread() {
    threads_->leave(PyThread_get_thread_ident());
    PyEval_RestoreThread(saved_);
    PyGILState_Release(state_);
  }

private:
  EngineThreads* threads_;
  PyGILState_STATE state_;
  PyThreadState* saved_;
};

/// Cuts what Python still holds of a copy when that is over, however it ends.
class EndOfJob {
public:
  explicit EndOfJob(JobContext& context) : context_{&context} {}
  EndOfJob(const EndOfJob&) = delete;
  EndOfJob& operator=(const EndOfJob&) = delete;
  ~EndOfJob() {
    context_->open = false;
    context_->files.clear();
  }

private:
  JobContext* context_;
};

IoStatus status_named(const std::string& name) {
  constexpr std::array all{IoStatus::end_of_file, IoStatus::not_found, IoStatus::exists,
                           IoStatus::disk_full,   IoStatus::too_large, IoStatus::device_error,
                           IoStatus::link_down};
  const auto found = std::ranges::find(all, name, [](IoStatus s) { return to_string(s); });
  return found == all.end() ? IoStatus::device_error : *found;
}

// What a copy that raised comes to: the status of a simulated failure, or an exception that tells
// the engine, the file and the simulated time, with the engine's own as its cause.
IoStatus explain(const std::exception_ptr& failure, std::string_view engine, const CopyJob& job) {
  const py::gil_scoped_acquire gil;
  py::object error = to_python(failure);
  const py::object module = engine_module();
  if (py::isinstance(error, module.attr("IoFailure"))) {
    return status_named(error.attr("status").cast<std::string>());
  }
  error = module.attr("explained")(error, std::string{engine}, job.name(),
                                   seconds(job.now().time_since_epoch()));
  raise(error);
}

}  // namespace

void EngineThreads::enter(unsigned long thread) {
  const std::lock_guard lock{mutex_};
  threads_.push_back(thread);
}

void EngineThreads::leave(unsigned long thread) {
  const std::lock_guard lock{mutex_};
  const auto found = std::ranges::find(threads_, thread);
  if (found != threads_.end()) threads_.erase(found);
}

void EngineThreads::interrupt() {
  const std::lock_guard lock{mutex_};
  for (const unsigned long thread : threads_) {
    PyThreadState_SetAsyncExc(thread, PyExc_KeyboardInterrupt);
  }
}

void JobContext::check_open() const {
  if (!open || ending) throw SimulationError{"the copy is over: its job takes no operation"};
}

File& FileHandle::get() const {
  context->check_open();
  if (closed) throw SimulationError{"the " + end + " is closed"};
  return *file;
}

Operation::Operation(py::object value)
    : ready_{new py::object{std::move(value)}, [](py::object* object) {
               const py::gil_scoped_acquire gil;
               delete object;
             }} {}

py::object Operation::next(const py::object& self) {
  auto& operation = self.cast<Operation&>();
  if (operation.state_ == State::fresh && !operation.ready_) {
    operation.state_ = State::awaited;
    return self;
  }
  const py::object value = operation.take_outcome();
  PyErr_SetObject(PyExc_StopIteration, value.ptr());
  throw py::error_already_set{};
}

py::object Operation::take_outcome() {
  const bool there = state_ == State::answered || (ready_ && state_ == State::fresh);
  if (!there) {
    throw SimulationError{"an operation of a job can be awaited in its engine only, and once"};
  }
  state_ = State::over;
  if (ready_) return *ready_;
  if (failure_) raise(to_python(std::exchange(failure_, nullptr)));
  if (const auto* status = std::get_if<IoStatus>(&reply_)) {
    raise(engine_module().attr("IoFailure")(std::string{to_string(*status)}));
  }
  return std::visit(
      [](auto& held) -> py::object {
        using Held = std::decay_t<decltype(held)>;
        if constexpr (std::is_same_v<Held, std::monostate>) {
          return py::none();
        } else {
          return py::cast(std::move(held));
        }
      },
      reply_);
}

Task<Reply> Operation::begin(Groups& groups) {
  if (state_ != State::awaited) throw SimulationError{"an operation was awaited twice"};
  state_ = State::running;
  return start_(groups);
}

void Operation::set_reply(Reply reply) {
  state_ = State::answered;
  reply_ = std::move(reply);
}

void Operation::set_failure(std::exception_ptr failure) {
  state_ = State::answered;
  failure_ = std::move(failure);
}

TaskGroup& Groups::add(Simulation& simulation) {
  return *groups_.emplace_back(std::make_unique<TaskGroup>(simulation));
}

void Groups::remove(const TaskGroup* group) {
  std::erase_if(groups_, [group](const auto& owned) { return owned.get() == group; });
}

Coroutine::Coroutine(py::object object, std::shared_ptr<JobContext> context)
    : context_{std::move(context)} {
  if (!PyCoro_CheckExact(object.ptr())) {
    throw py::type_error("an engine works in coroutines (async def), got " +
                         py::repr(object).cast<std::string>());
  }
  object_ = object.release().ptr();
}

Coroutine::Coroutine(Coroutine&& other) noexcept
    : object_{std::exchange(other.object_, nullptr)}, context_{std::move(other.context_)} {}

Coroutine::~Coroutine() {
  if (object_ == nullptr) return;
  const py::gil_scoped_acquire gil;
  const py::error_scope pending;
  const bool outer = std::exchange(context_->ending, true);
  PyObject* const closed = PyObject_CallMethod(object_, "close", nullptr);
  if (closed == nullptr) PyErr_WriteUnraisable(object_);
  Py_XDECREF(closed);
  Py_DECREF(object_);
  context_->ending = outer;
}

std::shared_ptr<Operation> Coroutine::resume() {
  const py::gil_scoped_acquire gil;
  PyObject* yielded = nullptr;
  const PySendResult sent = PyIter_Send(object_, Py_None, &yielded);
  if (sent == PYGEN_ERROR) throw py::error_already_set{};
  const auto result = py::reinterpret_steal<py::object>(yielded);
  if (sent == PYGEN_RETURN) return nullptr;
  if (py::isinstance<Operation>(result)) return result.cast<std::shared_ptr<Operation>>();
  throw py::type_error("an engine may await only the operations of its job, got " +
                       py::repr(result).cast<std::string>());
}

Task<> drive(Coroutine coroutine) {
  Coroutine body{std::move(coroutine)};
  Groups groups;
  for (;;) {
    const std::shared_ptr<Operation> operation = body.resume();
    if (!operation) co_return;
    try {
      Task<Reply> work = operation->begin(groups);
      Reply reply = co_await work;
      operation->set_reply(std::move(reply));
    } catch (...) {
      operation->set_failure(std::current_exception());
    }
  }
}

PythonPolicy::PythonPolicy(const py::object& engine, std::shared_ptr<EngineThreads> threads)
    : engine_{engine.inc_ref().ptr()},
      name_{engine.attr("id").cast<std::string>()},
      threads_{std::move(threads)} {}

PythonPolicy::~PythonPolicy() {
  const py::gil_scoped_acquire gil;
  Py_DECREF(engine_);
}

Coroutine PythonPolicy::start(const std::shared_ptr<JobContext>& context) const {
  const py::gil_scoped_acquire gil;
  const py::handle engine{engine_};
  return Coroutine{engine.attr("copy")(py::cast(context)), context};
}

Task<CopyReport> PythonPolicy::copy(CopyJob job) {
  const KnownThread known{*threads_};
  const auto context = std::make_shared<JobContext>(job);
  const EndOfJob end{*context};
  const SimTime started = job.now();
  std::exception_ptr failure;
  try {
    Task<> work = drive(start(context));
    co_await work;
    if (!context->left_open.empty()) {
      throw SimulationError{"the " + context->left_open.front() +
                            " was left open: close it, or use `async with`"};
    }
  } catch (...) {
    failure = std::current_exception();
  }
  CopyReport report = context->report;
  if (failure) report.status = explain(failure, name_, job);
  report.elapsed = job.now() - started;
  co_return report;
}

}  // namespace copysim::python
