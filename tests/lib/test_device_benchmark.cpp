#include <string>
#include <vector>

#include <copysim/error.hpp>
#include <copysim/lib/device_benchmark.hpp>
#include <copysim/lib/run.hpp>
#include <copysim/lib/scenario.hpp>
#include <copysim/lib/sweep.hpp>

#include "models/storage/tiny_disk.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

std::vector<std::int64_t> first_sectors(const BenchmarkConfig& config, Bytes capacity) {
  RequestSequence sequence{config, capacity, RandomStream{1, "benchmark", 0}};
  std::vector<std::int64_t> starts;
  while (const auto extent = sequence.next()) {
    CHECK(extent->length == config.request);
    CHECK(extent->end() <= capacity);
    starts.push_back(extent->offset / 512_B);
  }
  return starts;
}

BenchmarkReport measured(const HardDisk::Config& disk, const BenchmarkConfig& config) {
  Simulation sim;
  HardDisk device{sim, "disk", disk};
  return sim.run(run_benchmark(sim, device, config));
}

std::string error_of(const std::string& scenario) {
  try {
    static_cast<void>(Scenario::parse(scenario, "mine.toml").resolve());
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("The patterns of a benchmark go where their names say", "[benchmark]") {
  using List = std::vector<std::int64_t>;
  // Sixteen sectors; requests of two; the region is the upper half: sectors 8 to 15.
  BenchmarkConfig config{.request = 1024_B, .requests = 5, .begin = 0.5, .stride = 2048_B};
  const Bytes capacity = 16 * 512_B;
  CHECK(first_sectors(config, capacity) == List{8, 10, 12, 14, 8});
  config.backward = true;
  CHECK(first_sectors(config, capacity) == List{14, 12, 10, 8, 14});
  config.pattern = AccessPattern::alternate;
  CHECK(first_sectors(config, capacity) == List{8, 14, 12, 10, 9});
  config.backward = false;
  config.pattern = AccessPattern::stride;
  CHECK(first_sectors(config, capacity) == List{8, 12, 9, 13, 10});
  config.pattern = AccessPattern::random;
  config.requests = 100;
  for (const std::int64_t start : first_sectors(config, capacity)) {
    CHECK(start >= 8);
    CHECK(start % 2 == 0);
  }
}

TEST_CASE("A sequential benchmark without caches loses a turn a request", "[benchmark]") {
  // Tiny disk: a turn of 10 ms, 0.1 ms a sector. Ten sectors take 1 ms; then 0.5 ms of the host let
  // the head pass the next ones, which come round again 10 ms after they would have followed. Five
  // requests: a first one that waits w for its sector, and four of 10 ms, of which the host has 0.5
  // and the device 9.5. The last sector crosses the bus for 1 us behind the medium, which the turn
  // absorbs; so w and the first host time aside
  //   elapsed = 0.5 + w + 1 + 4 * 10 + 0.001 ms, with 0 <= w < 10.
  const BenchmarkConfig config{.request = 10 * 512_B, .requests = 5, .host_time = 500us};
  const BenchmarkReport report = measured(tiny_disk(), config);
  CHECK(report.requests == 5);
  CHECK(report.bytes == 50 * 512_B);
  const Duration wait = report.elapsed - (500us + 1ms + 40ms + 1us);
  CHECK(wait >= 0ms);
  CHECK(wait < 10ms);
  // Each of the five spends 0.5 ms with the host; all else is service.
  CHECK(report.service == report.elapsed - 5 * 500us);
}

TEST_CASE("Without a write cache each write of a sequence costs a turn", "[benchmark]") {
  // 64 KiB at one request a turn of 60/7200 s are 7.86 MB/s, whatever the zone; half of it per 32
  // KiB. The first request's seek and wait add at most 1.5 turns to 1000, the track changes some
  // skew.
  const auto rate = [](const std::string& request) {
    const std::vector<std::string> settings{
        "device.drive=barracuda-7200-7-80gb", "device.write_cache.enabled=false",
        "benchmark.access=write", "benchmark.requests=1000", "benchmark.request=" + request};
    const Scenario scenario = load_scenario("device/sequential").with(settings);
    const RunResult result = run(scenario.resolve());
    return static_cast<double>(result.copied.count()) / seconds(result.elapsed);
  };
  const double turn = 60.0 / 7200;
  CHECK(rate("64KiB") == Approx(65536 / turn).epsilon(0.15));
  CHECK(rate("32KiB") == Approx(32768 / turn).epsilon(0.15));
}

TEST_CASE("A device scenario is run, swept and described like any other", "[benchmark]") {
  const Scenario scenario =
      load_scenario("device/random")
          .with(std::vector<std::string>{"benchmark.requests=50", "run.replications=2"});
  const RunSummary summary = replicate(scenario);
  CHECK(summary.policy.empty());
  CHECK(summary.results.at(0).copied == 50 * 8_KiB);
  CHECK(summary.results.at(0).durable >= summary.results.at(0).elapsed);
  bool drive = false;
  for (const EffectiveSetting& setting : summary.settings) {
    drive = drive || setting.key == "device.geometry.rpm";
  }
  CHECK(drive);
  const Sweep both = sweep(scenario, {SweepAxis::parse("benchmark.depth=1,4")});
  REQUIRE(both.points.size() == 2);
  // A deeper queue can be ordered, so more requests a second.
  CHECK(both.points[1].summary.elapsed_s().mean < both.points[0].summary.elapsed_s().mean);
}

TEST_CASE("A device scenario says what is wrong with it", "[benchmark]") {
  CHECK_THAT(error_of("[benchmark]\nsize = \"1 MiB\"\n"),
             Catch::Matchers::Contains("device.drive must name a drive sheet"));
  CHECK_THAT(error_of("[device]\ndrive = \"atlas-10k-9gb\"\n[policy]\nid = \"xp\"\n"),
             Catch::Matchers::Contains("unknown key 'policy.id'"));
  const std::string odd =
      "[device]\ndrive = \"atlas-10k-9gb\"\n[benchmark]\nrequest = \"1000 B\"\n";
  CHECK_THROWS_WITH(run(Scenario::parse(odd, "mine.toml").resolve()),
                    Catch::Matchers::Contains("must be whole sectors"));
  const std::string empty =
      "[device]\ndrive = \"atlas-10k-9gb\"\n[benchmark]\nbegin = 0.5\nend = 0.5\n";
  CHECK_THROWS_WITH(run(Scenario::parse(empty, "mine.toml").resolve()),
                    Catch::Matchers::Contains("end must leave room"));
  const std::string little = "[device]\ndrive = \"atlas-10k-9gb\"\n[benchmark]\nsize = \"8 KiB\"\n";
  CHECK_THROWS_WITH(
      run(Scenario::parse(little, "mine.toml").resolve()),
      Catch::Matchers::Contains("size must be at least one request of 65536 B, got 8192 B"));
}
