#pragma once

#include <string_view>
#include <tuple>

#include <copysim/models/parameter.hpp>
#include <copysim/models/storage/block_device.hpp>
#include <copysim/models/storage/flash_translation.hpp>
#include <copysim/sim/semaphore.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/sim/task.hpp>

namespace copysim {

/// An SD card: a flash translation layer behind the card's own bus.
///
/// One command at a time. Data cross the bus of the card while the flash reads or programs, and a
/// write completes when it is programmed:
///   time = command + access + max(bytes / bus, bytes / flash) + merge.
/// The bus of 4 bits moves 12.5 MB/s at 25 MHz and 25 MB/s at the 50 MHz of high-speed cards (SD
/// physical layer specification 1.10). A card in a reader is one behind a `UsbBridge`.
class MemoryCard final : public BlockDevice {
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

  [[nodiscard]] Task<IoStatus> submit(BlockRequest request) override;
  [[nodiscard]] Task<IoStatus> flush() override;
  [[nodiscard]] Bytes capacity() const override { return config_.capacity; }
  [[nodiscard]] Bytes max_request() const override { return config_.max_request; }
  [[nodiscard]] const DeviceCounters& counters() const override { return counters_; }

private:
  Task<IoStatus> run(BlockRequest request);

  Simulation& sim_;
  Config config_;
  FlashTranslation flash_;
  Semaphore command_slot_;
  DeviceCounters counters_;
  Label command_;
  Label access_;
  Label transfer_;
  Label merge_;
};

}  // namespace copysim
