#pragma once

#include <copysim/models/cpu/cpu.hpp>

namespace copysim {

/// A processor that costs nothing.
class FreeCpu final : public Cpu {
public:
  Task<> run(Duration, CpuWork) override { co_return; }
  int cores() const override { return 1; }
  Duration used(CpuWork) const override { return {}; }
};

}  // namespace copysim
