#pragma once

#include <string_view>
#include <tuple>

#include <copysim/models/parameter.hpp>
#include <copysim/models/storage/flash_device.hpp>

namespace copysim {

/// An SD card: flash behind the card's own bus (see `FlashDevice` for the equation).
///
/// The bus of 4 bits moves 12.5 MB/s at 25 MHz and 25 MB/s at the 50 MHz of high-speed cards (SD
/// physical layer specification 1.10). A card in a reader is one behind a `UsbBridge`.
class MemoryCard final : public FlashDevice {
public:
  struct Config {
    Bytes capacity{2'000'000'000};
    Bandwidth bus_rate{12.5e6};     ///< default speed: 25 MHz, 4 bits
    Duration command_time = 200us;  ///< command, response and the card's firmware; inferred
    Bytes max_request = 64_KiB;     ///< of the host driver
    FlashTranslation::Config flash;

    static constexpr auto parameters = std::tuple{
        parameter("capacity", &Config::capacity, "size of the card", at_least(1_MiB)),
        parameter("bus_rate", &Config::bus_rate, "rate of the card's bus"),
        parameter("command_time", &Config::command_time, "time of a command besides its data",
                  at_least(Duration{})),
        parameter("max_request", &Config::max_request, "largest command of the host driver",
                  at_least(512_B)),
        section("flash", &Config::flash, "pages, erase blocks and their rates"),
    };
  };

  static constexpr std::string_view id = "sd-card";

  /// \throws ConfigError if the values do not describe a card.
  MemoryCard(Simulation& sim, std::string_view name, const Config& config);
};

}  // namespace copysim
