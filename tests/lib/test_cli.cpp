#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stop_token>
#include <string>
#include <vector>

#include <boost/json.hpp>

#include "cli/command_line.hpp"
#include "lib/disksim/tiny_drive.hpp"
#include "support/catch.hpp"

namespace {

struct Outcome {
  int status;
  std::string out;
  std::string err;
};

Outcome copysim_with(const std::vector<std::string>& arguments) {
  std::ostringstream out;
  std::ostringstream err;
  const int status = copysim::cli::run_command_line(arguments, out, err);
  return {status, out.str(), err.str()};
}

}  // namespace

TEST_CASE("copysim list prints every subject in every format", "[cli]") {
  for (const char* subject : {"policies", "disks", "links", "loads", "machines", "systems",
                              "scenarios", "timings", "fitted"}) {
    INFO(subject);
    const Outcome text = copysim_with({"list", subject});
    CHECK(text.status == 0);
    CHECK(text.err == "");
    const Outcome json = copysim_with({"list", subject, "--format", "json"});
    const auto list = boost::json::parse(json.out).as_array();
    CHECK_FALSE(list.empty());
    const Outcome csv = copysim_with({"list", "--format=csv", subject});
    CHECK(csv.status == 0);
    // One line per entry and one of names; no value of the catalogue has a line break.
    CHECK(static_cast<std::size_t>(std::count(csv.out.begin(), csv.out.end(), '\n')) ==
          list.size() + 1);
  }
}

TEST_CASE("copysim list disks says of each figure how it is known and where it came from",
          "[cli]") {
  const auto list =
      boost::json::parse(copysim_with({"list", "disks", "--format", "json"}).out).as_array();
  bool seen = false;
  for (const auto& each : list) {
    const auto& drive = each.as_object();
    CHECK_FALSE(drive.at("capacity").is_null());
    CHECK_FALSE(drive.at("bus_rate").is_null());
    for (const auto& [name, value] : drive) {
      if (!value.is_object()) continue;
      CHECK_FALSE(value.as_object().at("mark").as_string().empty());
      CHECK_FALSE(value.as_object().at("source").as_string().empty());
    }
    if (drive.at("id") != "deskstar-75gxp-30gb") continue;
    seen = true;
    // The vendor's specification, figure 6.
    CHECK(drive.at("full_stroke").as_object().at("value") == "14.7 ms");
    CHECK(drive.at("full_stroke").as_object().at("mark") == "documented");
  }
  CHECK(seen);
  const std::string text = copysim_with({"list", "disks"}).out;
  CHECK(text.find("    full_stroke               14.7 ms           documented  IBM") !=
        std::string::npos);
}

TEST_CASE("copysim list fitted tells how each value was fitted", "[cli]") {
  const auto list =
      boost::json::parse(copysim_with({"list", "fitted", "--format", "json"}).out).as_array();

  for (const auto& each : list) {
    const auto& fitted = each.as_object();
    CHECK(fitted.size() == 6);
    CHECK(fitted.at("name").as_string().find("/") != std::string::npos);
    CHECK_FALSE(fitted.at("value").is_null());
    CHECK(fitted.at("range").as_array().size() >= 2);
    CHECK_FALSE(fitted.at("sources").as_array().empty());
    CHECK_FALSE(fitted.at("rows").as_array().empty());
    // A choice that a sweep shows need not be a least-squares fit.
    const std::string command{fitted.at("command").as_string()};
    INFO(command);
    CHECK((command.starts_with("copysim calibrate ") || command.starts_with("copysim sweep ")));
  }
}

