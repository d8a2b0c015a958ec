#include <copysim/models/cpu/cpu_thread.hpp>

#include <utility>

#include <copysim/error.hpp>
#include <copysim/models/cpu/shared_cpu.hpp>

namespace copysim {

CpuThread::CpuThread(SharedCpu& cpu, Config config)
    : cpu_{&cpu}, core_{config.core}, ideal_{config.ideal}, asleep_since_{cpu.simulation().now()} {
  for (const auto& core : {core_, ideal_}) {
    if (!core || (*core >= 0 && *core < cpu.cores())) continue;
    throw ConfigError{config.name, "core must be one of the machine's " +
                                       std::to_string(cpu.cores()) + ", got " +
                                       std::to_string(*core)};
  }
  state_.name = std::move(config.name);
  state_.priority = config.priority;
  cpu.policy().admit(state_);
}

Task<> CpuThread::run(Duration work) {
  return cpu_->run_thread(*this, work);
}

void CpuThread::fork_from(CpuThread& parent) {
  cpu_->policy().forked(parent.state_, state_);
}

void CpuThread::hand_back(CpuThread& parent) const {
  cpu_->policy().exited(state_, parent.state_);
}

void CpuThread::set_priority(int priority) {
  const Duration left = state_.quantum_left;
  state_.priority = priority;
  cpu_->policy().admit(state_);
  state_.quantum_left = left;
  cpu_->priority_changed(*this);
}

}  // namespace copysim
