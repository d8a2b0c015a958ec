#include <copysim/models/storage/flash_device.hpp>

#include <algorithm>
#include <array>
#include <string>

#include "request_check.hpp"

namespace copysim {

FlashDevice::FlashDevice(Simulation& sim, std::string_view name, const Front& front,
                         const FlashTranslation::Config& flash)
    : sim_{sim},
      front_{front},
      flash_{flash},
      command_slot_{sim, 1, sim.constraint(front.constraint), name},
      command_{sim.label(name, "command")},
      access_{sim.label(name, "access")},
      transfer_{sim.label(name, "transfer")},
      merge_{sim.label(name, "merge")} {
  if (front.max_request < sector_size || front.max_request % sector_size != Bytes{0})
    throw ConfigError{front.id, "max_request must be a multiple of 512 B, got " +
                                    std::to_string(front.max_request.count()) + " B"};
}

Task<IoStatus> FlashDevice::submit(BlockRequest request) {
  check_request(front_.id, request, front_.capacity);
  return run(request);
}

Task<IoStatus> FlashDevice::run(BlockRequest request) {
  const Semaphore::Permit permit = co_await command_slot_.scoped();
  const bool reading = request.access == Access::read;
  FlashTimes times = reading ? flash_.read(request.extent) : flash_.write(request.extent);
  const Bandwidth bus = reading ? front_.read_rate : front_.write_rate;
  times.transfer = std::max(times.transfer, request.extent.length / bus);

  const std::array parts{LabelledPart{command_, front_.command},
                         LabelledPart{access_, times.access}, LabelledPart{merge_, times.merge},
                         LabelledPart{transfer_, times.transfer}};
  co_await sim_.delay(parts);

  const Duration overhead = front_.command + times.access;
  counters_.overhead_time += overhead;
  counters_.transfer_time += times.transfer + times.merge;
  counters_.busy_time += overhead + times.transfer + times.merge;
  counters_.erased_blocks = flash_.erased_blocks();
  (reading ? counters_.reads : counters_.writes) += 1;
  (reading ? counters_.bytes_read : counters_.bytes_written) += request.extent.length;
  co_return IoStatus::ok;
}

Task<IoStatus> FlashDevice::flush() {
  // Each write is on the medium when it completes.
  co_return IoStatus::ok;
}

}  // namespace copysim
