#include <string>
#include <vector>

#include <copysim/lib/catalogue.hpp>
#include <copysim/lib/run.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

// Whole copies take minutes where nothing is optimised: there the longest scenarios, of some ten GB
// over a long line, are made a tenth.
RunResult run_at(const std::string& scenario, const std::string& detail) {
  std::vector<std::string> settings{"link.detail=" + detail, "run.replications=1"};
#ifndef NDEBUG
  if (scenario.starts_with("wan/")) settings.emplace_back("workloads.stitch.size=1158889550 B");
#endif
  return run(load_scenario(scenario).with(settings).resolve());
}

}  // namespace

TEST_CASE("packets and bursts agree within 2 % on every scenario over a network", "[run][packet]") {
  int compared = 0;
  for (const std::string& id : catalogue().ids("scenarios")) {
    const ScenarioConfig config = load_scenario(id).resolve().config;
    if (!config.remote() || config.file_server || config.link.kind != LinkKind::ethernet) continue;
    ++compared;
    INFO(id);
    const RunResult bursts = run_at(id, "burst");
    const RunResult packets = run_at(id, "packet");
    REQUIRE(packets.status == IoStatus::ok);
    CHECK(packets.damaged.empty());
    CHECK(seconds(packets.elapsed) == Approx(seconds(bursts.elapsed)).epsilon(0.02));
    CHECK(seconds(packets.durable) == Approx(seconds(bursts.durable)).epsilon(0.02));
  }
  CHECK(compared > 0);
}
