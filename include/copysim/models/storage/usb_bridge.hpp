#pragma once

#include <memory>
#include <string_view>
#include <tuple>

#include <copysim/models/parameter.hpp>
#include <copysim/models/storage/block_device.hpp>
#include <copysim/sim/semaphore.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/sim/task.hpp>

namespace copysim {

/// A drive behind USB 2.0: an external disk, or a memory card in a reader.
///
/// The bulk-only transport allows one command at a time, so the drive never sees a queue. Each
/// command costs a gap, as on a stick (`UsbStick`); then its data cross the bus while the drive
/// moves them, so the slower of the two counts:
///   time = gap + drive + max(0, bytes / bus - the drive's own transfer).
/// While a command's data are on the bus the drive is free to read ahead or to write back.
/// Left out: the bridge's own buffer of some KiB, and other devices on the bus.
class UsbBridge final : public BlockDevice {
public:
  struct Config {
    bool enabled = false;          ///< whether the drive is behind such a bridge
    Bandwidth read_rate{41.0e6};   ///< 10 packets of 512 B per 125 us (mechanisms.md 8.5)
    Bandwidth write_rate{32.8e6};  ///< 8 packets (likewise)
    Duration command_gap = 400us;  ///< 0.2-0.6 ms, not measured (likewise)
    Bytes max_request = 64_KiB;    ///< of usbstor (likewise)

    static constexpr auto parameters = std::tuple{
        parameter("enabled", &Config::enabled, "the drive is behind a USB 2.0 bridge"),
        parameter("read_rate", &Config::read_rate, "rate of the bus towards the host"),
        parameter("write_rate", &Config::write_rate, "rate of the bus towards the drive"),
        parameter("command_gap", &Config::command_gap, "time of a command besides its data",
                  at_least(Duration{})),
        parameter("max_request", &Config::max_request, "largest command of the host driver",
                  at_least(512_B)),
    };
  };

  static constexpr std::string_view id = "usb-bridge";

  /// \throws ConfigError if a rate is not positive.
  UsbBridge(Simulation& sim, std::string_view name, const Config& config,
            std::unique_ptr<BlockDevice> drive);

  [[nodiscard]] Task<IoStatus> submit(BlockRequest request) override;
  [[nodiscard]] Task<IoStatus> flush() override;
  [[nodiscard]] Bytes capacity() const override { return drive_->capacity(); }
  [[nodiscard]] Bytes max_request() const override { return config_.max_request; }
  /// Those of the drive, with the gaps as overhead and what the bus adds as transfer.
  [[nodiscard]] const DeviceCounters& counters() const override { return counters_; }

private:
  void count(Duration gap, Duration bus);

  Simulation& sim_;
  Config config_;
  std::unique_ptr<BlockDevice> drive_;
  Semaphore command_slot_;
  DeviceCounters counters_;
  Duration gaps_{};
  Duration bus_time_{};
  Label command_;
  Label bus_;
};

}  // namespace copysim
