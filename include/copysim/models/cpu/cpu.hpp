#pragma once

#include <cstdint>

#include <copysim/sim/task.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// What kind of work a CPU does: it decides who waits for whom, and under which head it is counted.
enum class CpuWork : std::uint8_t {
  thread,   ///< program and system threads
  network,  ///< interrupts and deferred procedure calls of the network
  storage,  ///< interrupts and deferred procedure calls of the disks
};

/// The processors of one machine, shared by all that runs on it.
///
/// Contract: `run` ends when `work` has been executed, including the wait for a free core. A work
/// of zero ends at once and costs no event.
class Cpu {
public:
  virtual ~Cpu() = default;
  [[nodiscard]] virtual Task<> run(Duration work, CpuWork kind) = 0;
  [[nodiscard]] virtual int cores() const = 0;
  /// How long `work` takes on a free core.
  [[nodiscard]] virtual Duration time_of(Duration work) const { return work; }
  /// Time that all cores together have worked on `kind` so far.
  [[nodiscard]] virtual Duration used(CpuWork kind) const = 0;
};

}  // namespace copysim
