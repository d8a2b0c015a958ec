#pragma once

#include <array>
#include <coroutine>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <copysim/error.hpp>
#include <copysim/sim/calendar.hpp>
#include <copysim/sim/label.hpp>
#include <copysim/sim/process.hpp>
#include <copysim/sim/random.hpp>
#include <copysim/sim/task.hpp>
#include <copysim/sim/task_handle.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// One simulated world: its clock, its calendar of events, and the tasks that live in it.
///
/// Events happen in the order (time, sequence of scheduling) and nothing else; so a run is a pure
/// function of its tasks and its seed. A task that is woken is put into the calendar at the present
/// time, behind what is already there: nobody is ever resumed from inside `release()` or
/// `notify()`. One simulation belongs to one thread; run many of them in parallel.
///
/// The simulation owns every task that it started and destroys those still alive when it ends, in
/// the order of their slots, without running them. Models that tasks refer to may be gone by then,
/// so the guards of the kernel (`Permit` and the like) then do nothing; other destructors of
/// locals must not touch a model, or `close()` must be called before the models go.
class Simulation {
public:
  struct Config {
    std::uint64_t seed = 1;
    /// The number of this repetition: draws other random numbers from the same seed.
    std::uint64_t replication = 0;
    /// Whether tasks keep the path of causes that `path()` shows.
    bool record_paths = false;
    /// `run` throws a `DeadlockError` instead of passing this time: a main task that waits in vain
    /// beside a periodic service would otherwise never end.
    SimTime limit = SimTime::max();
  };

  class Delay;

  Simulation() : Simulation{Config{}} {}
  explicit Simulation(Config config);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation();

  /// Runs `main` from the present time until it ends, and returns its result.
  ///
  /// Background tasks stay as they are then, and go on in the next `run` or `run_until`.
  /// \throws DeadlockError if nothing is left to happen and `main` still waits; names who waits.
  /// \throws SimulationError if called from inside a task, or when a background task fails: the
  /// text names the task and the simulated time, the original is nested.
  template <class T>
  T run(Task<T> main) {
    const auto handle = checked(std::move(main));
    MainTask running{*this, handle, handle.promise()};
    running.finish();
    return handle.promise().result();
  }

  /// Lets everything happen that is due up to and including `t`, and sets the clock to `t`.
  void run_until(SimTime t);

  /// Starts a background service, such as a lazy writer, at the present time.
  ///
  /// It does not keep `run` alive. An exception that leaves it ends the run.
  TaskHandle spawn(Task<> task, std::string_view name) {
    const auto handle = checked(std::move(task));
    return start(handle, handle.promise(), nullptr, name);
  }

  /// Waits for `d`; zero goes to the back of the present instant.
  /// \throws SimulationError if `d` is negative or the end of time is passed.
  [[nodiscard]] Delay delay(Duration d);
  /// Waits for `d` and charges it to `label`.
  [[nodiscard]] Delay delay(Duration d, Label label);
  /// Waits for the sum of the parts, one after the other. `parts` must live until it is over.
  [[nodiscard]] Delay delay(std::span<const LabelledPart> parts);

  /// The present time.
  [[nodiscard]] SimTime now() const { return now_; }

  /// A random stream that depends only on the seed, this name and the replication.
  [[nodiscard]] RandomStream random(std::string_view component) const {
    return RandomStream{config_.seed, component, config_.replication};
  }

  [[nodiscard]] ComponentId component(std::string_view name) { return {components_.id(name)}; }
  [[nodiscard]] Activity activity(std::string_view name) { return {activities_.id(name)}; }
  [[nodiscard]] Constraint constraint(std::string_view name) { return {constraints_.id(name)}; }
  [[nodiscard]] Label label(std::string_view component_name, std::string_view activity_name) {
    return {component(component_name), activity(activity_name)};
  }

  [[nodiscard]] bool records_paths() const { return config_.record_paths; }
  /// Where the time since the start of `run` went: of the task that asks, or else of the last main
  /// task to end. Rows are in the order in which their names were first used, and their durations
  /// sum exactly to the elapsed time. Empty unless `Config::record_paths`.
  [[nodiscard]] std::vector<PathRow> path() const;

  /// The number of times that a task was started or resumed.
  [[nodiscard]] std::uint64_t events() const { return events_; }
  /// The number of tasks alive.
  [[nodiscard]] std::size_t tasks() const { return live_; }

  /// Ends all tasks, as the destructor does. Nothing can be started afterwards.
  /// \throws SimulationError if called from inside a task.
  void close();
  [[nodiscard]] bool closing() const { return closing_; }

private:
  friend class Delay;
  friend class TaskGroup;
  friend class TaskHandle;
  friend class WaitList;
  friend void detail::note_finished(detail::Process& process) noexcept;
  using Process = detail::Process;

  // The main task of `run`; owns its frame until the result is taken.
  class MainTask {
  public:
    MainTask(Simulation& simulation, std::coroutine_handle<> root, detail::PromiseBase& promise);
    MainTask(const MainTask&) = delete;
    MainTask& operator=(const MainTask&) = delete;
    ~MainTask();
    void finish();

  private:
    Simulation& simulation_;
    Process* process_;
    SimTime started_;
  };

