#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <copysim/error.hpp>
#include <copysim/lib/catalogue.hpp>
#include <copysim/lib/scenario.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

constexpr std::string_view two_machines = R"(title = "Mine"
[client]
machine = "acer-veriton-7900"
[server]
machine = "xp-peer"
system = "xp"
[link]
rate = "1 Gbit/s"
rtt = "0.2 ms"
[policy]
id = "vista-rtm"
[workloads.single]
size = "2.5 GiB"
[workloads.multi]
files = 300
size = "2.5 GiB"
)";

Scenario mine() {
  return Scenario::parse(two_machines, "mine.toml");
}

std::string error_of(const Scenario& scenario, const std::vector<std::string>& settings = {}) {
  try {
    static_cast<void>(scenario.with(settings));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

std::string error_of(const std::string& toml) {
  return error_of(Scenario::parse(toml, "mine.toml"));
}

const EffectiveSetting* find(const ResolvedScenario& resolved, std::string_view key) {
  for (const EffectiveSetting& setting : resolved.settings) {
    if (setting.key == key) return &setting;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("Every shipped scenario resolves", "[scenario]") {
  for (const std::string& id : catalogue().ids("scenarios")) {
    INFO(id);
    const Scenario scenario = load_scenario(id);
    CHECK(scenario.title() != "");
    CHECK_NOTHROW(scenario.resolve());
  }
}

TEST_CASE("A scenario takes its values from sheets, and its own win", "[scenario]") {
  const ResolvedScenario resolved =
      mine().with(std::vector<std::string>{"server.memory.size=1 GiB"}).resolve();

  CHECK(resolved.config.client.machine.memory.size == 4_GiB);  // sheet of the machine
  CHECK(resolved.config.server->machine.memory.size == 1_GiB);
  CHECK(resolved.config.client.machine.volumes.at("stick").device.kind == DriveKind::usb_stick);
  CHECK(resolved.config.client.machine.volumes.at("system").device.hard_disk.geometry.rpm == 7200);
  CHECK(resolved.config.client.system.storage.max_request == 1_MiB);  // sheet of the system
  CHECK(resolved.config.server->system.storage.max_request == 64_KiB);
  CHECK(resolved.config.link.rtt == 200us);
  CHECK(to_text(find(resolved, "server.memory.size")->origin) == "command line");
  CHECK(to_text(find(resolved, "link.rtt")->origin) == "scenario mine.toml:9");
  CHECK(find(resolved, "client.memory.size")->origin.mark == "documented");
  CHECK(find(resolved, "client.volumes.system.device.geometry.rpm")->origin.file ==
        "drives/barracuda-7200-10-320gb.toml");
}

TEST_CASE("A copy over a link reads the workload 'single' unless something else is said",
          "[scenario]") {
  const ScenarioConfig said_nothing = mine().resolve().config;
  CHECK(said_nothing.copy.direction == Direction::read);
  CHECK(said_nothing.copy.workload == "single");
  CHECK(said_nothing.workload.files == 1);

  const ScenarioConfig said =
      mine()
          .with(std::vector<std::string>{"copy.direction=write", "workload=multi"})
          .resolve()
          .config;
  CHECK(said.copy.direction == Direction::write);
  CHECK(said.workload.files == 300);
}

TEST_CASE("Naming an engine selects its home system unless client.system is given", "[scenario]") {
  const auto system = [](const std::vector<std::string>& settings) {
    return mine().with(settings).resolve().config.client.system.id;
  };
  CHECK(system({}) == "vista-rtm");
  CHECK(system({"policy=vista-sp1"}) == "vista-sp1");
  CHECK(system({"policy=vista-sp1", "client.system=xp"}) == "xp");
  CHECK(system({"client.system=xp"}) == "xp");
  CHECK(system({"policy=pipelined"}) == "vista-rtm");  // has no home: the system stays
}

TEST_CASE("A server with the system 'client' follows the client", "[scenario]") {
  const Scenario scenario = mine().with(std::vector<std::string>{"server.system=client"});

  CHECK(scenario.resolve().config.server->system.id == "vista-rtm");
  CHECK(scenario.with(std::vector<std::string>{"policy=vista-sp1"})
            .resolve()
            .config.server->system.id == "vista-sp1");
}

TEST_CASE("Changing the engine drops the parameters of the old one", "[scenario]") {
  const Scenario pipelined =
      mine().with(std::vector<std::string>{"policy=pipelined", "policy.depth=4"});

  CHECK(find(pipelined.resolve(), "policy.depth")->value == SettingValue{std::int64_t{4}});
  CHECK_NOTHROW(pipelined.with(std::vector<std::string>{"policy=xp"}));
}

TEST_CASE("A local copy needs neither server nor link, and writes from one volume to another",
          "[scenario]") {
  const ScenarioConfig config = Scenario::parse(R"(
    policy = "xp"
    client = { machine = "acer-veriton-7900" }
    copy = { to = "second" }
    workloads.single.size = "1 MiB"
  )",
                                                "local.toml")
                                    .resolve()
                                    .config;

  CHECK_FALSE(config.remote());
  CHECK(config.copy.direction == Direction::write);
  CHECK(config.copy.from == "system");
  CHECK(config.copy.to == "second");
}

TEST_CASE("A mistake in a scenario is one message with file, line, key and what is allowed",
          "[scenario]") {
  CHECK(error_of(mine(), {"link.rtt=50"}) ==
        "command line: link.rtt needs a unit (ns, us, ms, s, min, h), got '50'");
  CHECK(error_of(mine(), {"policy=vista-sp2"})
            .find("command line: policy.id must be one of xp, vista-rtm") == 0);
  CHECK(error_of(mine(), {"policy=vista-sp2"}).find("did you mean 'vista-sp1'?") !=
        std::string::npos);
  CHECK(error_of(mine(), {"client.machine=xp-per"}).find("did you mean 'xp-peer'?") !=
        std::string::npos);
  CHECK(error_of(mine(), {"workload=singel"}) ==
        "command line: copy.workload must be one of multi, single; did you mean 'single'?, got "
        "'singel'");
  CHECK(error_of(mine(), {"copy.to=second"})
            .find("command line: copy.to must be a volume of the machine: system") == 0);
  CHECK(error_of(mine(), {"client.cache.lazy_perod=1s"})
            .find("command line: unknown key 'client.cache.lazy_perod'; did you mean "
                  "'client.cache.lazy_period'?") == 0);
  CHECK(error_of("[client]\nmachine = \"xp-peer\"\n")
            .find("mine.toml: policy.id must name an engine (known: xp, ") == 0);
  CHECK(error_of("policy = 'xp'").find("mine.toml: client.machine must name a machine sheet") == 0);
  CHECK(
      error_of("policy = 'pipelined'\nclient.machine = 'xp-peer'")
          .find(
              "mine.toml: client.system must be given, since the engine 'pipelined' has no home") ==
      0);
  CHECK(error_of("policy = 'xp'\nclient.machine = 'xp-peer'") ==
        "mine.toml: workloads must have at least one table [workloads.<name>]");
  CHECK(error_of("policy = 'xp'\nclient.machine = 'xp-peer'\nclient.volumes.x.filesystem='ntfs'")
            .find("mine.toml: client.volumes.x.drive must name a drive sheet (known: ") == 0);
}

TEST_CASE("A server without a link, or a link without a server, is refused", "[scenario]") {
  std::string text{two_machines};
  const std::size_t server = text.find("[server]");
  const std::size_t link = text.find("[link]");
  const std::size_t policy = text.find("[policy]");
  std::string unlinked = text;
  unlinked.erase(link, policy - link);
  CHECK(error_of(unlinked).starts_with(
      "mine.toml: link must be given beside server: a sheet as link.id, or link.rate and link.rtt "
      "(known: "));
  std::string alone = text;
  alone.erase(server, link - server);
  CHECK(
      error_of(alone) ==
      "mine.toml: server must be given beside link, with server.machine and server.system; a copy "
      "within one machine has neither");
  // Nor does a link on the command line make a local copy a remote one.
  CHECK(error_of(load_scenario("apc/disk-to-disk"), {"link.id=gigabit-lan"})
            .find("server must be given beside link") != std::string::npos);
}

TEST_CASE("A scenario that is neither known nor a file is refused", "[scenario]") {
  CHECK_THROWS_WITH(load_scenario("nowhere.toml"), "nowhere.toml: no such file");
  CHECK_THROWS_WITH(load_scenario("apc/vista-to-xq"),
                    Catch::Contains("did you mean 'apc/vista-to-xp'?"));
}

TEST_CASE("A scenario printed as TOML reads back equal, settings of the command line included",
          "[scenario]") {
  const Scenario scenario = mine().with(
      std::vector<std::string>{"link.rtt=50ms", "run.seed=7", "policy=pipelined", "policy.depth=4",
                               "client.system=2000", "server.cache.remote_exempt=false"});

  const Scenario again = Scenario::parse(scenario.to_toml(), "again.toml");

  CHECK(again == scenario);
  CHECK(again.title() == "Mine");
  CHECK(again.resolve().settings == scenario.resolve().settings);
  CHECK(again != mine());
}

TEST_CASE("A scenario on a base says only what differs", "[scenario]") {
  const Scenario base = load_scenario("apc/vista-to-xp");
  const Scenario longer = Scenario::parse(
      "title = 'Longer'\nbase = 'apc/vista-to-xp'\nlink.rtt = '50 ms'", "mine.toml");

  CHECK(longer.title() == "Longer");
  CHECK(longer == base.with(std::vector<std::string>{"link.rtt=50 ms"}));
  CHECK(Scenario::parse(longer.to_toml(), "again.toml") == longer);
  CHECK(Scenario::parse("base = 'apc/vista-to-xp'", "mine.toml").title().empty());
}

TEST_CASE("With another engine, a scenario drops the parameters of its base's engine",
          "[scenario]") {
  const std::string path = "scenario_with_an_engine.toml";
  std::ofstream{path} << "base = 'apc/vista-to-xp'\npolicy.id = 'pipelined'\npolicy.depth = 3\n"
                         "client.system = 'vista-sp1'\n";
  const auto built_on = [&path](const std::string& more) {
    return Scenario::parse("base = '" + path + "'\n" + more, "mine.toml");
  };

  CHECK(built_on("").resolve().policy->name() == "pipelined");
  CHECK(built_on("").settings().contains("policy.depth"));
  CHECK(built_on("policy.id = 'pipelined'").settings().contains("policy.depth"));
  CHECK_FALSE(built_on("policy = 'xp'").settings().contains("policy.depth"));
  CHECK(built_on("policy = 'xp'").resolve().policy->name() == "xp");
  std::filesystem::remove(path);
}

TEST_CASE("A base that is unknown or leads back is refused with its place", "[scenario]") {
  CHECK_THROWS_WITH(
      Scenario::parse("\nbase = 'apc/vista-to-xq'", "mine.toml"),
      Catch::StartsWith("mine.toml:2: base must be a scenario of the catalogue or the "
                        "path of a file; did you mean 'apc/vista-to-xp'?"));
  CHECK_THROWS_WITH(Scenario::parse("base = 'nowhere.toml'", "mine.toml"),
                    Catch::StartsWith("mine.toml:1: base must be a scenario"));
  CHECK_THROWS_WITH(Scenario::parse("base = 5", "mine.toml"),
                    Catch::StartsWith("mine.toml:1: base must be a scenario"));
  CHECK_THROWS_WITH(Scenario::parse("base = ''", "mine.toml"), Catch::Contains("known: apc/"));
  const std::string one = "scenario_one.toml";
  const std::string two = "scenario_two.toml";
  std::ofstream{one} << "base = '" << two << "'\n";
  std::ofstream{two} << "base = '" << one << "'\n";
  CHECK_THROWS_WITH(load_scenario(one),
                    Catch::StartsWith(two + ":1: base must not lead back to its own scenario"));
  std::filesystem::remove(one);
  std::filesystem::remove(two);
}

TEST_CASE("A server on the machine 'client' shares the client's processors and volumes",
          "[scenario]") {
  const Scenario scenario = load_scenario("smb/relay");
  const ScenarioConfig config = scenario.resolve().config;

  CHECK(config.server->on_client);
  CHECK(config.server->machine.cpu.cores == 2);
  CHECK(config.server->machine.volumes.at("system").file_system == FileSystemKind::tmpfs);
  CHECK(error_of(scenario, {"server.cpu.cores=4"}).find("unknown key 'server.cpu.cores'") !=
        std::string::npos);
}
