#include <cmath>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include <copysim/lib/catalogue.hpp>
#include <copysim/lib/explain.hpp>
#include <copysim/lib/run.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

Duration total(const std::vector<PathRow>& rows) {
  return std::accumulate(rows.begin(), rows.end(), Duration{},
                         [](Duration sum, const PathRow& row) { return sum + row.duration; });
}

double part(const Explanation& e, const std::string& component, const std::string& activity) {
  Duration sum{};
  for (const PathRow& row : e.paths.elapsed) {
    if (row.component == component && row.activity == activity) sum += row.duration;
  }
  return seconds(sum);
}

std::string printed(const std::vector<Explanation>& explanations, ReportFormat format) {
  std::ostringstream out;
  write_explanations(out, explanations, format);
  return out.str();
}

}  // namespace

TEST_CASE("The parts of an explanation sum to the nanosecond, and explaining changes nothing",
          "[explain]") {
  for (const char* id : {"apc/vista-to-xp", "apc/vista-to-vista", "apc/vista-to-usb",
                         "apc/disk-to-disk", "wan/tk2-blu-2008"}) {
    for (const char* policy : {"xp", "vista-rtm", "vista-sp1", "pipelined"}) {
      INFO(id << ' ' << policy);
      const bool wan = std::string{id}.starts_with("wan");
      const std::vector<std::string> settings{
          std::string{"policy.id="} + policy,
          wan ? "workloads.stitch.size=64 MiB" : "workloads.single.size=64 MiB"};
      const Scenario scenario = load_scenario(id).with(settings);

      const Explanation e = explain(scenario);

      CHECK(total(e.paths.elapsed) == e.result.elapsed);
      CHECK(total(e.paths.durable) == e.result.durable);
      const RunResult plain = run(scenario.resolve());
      CHECK(e.result.elapsed == plain.elapsed);
      CHECK(e.result.durable == plain.durable);
    }
  }
}

TEST_CASE(
    "Vista RTM's read from XP is explained by the server's disk, and by its waits between "
    "accesses rather than its transfers",
    "[explain]") {
  // Reference mechanisms 2.5: 12 to 13 ms per 60 KiB that the disk could transfer in about 1 ms,
  // and the wire in 0.52 ms: nine tenths at least must be arm and platters.
  const Explanation e = explain(
      load_scenario("apc/vista-to-xp")
          .with(std::vector<std::string>{"policy.id=vista-rtm", "workloads.single.size=256 MiB"}));

  const double disk =
      part(e, "server.disk.system", "rotation") + part(e, "server.disk.system", "seek");
  const double transfer = part(e, "server.disk.system", "transfer");
  CHECK(disk > 0.8 * seconds(e.result.elapsed));
  CHECK(transfer < 0.1 * seconds(e.result.elapsed));
}

TEST_CASE("An explanation prints the same parts in every format", "[explain]") {
  const std::vector<std::string> small{"workloads.single.size=4 MiB"};
  const Explanation e = explain(load_scenario("apc/vista-to-xp").with(small));

  const auto json = boost::json::parse(printed({e}, ReportFormat::json)).as_object();
  double sum = 0;
  for (const auto& row : json.at("elapsed").as_array()) {
    sum += row.at("seconds").to_number<double>();
  }
  CHECK(json.at("elapsed").as_array().size() == e.paths.elapsed.size());
  // Each double is within 2^-53 of its nanoseconds, and there are at most a hundred of them.
  CHECK(std::abs(sum - json.at("elapsed_s").to_number<double>()) < 1e-12);
  const auto list = boost::json::parse(printed({e, e}, ReportFormat::json)).as_array();
  CHECK(list.size() == 2);

  const std::string csv = printed({e}, ReportFormat::csv);
  CHECK(csv.starts_with("policy,until,component,activity,constraint,seconds,share\n"));
  // A line of names, and one per part until the dialog closes and until the data is safe.
  CHECK(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')) ==
        1 + e.paths.elapsed.size() + e.paths.durable.size());

  std::ostringstream picture;
  draw_explanations(picture, {e, e});
  CHECK(picture.str().starts_with("<svg "));
  CHECK(picture.str().ends_with("</svg>\n"));
}
