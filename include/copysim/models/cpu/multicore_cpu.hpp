#pragma once

#include <cstdint>

#include <copysim/models/cpu/cpu.hpp>

namespace copysim {

/// What may interrupt what on a core: a higher level stops a lower one at once.
enum class CpuLevel : std::uint8_t { thread, deferred_call, interrupt };

/// A `Cpu` whose cores can be told apart, for models that choose where their interrupts go.
///
/// Contract: `run_on` ends when `work`, given as time on the reference core, has been executed on
/// that core at that level, including the time that it was held up.
class MulticoreCpu : public Cpu {
public:
  using Cpu::used;
  /// \throws SimulationError if there is no such core, or `level` is that of threads.
  [[nodiscard]] virtual Task<> run_on(int core, CpuLevel level, Duration work, CpuWork kind) = 0;
  /// Time that one core has worked at one level so far.
  [[nodiscard]] virtual Duration used(int core, CpuLevel level) const = 0;
};

}  // namespace copysim
