#pragma once

#include <string_view>
#include <tuple>

#include <copysim/models/parameter.hpp>
#include <copysim/models/storage/flash_device.hpp>

namespace copysim {

/// A flash stick on USB 2.0 with the bulk-only transport (see `FlashDevice` for the equation).
///
/// One command at a time: command block, data, status. Each costs a gap (the two small packets,
/// polling, the driver); then data cross the bus at what the host controllers of the time managed,
/// which differs by direction. Left out: other devices on the bus.
class UsbStick final : public FlashDevice {
public:
  struct Config {
    Bytes capacity{8'000'000'000};
    Bandwidth bus_read_rate{41.0e6};   ///< 10 packets of 512 B per 125 us (mechanisms.md 8.5)
    Bandwidth bus_write_rate{32.8e6};  ///< 8 packets (likewise)
    Duration command_gap = 400us;      ///< 0.2-0.6 ms, not measured (likewise)
    Bytes max_request = 64_KiB;        ///< of usbstor (likewise)
    FlashTranslation::Config flash;

    static constexpr auto parameters = std::tuple{
        parameter("capacity", &Config::capacity, "size of the stick", at_least(1_MiB)),
        parameter("bus_read_rate", &Config::bus_read_rate, "rate of the bus towards the host"),
        parameter("bus_write_rate", &Config::bus_write_rate, "rate of the bus towards the stick"),
        parameter("command_gap", &Config::command_gap, "time of a command besides its data",
                  at_least(Duration{})),
        parameter("max_request", &Config::max_request, "largest command of the host driver",
                  at_least(512_B)),
        section("flash", &Config::flash, "pages, erase blocks and their rates"),
    };
  };

  static constexpr std::string_view id = "usb-stick";

  /// \throws ConfigError if the values do not describe a stick.
  UsbStick(Simulation& sim, std::string_view name, const Config& config);
};

}  // namespace copysim
