#pragma once

#include <array>
#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include <copysim/models/cpu/cpu_thread.hpp>
#include <copysim/models/cpu/multicore_cpu.hpp>
#include <copysim/models/cpu/scheduler_config.hpp>
#include <copysim/models/cpu/scheduling_policy.hpp>
#include <copysim/models/parameter.hpp>
#include <copysim/sim/label.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/sim/wait_list.hpp>

namespace copysim {

/// The cores of a machine, which all that runs on it shares.
///
/// Each core executes its interrupts first, then its deferred procedure calls, each first come
/// first served, then one thread. A higher level stops a lower one at once; what was stopped goes
/// on where it was, and its end moves by the time that it was held up. A thread that is stopped by
/// an interrupt stays on its core. A deferred call that is bound to no core takes one that serves
/// no interrupt, an idle one if there is, or waits for the first, so these keep their order. Which
/// ready thread gets a core, and whether it takes one from another thread, is the
/// `SchedulingPolicy`'s. A ready thread takes its ideal core if that is idle, else the first idle
/// one, else the core with the lowest thread that it preempts; a core that serves interrupts takes
/// none until it has done with them.
///
/// Work is given as time on a reference core, and takes `work / speed` here. Left out: the cost of
/// a switch, caches, clock frequencies that change, hyper-threading.
class SharedCpu final : public MulticoreCpu {
public:
  struct Config {
    int cores = 2;  ///< documented: the test machines of 2008 have two
    /// Speed of a core relative to the reference that all costs are stated for: one core of a
    /// Core 2 of 2.4 GHz (`mechanisms.md` 7.2 states its cycles at that clock).
    double speed = 1.0;

    static constexpr auto parameters = std::tuple{
        parameter("cores", &Config::cores, "cores of the machine", between(1, 1024)),
        parameter("speed", &Config::speed, "speed of a core, where a Core 2 of 2.4 GHz has 1",
                  between(0.001, 1000.0)),
    };
  };

  /// `name` is the machine's in labels, such as "client". Threads follow the rule of
  /// `scheduler`.
  /// \throws ConfigError if there is no core or the speed is not positive.
  SharedCpu(Simulation& simulation, std::string_view name, Config config,
            SchedulerConfig scheduler = {});
  /// Threads follow `policy`.
  SharedCpu(Simulation& simulation, std::string_view name, Config config, SchedulerConfig scheduler,
            std::unique_ptr<SchedulingPolicy> policy);

  /// Executes work of a thread of normal priority that lives as long as the work, or of a deferred
  /// procedure call on a core that `SchedulerConfig::interrupts` chooses; those of the network card
  /// run on the first, one after the other.
  [[nodiscard]] Task<> run(Duration work, CpuWork kind) override;
  [[nodiscard]] Task<> run_on(int core, CpuLevel level, Duration work, CpuWork kind) override;

  [[nodiscard]] int cores() const override { return config_.cores; }
  [[nodiscard]] Duration used(CpuWork kind) const override;
  [[nodiscard]] Duration used(int core, CpuLevel level) const override;
  /// The time that `work` takes here.
  [[nodiscard]] Duration time_of(Duration work) const override {
    return config_.speed == 1.0 ? work : from_seconds(seconds(work) / config_.speed);
  }
  [[nodiscard]] SchedulingPolicy& policy() { return *policy_; }
  [[nodiscard]] Simulation& simulation() const { return simulation_; }

private:
  friend class CpuThread;
  struct Core;

  // A piece of work, alive as long as the coroutine that waits for it.
  struct Job {
    Job(SharedCpu& owner, CpuLevel its_level, CpuWork its_kind, Duration time)
        : cpu{owner}, level{its_level}, kind{its_kind}, remaining{time} {}
    Job(const Job&) = delete;
    Job& operator=(const Job&) = delete;
    ~Job();

    SharedCpu& cpu;
    CpuLevel level;
    CpuWork kind;
    Duration remaining;
    CpuThread* thread = nullptr;
    Core* core = nullptr;  // it has a place there, running or stopped by a higher level
    bool running = false;
    bool done = false;
    bool sleeps = false;  // its coroutine is in `wait`
    SimTime since;        // running
    std::optional<WaitList> wait;
  };
  using JobQueue = std::deque<Job*>;
  struct Core {
    int number = 0;
    std::array<Job*, 3> job{};       // by level: what has begun there
    std::array<JobQueue, 3> queue;   // by level: what has not; that of threads is unused
    std::array<Duration, 3> used{};  // by level
    [[nodiscard]] bool interrupted() const { return job[1] != nullptr || job[2] != nullptr; }
    [[nodiscard]] bool idle() const { return job[0] == nullptr && !interrupted(); }
  };
  class Sleep;

  Task<> execute(CpuThread* thread, std::optional<int> core, CpuLevel level, Duration time,
                 CpuWork kind);
  Task<> run_thread(CpuThread& thread, Duration work);
  void submit(Job& job, std::optional<int> core);
  void submit_unbound(Job& job);
  void make_ready(Job& job);
  void interrupt_with(Job& job, Core& core);
  [[nodiscard]] Core* core_for(const Job& job);
  [[nodiscard]] Job* best_ready(const Core& core);
  [[nodiscard]] bool allowed(const Job& job, const Core& core) const;
  void begin(Job& job, Core& core);
  void stop(Job& job);
  void requeue(Job& job, bool at_front);
  void leave_queues(const Job& job);
  void give_up(Job& job);
  void end(Job& job);
  void go_on(Core& core);
  void quantum_over(Job& job);
  void priority_changed(CpuThread& thread);
  void account(Job& job);
  [[nodiscard]] static Duration until_due(const Job& job);

  Simulation& simulation_;
  Config config_;
  SchedulerConfig scheduler_;
  std::unique_ptr<SchedulingPolicy> policy_;
  std::string name_;
  std::array<Label, 3> labels_;
  Label preempted_;
  Constraint busy_;
  std::vector<std::unique_ptr<Core>> cores_;
  JobQueue ready_;    // threads without a core
  JobQueue unbound_;  // deferred calls that any core may take
  std::array<Duration, 3> used_{};
};

}  // namespace copysim
