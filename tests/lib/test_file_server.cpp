#include <algorithm>
#include <string>
#include <vector>

#include <copysim/error.hpp>
#include <copysim/lib/run.hpp>
#include <copysim/lib/scenario.hpp>

#include "lib/counter.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

RunResult load(const std::string& system, std::vector<std::string> settings = {}) {
  settings.emplace_back("file_server.length=20s");
  return run(load_scenario("netbench/" + system).with(settings).resolve());
}

double megabits(const RunResult& result) {
  return counter(result, "load.data_bytes_per_s") * 8e-6;
}

double first_core_interrupted(const RunResult& result) {
  return counter(result, "server.cpu.core0.deferred_call_percent") +
         counter(result, "server.cpu.core0.interrupt_percent");
}

double busiest_wire(const RunResult& result) {
  return std::max(counter(result, "server.adapter0.out_percent"),
                  counter(result, "server.adapter1.out_percent"));
}

}  // namespace

TEST_CASE("Three Windows Servers reach their plateaus under NetBench, in order", "[file-server]") {
  const double r2003 = megabits(load("server-2003-r2"));
  const double r2008 = megabits(load("server-2008"));
  const double r2008r2 = megabits(load("server-2008-r2"));

  // Article 004: about 1500, about 2250, a little over 2500 Mbit/s.
  CHECK(r2003 == Approx(1500).epsilon(0.10));
  CHECK(r2008 == Approx(2250).epsilon(0.10));
  CHECK(r2008r2 == Approx(2500).epsilon(0.10));
  CHECK(r2003 < r2008);
  CHECK(r2008 < r2008r2);
}

TEST_CASE("The first core limits Server 2003, and the wires out limit Server 2008 R2",
          "[file-server]") {
  const RunResult r2003 = load("server-2003-r2");
  const RunResult r2008r2 = load("server-2008-r2");

  CHECK(first_core_interrupted(r2003) > 97);
  CHECK(busiest_wire(r2003) < 75);
  CHECK(busiest_wire(r2008r2) > 95);
  CHECK(first_core_interrupted(r2008r2) < 80);
  // More of what does not limit changes nothing; more cores for packets do.
  const double usual = megabits(r2003);
  CHECK(megabits(load("server-2003-r2", {"file_server.adapters.rate=10 Gbit/s"})) ==
        Approx(usual).epsilon(0.03));
  CHECK(megabits(load("server-2003-r2", {"server.scaling.kind=own-base"})) > 1.3 * usual);
}

TEST_CASE("At low load a file server does what mean value analysis says", "[file-server]") {
  for (const std::string system : {"server-2003-r2", "server-2008", "server-2008-r2"}) {
    for (const std::string machines : {"1", "4"}) {
      const RunResult result = load(system, {"file_server.clients.machines=" + machines});
      INFO(system << " " << machines);
      CHECK(counter(result, "load.operations_per_s") ==
            Approx(counter(result, "load.mva_operations_per_s")).epsilon(0.05));
    }
  }
}

TEST_CASE("More clients never make the server do less, up to its plateau", "[file-server]") {
  double before = 0;
  for (const std::string machines : {"1", "4", "8", "16", "32", "60"}) {
    const double now = megabits(load("server-2008", {"file_server.clients.machines=" + machines}));
    CHECK(now > before * 0.97);
    before = now;
  }
}

TEST_CASE("A file server is the same, bit for bit, each time", "[file-server]") {
  CHECK(load("server-2008").counters == load("server-2008").counters);
}

TEST_CASE("A file server refuses a volume that the machine lacks", "[file-server]") {
  CHECK_THROWS_AS(load("server-2008", {"file_server.volume=\"none\""}), ConfigError);
}

TEST_CASE("A file server is watched long enough for batch means", "[file-server]") {
  // At most half of the observations are warm-up; 20 batches of one each need 40 of them.
  CHECK_THROWS_WITH(load("server-2008", {"file_server.interval=501ms"}),
                    Catch::StartsWith("file_server: length must be at least 40 times interval"));
}
