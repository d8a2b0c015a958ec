#include <copysim/error.hpp>
#include <copysim/models/storage/usb_stick.hpp>
#include <copysim/sim/task_group.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

UsbStick::Config slow_flash() {
  UsbStick::Config config;
  config.flash.read_rate = 64_KiB / Duration{2ms};
  config.flash.program_rate = 64_KiB / Duration{7ms};
  config.flash.access_time = 300us;
  config.flash.erase_time = 0us;
  return config;
}

Task<> transfer(UsbStick& stick, Access access, Bytes total) {
  for (Bytes done; done < total; done += 64_KiB) {
    co_await stick.submit({access, {done, 64_KiB}});
  }
}

Task<> two_readers(Simulation& sim, UsbStick& stick) {
  TaskGroup group{sim};
  group.spawn(transfer(stick, Access::read, 64_KiB));
  group.spawn(transfer(stick, Access::read, 64_KiB));
  co_await group.join();
}

Duration time_of(const UsbStick::Config& config, Access access, Bytes total) {
  Simulation sim;
  UsbStick stick{sim, "stick", config};
  sim.run(transfer(stick, access, total));
  return sim.now().time_since_epoch();
}

}  // namespace

TEST_CASE("UsbStick reads at the rate of the slower of flash and bus, with a gap per command",
          "[storage][usb]") {
  // 16 commands of 0.4 ms + 2 ms; position 0 is where the first read is expected.
  CHECK(time_of(slow_flash(), Access::read, 1_MiB) == 16 * 2400us);

  UsbStick::Config fast = slow_flash();
  fast.flash.read_rate = Bandwidth{1e9};
  fast.bus_read_rate = 64_KiB / Duration{1600us};
  CHECK(time_of(fast, Access::read, 1_MiB) == 16 * 2ms);
}

TEST_CASE("UsbStick writes in sequence at the program rate", "[storage][usb]") {
  // 64 commands of 0.4 ms + 7 ms fill one erase block of 4 MiB, which costs no copy.
  CHECK(time_of(slow_flash(), Access::write, 4_MiB) == 64 * 7400us);
}

TEST_CASE("UsbStick serves one command at a time", "[storage][usb]") {
  Simulation sim;
  UsbStick stick{sim, "stick", slow_flash()};
  sim.run(two_readers(sim, stick));

  // The second one reads at 0 again, which is out of sequence: 0.3 ms more.
  CHECK(sim.now().time_since_epoch() == 2400us + 2700us);
  CHECK(stick.counters().reads == 2);
  CHECK(stick.counters().busy_time == 5100us);
}

TEST_CASE("UsbStick refuses a command size that is no whole sectors", "[storage][usb]") {
  Simulation sim;
  UsbStick::Config config;
  config.max_request = 1000_B;
  CHECK_THROWS_AS((UsbStick{sim, "stick", config}), ConfigError);
}
