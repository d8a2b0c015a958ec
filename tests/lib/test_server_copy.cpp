#include <string>
#include <vector>

#include <copysim/error.hpp>
#include <copysim/lib/run.hpp>

#include "lib/counter.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

constexpr double size = 64.0 * (1 << 20);

RunResult copy(const std::string& scenario, std::vector<std::string> settings) {
  settings.insert(settings.end(),
                  {"copy.direction=server", "workloads.single.size=64MiB", "run.replications=1"});
  const RunResult result = run(load_scenario(scenario).with(settings).resolve());
  REQUIRE(result.status == IoStatus::ok);
  CHECK(result.damaged.empty());
  CHECK(result.copied == 64_MiB);
  return result;
}

std::string error_of(const std::string& scenario, const std::vector<std::string>& settings) {
  try {
    static_cast<void>(load_scenario(scenario).with(settings));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("Windows 8 has the server copy within a share, and no data crosses the wire",
          "[run][smb]") {
  const std::string engine = GENERATE("windows-7", "robocopy");
  const RunResult result =
      copy("apc/vista-to-vista", {"client.system=windows-8", "policy=" + engine});

  CHECK(counter(result, "smb.server_copied_bytes") == size);
  CHECK(counter(result, "smb.read_bytes") == 0);
  CHECK(counter(result, "smb.written_bytes") == 0);
  // Four requests of 156 + 16 x 24 bytes, and some twenty messages of metadata of 70 to 470 bytes.
  CHECK(counter(result, "link.wire_bytes") < 40 * 640);
  CHECK(counter(result, "server.disk.system.read_bytes") >= size);
}

TEST_CASE("Other engines and systems pull and push a copy within a share", "[run][smb]") {
  const std::string engine = GENERATE("windows-7", "xp", "vista-sp1", "teracopy", "xcopy-j");
  const std::string system = engine == "windows-7" ? "windows-7" : "windows-8";
  const RunResult result =
      copy("apc/vista-to-vista", {"client.system=" + system, "policy=" + engine});

  INFO(engine);
  CHECK(counter(result, "smb.server_copied_bytes") == 0);
  CHECK(counter(result, "smb.read_bytes") == size);
  CHECK(counter(result, "smb.written_bytes") == size);
  CHECK(counter(result, "link.wire_bytes") > 2 * size);
}

TEST_CASE("SMB1 has no copy on the server here, nor have two shares", "[run][smb]") {
  const RunResult xp = copy("apc/vista-to-xp", {"policy=robocopy"});
  CHECK(counter(xp, "smb.server_copied_bytes") == 0);
  CHECK(counter(xp, "smb.read_bytes") == size);
  const RunResult shares =
      copy("apc/vista-to-vista",
           {"client.system=windows-8", "policy=robocopy", "copy.to=data",
            "server.volumes.data.shares=system", "server.volumes.data.partition.begin=0.5"});
  CHECK(counter(shares, "smb.server_copied_bytes") == 0);
  CHECK(counter(shares, "smb.written_bytes") == size);
}

TEST_CASE("The delay of a path costs scopy its ten round trips and nothing else", "[run][smb]") {
  const RunResult near = copy("smb/relay", {"link.rtt=5ms"});
  const RunResult far = copy("smb/relay", {"link.rtt=105ms"});

  // Open and query the source, create the target, the key, 64 MiB in four requests, close both.
  CHECK(counter(near, "smb.round_trips") == 10);
  CHECK(far.elapsed - near.elapsed == 10 * 100ms);
  // Captured, scopy does not query its source, as get does: nine.
  const RunResult captured = copy("smb/relay", {"client.redirector.open_file_queries=0"});
  CHECK(counter(captured, "smb.round_trips") == 9);
  // The server's own work: 64 MiB through tmpfs, once read and once written.
  CHECK(counter(near, "smb.server_copied_bytes") == size);
}

TEST_CASE("A copy on the server needs a server with these volumes", "[scenario][smb]") {
  CHECK_THAT(error_of("apc/disk-to-disk", {"copy.direction=server"}),
             Catch::Contains("copy.direction must be read or write without [server] and [link]"));
  CHECK_THAT(error_of("apc/vista-to-vista", {"copy.direction=server", "copy.from=third"}),
             Catch::Contains("copy.from must be a volume of the machine: system"));
  CHECK_THAT(error_of("apc/vista-to-vista", {"copy.direction=sideways"}),
             Catch::Contains("read, write, server"));
}