TEST_CASE("A wrong input ends copysim with status 2 and one line that says what is allowed",
          "[cli]") {
  const std::vector<std::pair<std::vector<std::string>, std::string>> mistakes{
      {{},
       "the command must be one of list, run, sweep, explain, trace, reproduce, calibrate, "
       "validate-disk, got ''"},
      {{"rum"}, "did you mean 'run'?"},
      {{"list"}, "WHAT is required (see copysim list --help)"},
      {{"list", "disk"}, "did you mean 'disks'?"},
      {{"list", "disks", "--format", "xml"}, "--format must be one of text, json, csv, got 'xml'"},
      {{"run"}, "SCENARIO must be given"},
      {{"run", "apc/vista-to-xq"}, "did you mean 'apc/vista-to-xp'?"},
      {{"run", "mine.toml"}, "mine.toml: no such file"},
      {{"run", "apc/vista-to-xp", "--set", "link.rtt=50"}, "link.rtt needs a unit (ns, us, ms"},
      {{"run", "apc/vista-to-xp", "--set", "link.rt=50ms"}, "did you mean 'link.rtt'?"},
      {{"run", "--policy", "vista-sp2", "apc/vista-to-xp"}, "did you mean 'vista-sp1'?"},
      {{"run", "apc/vista-to-xp", "--sed", "1"}, "--sed"},
      {{"run", "apc/vista-to-xp", "--seed", "one"}, "--seed = one"},
      {{"run", "apc/vista-to-xp", "--jobs", "0"}, "--jobs"},
      {{"sweep", "apc/vista-to-xp"}, "--vary is required"},
      {{"reproduce", "acp"}, "(known: apc, "},
      {{"calibrate", "xp-per"}, "SHEET must name one sheet"},
  };
  for (const auto& [arguments, message] : mistakes) {
    const Outcome outcome = copysim_with(arguments);
    INFO(message);
    CHECK(outcome.status == 2);
    CHECK(outcome.out == "");
    CHECK(outcome.err.find("copysim: ") == 0);
    CHECK_THAT(outcome.err, Catch::Contains(message));
    CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
  }
}

TEST_CASE("A mistake in a file of one's own is one line with file, line, key and what is allowed",
          "[cli]") {
  const std::string good =
      "[client]\nmachine = \"desktop-2007\"\nsystem = \"xp\"\n"
      "[server]\nmachine = \"desktop-2005\"\nsystem = \"xp\"\n"
      "[link]\nrate = \"100 Mbit/s\"\n[policy]\nid = \"xp\"\n"
      "[workloads.single]\nsize = \"1 MB\"\n";
  struct Mistake {
    std::string right;
    std::string wrong;
    std::string message;
  };
  const std::vector<Mistake> mistakes{
      {"rate =", "rat =", "wrong.toml:8: unknown key 'link.rat'; did you mean 'link.rate'?"},
      {"100 Mbit/s", "100", "wrong.toml:8: link.rate needs a unit (bit/s, "},
      {"100 Mbit/s", "-1 Mbit/s", "wrong.toml:8: link.rate must be "},
      {"id = \"xp\"", "id = \"px\"", "wrong.toml:10: policy.id must be one of xp, vista-rtm, "},
      {"desktop-2007", "desktop-2077", "wrong.toml:2: client.machine must be one of "},
  };
  const auto run_file = [](const std::string& text) {
    std::ofstream{"wrong.toml"} << text;
    const Outcome outcome = copysim_with({"run", "wrong.toml"});
    std::filesystem::remove("wrong.toml");
    return outcome;
  };
  CHECK(run_file(good).status == 0);
  for (const auto& [right, wrong, message] : mistakes) {
    std::string text = good;
    text.replace(text.find(right), right.size(), wrong);
    const Outcome outcome = run_file(text);
    INFO(message);
    CHECK(outcome.status == 2);
    CHECK(outcome.out == "");
    CHECK_THAT(outcome.err, Catch::Contains(message));
    CHECK(std::count(outcome.err.begin(), outcome.err.end(), '\n') == 1);
  }
}

