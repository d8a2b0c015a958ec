#include <copysim/models/storage/usb_stick.hpp>

#include <algorithm>
#include <array>
#include <string>

#include <copysim/error.hpp>
#include <copysim/models/storage/disk_geometry.hpp>

namespace copysim {

UsbStick::UsbStick(Simulation& sim, std::string_view name, const Config& config)
    : sim_{sim},
      config_{config},
      flash_{config.flash},
      command_slot_{sim, 1, sim.constraint("usb command"), name},
      command_{sim.label(name, "command")},
      access_{sim.label(name, "access")},
      transfer_{sim.label(name, "transfer")},
      merge_{sim.label(name, "merge")} {
  if (config.bus_read_rate <= Bandwidth{0} || config.bus_write_rate <= Bandwidth{0})
    throw ConfigError{id, "bus_read_rate and bus_write_rate must be positive, got " +
                              std::to_string(config.bus_read_rate.bytes_per_second()) +
                              " B/s and " +
                              std::to_string(config.bus_write_rate.bytes_per_second()) + " B/s"};
  if (config.max_request < sector_size || config.max_request % sector_size != Bytes{0})
    throw ConfigError{id, "max_request must be a multiple of 512 B, got " +
                              std::to_string(config.max_request.count()) + " B"};
}

Task<IoStatus> UsbStick::submit(BlockRequest request) {
  const Extent& extent = request.extent;
  if (extent.empty() || extent.offset < Bytes{0} || extent.end() > config_.capacity ||
      extent.offset % sector_size != Bytes{0} || extent.length % sector_size != Bytes{0})
    throw SimulationError{"usb-stick: a request must be whole sectors inside the stick, got " +
                          std::to_string(extent.length.count()) + " B at " +
                          std::to_string(extent.offset.count())};
  return run(request);
}

Task<IoStatus> UsbStick::run(BlockRequest request) {
  const Semaphore::Permit permit = co_await command_slot_.scoped();
  const bool reading = request.access == Access::read;
  FlashTimes times = reading ? flash_.read(request.extent) : flash_.write(request.extent);
  const Bandwidth bus = reading ? config_.bus_read_rate : config_.bus_write_rate;
  times.transfer = std::max(times.transfer, request.extent.length / bus);

  const std::array parts{LabelledPart{command_, config_.command_gap},
                         LabelledPart{access_, times.access}, LabelledPart{merge_, times.merge},
                         LabelledPart{transfer_, times.transfer}};
  co_await sim_.delay(parts);

  counters_.overhead_time += config_.command_gap + times.access;
  counters_.transfer_time += times.transfer + times.merge;
  counters_.busy_time += config_.command_gap + times.access + times.transfer + times.merge;
  counters_.erased_blocks = flash_.erased_blocks();
  (reading ? counters_.reads : counters_.writes) += 1;
  (reading ? counters_.bytes_read : counters_.bytes_written) += request.extent.length;
  co_return IoStatus::ok;
}

Task<IoStatus> UsbStick::flush() {
  // Each write is on the medium when it completes.
  co_return IoStatus::ok;
}

}  // namespace copysim
