#include <algorithm>
#include <string>
#include <vector>

#include <copysim/lib/run.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

// Large enough for each engine to leave its first branch: one 2 MiB I/O after another, batches of
// eight, unaligned ends, and files that go through the cache.
const std::vector<std::vector<std::string>> workloads{
    {"workloads.single.size=1000001B"},
    {"workloads.single.size=40000001B"},
    {"workload=multi", "workloads.multi.files=7", "workloads.multi.size=30000001B"},
};

}  // namespace

TEST_CASE("every engine leaves the source's bytes on every medium over every link",
          "[run][property]") {
  // Two disks, disk and stick, SMB 1 to an XP machine, SMB 2 between Vista machines.
  const std::string scenario =
      GENERATE("apc/disk-to-disk", "apc/vista-to-usb", "apc/vista-to-xp", "apc/vista-to-vista");
  const std::string direction = GENERATE("read", "write", "server");
  const std::string link = GENERATE("", "link.rtt=20ms");
  const bool remote = load_scenario(scenario).resolve().config.remote();
  if (!remote && (!link.empty() || direction == "server")) return;

  const PolicyRegistry registry = builtin_policies();
  for (const PolicyEntry& entry : registry.entries()) {
    for (std::vector<std::string> settings : workloads) {
      settings.push_back("policy=" + entry.id);
      settings.push_back("copy.direction=" + direction);
      settings.push_back("run.replications=1");
      if (!link.empty()) settings.push_back(link);
      INFO(scenario << ' ' << direction << ' ' << entry.id << ' ' << settings.front() << ' '
                    << link);

      const RunResult result = run(load_scenario(scenario).with(settings).resolve());

      REQUIRE(result.status == IoStatus::ok);
      REQUIRE(result.damaged == std::vector<std::string>{});
    }
  }
}

TEST_CASE("two Vista machines speak SMB2, in requests of 64 KiB", "[run]") {
  const std::string direction = GENERATE("read", "write");
  const std::vector<std::string> settings{"workloads.single.size=64MiB",
                                          "copy.direction=" + direction, "run.replications=1"};

  const RunResult result = run(load_scenario("apc/vista-to-vista").with(settings).resolve());

  REQUIRE(result.status == IoStatus::ok);
  const auto counter = [&](const std::string& name) {
    const auto found = std::find_if(result.counters.begin(), result.counters.end(),
                                    [&](const auto& each) { return each.first == name; });
    REQUIRE(found != result.counters.end());
    return found->second;
  };
  // 64 MiB are 1,024 requests of 64 KiB (1,093 of the 60 KiB of SMB1), and a few for metadata.
  CHECK(counter("smb.server_requests") >= 1024);
  CHECK(counter("smb.server_requests") < 1024 + 30);
  CHECK(counter(direction == "read" ? "smb.read_bytes" : "smb.written_bytes") == 64.0 * (1 << 20));
}
