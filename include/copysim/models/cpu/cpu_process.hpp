#pragma once

#include <memory>
#include <string>

#include <copysim/sim/task.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// A process of a program on the processors of a machine: what a scheduler shares them among.
///
/// Contract: `run` ends when `work`, given as time on the reference core, has been executed in user
/// mode, including the wait for the processor. One piece at a time. It outlives its work.
class CpuProcess {
public:
  virtual ~CpuProcess() = default;
  [[nodiscard]] virtual Task<> run(Duration work) = 0;
  /// Starts a child process, which ends with the object that is returned; this one outlives it.
  [[nodiscard]] virtual std::unique_ptr<CpuProcess> fork(std::string name) = 0;
};

/// Where programs start their processes: a machine.
class ProcessStarter {
public:
  virtual ~ProcessStarter() = default;
  /// Starts a process of normal priority; the machine's processors outlive it.
  [[nodiscard]] virtual std::unique_ptr<CpuProcess> start(std::string name) = 0;
};

}  // namespace copysim
