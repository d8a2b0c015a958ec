#include <copysim/models/storage/memory_card.hpp>
#include <copysim/models/storage/partition.hpp>
#include <copysim/models/storage/usb_bridge.hpp>

#include "models/storage/recording_device.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

using Log = std::vector<RecordingDevice::Asked>;

Task<> ask(BlockDevice& device, Access access, Extent extent) {
  co_await device.submit({access, extent});
}

// 64 KiB take 2 ms on the bus to the host and 4 ms the other way.
UsbBridge::Config bridge() {
  UsbBridge::Config config;
  config.read_rate = 64_KiB / Duration{2ms};
  config.write_rate = 64_KiB / Duration{4ms};
  config.command_gap = 500us;
  return config;
}

Duration bridged(Access access, Duration drive) {
  Simulation sim;
  Log log;
  UsbBridge usb{sim, "usb", bridge(), std::make_unique<RecordingDevice>(sim, 0, 1_GiB, drive, log)};
  sim.run(ask(usb, access, {0_B, 64_KiB}));
  return sim.now().time_since_epoch();
}

}  // namespace

TEST_CASE("A bridge adds a gap, and the bus where it is slower than the drive", "[storage][usb]") {
  // The drive's 1.5 ms hide as much of the bus: 0.5 + 1.5 + (2 - 1.5); likewise for the 4 ms of a
  // write.
  CHECK(bridged(Access::read, 1500us) == 2500us);
  CHECK(bridged(Access::write, 1500us) == 4500us);
  // A slow drive hides it all.
  CHECK(bridged(Access::read, 3ms) == 3500us);
}

TEST_CASE("A bridge keeps to the shorter of both limits on a request", "[storage][usb]") {
  Simulation sim;
  Log log;
  const UsbBridge usb{sim, "usb", bridge(),
                      std::make_unique<RecordingDevice>(sim, 0, 1_GiB, 1ms, log)};
  CHECK(usb.max_request() == 64_KiB);
  CHECK(usb.capacity() == 1_GiB);
}

TEST_CASE("An SD card moves data at the slower of its bus and its flash", "[storage][card]") {
  Simulation sim;
  MemoryCard::Config config;
  config.bus_rate = 64_KiB / Duration{5ms};
  config.command_time = 200us;
  config.flash.read_rate = 64_KiB / Duration{3ms};
  config.flash.program_rate = 64_KiB / Duration{9ms};
  config.flash.access_time = 1ms;
  config.flash.erase_time = 0us;
  MemoryCard card{sim, "card", config};
  // In sequence: 0.2 + 5 (the bus); out of sequence 1 ms more; a write 0.2 + 9 (the flash).
  sim.run(ask(card, Access::read, {0_B, 64_KiB}));
  CHECK(sim.now() == SimTime{5200us});
  sim.run(ask(card, Access::read, {1_MiB, 64_KiB}));
  CHECK(sim.now() == SimTime{5200us + 6200us});
  sim.run(ask(card, Access::write, {0_B, 64_KiB}));
  CHECK(sim.now() == SimTime{11400us + 9200us});
  CHECK(card.counters().busy_time == 20600us);
}

TEST_CASE("A partition is a shifted part of its device", "[storage][partition]") {
  Simulation sim;
  Log log;
  RecordingDevice device{sim, 0, 100_MiB, 1ms, log};
  // From 25 % of 100 MiB to 50.5 %, rounded down to 50 MiB.
  Partition part{device, {.begin = 0.25, .end = 0.505}};
  CHECK(part.capacity() == 25_MiB);
  sim.run(ask(part, Access::write, {1_MiB, 4_KiB}));
  REQUIRE(log.size() == 1);
  CHECK(log.front().extent == Extent{26_MiB, 4_KiB});
  CHECK_THROWS_AS((Partition{device, {.begin = 0.5, .end = 0.5}}), ConfigError);
  CHECK_THROWS_AS(sim.run(ask(part, Access::read, {25_MiB, 4_KiB})), SimulationError);
}
