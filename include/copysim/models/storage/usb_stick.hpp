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

/// A flash stick on USB 2.0 with the bulk-only transport.
///
/// One command at a time: command block, data, status. Each costs a gap (the two small packets,
/// polling, the driver); then data cross the bus at what the host controllers of the time managed,
/// which differs by direction, while the flash reads or programs: the slower of the two counts. A
/// write completes when it is programmed, since a stick has no write cache. So
///   time = gap + access + max(bytes / bus, bytes / flash) + merge.
/// Left out: the first page of a command, during which the bus and the flash do not yet overlap,
/// and other devices on the bus.
class UsbStick final : public BlockDevice {
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
