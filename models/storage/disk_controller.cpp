#include <copysim/models/storage/disk_controller.hpp>

#include <algorithm>
#include <utility>

namespace copysim {

DiskController::DiskController(Config config, DiskMechanism mechanism)
    : config_{config},
      mechanism_{std::move(mechanism)},
      read_cache_{config.read_cache},
      write_cache_{config.write_cache} {}

Bytes DiskController::dirty() const {
  return sector_size * all_dirty();
}

std::int64_t DiskController::all_dirty() const {
  const bool writing = background_ == Background::write_back;
  return write_cache_.dirty_sectors() + (writing ? stream_.left.size() : 0);
}

std::int64_t DiskController::low_mark() const {
  return write_cache_.size_sectors() - write_cache_.batch_sectors();
}

Duration DiskController::bus_time(std::int64_t sectors) const {
  return sector_size * sectors / config_.bus_rate;
}

DiskTimes DiskController::serve(const BlockRequest& request, SimTime now, Duration decoded) {
  const SectorRange range{request.extent.offset / sector_size, request.extent.end() / sector_size};
  catch_up(now);
  if (request.access == Access::read) return read(range, now, decoded);
  const Duration overhead = std::max(Duration{}, config_.overhead.write - decoded);
  const bool to_buffer = write_cache_.enabled() && !request.force_unit_access;
  return to_buffer ? write_cached(range, now, overhead) : write_through(range, now, overhead);
}

DiskTimes DiskController::flush(SimTime now) {
  catch_up(now);
  return write_back_until(0, now);
}

// --- reads

DiskTimes DiskController::read(SectorRange range, SimTime now, Duration decoded) {
  const Duration hit = std::max(Duration{}, config_.overhead.hit - decoded);
  const Duration miss = std::max(Duration{}, config_.overhead.read - decoded);
  if (write_cache_.holds(range)) {
    ++hits_;
    return {.command = hit, .transfer = bus_time(range.size())};
  }
  CacheSegment* segment = read_cache_.find(range.begin);
  if (segment == nullptr) return read_from_medium(range, nullptr, now, miss);

  if (range.end <= segment->held.end) {
    ++hits_;
    read_cache_.use(*segment, range.end, mechanism_.geometry().sectors());
    if (background_ == Background::read_ahead && ahead_ == segment)
      stream_.left.end = std::max(stream_.left.end, segment->goal);
    else if (background_ == Background::none)
      free_ = std::max(free_, now);  // read-ahead may go on, but not before it was asked to
    ahead_ = background_ == Background::read_ahead ? ahead_ : segment;
    return {.command = hit, .transfer = bus_time(range.size())};
  }
  if (background_ == Background::read_ahead && ahead_ == segment)
    return read_from_stream(range, now, hit);
  return read_from_medium(range, segment, now, miss);
}

// The read-ahead under way brings the rest: the command waits for it, then for the last sector on
// the bus.
DiskTimes DiskController::read_from_stream(SectorRange range, SimTime now, Duration overhead) {
  const bool arriving = range.begin < ahead_->held.end;
  if (arriving) ++hits_;
  read_cache_.use(*ahead_, range.end, mechanism_.geometry().sectors());
  stream_.left.end = std::max(stream_.left.end, ahead_->goal);
  const SimTime read = mechanism_.time_at(stream_, range.end);
  const SimTime start = now + overhead;
  const SimTime done = std::max(read + bus_time(1), start + bus_time(range.size()));
  DiskTimes times{.command = overhead};
  times.seek = std::max(Duration{}, std::min(stream_.settled, done) - start);
  times.rotation = std::max(Duration{}, std::min(stream_.ready, done) - start - times.seek);
  times.transfer = done - now - times.command - times.seek - times.rotation;
  return times;
}

DiskTimes DiskController::read_from_medium(SectorRange range, CacheSegment* segment, SimTime now,
                                           Duration overhead) {
  const DiskTimes drained = drain(now + overhead);
  const SimTime decoded = now + overhead + drained.total();
  const bool fill_first = background_ == Background::read_ahead &&
                          read_cache_.read_ahead() == DiskReadAhead::full_segment;
  // Filling the segment up first is the firmware's choice, so the wait counts as transfer.
  const SimTime willing =
      fill_first ? std::max(decoded, mechanism_.time_at(stream_, stream_.left.end)) : decoded;
  const SimTime start = take_arm(willing);

  const SectorRange missing{segment != nullptr ? segment->held.end : range.begin, range.end};
  DiskTimes times = mechanism_.access(start, Access::read, missing);
  const SimTime end = start + times.total();
  const SimTime done = std::max(end + bus_time(1), decoded + bus_time(range.size()));
  times.command = overhead;
  times.seek += start - willing;
  times.transfer += (willing - decoded) + (done - end);
  times += drained;
  free_ = end;
  position_ = range.end;

  if (segment == nullptr) segment = read_cache_.replace();
  if (segment == nullptr) return times;
  if (segment->held.empty()) segment->held = {range.begin, range.begin};
  segment->goal = range.end;
  read_cache_.fill(*segment, range.end);
  read_cache_.use(*segment, range.end, mechanism_.geometry().sectors());
  ahead_ = segment;
  if (segment->held.end < segment->goal) {
    stream_ = mechanism_.begin_stream(end, Access::read, {segment->held.end, segment->goal});
    background_ = Background::read_ahead;
  }
  return times;
}

// --- writes

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
  Duration length = bus_time(range.size());
  if (all_dirty() > room) {
    draining_ = true;
    times = write_back_until(room, now);
    length = std::max(length, times.total() + bus_time(1));
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

DiskTimes DiskController::write_through(SectorRange range, SimTime now, Duration overhead) {
  const SimTime decoded = now + overhead;
  const SimTime start = take_arm(decoded);
  read_cache_.invalidate(range);
  write_cache_.remove(range);
  DiskTimes times = mechanism_.access(start, Access::write, range);
  times.command = overhead;
  times.seek += start - decoded;
  // The bus fills the buffer while the arm moves; a slow bus holds the end back.
  const Duration late = decoded + bus_time(range.size()) - (now + times.total());
  times.transfer += std::max(Duration{}, late);
  free_ = now + times.total();
  position_ = range.end;
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

// --- what the arm does between commands

// Brings the state to `now`: finishes, stops at or starts background work as time went by.
void DiskController::catch_up(SimTime now) {
  while (true) {
    if (background_ == Background::none && !start_background(now)) return;
    mechanism_.advance(stream_, now);
    note_progress();
    if (!stream_.left.empty()) {
      background_time_ += now - std::exchange(free_, now);
      return;
    }
    background_time_ += stream_.ready - std::exchange(free_, stream_.ready);
    last_wrote_back_ = background_ == Background::write_back;
    background_ = Background::none;
  }
}

void DiskController::note_progress() {
  position_ = stream_.left.begin;
  if (background_ == Background::read_ahead && position_ > ahead_->held.end)
    read_cache_.fill(*ahead_, position_);
}

// Starts what should have begun before `now`, if anything: reading ahead comes first.
bool DiskController::start_background(SimTime now) {
  if (free_ >= now) return false;
  if (ahead_ != nullptr && ahead_->held.end < ahead_->goal) {
    stream_ = mechanism_.begin_stream(free_, Access::read, {ahead_->held.end, ahead_->goal});
    background_ = Background::read_ahead;
    return true;
  }
  const SimTime start = last_wrote_back_ ? free_ : free_ + write_cache_.idle();
  return start < now && start_write_back(start);
}

bool DiskController::start_write_back(SimTime start) {
  const auto run = write_cache_.take_next(position_);
  if (!run) return false;
  stream_ = mechanism_.begin_stream(start, Access::write, *run);
  background_ = Background::write_back;
  free_ = start;
  return true;
}

// Stops what goes on in the background at `now` and returns when the arm can move.
SimTime DiskController::take_arm(SimTime now) {
  if (background_ != Background::none) catch_up(now);
  last_wrote_back_ = false;
  if (background_ == Background::none) return std::max(now, free_);
  SimTime free = std::max(now, stream_.settled);
  if (background_ == Background::write_back) {
    if (stream_.ready < now) {
      // A sector that is being written is finished.
      free = mechanism_.time_at(stream_, stream_.left.begin + 1);
      ++stream_.left.begin;
    }
    if (!stream_.left.empty()) write_cache_.add(stream_.left);
  } else {
    ahead_->goal = ahead_->held.end;
  }
  background_ = Background::none;
  return free;
}

}  // namespace copysim
