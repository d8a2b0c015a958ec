#include <copysim/models/cpu/shared_cpu.hpp>

#include <algorithm>
#include <array>
#include <coroutine>
#include <utility>

#include <copysim/error.hpp>
#include <copysim/models/cpu/linux_time_sharing.hpp>
#include <copysim/models/cpu/windows_scheduling.hpp>

namespace copysim {

std::string_view to_string(InterruptPlacement placement) {
  return placement == InterruptPlacement::all_cores ? "all-cores" : "first-core";
}

std::string_view to_string(SchedulingRule rule) {
  return rule == SchedulingRule::priorities ? "priorities" : "time-sharing";
}

namespace {

std::unique_ptr<SchedulingPolicy> make_policy(const SchedulerConfig& config) {
  if (config.rule == SchedulingRule::time_sharing) {
    return std::make_unique<LinuxTimeSharing>(LinuxTimeSharing::Config{.tick = config.tick});
  }
  return std::make_unique<WindowsScheduling>(config.quantum);
}

constexpr std::size_t index(CpuLevel level) {
  return static_cast<std::size_t>(level);
}
constexpr std::size_t index(CpuWork kind) {
  return static_cast<std::size_t>(kind);
}

}  // namespace

/// Waits until the job runs again. The job leaves its place by itself if the task is cancelled.
class SharedCpu::Sleep {
public:
  explicit Sleep(Job& job) : job_{job} {}
  static bool await_ready() noexcept { return false; }
  void await_suspend(std::coroutine_handle<> where) {
    SharedCpu& cpu = job_.cpu;
    if (!job_.wait) job_.wait.emplace(cpu.simulation_, "processor", cpu.name_, cpu.busy_);
    job_.sleeps = true;
    job_.wait->suspend(where, this);
  }
  void await_resume() {
    job_.sleeps = false;
    job_.wait->resumed();
  }

private:
  Job& job_;
};

SharedCpu::Job::~Job() {
  if (!done && !cpu.simulation_.closing()) cpu.give_up(*this);
}

SharedCpu::SharedCpu(Simulation& simulation, std::string_view name, Config config,
                     SchedulerConfig scheduler)
    : SharedCpu{simulation, name, config, scheduler, make_policy(scheduler)} {}

SharedCpu::SharedCpu(Simulation& simulation, std::string_view name, Config config,
                     SchedulerConfig scheduler, std::unique_ptr<SchedulingPolicy> policy)
    : simulation_{simulation},
      config_{config},
      scheduler_{scheduler},
      policy_{std::move(policy)},
      name_{name},
      busy_{simulation.constraint("processor busy")} {
  if (config.cores < 1) {
    throw ConfigError{name, "cores must be at least 1, got " + std::to_string(config.cores)};
  }
  if (!(config.speed > 0)) {
    throw ConfigError{name, "speed must be positive, got " + std::to_string(config.speed)};
  }
  const std::string component = name_ + ".cpu";
  labels_ = {simulation.label(component, "threads"), simulation.label(component, "network"),
             simulation.label(component, "storage")};
  preempted_ = simulation.label(component, "preempted");
  for (int i = 0; i < config.cores; ++i) {
    cores_.push_back(std::make_unique<Core>());
    cores_.back()->number = i;
  }
}

Duration SharedCpu::used(CpuWork kind) const {
  Duration total = used_[index(kind)];
  for (const auto& core : cores_) {
    for (const Job* job : core->job) {
      if (job != nullptr && job->running && job->kind == kind) {
        total += simulation_.now() - job->since;
      }
    }
  }
  return total;
}

Duration SharedCpu::used(int core, CpuLevel level) const {
  const Core& it = *cores_.at(static_cast<std::size_t>(core));
  const Job* job = it.job[index(level)];
  const bool now = job != nullptr && job->running;
  return it.used[index(level)] + (now ? simulation_.now() - job->since : Duration::zero());
}

Task<> SharedCpu::run(Duration work, CpuWork kind) {
  if (work <= Duration::zero()) co_return;
  if (kind == CpuWork::thread) {
    CpuThread thread{*this, {}};
    policy_->admit_call(thread.state_);
    co_await execute(&thread, std::nullopt, CpuLevel::thread, time_of(work), kind);
  } else {
    // A machine's one network card has one deferred call at a time, on the core that it interrupts:
    // on several cores, messages would overtake each other.
    const bool first =
        scheduler_.interrupts == InterruptPlacement::first_core || kind == CpuWork::network;
    const auto core = first ? std::optional{0} : std::nullopt;
    co_await execute(nullptr, core, CpuLevel::deferred_call, time_of(work), kind);
  }
}

Task<> SharedCpu::run_on(int core, CpuLevel level, Duration work, CpuWork kind) {
  if (core < 0 || core >= config_.cores || level == CpuLevel::thread) {
    throw SimulationError{name_ + ": no core " + std::to_string(core) + " for an interrupt"};
  }
  if (work <= Duration::zero()) co_return;
  co_await execute(nullptr, core, level, time_of(work), kind);
}

Task<> SharedCpu::run_thread(CpuThread& thread, Duration work) {
  if (work <= Duration::zero()) co_return;
  policy_->wake(thread.state_, simulation_.now() - thread.asleep_since_);
  co_await execute(&thread, std::nullopt, CpuLevel::thread, time_of(work), CpuWork::thread);
  thread.asleep_since_ = simulation_.now();
}

// The delay of a running job is never cut short: a higher level only moves the end away, so the
// coroutine looks again when the delay is over. So much of the time as the work needs is charged to
// it, what comes on top to being preempted.
Task<> SharedCpu::execute(CpuThread* thread, std::optional<int> core, CpuLevel level, Duration time,
                          CpuWork kind) {
  Job job{*this, level, kind, time};
  job.thread = thread;
  Duration unlabelled = time;
  submit(job, core);
  while (!job.done) {
    if (!job.running) {
      co_await Sleep{job};
      continue;
    }
    const Duration left = job.since + until_due(job) - simulation_.now();
    if (left > Duration::zero()) {
      const Duration own = std::min(left, unlabelled);
      unlabelled -= own;
      const std::array<LabelledPart, 2> parts{
          {{labels_[index(kind)], own}, {preempted_, left - own}}};
      co_await simulation_.delay(parts);
      continue;
    }
    if (simulation_.now() - job.since >= job.remaining) {
      end(job);
    } else {
      quantum_over(job);
    }
  }
}

}  // namespace copysim
