#include <copysim/lib/explain.hpp>

#include "run_observed.hpp"

namespace copysim {

Explanation explain(const Scenario& scenario, std::uint64_t replication,
                    const PolicyRegistry& policies) {
  const ResolvedScenario resolved = scenario.resolve(policies);
  Explanation explanation;
  explanation.scenario = scenario.id();
  explanation.policy = resolved.config.policy_id;
  explanation.seed = resolved.config.run.seed;
  explanation.replication = replication;
  explanation.result =
      detail::run_observed(resolved, replication, {.paths = true}, &explanation.paths);
  return explanation;
}

}  // namespace copysim
