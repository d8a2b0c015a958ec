#include <copysim/lib/measure.hpp>
#include <copysim/models/copy/xp_copy.hpp>

#include "support/catch.hpp"
#include "support/fake_store.hpp"
#include "support/idle_cpu.hpp"

using namespace copysim;
using namespace copysim::testing;

TEST_CASE("a run is timed from the click to the dialog's end and on to the medium", "[run]") {
  Simulation sim;
  FakeStore source{sim, {.rate = 1_MiB / 1s}, "source"};
  FakeStore target{sim, {.call = 1s}, "target"};
  source.add("f", 3_MiB);
  IdleCpu cpu{sim};
  XpCopy policy;
  Explorer shell{sim, cpu, {.file_cpu = 0s, .target_queries = 0}};
  sim.run_until(SimTime{100s});

  const RunResult result = measure(sim, source, target, policy, shell);

  CHECK(result.status == IoStatus::ok);
  CHECK(result.copied == 3_MiB);
  CHECK(result.files == 1);
  // 3 s reading; query, open, set size, set times and close of the target at 1 s each. What went
  // before the click is not timed.
  CHECK(result.elapsed == 8s);
  CHECK(result.durable == 9s);  // settle is one call more
  CHECK(result.first_estimate.has_value());
}

TEST_CASE("a run whose medium fails at the end tells it", "[run]") {
  Simulation sim;
  FakeStore source{sim, {}, "source"};
  // Calls of the target: query, open, set size, write, set times, close, settle.
  FakeStore target{sim, {.failing_call = 7}, "target"};
  source.add("f", 1_KiB);
  IdleCpu cpu{sim};
  XpCopy policy;
  Explorer shell{sim, cpu, {.target_queries = 0}};

  CHECK(measure(sim, source, target, policy, shell).status == IoStatus::device_error);
}
