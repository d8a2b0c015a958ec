#pragma once

#include <copysim/lib/testbed.hpp>

#include "support/fake_store.hpp"
#include "support/idle_cpu.hpp"

namespace copysim::testing {

/// Two fake stores that stand for two machines.
class FakeTestbed final : public Testbed {
public:
  FakeTestbed(Simulation& sim, FakeStore::Config of_source, FakeStore::Config of_target)
      : from{sim, of_source, "from"}, to{sim, of_target, "to"}, sim_{sim}, cpu_{sim} {}

  Task<> prepare() override { co_await sim_.delay(preparation); }
  FileStore& source() override { return from; }
  FileStore& target() override { return to; }
  Cpu& cpu() override { return cpu_; }
  Counters counters() const override {
    return {{"source.calls", static_cast<double>(from.calls)},
            {"target.calls", static_cast<double>(to.calls)}};
  }

  FakeStore from;
  FakeStore to;
  Duration preparation{};

private:
  Simulation& sim_;
  IdleCpu cpu_;
};

}  // namespace copysim::testing
