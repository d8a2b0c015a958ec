#include <copysim/models/storage/solid_state_drive.hpp>

#include <algorithm>
#include <string>

#include <copysim/error.hpp>

#include "request_check.hpp"

namespace copysim {

SolidStateDrive::SolidStateDrive(Simulation& sim, std::string_view name, const Config& config)
    : sim_{sim},
      config_{config},
      flash_{config.flash, config.capacity},
      slots_{sim, config.queue_depth, sim.constraint("drive queue"), name},
      command_{sim.label(name, "command")},
      flash_label_{sim.label(name, "flash")} {
  if (config.bus_rate <= Bandwidth{0})
    throw ConfigError{id, "bus_rate must be positive, got " +
                              std::to_string(config.bus_rate.bytes_per_second()) + " B/s"};
  if (config.write_buffer < config.flash.page)
    throw ConfigError{id, "write_buffer must hold a page of " +
                              std::to_string(config.flash.page.count()) + " B, got " +
                              std::to_string(config.write_buffer.count()) + " B"};
  stream_ends_.fill(-1_B);
}

Task<IoStatus> SolidStateDrive::submit(BlockRequest request) {
  check_request(id, request, config_.capacity);
  return run(request);
}

Task<IoStatus> SolidStateDrive::run(BlockRequest request) {
  const Semaphore::Permit slot = co_await slots_.scoped();
  const SimTime now = sim_.now();
  controller_free_ = std::max(controller_free_, now) + config_.controller_time;
  const SimTime start = controller_free_ + config_.command_time;
  const bool reading = request.access == Access::read;
  const SimTime done = reading ? read(request.extent, start) : write(request, start);

  const std::array parts{LabelledPart{command_, start - now},
                         LabelledPart{flash_label_, done - start}};
  co_await sim_.delay(parts);

  counters_.overhead_time += start - now;
  counters_.transfer_time += done - start;
  // Commands overlap: busy is the time that at least one was inside.
  counters_.busy_time += std::max(Duration{}, done - std::max(now, busy_until_));
  busy_until_ = std::max(busy_until_, done);
  counters_.erased_blocks = flash_.erased_blocks();
  (reading ? counters_.reads : counters_.writes) += 1;
  (reading ? counters_.bytes_read : counters_.bytes_written) += request.extent.length;
  co_return IoStatus::ok;
}

// The bus is taken in the order of the commands, but not held while the flash is still at work.
SimTime SolidStateDrive::read(Extent extent, SimTime start) {
  const Bytes page = config_.flash.page;
  bus_free_ = std::max(bus_free_, start) + extent.length / config_.bus_rate;
  SimTime done = bus_free_;
  Bytes at = extent.offset;
  while (at < extent.end()) {
    const Bytes length = std::min(page - at % page, extent.end() - at);
    const SimTime there = flash_.read(at / page, length, start);
    done = std::max(done, there + length / config_.bus_rate);
    at += length;
  }
  return done;
}

SimTime SolidStateDrive::write(const BlockRequest& request, SimTime start) {
  const Bytes page = config_.flash.page;
  const bool in_sequence = goes_on(request.extent);
  const auto room = static_cast<std::size_t>(config_.write_buffer / page);
  SimTime clock = std::max(start, bus_free_);
  Bytes left = request.extent.length;
  while (left > 0_B) {
    while (!programming_.empty() && programming_.front() <= clock) programming_.pop_front();
    if (programming_.size() >= room) {
      clock = programming_.front();
      continue;
    }
    const Bytes part = std::min(left, page - open_);
    clock += part / config_.bus_rate;
    open_ += part;
    left -= part;
    if (open_ == page) program_page(clock, in_sequence);
  }
  bus_free_ = clock;
  if (!request.force_unit_access) return clock;
  if (open_ > 0_B) program_page(clock, in_sequence);
  return std::max(clock, last_program_);
}

void SolidStateDrive::program_page(SimTime now, bool in_sequence) {
  open_ = 0_B;
  const SimTime done = flash_.program(now, in_sequence);
  // Pages leave the buffer in the order in which they came.
  last_program_ = std::max(last_program_, done);
  programming_.push_back(last_program_);
}

// Whether a write goes on where one of the last ones ended; a few streams may run side by side.
bool SolidStateDrive::goes_on(Extent extent) {
  const auto known = std::find(stream_ends_.begin(), stream_ends_.end(), extent.offset);
  const bool found = known != stream_ends_.end();
  Bytes& end = found ? *known : stream_ends_[next_stream_++ % stream_ends_.size()];
  end = extent.end();
  return found;
}

Task<IoStatus> SolidStateDrive::flush() {
  if (open_ > 0_B) program_page(sim_.now(), true);
  if (last_program_ > sim_.now()) {
    co_await sim_.delay(last_program_ - sim_.now(), flash_label_);
  }
  co_return IoStatus::ok;
}

}  // namespace copysim
