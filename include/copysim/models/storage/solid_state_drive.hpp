#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string_view>
#include <tuple>

#include <copysim/models/parameter.hpp>
#include <copysim/models/storage/block_device.hpp>
#include <copysim/models/storage/flash_array.hpp>
#include <copysim/sim/semaphore.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/sim/task.hpp>

namespace copysim {

/// A solid state drive on SATA or PCI Express: a queue, a controller, a write buffer, flash.
///
/// Up to `queue_depth` commands are inside. The controller spends `controller_time` on each, one
/// after the other; `command_time` comes on top of every command but holds nobody up. Pages are
/// then read side by side (`FlashArray`), and the data cross the host's bus in the order of the
/// commands:
///   read = controller + command + max(slowest page + its bytes / bus, all bytes / bus);
///   write = controller + command + bytes / bus, and waits where the write buffer is full until a
///           page of it has been programmed.
/// The layer is log-structured: writes fill pages in the order in which they come, wherever they
/// go, and a page is programmed when it is full. A flush, and a forced write, program what there is
/// and wait for it.
/// Left out: read-ahead (the host asks ahead), thermal limits, the host memory buffer.
class SolidStateDrive final : public BlockDevice {
public:
  struct Config {
    Bytes capacity{256'060'514'304};
    Bandwidth bus_rate{550e6};        ///< SATA 6 Gbit/s after 8b/10b coding and framing
    Duration command_time = 30us;     ///< SATA round trip of a command; 5 to 10 us for NVMe
    Duration controller_time = 10us;  ///< 100,000 commands a second, the class of 2013
    int queue_depth = 32;             ///< native command queueing; thousands for NVMe
    Bytes write_buffer = 32_MiB;      ///< dynamic memory that takes data on their way
    Bytes max_request = 64_KiB;       ///< of the host: 64 KiB on XP, 1 MiB on Vista
    FlashArray::Config flash;

    static constexpr auto parameters = std::tuple{
        parameter("capacity", &Config::capacity, "size of the drive", at_least(1_MiB)),
        parameter("bus_rate", &Config::bus_rate, "rate between drive and host"),
        parameter("command_time", &Config::command_time, "latency of a command besides its data",
                  at_least(Duration{})),
        parameter("controller_time", &Config::controller_time, "controller's work on a command",
                  at_least(Duration{})),
        parameter("queue_depth", &Config::queue_depth, "commands inside the drive",
                  between(1, 65536)),
        parameter("write_buffer", &Config::write_buffer, "data on their way to the flash",
                  at_least(512_B)),
        parameter("max_request", &Config::max_request, "largest request of the host driver",
                  at_least(512_B)),
        section("flash", &Config::flash, "channels, dies and pages"),
    };
  };

  static constexpr std::string_view id = "solid-state";

  /// \throws ConfigError if the values do not describe a drive.
  SolidStateDrive(Simulation& sim, std::string_view name, const Config& config);

  [[nodiscard]] Task<IoStatus> submit(BlockRequest request) override;
  [[nodiscard]] Task<IoStatus> flush() override;
  [[nodiscard]] Bytes capacity() const override { return config_.capacity; }
  [[nodiscard]] Bytes max_request() const override { return config_.max_request; }
  [[nodiscard]] const DeviceCounters& counters() const override { return counters_; }

  [[nodiscard]] const FlashArray& flash() const { return flash_; }

private:
  Task<IoStatus> run(BlockRequest request);
  SimTime read(Extent extent, SimTime start);
  SimTime write(const BlockRequest& request, SimTime start);
  void program_page(SimTime now, bool in_sequence);
  [[nodiscard]] bool goes_on(Extent extent);

  Simulation& sim_;
  Config config_;
  FlashArray flash_;
  Semaphore slots_;
  SimTime controller_free_;
  SimTime bus_free_;
  std::deque<SimTime> programming_;  // ends of the programs whose pages are in the buffer
  SimTime last_program_;
  Bytes open_;                          // bytes of the page that is being filled
  std::array<Bytes, 8> stream_ends_{};  // where the last writes ended: streams that may go on
  std::size_t next_stream_ = 0;
  DeviceCounters counters_;
  SimTime busy_until_;
  Label command_;
  Label flash_label_;
};

}  // namespace copysim
