#include <algorithm>

#include <copysim/error.hpp>
#include <copysim/models/copy/robocopy.hpp>
#include <copysim/models/copy/xp_copy.hpp>
#include <copysim/models/shell/explorer.hpp>

#include "support/catch.hpp"
#include "support/fake_store.hpp"
#include "support/idle_cpu.hpp"

using namespace copysim;
using namespace copysim::testing;

namespace {

struct Desk {
  Simulation sim;
  IdleCpu cpu{sim};
  FakeStore source;
  FakeStore target;
  XpCopy policy;

  Desk(FakeStore::Config from, FakeStore::Config to)
      : source{sim, from, "source"}, target{sim, to, "target"} {}

  ShellReport copy(Explorer::Config config) {
    Explorer explorer{sim, cpu, config};
    return sim.run(explorer.copy(source, target, policy));
  }
};

}  // namespace

TEST_CASE("Explorer copies every file of the source and adds up", "[shell]") {
  Desk desk{{}, {}};
  desk.source.add("a", 100_KiB, 10);
  desk.source.add("b", 0_B, 11);
  desk.source.add("c", 64_KiB, 12);

  const ShellReport report = desk.copy({});

  CHECK(report.status == IoStatus::ok);
  CHECK(report.files == 3);
  CHECK(report.copied == 164_KiB);
  CHECK(report.reads == 3);  // two for "a", one for "c"
  for (const auto& [name, file] : desk.source.files) {
    const Extent all{0_B, file.size};
    CHECK(desk.target.files.at(name).content.read(all) == file.content.read(all));
  }
}

TEST_CASE("Explorer adds its own work per file to that of the engine", "[shell]") {
  Desk desk{{.call = 1ms}, {.call = 1ms}};
  for (int i = 0; i < 10; ++i) {
    desk.source.add("f" + std::to_string(i), 1_KiB, static_cast<std::uint32_t>(10 + i));
  }

  const ShellReport report = desk.copy({.file_cpu = 5ms, .source_queries = 3, .target_queries = 2});

  // One list; per file 5 ms of processor, 3 + 2 queries, and the engine's 9 metadata calls: 4 at
  // the source (open, 2 queries, close), 5 at the target (query, open, set size, set times, close).
  CHECK(report.elapsed == 1ms + 10 * (5ms + 5ms + 9ms));
}

TEST_CASE("Explorer stops at the first file that fails", "[shell]") {
  Desk desk{{}, {.failing_call = 10, .failure = IoStatus::disk_full}};
  for (int i = 0; i < 5; ++i) {
    desk.source.add("f" + std::to_string(i), 1_KiB, static_cast<std::uint32_t>(10 + i));
  }

  // Six calls per file at the target without queries of the shell: the tenth is the write of the
  // second file.
  const ShellReport report = desk.copy({.source_queries = 0, .target_queries = 0});

  CHECK(report.status == IoStatus::disk_full);
  CHECK(report.files == 1);
  CHECK(report.copied == 1_KiB);
}

TEST_CASE("Explorer keeps its first estimate back for the time of its system", "[shell]") {
  Desk desk{{.rate = 1_MiB / 1s}, {}};
  desk.source.add("f", 30_MiB);
  CHECK(desk.copy({.first_estimate = 12s}).first_estimate == std::optional<Duration>{12s});
}

TEST_CASE("Explorer refuses a negative delay", "[shell]") {
  Desk desk{{}, {}};
  CHECK_THROWS_AS(desk.copy({.first_estimate = -1s}), ConfigError);
}

TEST_CASE("A shell that is told a single file does not list its directory", "[shell]") {
  Desk desk{{}, {}};
  desk.source.add("a", 64_KiB, 10);
  XpCopy policy;
  Explorer explorer{desk.sim, desk.cpu, {.names_single_file = true}};

  const ShellReport report =
      desk.sim.run(explorer.copy(desk.source, desk.target, policy, {{"a", 64_KiB}}));

  CHECK(report.files == 1);
  CHECK(std::count(desk.source.log.begin(), desk.source.log.end(), "list") == 0);
}

TEST_CASE("A shell that is told several files lists the directory and may make the target's",
          "[shell]") {
  Desk desk{{}, {}};
  desk.source.add("a", 64_KiB, 10);
  desk.source.add("b", 64_KiB, 11);
  XpCopy policy;
  Explorer explorer{desk.sim, desk.cpu, {.names_single_file = true, .makes_directory = true}};

  const ShellReport report =
      desk.sim.run(explorer.copy(desk.source, desk.target, policy, {{"a", 64_KiB}, {"b", 64_KiB}}));

  CHECK(report.files == 2);
  CHECK(std::count(desk.source.log.begin(), desk.source.log.end(), "list") == 1);
}

TEST_CASE("Explorer gives an engine as many files at once as it wants", "[shell]") {
  const auto elapsed = [](int threads) {
    // Each call takes 10 ms; the stores serve any number of calls side by side.
    Desk desk{{.call = 10ms}, {.call = 10ms}};
    for (const char* name : {"a", "b", "c", "d"}) desk.source.add(name, 64_KiB, 10);
    Robocopy policy{{.threads = threads}};
    Explorer explorer{desk.sim, desk.cpu, {.file_cpu = 0s}};
    const ShellReport report = desk.sim.run(explorer.copy(desk.source, desk.target, policy));
    CHECK(report.files == 4);
    CHECK(report.copied == 256_KiB);
    return report.elapsed - 10ms;  // less the listing
  };

  CHECK(elapsed(2) == elapsed(1) / 2);
  CHECK(elapsed(128) == elapsed(1) / 4);
}
