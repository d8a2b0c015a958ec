#include <string>
#include <vector>

#include <copysim/error.hpp>
#include <copysim/lib/run.hpp>

#include "lib/counter.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

// XP writes 64 MiB in pieces of 60 KiB over a path of 20 ms, with 1 MiB behind its back. No window
// of TCP (64 KiB in XP, little more than one piece) stands in the way.
RunResult write(std::vector<std::string> settings) {
  settings.insert(
      settings.end(),
      {"policy=xp", "copy.direction=write", "workloads.single.size=64MiB", "link.rtt=20ms",
       "link.kind=relay", "client.redirector.write_behind=1MiB", "run.replications=1"});
  const RunResult result = run(load_scenario("apc/vista-to-xp").with(settings).resolve());
  REQUIRE(result.status == IoStatus::ok);
  CHECK(result.damaged.empty());
  return result;
}

constexpr double size = 64.0 * (1 << 20);

}  // namespace

TEST_CASE("A server's oplock lets a client write behind; without it each write waits",
          "[run][smb][oplock]") {
  const RunResult with = write({});
  const RunResult without = write({"server.server.oplocks=false"});

  CHECK(counter(with, "smb.oplocks") == 1);
  CHECK(counter(with, "smb.oplock_breaks") == 0);
  CHECK(counter(with, "smb.written_behind_bytes") == size);
  CHECK(counter(without, "smb.oplocks") == 0);
  CHECK(counter(without, "smb.written_behind_bytes") == 0);
  // 64 MiB are 1,093 pieces of 60 KiB, each with a round trip of 20 ms to itself.
  CHECK(without.elapsed > 1093 * 20ms);
  // Ten (MaxMpx of XP) share one: not above a fifth of it, whatever else takes time.
  CHECK(with.elapsed < 1093 * 20ms / 5);
}

TEST_CASE("Another client that opens the file ends the writing behind", "[run][smb][oplock]") {
  const RunResult alone = write({});
  const RunResult visited = write({"copy.visitor_after=1s"});
  const RunResult without = write({"server.server.oplocks=false"});

  CHECK(counter(visited, "smb.oplocks") == 2);
  CHECK(counter(visited, "smb.oplock_breaks") >= 1);
  CHECK(counter(visited, "smb.written_behind_bytes") > 0);
  CHECK(counter(visited, "smb.written_behind_bytes") < size);
  CHECK(visited.elapsed > alone.elapsed);
  CHECK(visited.elapsed < without.elapsed);
}

TEST_CASE("Nobody visits a copy without a server", "[scenario][smb][oplock]") {
  CHECK_THROWS_WITH(
      load_scenario("apc/disk-to-disk").with(std::vector<std::string>{"copy.visitor_after=1s"}),
      Catch::Contains("copy.visitor_after must be 0 without [server] and [link], got"));
}
