#include <copysim/lib/run.hpp>

#include <memory>
#include <utility>

#include <copysim/lib/testbed.hpp>

#include "device_counters.hpp"
#include "parallel.hpp"
#include "run_batch.hpp"

namespace copysim {

namespace {

RunResult run_device(const ScenarioConfig& config, std::uint64_t replication) {
  const DeviceBenchmark& bench = *config.device;
  Simulation sim{{.seed = static_cast<std::uint64_t>(config.run.seed), .replication = replication}};
  const std::unique_ptr<BlockDevice> device = make_drive(sim, "device", bench.device);
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
  detail::count_device(result.counters, "device", device->counters(), bench.device);
  sim.close();
  return result;
}

}  // namespace

RunResult run(const ResolvedScenario& scenario, std::uint64_t replication) {
  if (scenario.config.device) return run_device(scenario.config, replication);
  Testbed testbed{scenario.config, replication};
  Simulation& sim = testbed.simulation();
  const DesktopPlan& desktop = scenario.config.desktop;
  if (!desktop.background.empty()) sim.run_until(sim.now() + desktop.lead);
  RunResult result;
  if (const auto timed = testbed.program()) {
    result = measure(sim, *timed->program, *timed->input, *timed->output);
  } else {
    Explorer shell{sim, testbed.client_cpu(), scenario.config.client.system.shell};
    result = measure(sim, testbed.source(), testbed.target(), *scenario.policy, shell);
  }
  result.counters = testbed.counters();
  result.damaged = testbed.damaged();
  result.counters.emplace_back("damaged_files", static_cast<double>(result.damaged.size()));
  return result;
}

RunSummary replicate(const Scenario& scenario, const RunOptions& options,
                     const PolicyRegistry& policies) {
  return std::move(detail::run_batch({scenario}, options, policies).front());
}

namespace detail {

std::vector<RunSummary> run_batch(const std::vector<Scenario>& scenarios, const RunOptions& options,
                                  const PolicyRegistry& policies) {
  struct Work {
    std::size_t scenario;
    std::uint64_t replication;
  };
  std::vector<ResolvedScenario> resolved;
  std::vector<RunSummary> summaries;
  std::vector<Work> work;
  for (const Scenario& scenario : scenarios) {
    const ResolvedScenario& one = resolved.emplace_back(scenario.resolve(policies));
    RunSummary& summary = summaries.emplace_back();
    summary.scenario = scenario.id();
    summary.policy = one.config.policy_id;
    summary.seed = static_cast<std::uint64_t>(one.config.run.seed);
    summary.settings = one.settings;
    summary.results.resize(static_cast<std::size_t>(one.config.run.replications));
    for (std::uint64_t i = 0; i < summary.results.size(); ++i) {
      work.push_back({resolved.size() - 1, i});
    }
  }
  for_each_index(work.size(), options, [&](std::size_t i) {
    const Work& one = work[i];
    summaries[one.scenario].results[one.replication] = run(resolved[one.scenario], one.replication);
  });
  return summaries;
}

}  // namespace detail

}  // namespace copysim
