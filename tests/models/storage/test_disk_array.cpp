#include <copysim/error.hpp>
#include <copysim/models/storage/disk_array.hpp>
#include <copysim/sim/task_group.hpp>

#include "models/storage/recording_device.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

using Log = std::vector<RecordingDevice::Asked>;
constexpr Bytes unit = 64_KiB;

// Drives of 100 units; each request takes 10 ms.
struct Array {
  Array(ArrayLevel level, int disks) {
    std::vector<std::unique_ptr<BlockDevice>> drives;
    for (int i = 0; i < disks; ++i) {
      drives.push_back(std::make_unique<RecordingDevice>(sim, static_cast<std::size_t>(i),
                                                         unit * 100, 10ms, log));
    }
    array.emplace(sim, DiskArray::Config{level, disks, unit}, std::move(drives));
  }

  // What the drives are asked for, at the instant `when`.
  [[nodiscard]] Log asked(Access access, Duration when) const {
    Log some;
    for (const auto& one : log) {
      if (one.access == access && one.when == SimTime{when}) some.push_back(one);
    }
    return some;
  }

  Simulation sim;
  Log log;
  std::optional<DiskArray> array;
};

Task<> ask(DiskArray& array, Access access, Extent extent) {
  co_await array.submit({access, extent});
}

Task<> both(Simulation& sim, DiskArray& array, Extent a, Extent b) {
  TaskGroup group{sim};
  group.spawn(ask(array, Access::read, a));
  group.spawn(ask(array, Access::read, b));
  co_await group.join();
}

RecordingDevice::Asked at_zero(std::size_t device, Access access, Bytes offset, Bytes length) {
  return {device, access, {offset, length}, SimTime{}};
}

}  // namespace

TEST_CASE("RAID 0 deals out units in turn and joins those that adjoin on a drive",
          "[storage][array]") {
  Array raid{ArrayLevel::raid_0, 3};
  CHECK(raid.array->capacity() == unit * 300);
  // Units 1 to 4 of the address space, less half of the first and of the last: unit 1 is on drive
  // 1, row 0, unit 2 on drive 2, unit 3 on drive 0, row 1, and unit 4 on drive 1, row 1, right
  // behind unit 1.
  raid.sim.run(ask(*raid.array, Access::read, {unit + 32_KiB, unit * 3}));
  CHECK(raid.log == Log{at_zero(1, Access::read, 32_KiB, 64_KiB),
                        at_zero(2, Access::read, 0_B, unit), at_zero(0, Access::read, unit, unit)});
  // All at once: as long as one.
  CHECK(raid.sim.now() == SimTime{10ms});
}

TEST_CASE("RAID 1 writes to both and reads from the drive that is free, or near",
          "[storage][array]") {
  Array raid{ArrayLevel::raid_1, 2};
  CHECK(raid.array->capacity() == unit * 100);
  raid.sim.run(both(raid.sim, *raid.array, {0_B, unit}, {unit * 50, unit}));
  CHECK(raid.log ==
        Log{at_zero(0, Access::read, 0_B, unit), at_zero(1, Access::read, unit * 50, unit)});
  CHECK(raid.sim.now() == SimTime{10ms});
  // Drive 1 stands at unit 51, drive 0 at unit 1.
  raid.sim.run(ask(*raid.array, Access::read, {unit * 60, unit}));
  CHECK(raid.log.back().device == 1);
  raid.sim.run(ask(*raid.array, Access::write, {0_B, unit}));
  CHECK(raid.asked(Access::write, 20ms).size() == 2);
  CHECK(raid.array->counters().writes == 2);
}

TEST_CASE("A small write to RAID 5 reads old data and parity and then writes both",
          "[storage][array]") {
  Array raid{ArrayLevel::raid_5, 4};
  CHECK(raid.array->capacity() == unit * 300);
  // Row 0 has its parity on drive 3 and its units on 0, 1, 2: 4 KiB inside unit 1.
  raid.sim.run(ask(*raid.array, Access::write, {unit + 8_KiB, 4_KiB}));
  CHECK(raid.asked(Access::read, 0ms) ==
        Log{at_zero(1, Access::read, 8_KiB, 4_KiB), at_zero(3, Access::read, 8_KiB, 4_KiB)});
  const Log written = raid.asked(Access::write, 10ms);
  REQUIRE(written.size() == 2);
  CHECK(written[0].device == 1);
  CHECK(written[1].device == 3);
  // Four accesses in place of one, in two steps: the small write problem.
  CHECK(raid.sim.now() == SimTime{20ms});
}

TEST_CASE("A whole row of RAID 5 is written without reading", "[storage][array]") {
  Array raid{ArrayLevel::raid_5, 4};
  // Row 1 (units 3 to 5) has its parity on drive 2, so its units are on 3, 0 and 1.
  raid.sim.run(ask(*raid.array, Access::write, {unit * 3, unit * 3}));
  CHECK(raid.log ==
        Log{at_zero(3, Access::write, unit, unit), at_zero(0, Access::write, unit, unit),
            at_zero(1, Access::write, unit, unit), at_zero(2, Access::write, unit, unit)});
  CHECK(raid.sim.now() == SimTime{10ms});
}

TEST_CASE("RAID 5 reads the rest of a row if that is less than what it writes",
          "[storage][array]") {
  Array raid{ArrayLevel::raid_5, 4};
  // Two of three units: the third one alone gives the new parity, in place of two units and the
  // parity.
  raid.sim.run(ask(*raid.array, Access::write, {0_B, unit * 2}));
  CHECK(raid.asked(Access::read, 0ms) == Log{at_zero(2, Access::read, 0_B, unit)});
  CHECK(raid.asked(Access::write, 10ms).size() == 3);
}

TEST_CASE("An array says how many drives its level needs", "[storage][array]") {
  CHECK_THROWS_WITH((Array{ArrayLevel::raid_5, 2}),
                    Catch::Matchers::Contains("disks must be at least 3 for raid-5, got 2"));
}