  template <class T>
  static typename Task<T>::Handle checked(Task<T> task) {
    if (!task.valid()) detail::throw_empty_task();
    return task.release();
  }

  TaskHandle start(std::coroutine_handle<> root, detail::PromiseBase& promise, TaskGroup* group,
                   std::string_view name);
  Process& allocate(std::coroutine_handle<> root, detail::PromiseBase& promise);
  void retire(Process& process) noexcept;

  void loop(SimTime limit);
  Process* next(SimTime limit);
  void settle();
  void settle_finished(Process& process);
  void fail(Process& process, const std::exception_ptr& cause);
  void fail(std::exception_ptr error);
  void rethrow_failure();
  [[noreturn]] void throw_deadlock(SimTime limit);

  // For the primitives. The running task gives up control ...
  Process& begin_wait(std::coroutine_handle<> where) {
    end_wait();  // an interruption that came while it ran
    current_->resume = where;
    return *current_;
  }
  // ... and takes note on its return whether the wait was interrupted.
  void end_wait() {
    if (current_ == nullptr || current_->interrupted) [[unlikely]]
      throw_interrupted();
  }
  void begin_delay(std::coroutine_handle<> where, Duration d) {
    Process& process = begin_wait(where);
    if (d.count() == 0) {
      process.ticket = calendar_.schedule_now(process.slot);
      process.state = Process::State::yielding;
    } else {
      process.ticket = calendar_.schedule(now_ + d, process.slot);
      process.state = Process::State::delayed;
    }
  }
  // Ends the wait of `process` in its list.
  void wake(Process& process, Constraint constraint) {
    process.hook.unlink();
    process.waits_in = nullptr;
    process.state = Process::State::runnable;
    process.ticket = calendar_.schedule_now(process.slot);
    if (config_.record_paths) [[unlikely]]
      take_path_of_wait(process, constraint);
  }
  void take_path_of_wait(Process& process, Constraint constraint);
  void take_path(Process& process, Constraint constraint, SimTime since);
  void record(Label label, Duration d);
  [[nodiscard]] std::vector<detail::Path::Piece> pieces_of_run(detail::Path path) const;
  void begin_constrained(Process& process);
  void end_constrained(Process& process);

  void interrupt(Process& process);
  void cancel(Process& process);
  void kill(Process& process) noexcept;
  void kill_all() noexcept;
  void stop_waiting(Process& process) noexcept;
  [[nodiscard]] bool is_running_or_its_ancestor(const Process& process) const;
  [[nodiscard]] Process* find(std::uint32_t slot, std::uint64_t serial) const;
  [[nodiscard]] std::string describe(const Process& process) const;
  void check_delay(Duration d) const;
  [[noreturn]] void throw_interrupted();

  [[nodiscard]] Process& at(std::uint32_t slot) const {
    return (*chunks_[slot / chunk_size])[slot % chunk_size];
  }
  static constexpr std::uint32_t chunk_size = 256;
  using Chunk = std::array<Process, chunk_size>;  // processes are linked, so they never move

  Config config_;
  SimTime now_;
  Process* current_ = nullptr;
  bool stop_ = false;
  bool attention_ = false;  // something to settle after the present step
  bool closing_ = false;
  bool looping_ = false;
  Process* finished_ = nullptr;
  int killing_ = 0;  // frames are being destroyed from outside
  std::uint64_t events_ = 0;
  detail::Calendar calendar_;

  std::vector<std::unique_ptr<Chunk>> chunks_;
  std::vector<std::uint32_t> free_slots_;
  std::vector<std::string> names_;  // by slot
  std::uint32_t slots_ = 0;
  std::size_t live_ = 0;
  std::uint64_t serial_ = 0;
  std::vector<TaskHandle> doomed_;  // to cancel when the present step is over
  std::exception_ptr failure_;

  detail::NameTable components_;
  detail::NameTable activities_;
  detail::NameTable constraints_;
  detail::Cuts cuts_;
  SimTime run_started_ = SimTime::min();
  std::vector<detail::Path::Piece> last_path_;  // of the last main task
};

/// The awaitable of `Simulation::delay`.
class [[nodiscard]] Simulation::Delay {
public:
  static bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<> where) { simulation_.begin_delay(where, duration_); }
  void await_resume() {
    simulation_.end_wait();
    if (simulation_.config_.record_paths) [[unlikely]]
      record();
  }

private:
  friend class Simulation;
  Delay(Simulation& simulation, Duration duration, Label label)
      : simulation_{simulation}, duration_{duration}, label_{label} {}
  Delay(Simulation& simulation, Duration duration, std::span<const LabelledPart> parts)
      : simulation_{simulation}, duration_{duration}, parts_{parts} {}
  void record();

  Simulation& simulation_;
  Duration duration_;
  Label label_;
  std::span<const LabelledPart> parts_;
};

inline Simulation::Delay Simulation::delay(Duration d) {
  return delay(d, Label{});
}

inline Simulation::Delay Simulation::delay(Duration d, Label label) {
  check_delay(d);
  return Delay{*this, d, label};
}

inline void Simulation::check_delay(Duration d) const {
  if (d.count() < 0 || d > SimTime::max() - now_) [[unlikely]] {
    throw SimulationError{"a delay must not be negative or pass the end of time, got " +
                          std::to_string(d.count()) + " ns"};
  }
}

}  // namespace copysim
