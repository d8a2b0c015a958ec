#include <copysim/lib/measure.hpp>
#include <copysim/models/copy/xp_copy.hpp>

#include "support/catch.hpp"
#include "support/fake_testbed.hpp"

using namespace copysim;
using namespace copysim::testing;

TEST_CASE("a run is timed from the click to the dialog's end and on to the medium", "[run]") {
  Simulation sim;
  FakeTestbed testbed{sim, {.rate = 1_MiB / 1s}, {.call = 1s}};
  testbed.preparation = 100s;
  testbed.from.add("f", 3_MiB);
  XpCopy policy;
  Explorer shell{sim, testbed.cpu(), {.file_cpu = 0s, .target_queries = 0}};

  const RunResult result = measure(sim, testbed, policy, shell);

  CHECK(result.status == IoStatus::ok);
  CHECK(result.copied == 3_MiB);
  CHECK(result.files == 1);
  // 3 s reading; query, open, set size, set times and close of the target at 1 s each. Connecting
  // is not timed.
  CHECK(result.elapsed == 8s);
  CHECK(result.durable == 9s);  // settle is one call more
  CHECK(result.first_estimate.has_value());
  // Target: five calls, 48 writes of 64 KiB, settle.
  CHECK(result.counters.back() == Counters::value_type{"target.calls", 54.0});
}

TEST_CASE("a run whose medium fails at the end tells it", "[run]") {
  Simulation sim;
  // Calls of the target: query, open, set size, write, set times, close, settle.
  FakeTestbed testbed{sim, {}, {.failing_call = 7}};
  testbed.from.add("f", 1_KiB);
  XpCopy policy;
  Explorer shell{sim, testbed.cpu(), {.target_queries = 0}};

  CHECK(measure(sim, testbed, policy, shell).status == IoStatus::device_error);
}
