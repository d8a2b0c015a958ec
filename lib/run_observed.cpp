#include "run_observed.hpp"

#include <memory>
#include <utility>

#include <copysim/error.hpp>
#include <copysim/lib/machine_file_server.hpp>
#include <copysim/lib/machine_reception.hpp>

#include "device_counters.hpp"
#include "trace_recorder.hpp"

namespace copysim::detail {

namespace {

RunResult run_device(const ScenarioConfig& config, std::uint64_t replication,
                     const Observers& observers, MeasuredPaths* paths) {
  const DeviceBenchmark& bench = *config.device;
  Simulation sim{{.seed = static_cast<std::uint64_t>(config.run.seed),
                  .replication = replication,
                  .record_paths = observers.paths}};
  std::unique_ptr<BlockDevice> device = make_drive(sim, "device", bench.device);
  if (observers.recorder != nullptr) {
    device = traced(sim, std::move(device), "device", *observers.recorder);
  }
  const BenchmarkReport report = sim.run(run_benchmark(sim, *device, bench.benchmark));
  RunResult result;
  result.elapsed = report.elapsed;
  result.durable = report.durable;
  result.copied = report.bytes;
  result.status = report.status;
  const auto requests = static_cast<double>(report.requests);
  result.counters = {{"benchmark.requests", requests},
                     {"benchmark.mean_service_s", seconds(report.service) / requests},
                     {"benchmark.longest_service_s", seconds(report.longest)},
                     {"benchmark.requests_per_s", requests / seconds(report.elapsed)}};
  count_device(result.counters, "device", device->counters(), bench.device);
  if (paths != nullptr) {
    paths->durable = sim.path();
    if (result.durable == result.elapsed) paths->elapsed = paths->durable;
  }
  sim.close();
  return result;
}

RunResult run_copy(Testbed& testbed, const ResolvedScenario& scenario, const Observers& observers,
                   MeasuredPaths* paths) {
  Simulation& sim = testbed.simulation();
  Explorer shell{sim, testbed.client_cpu(), scenario.config.client.system.shell};
  if (observers.recorder != nullptr) {
    shell.estimated.attach([&](Duration at, Duration remaining) {
      observers.recorder->estimates.push_back({.at = at, .remaining = remaining});
    });
  }
  return measure(sim, testbed.source(), testbed.target(), *scenario.policy, shell, paths,
                 testbed.files());
}

// An experiment that is no copy: nobody waits for its end, so there is no path to it.
RunResult run_other(const ScenarioConfig& config, std::uint64_t replication,
                    const Observers& observers) {
  if (observers.paths || observers.recorder != nullptr) {
    throw ConfigError{"scenario", "explain and trace need a copy, a program or a device"};
  }
  return config.reception ? run_reception(config, replication)
                          : run_file_server(config, replication);
}

}  // namespace

RunResult run_observed(const ResolvedScenario& scenario, std::uint64_t replication,
                       const Observers& observers, MeasuredPaths* paths) {
  if (scenario.config.device) return run_device(scenario.config, replication, observers, paths);
  if (scenario.config.reception || scenario.config.file_server) {
    return run_other(scenario.config, replication, observers);
  }
  Testbed testbed{scenario.config, replication, observers};
  Simulation& sim = testbed.simulation();
  const DesktopPlan& desktop = scenario.config.desktop;
  if (!desktop.background.empty()) sim.run_until(sim.now() + desktop.lead);
  if (observers.recorder != nullptr) observers.recorder->started = sim.now();
  const auto timed = testbed.program();
  RunResult result = timed ? measure(sim, *timed->program, *timed->input, *timed->output, paths)
                           : run_copy(testbed, scenario, observers, paths);
  result.counters = testbed.counters();
  result.damaged = testbed.damaged();
  result.counters.emplace_back("damaged_files", static_cast<double>(result.damaged.size()));
  return result;
}

}  // namespace copysim::detail
