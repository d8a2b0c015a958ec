#include <copysim/models/storage/usb_bridge.hpp>

#include <algorithm>
#include <string>
#include <utility>

#include <copysim/error.hpp>

namespace copysim {

UsbBridge::UsbBridge(Simulation& sim, std::string_view name, const Config& config,
                     std::unique_ptr<BlockDevice> drive)
    : sim_{sim},
      config_{config},
      drive_{std::move(drive)},
      command_slot_{sim, 1, sim.constraint("usb command"), name},
      command_{sim.label(name, "usb command")},
      bus_{sim.label(name, "usb transfer")} {
  if (config.read_rate <= Bandwidth{0} || config.write_rate <= Bandwidth{0})
    throw ConfigError{id, "read_rate and write_rate must be positive, got " +
                              std::to_string(config.read_rate.bytes_per_second()) + " B/s and " +
                              std::to_string(config.write_rate.bytes_per_second()) + " B/s"};
  // What the drive takes at once may be less than what the driver sends.
  config_.max_request = std::min(config_.max_request, drive_->max_request());
}

Task<IoStatus> UsbBridge::submit(BlockRequest request) {
  const Semaphore::Permit permit = co_await command_slot_.scoped();
  co_await sim_.delay(config_.command_gap, command_);
  const Duration moved_before = drive_->counters().transfer_time;
  const IoStatus status = co_await drive_->submit(request);
  const Duration moved = drive_->counters().transfer_time - moved_before;
  const bool reading = request.access == Access::read;
  const Duration bus = request.extent.length / (reading ? config_.read_rate : config_.write_rate);
  const Duration rest = std::max(Duration{}, bus - moved);
  co_await sim_.delay(rest, bus_);
  count(config_.command_gap, rest);
  co_return status;
}

Task<IoStatus> UsbBridge::flush() {
  const Semaphore::Permit permit = co_await command_slot_.scoped();
  co_await sim_.delay(config_.command_gap, command_);
  const IoStatus status = co_await drive_->flush();
  count(config_.command_gap, Duration{});
  co_return status;
}

void UsbBridge::count(Duration gap, Duration bus) {
  gaps_ += gap;
  bus_time_ += bus;
  counters_ = drive_->counters();
  counters_.overhead_time += gaps_;
  counters_.transfer_time += bus_time_;
  counters_.busy_time += gaps_ + bus_time_;
}

}  // namespace copysim
