#include <copysim/lib/run.hpp>

#include <utility>

#include "parallel.hpp"
#include "run_batch.hpp"
#include "run_observed.hpp"

namespace copysim {

RunResult run(const ResolvedScenario& scenario, std::uint64_t replication) {
  return detail::run_observed(scenario, replication, {});
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
