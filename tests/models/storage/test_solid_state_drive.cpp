#include <copysim/error.hpp>
#include <copysim/models/storage/solid_state_drive.hpp>
#include <copysim/sim/task_group.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

// Two channels of two dies; pages of 16 KiB read in 60 us and are programmed in 1 ms; a page takes
// 40 us on its channel. The host's bus moves 16 KiB in 20 us, the controller needs 10 us and a
// command 30 us more.
SolidStateDrive::Config small() {
  SolidStateDrive::Config config;
  config.capacity = 1_GiB;
  config.bus_rate = 16_KiB / Duration{20us};
  config.command_time = 30us;
  config.controller_time = 10us;
  config.write_buffer = 64_KiB;
  config.flash.channels = 2;
  config.flash.dies = 2;
  config.flash.page = 16_KiB;
  config.flash.page_read = 60us;
  config.flash.page_program = 1ms;
  config.flash.channel_rate = 16_KiB / Duration{40us};
  return config;
}

Task<> ask(SolidStateDrive& drive, Access access, Extent extent) {
  co_await drive.submit({access, extent});
}

Task<> ask_all(Simulation& sim, SolidStateDrive& drive, Access access, std::vector<Extent> all) {
  TaskGroup group{sim};
  for (const Extent& extent : all) group.spawn(ask(drive, access, extent));
  co_await group.join();
}

Task<> write_then_flush(SolidStateDrive& drive, Extent extent) {
  co_await drive.submit({Access::write, extent});
  co_await drive.flush();
}

Task<> write_in_sequence(SolidStateDrive& drive, int pages) {
  for (int i = 0; i < pages; ++i) co_await drive.submit({Access::write, {16_KiB * i, 16_KiB}});
}

Task<> write_scattered(SolidStateDrive& drive, int pages) {
  // Page 7 i mod 65536: never behind one of the last eight.
  for (int i = 0; i < pages; ++i) {
    co_await drive.submit({Access::write, {16_KiB * (7 * i % 65536), 16_KiB}});
  }
}

}  // namespace

TEST_CASE("One page is read in the sum of all its steps", "[storage][ssd]") {
  Simulation sim;
  SolidStateDrive drive{sim, "ssd", small()};
  // Controller 10, command 30, cells 60, channel 40 and bus 20 us.
  sim.run(ask(drive, Access::read, {0_B, 16_KiB}));
  CHECK(sim.now() == SimTime{160us});
  // 4 KiB take a quarter of channel and bus: 10 + 30 + 60 + 10 + 5.
  sim.run(ask(drive, Access::read, {16_KiB, 4_KiB}));
  CHECK(sim.now() == SimTime{160us + 115us});
}

TEST_CASE("Pages on different dies are read side by side, and share channel and bus",
          "[storage][ssd]") {
  Simulation sim;
  SolidStateDrive drive{sim, "ssd", small()};
  // Four pages on the four dies: cells 60 us at once; each channel then carries two pages, 80 us;
  // the last one crosses the bus: 40 + 60 + 80 + 20. The bus alone needs 80.
  sim.run(ask(drive, Access::read, {0_B, 64_KiB}));
  CHECK(sim.now() == SimTime{200us});
}

TEST_CASE("Commands inside the drive overlap, but for the controller", "[storage][ssd]") {
  // Two reads of a page each on dies 0 and 1, which have a channel each: the second one starts 10
  // us later.
  Simulation sim;
  SolidStateDrive drive{sim, "ssd", small()};
  sim.run(ask_all(sim, drive, Access::read, {{0_B, 16_KiB}, {16_KiB, 16_KiB}}));
  CHECK(sim.now() == SimTime{170us});
  CHECK(drive.counters().busy_time == 170us);
  // With one command at a time they follow one another.
  Simulation alone;
  SolidStateDrive::Config config = small();
  config.queue_depth = 1;
  SolidStateDrive single{alone, "ssd", config};
  alone.run(ask_all(alone, single, Access::read, {{0_B, 16_KiB}, {16_KiB, 16_KiB}}));
  CHECK(alone.now() == SimTime{320us});
}

TEST_CASE("A write ends in the buffer, and a flush when it is programmed", "[storage][ssd]") {
  Simulation sim;
  SolidStateDrive drive{sim, "ssd", small()};
  // Controller 10, command 30, bus 20; then 40 us on the channel and 1 ms in the cells.
  sim.run(write_then_flush(drive, {0_B, 16_KiB}));
  CHECK(sim.now() == SimTime{60us + 1040us});
}

TEST_CASE("A long sequential write runs at the rate at which the dies program", "[storage][ssd]") {
  Simulation sim;
  SolidStateDrive::Config config = small();
  config.write_buffer = 128_KiB;
  SolidStateDrive drive{sim, "ssd", config};
  // Eight pages of buffer for four dies, so that the next page is there when a die is free: 40 us
  // on the channel and 1 ms of programming, 1040 us on each of four dies, 260 us a page. The last
  // eight pages are still in the buffer.
  sim.run(write_in_sequence(drive, 1000));
  CHECK(seconds(sim.now().time_since_epoch()) == Approx(1000 * 260e-6).epsilon(0.01));
}

TEST_CASE("Once the erased pages are used up, scattered writes pay for the copies of a collector",
          "[storage][ssd]") {
  SolidStateDrive::Config config = small();
  config.capacity = 16_KiB * 1000;
  config.flash.spare = 0.25;
  config.flash.filled = 1.0;
  config.flash.pages_per_block = 100;
  // 1000 pages hold data, 250 are erased. s = 0.25, so amplification (1 + 0.25) / (2 * 0.25)
  // = 2.5: 1.5 copies a page.
  Simulation sim;
  SolidStateDrive drive{sim, "ssd", config};
  sim.run(write_scattered(drive, 100));
  CHECK(drive.flash().copies_per_write() == 0.0);
  Simulation other;
  SolidStateDrive worn{other, "ssd", config};
  other.run(write_in_sequence(worn, 1000));
  // In sequence whole blocks are void: 750 pages beyond the erased ones cost 7 erases of 100 pages
  // and no copy, but for the one first page that followed nothing (1 in 1000 of 1.5).
  CHECK(worn.flash().erased_blocks() == 7);
  CHECK(worn.flash().copied_pages() <= 2);
  CHECK(worn.flash().copies_per_write() == Approx(1.5 / 1000).epsilon(1e-6));
}

TEST_CASE("A solid state drive refuses a buffer below a page", "[storage][ssd]") {
  Simulation sim;
  SolidStateDrive::Config config = small();
  config.write_buffer = 4_KiB;
  CHECK_THROWS_AS((SolidStateDrive{sim, "ssd", config}), ConfigError);
}
