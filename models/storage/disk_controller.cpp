#include <copysim/models/storage/disk_controller.hpp>

#include <algorithm>
#include <utility>

#include "disk_bus.hpp"

namespace copysim {

namespace {

// What a sheet says of a drive, as the cases of an extracted one.
CommandOverheads overheads_of(const DiskController::Config& config) {
  if (config.extracted) return *config.extracted;
  const DiskController::Overhead& sheet = config.overhead;
  CommandOverheads overheads;
  overheads.hit = {sheet.hit, sheet.hit};
  overheads.read = {sheet.read, sheet.read};
  overheads.cached_write = {sheet.write, sheet.write};
  overheads.through_write = {sheet.write, sheet.write};
  return overheads;
}

Duration less(Duration overhead, Duration decoded) {
  return std::max(Duration{}, overhead - decoded);
}

}  // namespace

DiskController::DiskController(Config config, DiskMechanism mechanism)
    : config_{config},
      overheads_{overheads_of(config_)},
      mechanism_{std::move(mechanism)},
      read_cache_{config_.read_cache},
      write_cache_{config_.write_cache} {
  if (config_.bus_write_rate == Bandwidth{}) config_.bus_write_rate = config_.bus_rate;
}

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

DiskTimes DiskController::serve(const BlockRequest& request, SimTime now, Duration decoded) {
  const SectorRange range{request.extent.offset / sector_size, request.extent.end() / sector_size};
  catch_up(now);
  course_.clear();
  const bool reads = request.access == Access::read;
  const bool to_buffer = write_cache_.enabled() && !request.force_unit_access;
  DiskTimes times = reads ? read(range, now, decoded) : write(range, now, decoded, to_buffer);
  times.command += reads ? overheads_.read_completion : overheads_.write_completion;
  after_write_ = !reads;
  if (!reads) written_end_ = range.end;
  return times;
}

DiskTimes DiskController::flush(SimTime now) {
  catch_up(now);
  return write_back_until(0, now);
}

// --- reads

DiskTimes DiskController::read(SectorRange range, SimTime now, Duration decoded) {
  const Duration hit = less(
      CommandOverheads::of(overheads_.hit, after_write_) + overheads_.data_preparation, decoded);
  const Duration miss = less(CommandOverheads::of(overheads_.read, after_write_), decoded);
  last_hit_ = DiskHit::whole;
  if (write_cache_.holds(range)) return read_from_buffer(nullptr, range, hit, now);
  CacheSegment* segment = read_cache_.find(range.begin);
  if (segment != nullptr && range.end <= segment->held.end)
    return read_from_buffer(segment, range, hit, now);

  const bool begins_here = segment != nullptr && range.begin < segment->held.end;
  last_hit_ = begins_here ? DiskHit::partial : DiskHit::none;
  if (segment != nullptr && background_ == Background::read_ahead && ahead_ == segment)
    return read_from_stream(range, now, hit);
  return read_from_medium(range, segment, now, miss, hit);
}

DiskTimes DiskController::read_from_buffer(CacheSegment* segment, SectorRange range,
                                           Duration overhead, SimTime now) {
  ++hits_;
  const DiskTimes times{.command = overhead, .transfer = bus_time(range.size(), config_.bus_rate)};
  if (segment == nullptr) return times;
  const bool reading = background_ == Background::read_ahead;
  const bool goes_on = read_cache_.config().after_hit || (reading && ahead_ == segment);
  read_cache_.use(*segment, goes_on ? goal_behind(range, *segment) : segment->held.end);
  if (reading && ahead_ == segment)
    stream_.left.end = std::max(stream_.left.end, segment->goal);
  else if (background_ == Background::none)
    free_ = std::max(free_, now);  // read-ahead may go on, but not before it was asked to
  if (!reading && goes_on) ahead_ = segment;
  return times;
}

// The bus begins at `bus_start` to move what `course_` tells of; the command ends with it.
DiskTimes DiskController::end_on_bus(DiskTimes times, SimTime now, SimTime bus_start) {
  const SimTime done = bus_end(course_, bus_start, config_.bus_rate);
  times.transfer += done - (now + times.total());
  return times;
}

// The read-ahead under way brings the rest: the command waits for it, then for the last sector on
// the bus.
DiskTimes DiskController::read_from_stream(SectorRange range, SimTime now, Duration overhead) {
  const std::int64_t here = ahead_->held.end - range.begin;
  if (here > 0) {
    ++hits_;
    course_.pieces.push_back({now, {}, here});
  }
  read_cache_.use(*ahead_, goal_behind(range, *ahead_));
  stream_.left.end = std::max(stream_.left.end, ahead_->goal);
  static_cast<void>(mechanism_.time_at(stream_, range.end, &course_));
  const SimTime start = now + overhead;
  const SimTime done = bus_end(course_, start, config_.bus_rate);
  DiskTimes times{.command = overhead};
  times.seek = std::max(Duration{}, std::min(stream_.settled, done) - start);
  times.rotation = std::max(Duration{}, std::min(stream_.ready, done) - start - times.seek);
  times.transfer = done - now - times.command - times.seek - times.rotation;
  return times;
}

DiskTimes DiskController::read_from_medium(SectorRange range, CacheSegment* segment, SimTime now,
                                           Duration overhead, Duration hit_overhead) {
  const DiskTimes drained = drain(now + overhead);
  const SimTime decoded = now + overhead + drained.total();
  const bool fill_first = background_ == Background::read_ahead &&
                          read_cache_.config().read_ahead == DiskReadAhead::full_segment;
  // Filling the segment up first is the firmware's choice, so the wait counts as transfer.
  const SimTime willing =
      fill_first ? std::max(decoded, mechanism_.time_at(stream_, stream_.left.end)) : decoded;
  const SimTime start = take_arm(willing);

  const std::int64_t here = segment != nullptr ? segment->held.end - range.begin : 0;
  if (here > 0) course_.pieces.push_back({now, {}, here});
  const SectorRange missing{range.begin + here, range.end};
  DiskTimes times = mechanism_.access(start, Access::read, missing, {}, &course_);
  const SimTime end = start + times.total();
  std::int64_t passing = 0;
  if (segment == nullptr && read_cache_.config().keeps_passing) {
    const SectorPosition at = mechanism_.geometry().locate(range.begin);
    const Duration waited = course_.pieces.front().start - course_.settled;
    passing = std::min<std::int64_t>(
        at.before, waited * at.sectors_per_track / mechanism_.geometry().revolution());
  }
  times.command = overhead;
  times.seek += start - willing;
  times.transfer += willing - decoded;
  times += drained;

  // The bus is free at once for what is there already; else the drive has released it.
  SimTime bus_start = decoded;
  if (config_.extracted) {
    const auto mark =
        static_cast<std::int64_t>(overheads_.read_mark * static_cast<double>(range.size()));
    const SimTime released =
        decoded + CommandOverheads::of(overheads_.read_disconnect, after_write_);
    bus_start = here > 0 ? now + hit_overhead
                         : std::max(released, course_.passed(std::max<std::int64_t>(1, mark))) +
                               overheads_.first_reselect + overheads_.data_preparation;
  }
  times = end_on_bus(times, now, bus_start);
  free_ = end;
  position_ = range.end;
  keep_and_read_on(range, segment, passing, end);
  return times;
}

// What was read at `end` goes into a segment; `passing` sectors before it came by.
void DiskController::keep_and_read_on(SectorRange range, CacheSegment* segment,
                                      std::int64_t passing, SimTime end) {
  if (segment == nullptr) segment = read_cache_.replace();
  if (segment == nullptr) return;
  if (written_ == segment) written_ = nullptr;
  if (segment->held.empty()) segment->held = {range.begin - passing, range.begin};
  segment->goal = range.end;
  read_cache_.fill(*segment, range.end);
  read_cache_.use(*segment, goal_behind(range, *segment));
  ahead_ = segment;
  if (segment->held.end < segment->goal) {
    stream_ = mechanism_.begin_stream(end, Access::read, {segment->held.end, segment->goal});
    background_ = Background::read_ahead;
  }
}

// How far to read ahead behind `range`.
std::int64_t DiskController::goal_behind(SectorRange range, const CacheSegment& segment) const {
  const DiskGeometry& geometry = mechanism_.geometry();
  const ReadCache::Config& config = read_cache_.config();
  if (config.read_ahead == DiskReadAhead::off || range.end >= geometry.sectors())
    return segment.held.end;
  std::int64_t goal = range.end + read_cache_.most_ahead();
  switch (config.goal) {
    case DiskReadAheadGoal::segment:
      break;
    case DiskReadAheadGoal::track:
      goal = geometry.track_of(range.end - 1).end;
      break;
    case DiskReadAheadGoal::cylinder:
      goal = geometry.cylinder_of(range.end - 1).end;
      break;
    case DiskReadAheadGoal::stream: {
      const SectorRange track = geometry.track_of(range.end);
      const bool crossed = segment.held.begin < track.begin && track.end < geometry.sectors();
      goal = crossed ? geometry.track_of(track.end).end : track.end;
      break;
    }
  }
  return std::min(goal, geometry.sectors());
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
  const bool at_once = last_wrote_back_ || write_cache_.at_once();
  const SimTime start = at_once ? free_ : free_ + write_cache_.idle();
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
  if (background_ == Background::write_back && write_cache_.at_once())
    return finish_write_back(now);
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

// Lets the run under way reach the medium; returns when the arm is free.
SimTime DiskController::finish_write_back(SimTime now) {
  const SimTime end = mechanism_.time_at(stream_, stream_.left.end);
  mechanism_.advance(stream_, end);
  note_progress();
  background_ = Background::none;
  free_ = std::max(now, end);
  return free_;
}

}  // namespace copysim
