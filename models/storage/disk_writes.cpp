#include <algorithm>
#include <utility>

#include <copysim/models/storage/disk_controller.hpp>

#include "disk_bus.hpp"

namespace copysim {

DiskTimes DiskController::write(SectorRange range, SimTime now, Duration decoded, bool to_buffer) {
  const CommandOverheads::Case& which =
      to_buffer ? overheads_.cached_write : overheads_.through_write;
  const Duration overhead =
      std::max(Duration{}, CommandOverheads::of(which, after_write_) - decoded);
  last_hit_ = to_buffer ? DiskHit::write : DiskHit::none;
  if (!to_buffer) return write_through(range, now, overhead);
  if (write_cache_.at_once()) return write_at_once(range, now, overhead);
  return write_cached(range, now, overhead);
}

DiskTimes DiskController::write_cached(SectorRange range, SimTime now, Duration overhead) {
  // Long commands enter in parts, so that the medium always has the part before to go on with.
  const std::int64_t part = std::max<std::int64_t>(1, write_cache_.size_sectors() / 4);
  DiskTimes times{.command = overhead};
  while (!range.empty()) {
    const std::int64_t end = std::min(range.end, range.begin + part);
    times += accept({range.begin, end}, now + times.total());
    range.begin = end;
  }
  return times;
}

// Moves `range` into the buffer from `now` on. If it is full, sectors enter as others leave, so the
// last one follows the write-back that makes room for it by its own time on the bus.
DiskTimes DiskController::accept(SectorRange range, SimTime now) {
  catch_up(now);
  if (all_dirty() <= low_mark()) draining_ = false;
  const std::int64_t room = write_cache_.size_sectors() - range.size();
  DiskTimes times;
  Duration length = bus_time(range.size(), config_.bus_write_rate);
  if (all_dirty() > room) {
    draining_ = true;
    times = write_back_until(room, now);
    length = std::max(length, times.total() + bus_time(1, config_.bus_write_rate));
  }
  times.transfer += length - times.total();
  const SimTime done = now + length;
  catch_up(done);

  if (background_ == Background::read_ahead &&
      range.overlaps({ahead_->held.begin, stream_.left.end}))
    free_ = take_arm(done);
  read_cache_.invalidate(range);
  const SectorRange writing = stream_.left;
  if (background_ == Background::write_back && range.begin >= writing.begin &&
      range.begin <= writing.end) {
    // The run that is being written grows before the head gets there: no revolution is lost.
    stream_.left.end = std::max(writing.end, range.end);
    write_cache_.remove({writing.end, stream_.left.end});
  } else {
    const bool first = write_cache_.empty();
    write_cache_.add(range);
    if (first && background_ == Background::none) free_ = std::max(free_, done);
  }
  return times;
}

// The arm sets out while the bus fills the buffer. A run that this one does not continue has
// precedence, and if the buffer takes no more runs the command waits for it.
DiskTimes DiskController::write_at_once(SectorRange range, SimTime now, Duration overhead) {
  const SimTime decoded = now + overhead;
  const bool writing = background_ == Background::write_back;
  const bool continues = writing && range.begin == stream_.left.end;
  const bool queues = writing && !continues && write_cache_.runs() + 1 < write_cache_.most_runs();
  DiskTimes times{.command = overhead + overheads_.data_preparation};
  SimTime arm = decoded;
  if (!continues && !queues) {
    arm = take_arm(decoded);
    if (writing) times.transfer += arm - decoded;
  }
  const SimTime bus_start = now + times.total();
  times.transfer += bus_time(range.size(), config_.bus_write_rate);
  read_cache_.invalidate(range);
  if (read_cache_.config().keeps_written) keep_written(range, continues);
  if (continues) {
    stream_.left.end = range.end;
  } else if (queues) {
    write_cache_.add(range);
  } else {
    const Duration sector = mechanism_.geometry().revolution() /
                            mechanism_.geometry().locate(range.begin).sectors_per_track;
    const SimTime ready =
        first_write(bus_start, range.size(), sector * range.size(), config_.bus_write_rate);
    stream_ = mechanism_.begin_stream(arm, Access::write, range,
                                      std::max(ready, arm + overheads_.least_write_seek));
    background_ = Background::write_back;
    free_ = arm;
  }
  return times;
}

// What was written stays in a segment: with what it continues, else in another one.
void DiskController::keep_written(SectorRange range, bool continues) {
  if (!continues || written_ == nullptr || written_->held.end != range.begin) {
    written_ = read_cache_.replace();
    if (written_ == nullptr) return;
    written_->held = {range.begin, range.begin};
    if (ahead_ == written_) ahead_ = nullptr;
  }
  read_cache_.fill(*written_, range.end);
  written_->goal = range.end;
  read_cache_.use(*written_, range.end);
}

DiskTimes DiskController::write_through(SectorRange range, SimTime now, Duration overhead) {
  const CommandOverheads::ExtraDisconnect& extra = overheads_.extra_disconnect;
  const bool disconnects = extra.happens && after_write_ && range.begin != written_end_;
  const Duration command = disconnects ? extra.command : overhead;
  const SimTime decoded = now + command + (disconnects ? extra.seek_delay : Duration{});
  SimTime bus_start = now + command + overheads_.data_preparation;
  if (disconnects) bus_start += extra.disconnect + extra.pause + overheads_.first_reselect;
  const SimTime start = take_arm(decoded);
  read_cache_.invalidate(range);
  write_cache_.remove(range);
  const bool long_write = range.size() >= extra.long_write;
  const std::int64_t lead = std::min(range.size(), long_write ? extra.long_lead : extra.lead);
  const SimTime led = bus_start + bus_time(lead, config_.bus_write_rate);
  const SimTime ready = std::max(extra.happens ? led : start, start + overheads_.least_write_seek);
  DiskTimes times = mechanism_.access(start, Access::write, range, ready);
  free_ = start + times.total();
  position_ = range.end;
  times.command = command;
  times.seek += start - now - command;
  // The bus fills the buffer while the arm moves; a slow bus holds the end back.
  const SimTime filled = bus_start + bus_time(range.size(), config_.bus_write_rate) +
                         (disconnects ? extra.second_disconnect : overheads_.write_disconnect);
  const Duration reselect = disconnects ? overheads_.other_reselect : overheads_.first_reselect;
  times.transfer += std::max(Duration{}, filled - free_) + reselect;
  if (read_cache_.config().keeps_written) keep_written(range, false);
  return times;
}

// Once the buffer was full, a batch leaves it before the arm does anything else.
DiskTimes DiskController::drain(SimTime now) {
  if (!std::exchange(draining_, false)) return {};
  return write_back_until(low_mark(), now);
}

// Writes back until at most `dirty_sectors` wait, while a command waits for it.
DiskTimes DiskController::write_back_until(std::int64_t dirty_sectors, SimTime now) {
  DiskTimes times;
  catch_up(now);
  if (all_dirty() <= dirty_sectors) return times;
  const Duration background_before = background_time_;
  if (background_ == Background::read_ahead) free_ = take_arm(now);
  SimTime clock = now;
  while (all_dirty() > dirty_sectors) {
    if (background_ == Background::none) {
      free_ = std::max(free_, now);
      start_write_back(free_);
    }
    const std::int64_t surplus = all_dirty() - dirty_sectors;
    const std::int64_t stop = std::min(stream_.left.end, stream_.left.begin + surplus);
    const SimTime settled = std::max(clock, stream_.settled);
    const SimTime ready = std::max(settled, stream_.ready);
    const SimTime end = mechanism_.time_at(stream_, stop);
    times.seek += settled - clock;
    times.rotation += ready - settled;
    times.transfer += end - ready;
    clock = end;
    catch_up(end);
  }
  background_time_ = background_before;
  return times;
}

}  // namespace copysim
