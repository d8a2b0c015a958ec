#include <copysim/models/cpu/shared_cpu.hpp>

#include <string>

#include <copysim/error.hpp>

namespace copysim {

SharedCpu::SharedCpu(Simulation& simulation, std::string_view name, Config config)
    : simulation_{simulation},
      config_{config},
      interrupts_{simulation, "processor", name, simulation.constraint("processor busy")},
      threads_{simulation, "processor", name, simulation.constraint("processor busy")},
      idle_{config.cores} {
  if (config.cores < 1) {
    throw ConfigError{name, "cores must be at least 1, got " + std::to_string(config.cores)};
  }
  if (!(config.speed > 0)) {
    throw ConfigError{name, "speed must be positive, got " + std::to_string(config.speed)};
  }
  const std::string component = std::string{name} + ".cpu";
  labels_ = {simulation.label(component, "threads"), simulation.label(component, "network"),
             simulation.label(component, "storage")};
}

bool SharedCpu::Core::await_ready() noexcept {
  if (cpu_.idle_ == 0) return false;
  --cpu_.idle_;
  held_ = true;
  return true;
}

Task<> SharedCpu::run(Duration work, CpuWork kind) {
  if (work <= Duration::zero()) co_return;
  const auto index = static_cast<std::size_t>(kind);
  const Duration time = config_.speed == 1.0 ? work : from_seconds(seconds(work) / config_.speed);
  Core core{*this, kind == CpuWork::thread ? threads_ : interrupts_};
  co_await core;
  co_await simulation_.delay(time, labels_[index]);
  used_[index] += time;
}

void SharedCpu::pass_on() {
  WaitList& queue = interrupts_.empty() ? threads_ : interrupts_;
  if (queue.empty()) {
    ++idle_;
    return;
  }
  queue.front<Core>().held_ = true;
  queue.wake_front();
}

}  // namespace copysim
