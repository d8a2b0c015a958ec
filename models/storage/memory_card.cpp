#include <copysim/models/storage/memory_card.hpp>

#include <algorithm>
#include <array>
#include <string>

#include <copysim/error.hpp>

#include "request_check.hpp"

namespace copysim {

MemoryCard::MemoryCard(Simulation& sim, std::string_view name, const Config& config)
    : sim_{sim},
      config_{config},
      flash_{config.flash},
      command_slot_{sim, 1, sim.constraint("card command"), name},
      command_{sim.label(name, "command")},
      access_{sim.label(name, "access")},
      transfer_{sim.label(name, "transfer")},
      merge_{sim.label(name, "merge")} {
  if (config.bus_rate <= Bandwidth{0})
    throw ConfigError{id, "bus_rate must be positive, got " +
                              std::to_string(config.bus_rate.bytes_per_second()) + " B/s"};
}

Task<IoStatus> MemoryCard::submit(BlockRequest request) {
  check_request(id, request, config_.capacity);
  return run(request);
}

Task<IoStatus> MemoryCard::run(BlockRequest request) {
  const Semaphore::Permit permit = co_await command_slot_.scoped();
  const bool reading = request.access == Access::read;
  FlashTimes times = reading ? flash_.read(request.extent) : flash_.write(request.extent);
  times.transfer = std::max(times.transfer, request.extent.length / config_.bus_rate);

  const std::array parts{LabelledPart{command_, config_.command_time},
                         LabelledPart{access_, times.access}, LabelledPart{merge_, times.merge},
                         LabelledPart{transfer_, times.transfer}};
  co_await sim_.delay(parts);

  const Duration overhead = config_.command_time + times.access;
  counters_.overhead_time += overhead;
  counters_.transfer_time += times.transfer + times.merge;
  counters_.busy_time += overhead + times.transfer + times.merge;
  counters_.erased_blocks = flash_.erased_blocks();
  (reading ? counters_.reads : counters_.writes) += 1;
  (reading ? counters_.bytes_read : counters_.bytes_written) += request.extent.length;
  co_return IoStatus::ok;
}

Task<IoStatus> MemoryCard::flush() {
  // Each write is on the medium when it completes.
  co_return IoStatus::ok;
}

}  // namespace copysim