TEST_CASE("A copy that fails is never judged by its time", "[cli]") {
  // The stick holds 8 GB.
  std::ofstream{"failing.toml"}
      << "[source]\nid = \"failing\"\n[cells]\nlarge = { scenario = \"apc/vista-to-usb\", "
         "set = { \"copy.direction\" = \"write\", \"workloads.single.size\" = \"20 GiB\" } }\n"
         "[[row]]\nid = \"F-1\"\nvalue = 1\npredict.of = \"large\"\n";
  const Outcome outcome = copysim_with({"reproduce", "failing.toml"});
  std::filesystem::remove("failing.toml");

  CHECK(outcome.status == 2);
  CHECK(outcome.out == "");
  CHECK_THAT(outcome.err, Catch::Contains("copy: must succeed to be timed, got "));
}

TEST_CASE("A command that is asked to stop ends with 130 and prints no result", "[cli]") {
  std::stop_source source;
  source.request_stop();
  std::ostringstream out;
  std::ostringstream err;
  const std::vector<std::string> arguments{"run", "apc/vista-to-xp"};

  CHECK(copysim::cli::run_command_line(arguments, out, err, source.get_token()) == 130);
  CHECK(out.str() == "");
  CHECK(err.str() == "copysim: interrupted\n");
}

TEST_CASE("An output that cannot be written ends with 2 and one message", "[cli]") {
  std::ofstream full{"/dev/full"};
  std::ostringstream err;

  CHECK(copysim::cli::run_command_line({"list", "disks"}, full, err) == 2);
  CHECK(err.str() == "copysim: standard output: cannot be written\n");
}

TEST_CASE("A sweep refuses the same key twice", "[cli]") {
  const Outcome outcome =
      copysim_with({"sweep", "apc/vista-to-xp", "--vary", "link.rtt=1ms", "link.rtt=2ms"});

  CHECK(outcome.status == 2);
  CHECK(outcome.err == "copysim: sweep: vary must name a key once, got link.rtt again\n");
}

TEST_CASE("copysim --help and --version end well", "[cli]") {
  CHECK(copysim_with({"--help"}).status == 0);
  CHECK(copysim_with({"run", "--help"}).out.find("--policy") != std::string::npos);
  CHECK(copysim_with({"--version"}).out == "0.1.0\n");
}

TEST_CASE("copysim run takes settings before and after the scenario", "[cli]") {
  const std::vector<std::string> small{"workloads.single.size=1MiB", "run.replications=1"};
  const Outcome before =
      copysim_with({"run", "--set", small[0], small[1], "apc/vista-to-xp", "--format", "json"});
  const Outcome after = copysim_with(
      {"run", "apc/vista-to-xp", "--set", small[0], "--set", small[1], "--format", "json"});

  CHECK(before.err == "");
  CHECK(before.status == 0);
  CHECK(before.out == after.out);
  const auto result = boost::json::parse(before.out).as_object();
  CHECK(result.at("scenario") == "apc/vista-to-xp");
  CHECK(result.at("settings").as_object().at("workloads.single.size").as_object().at("value") ==
        "1 MiB");
}

TEST_CASE("copysim validate-disk compares a drive with a trace and draws it", "[cli]") {
  const copysim::test::TinyDrive drive;
  const std::string trace = drive.folder.write("a.trace", "R Miss 8 4 1250 20000\n");
  const std::string plot = drive.folder.path("a.svg");
  const Outcome run = copysim_with({"validate-disk", "--drive", drive.specs, "--trace", trace,
                                    "--plot", plot, "--format", "json"});
  CHECK(run.err == "");
  REQUIRE(run.status == 0);
  const auto result = boost::json::parse(run.out).as_object();
  CHECK(result.at("drive") == "TINY");
  CHECK(result.at("requests") == 1);
  // As measured: 0.3 ms, 0.5 ms until block 8 passes, 4 x 0.1 ms, 0.05 ms on the bus.
  CHECK(result.at("mean_modelled_ms").to_number<double>() == Approx(1.25));
  CHECK(result.at("demerit_ms").to_number<double>() == Approx(0).margin(1e-9));
  CHECK(std::filesystem::file_size(plot) > 0);
  CHECK(copysim_with({"validate-disk", "--drive", drive.specs}).status == 2);
}
