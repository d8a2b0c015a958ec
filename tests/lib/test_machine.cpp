#include <string>
#include <vector>

#include <copysim/error.hpp>
#include <copysim/lib/machine.hpp>
#include <copysim/lib/run.hpp>
#include <copysim/lib/testbed.hpp>

#include "lib/counter.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

using Assignments = std::vector<std::string>;

ResolvedScenario local_copy(Assignments settings) {
  settings.emplace_back("run.replications=1");
  return load_scenario("apc/disk-to-disk").with(settings).resolve();
}

}  // namespace

TEST_CASE("Machine names its volumes when asked for one that it does not have", "[machine]") {
  const ScenarioConfig config = local_copy({}).config;
  Simulation sim;
  Machine machine{sim, "client", config.client};

  CHECK_NOTHROW(machine.add_directory("second", Origin::first_file));
  CHECK_THROWS_WITH(machine.add_directory("third", Origin::first_file),
                    Catch::StartsWith("client: volume must be one of ") &&
                        Catch::Contains("second") && Catch::EndsWith("got third"));
  sim.close();
}

TEST_CASE("Testbed refuses a workload that its source has no room for", "[machine]") {
  const ScenarioConfig config = local_copy({"workloads.single.size=2000GiB"}).config;
  CHECK_THROWS_WITH(
      Testbed{config},
      Catch::StartsWith("client.volumes.system: volume: must have room behind files_at for "
                        "the files of the workload, got ") &&
          Catch::Contains(" of 2147483648000 B on a drive of 320072933376 B"));
}

TEST_CASE("Source and target may be the same volume", "[machine][run]") {
  for (const std::string engine : {"xp", "vista-rtm", "vista-sp1"}) {
    INFO(engine);
    const RunResult result =
        run(local_copy({"copy.to=system", "workloads.single.size=20000001B", "policy=" + engine}));

    CHECK(result.status == IoStatus::ok);
    CHECK(result.damaged.empty());
    // One drive reads and writes all of it.
    CHECK(counter(result, "client.disk.system.read_bytes") >= 20e6);
    CHECK(counter(result, "client.disk.system.written_bytes") >= 20e6);
  }
}

TEST_CASE("A copy that ends in a full volume is a result, not an exception", "[machine][run]") {
  for (const std::string engine : {"xp", "vista-rtm", "vista-sp1", "pipelined"}) {
    INFO(engine);
    // New files start at the very end of the drive, rounded down to 4 MiB.
    const RunResult result = run(local_copy(
        {"client.volumes.second.free_at=1", "workloads.single.size=6MiB", "policy=" + engine}));

    CHECK(result.status == IoStatus::disk_full);
    CHECK(result.copied == 0_B);
    CHECK(result.damaged.size() == 1);
    CHECK(result.durable >= result.elapsed);
  }
}

TEST_CASE("A file of 4 GiB does not go onto a FAT32 stick, nor come from one", "[machine][run]") {
  const auto stick = [](const std::string& direction, const std::string& size) {
    const Assignments settings{"run.replications=1", "copy.direction=" + direction,
                               "workloads.single.size=" + size};
    return load_scenario("apc/vista-to-usb").with(settings).resolve();
  };
  CHECK(run(stick("write", "4GiB")).status == IoStatus::too_large);
  // 2^32 - 1 bytes is the most that the directory entry's 32 bits can tell.
  CHECK(run(stick("write", "4294967295B")).status == IoStatus::ok);
  CHECK_THROWS_WITH(run(stick("read", "4GiB")),
                    Catch::StartsWith("client.volumes.stick: fat32: a file must be at most "
                                      "4294967295 B, got ") &&
                        Catch::EndsWith(" of 4294967296 B"));
}

TEST_CASE("A copy over a link that ends in a full volume is a result too", "[machine][run]") {
  const Assignments settings{"server.volumes.system.free_at=1", "workloads.single.size=6MiB",
                             "copy.direction=write", "run.replications=1"};
  for (const char* scenario : {"apc/vista-to-xp", "apc/vista-to-vista"}) {
    const RunResult result = run(load_scenario(scenario).with(settings).resolve());
    CHECK(result.status == IoStatus::disk_full);
    CHECK(result.damaged.size() == 1);
  }
}

TEST_CASE("A copy of ten times the size takes ten times as long and no more memory",
          "[machine][run][memory]") {
  const auto copy = [](const std::string& size) {
    const RunResult result =
        run(local_copy({"policy=xp", "workloads.single.size=" + size, "client.memory.size=1GiB"}));
    CHECK(result.status == IoStatus::ok);
    CHECK(result.damaged.empty());
    return result;
  };
  const RunResult small = copy("2.5 GiB");
  const RunResult large = copy("25 GiB");

  // Both fill what 1 GiB leaves for file pages, so the maps of the cache hold the same pages.
  CHECK(counter(small, "client.cache.peak_bytes") <= 1.0 * (1 << 30));
  CHECK(counter(large, "client.cache.peak_bytes") == counter(small, "client.cache.peak_bytes"));
  CHECK(seconds(large.durable) / seconds(small.durable) == Approx(10).epsilon(0.1));
}

TEST_CASE("Two volumes on one spindle compete for its arm", "[machine][run]") {
  const std::string alone =
      "title = \"two drives\"\n[client]\nsystem = \"xp\"\n[client.cpu]\ncores = 1\n"
      "[client.volumes.system]\ndrive = \"barracuda-7200-7-80gb\"\n[client.volumes.data]\n";
  const std::string rest =
      "[policy]\nid = \"xp\"\n[copy]\nfrom = \"system\"\nto = \"data\"\n"
      "[workloads.single]\nfiles = 1\nsize = \"30 MB\"\n";
  const auto durable = [&](const std::string& data) {
    const RunResult result = run(Scenario::parse(alone + data + rest, "mine.toml").resolve());
    CHECK(result.status == IoStatus::ok);
    CHECK(result.damaged.empty());
    return seconds(result.durable);
  };
  const double two_drives = durable("drive = \"barracuda-7200-7-80gb\"\n");
  const double near = durable("shares = \"system\"\npartition.begin = 0.5\n");
  const double far = durable("shares = \"system\"\npartition.begin = 0.9\n");
  // The arm goes to and fro over half the disk and back, or over most of it to a slower zone.
  CHECK(near > two_drives);
  CHECK(far > near);
  CHECK_THROWS_WITH(durable("shares = \"system\"\ndrive = \"barracuda-7200-7-80gb\"\n"),
                    Catch::Contains("drive must not be given with shares"));
  CHECK_THROWS_WITH(
      durable("shares = \"sytem\"\n"),
      Catch::Contains("must be a volume with a drive of its own: system; did you mean"));
}
