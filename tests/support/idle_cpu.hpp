#pragma once

#include <copysim/models/cpu/cpu.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim::testing {

/// A processor that is never busy with anything else.
class IdleCpu final : public Cpu {
public:
  explicit IdleCpu(Simulation& sim) : sim_{sim} {}
  Task<> run(Duration work, CpuWork) override {
    used_ += work;
    co_await sim_.delay(work);
  }
  int cores() const override { return 1; }
  Duration used(CpuWork) const override { return used_; }

private:
  Simulation& sim_;
  Duration used_{};
};

}  // namespace copysim::testing
