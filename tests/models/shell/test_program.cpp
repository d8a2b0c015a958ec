#include <copysim/models/copy/copy_job.hpp>
#include <copysim/models/cpu/shared_cpu.hpp>
#include <copysim/models/cpu/thread_starter.hpp>
#include <copysim/models/shell/program.hpp>
#include <copysim/sim/task_group.hpp>

#include "support/catch.hpp"
#include "support/fake_store.hpp"

using namespace copysim;
using namespace copysim::testing;

namespace {

/// One core of the reference speed, and a store for input and one for output whose calls take no
/// time.
struct World {
  World() { input.add("a", 64_KiB); }
  ~World() { sim.close(); }

  ProgramReport run(Program::Config config) {
    Program program{sim, processes, std::move(config)};
    return sim.run(program.run(input, output));
  }

  Simulation sim;
  SharedCpu cpu{sim, "machine", {.cores = 1, .speed = 1.0}, {.rule = SchedulingRule::time_sharing}};
  ThreadStarter processes{cpu};
  FakeStore input{sim, {}};
  FakeStore output{sim, {}};
};

Task<> note_end(Simulation& sim, Program& program, FileStore& input, FileStore& output,
                SimTime& end) {
  const ProgramReport report = co_await program.run(input, output);
  CHECK(report.status == IoStatus::ok);
  end = sim.now();
}

Task<> together(World& world, Program& one, Program& other, SimTime& first, SimTime& second) {
  TaskGroup both{world.sim};
  both.spawn(note_end(world.sim, one, world.input, world.output, first));
  both.spawn(note_end(world.sim, other, world.input, world.output, second));
  co_await both.join();
}

}  // namespace

TEST_CASE("a program without input computes for its processor time", "[shell][program]") {
  World world;
  CHECK(world.run({.cpu = 3s}).elapsed == 3s);
}

TEST_CASE("two programs that only compute take turns, so the shorter takes twice its time",
          "[shell][program]") {
  World world;
  Program one{world.sim, world.processes, {.cpu = 2s}};
  Program other{world.sim, world.processes, {.cpu = 5s}};
  SimTime first;
  SimTime second;
  world.sim.run(together(world, one, other, first, second));

  // Each epoch of Linux 2.4 gives 6 ticks of 10 ms to both. 2 s are 33 epochs and 20 ms: the first
  // ends after 33 x 120 ms and 20 ms. The other has what is left of 7 s.
  CHECK(first == SimTime{} + 33 * 120ms + 20ms);
  CHECK(second == SimTime{} + 7s);
}

TEST_CASE("a program reads all of its input once and writes a part of it to its outputs",
          "[shell][program]") {
  World world;
  world.input.add("b", 32_KiB);
  const ProgramReport report =
      world.run({.input = "tree", .cpu = 6s, .output = 0.5, .outputs = 3, .chunk = 10_KiB});

  CHECK(report.status == IoStatus::ok);
  CHECK(report.read == 96_KiB);
  CHECK(report.files == 2);
  // Half of 96 KiB, in three files of 16 KiB.
  CHECK(report.written == 48_KiB);
  CHECK(world.output.files.size() == 3);
  for (const auto& [name, file] : world.output.files) CHECK(file.size == 16_KiB);
  CHECK(world.output.open_files == 0);
  CHECK(world.input.open_files == 0);
  // The chunks' parts of 6 s are rounded to nanoseconds, one by one.
  CHECK(std::abs((report.elapsed - 6s).count()) <= 11);
}

TEST_CASE("a player takes a chunk per period, however fast the processor is", "[shell][program]") {
  World world;
  const ProgramReport report =
      world.run({.input = "songs", .cpu = 4ms, .chunk = 16_KiB, .every = 1s});
  // 4 chunks of 16 KiB, 1 ms of work in each second: the last period ends after 4 s.
  CHECK(report.elapsed == 4s);
}

TEST_CASE("a program ends with the first failure and closes its files", "[shell][program]") {
  World world;
  FakeStore broken{world.sim, {.failing_call = 3}};
  broken.add("a", 64_KiB);
  Program program{world.sim, world.processes, {.input = "tree", .output = 1.0}};
  const ProgramReport report = world.sim.run(program.run(broken, world.output));
  CHECK(report.status == IoStatus::device_error);
  CHECK(broken.open_files == 0);
  CHECK(world.output.open_files == 0);
}

TEST_CASE("a program refuses parameters outside their range", "[shell][program]") {
  World world;
  CHECK_THROWS_WITH((Program{world.sim, world.processes, {.output = -1.0}}),
                    Catch::Contains("output") && Catch::Contains("-1"));
}
