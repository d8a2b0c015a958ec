#include <array>
#include <sstream>
#include <string>
#include <vector>

#include <boost/json/parse.hpp>

#include <copysim/error.hpp>
#include <copysim/lib/run.hpp>
#include <copysim/lib/run_command.hpp>
#include <copysim/lib/run_report.hpp>
#include <copysim/lib/sweep.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

// Two disks of one machine and 6 MiB, so that a run takes no time to speak of.
Scenario small_copy(int replications = 2) {
  const std::vector<std::string> settings{"workloads.single.size=6MiB",
                                          "run.replications=" + std::to_string(replications)};
  return load_scenario("apc/disk-to-disk").with(settings);
}

std::string json_of(const Scenario& scenario, const RunOptions& options = {}) {
  std::ostringstream out;
  write_run(out, replicate(scenario, options), ReportFormat::json);
  return out.str();
}

std::string csv_of(const Sweep& sweep) {
  std::ostringstream out;
  write_sweep(out, sweep, ReportFormat::csv);
  return out.str();
}

}  // namespace

TEST_CASE("a replication copies the whole workload and is safe on the medium last", "[run]") {
  const RunResult result = run(small_copy().resolve());

  CHECK(result.status == IoStatus::ok);
  CHECK(result.copied == 6_MiB);
  CHECK(result.files == 1);
  CHECK(result.durable >= result.elapsed);
  CHECK(result.damaged.empty());
}

TEST_CASE("the number of jobs changes no bit of a result", "[run]") {
  const std::string alone = json_of(small_copy(5), {.jobs = 1});
  CHECK(json_of(small_copy(5), {.jobs = 2}) == alone);
  CHECK(json_of(small_copy(5), {.jobs = 5}) == alone);
}

TEST_CASE("a replication depends on its number and the seed only", "[run]") {
  const RunSummary two = replicate(small_copy(2));
  const RunSummary three = replicate(small_copy(3));
  CHECK(two.results[0].durable == three.results[0].durable);
  CHECK(two.results[1].durable == three.results[1].durable);
  CHECK(three.results[0].durable != three.results[1].durable);

  const std::vector<std::string> other_seed{"run.seed=2"};
  CHECK(replicate(small_copy(1).with(other_seed)).results[0].durable != two.results[0].durable);
}

TEST_CASE("the JSON of a run has the members of the design, with the source of each setting",
          "[run]") {
  const auto parsed = boost::json::parse(json_of(small_copy())).as_object();

  std::vector<std::string> names;
  for (const auto& member : parsed) names.emplace_back(member.key());
  CHECK(names == std::vector<std::string>{"scenario", "policy", "seed", "replications", "settings",
                                          "elapsed_s", "durable_s", "first_estimate_s",
                                          "throughput_bytes_per_s", "counters"});
  CHECK(parsed.at("scenario") == "apc/disk-to-disk");
  CHECK(parsed.at("replications") == 2);
  CHECK(parsed.at("elapsed_s").as_object().contains("ci95"));
  CHECK(parsed.at("counters").at("damaged_files") == 0);
  const auto& size = parsed.at("settings").at("run.replications").as_object();
  CHECK(size.at("value") == 2);
  CHECK(size.at("from") == "command line");
}

TEST_CASE("a sweep runs every combination, the last axis fastest", "[sweep]") {
  const std::vector<SweepAxis> axes{SweepAxis::parse("policy=xp,vista-rtm"),
                                    SweepAxis::parse("workloads.single.size=1MiB,2MiB")};

  const Sweep result = sweep(small_copy(1), axes, {.jobs = 2});

  REQUIRE(result.points.size() == 4);
  CHECK(result.points[1].values == std::vector<std::string>{"xp", "2MiB"});
  CHECK(result.points[2].values == std::vector<std::string>{"vista-rtm", "1MiB"});
  CHECK(result.points[1].summary.policy == "xp");
  CHECK(result.points[1].summary.results[0].copied == 2_MiB);
  CHECK(result.points[2].summary.results[0].copied == 1_MiB);
  CHECK(csv_of(result) == csv_of(sweep(small_copy(1), axes)));
}

TEST_CASE("the CSV of a sweep starts with its axes and has a line per point", "[sweep]") {
  const Sweep result = sweep(small_copy(1), {SweepAxis::parse("policy=xp,vista-sp1")});
  std::istringstream lines{csv_of(result)};
  std::string header;
  std::string first;
  std::string second;
  std::string third;
  std::getline(lines, header);
  std::getline(lines, first);
  std::getline(lines, second);

  CHECK(header.starts_with("policy,scenario,policy,seed,replications,elapsed_s,"));
  CHECK(first.starts_with("xp,apc/disk-to-disk,xp,1,1,"));
  CHECK(second.starts_with("vista-sp1,apc/disk-to-disk,vista-sp1,1,1,"));
  CHECK_FALSE(std::getline(lines, third));
}

TEST_CASE("a wrong point stops a sweep before anything runs", "[sweep]") {
  RunOptions options;
  options.progress = [](std::size_t, std::size_t) { FAIL("a simulation ran"); };
  CHECK_THROWS_AS(sweep(small_copy(), {SweepAxis::parse("policy=xp,nonsense")}, options),
                  ConfigError);
}

TEST_CASE("an axis without key or with an empty value is refused", "[sweep]") {
  for (const char* text : {"policy", "=a", "policy=", "policy=a,,b", "policy=a,"}) {
    INFO(text);
    CHECK_THROWS_AS(SweepAxis::parse(text), ConfigError);
  }
}

TEST_CASE("the command's short forms win over its settings", "[run]") {
  RunCommand command;
  command.scenario = "apc/disk-to-disk";
  command.settings = {"workloads.single.size=1MiB", "policy=xp", "run.seed=9"};
  command.policy = "vista-sp1";
  command.seed = 4;
  command.replications = 1;
  command.format = ReportFormat::csv;
  std::ostringstream out;

  run_command(command, out);

  CHECK(out.str().find("\napc/disk-to-disk,vista-sp1,4,1,") != std::string::npos);
}
