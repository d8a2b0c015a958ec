#include <copysim/models/storage/disk_mechanism.hpp>

#include <algorithm>
#include <cstdlib>
#include <utility>

namespace copysim {

DiskMechanism::DiskMechanism(DiskGeometry geometry, SeekCurve curve, Timing timing,
                             Duration initial_angle)
    : geometry_{std::move(geometry)},
      curve_{std::move(curve)},
      timing_{timing},
      revolution_{geometry_.revolution()},
      initial_angle_{initial_angle} {}

Duration DiskMechanism::switch_time(Arm from, const SectorPosition& to, Access access) const {
  Duration time{};
  if (from.head != to.head) time = timing_.head_switch;
  if (from.cylinder != to.cylinder)
    time = std::max(time, curve_.time(std::abs(from.cylinder - to.cylinder)));
  if (time > Duration{} && access == Access::write)
    time = std::max(Duration{}, time + timing_.write_settle);
  return time;
}

Duration DiskMechanism::rotation_until(SimTime now, const SectorPosition& to) const {
  const std::int64_t turn = revolution_.count();
  const std::int64_t angle = to.angle * turn / to.sectors_per_track;
  const std::int64_t here = (now.time_since_epoch() + initial_angle_).count() % turn;
  return Duration{angle >= here ? angle - here : angle - here + turn};
}

Duration DiskMechanism::passing_time(const SectorPosition& first, std::int64_t count) const {
  const std::int64_t turn = revolution_.count();
  const std::int64_t n = first.sectors_per_track;
  return Duration{(first.angle + count) * turn / n - first.angle * turn / n};
}

void DiskMechanism::move(const SectorPosition& to) {
  if (arm_.cylinder != to.cylinder) ++seeks_;
  arm_ = {to.cylinder, to.head};
}

Duration DiskMechanism::positioning(SimTime start, Access access, std::int64_t sector) const {
  const SectorPosition to = geometry_.locate(sector);
  const Duration seek = switch_time(arm_, to, access);
  return seek + rotation_until(start + seek, to);
}

SimTime MediaCourse::passed(std::int64_t count) const {
  for (const MediaPiece& piece : pieces) {
    if (count <= piece.sectors) return piece.start + piece.length * count / piece.sectors;
    count -= piece.sectors;
  }
  return pieces.back().start + pieces.back().length;
}

DiskTimes DiskMechanism::access(SimTime start, Access access, SectorRange range, SimTime ready,
                                MediaCourse* course) {
  DiskTimes times;
  bool first = true;
  while (!range.empty()) {
    const SectorPosition at = geometry_.locate(range.begin);
    const std::int64_t count = std::min<std::int64_t>(range.size(), at.run);
    const Duration seek = switch_time(arm_, at, access);
    const SimTime settled = start + seek;
    const SimTime from = std::max(settled, ready);
    const Duration wait = from - settled + rotation_until(from, at);
    const Duration transfer = passing_time(at, count);
    if (course != nullptr && std::exchange(first, false)) course->settled = settled;
    times.seek += seek;
    times.transfer += transfer;
    if (timing_.zero_latency && wait + transfer > revolution_) {
      // The head arrives inside the piece: it takes the rest, waits, and takes the beginning.
      times.rotation += revolution_ - transfer;
      start = settled + revolution_;
      if (course != nullptr) {
        const Duration head_part = std::min(transfer, revolution_ - wait);
        const std::int64_t head = std::min(count, head_part * count / transfer);
        if (head > 0) course->pieces.push_back({settled + wait, head_part, head});
        if (head < count) course->pieces.push_back({start, {}, count - head});
      }
    } else {
      times.rotation += wait;
      start = settled + wait + transfer;
      if (course != nullptr) course->pieces.push_back({settled + wait, transfer, count});
    }
    move(at);
    range.begin += count;
  }
  return times;
}

MediaStream DiskMechanism::begin_stream(SimTime start, Access access, SectorRange range,
                                        SimTime ready) {
  MediaStream stream{access, range, geometry_.locate(range.begin), start, start};
  stream.settled = start + switch_time(arm_, stream.at, access);
  const SimTime from = std::max(stream.settled, ready);
  stream.ready = from + rotation_until(from, stream.at);
  move(stream.at);
  return stream;
}

void DiskMechanism::next_track(MediaStream& stream, SimTime end) const {
  const Arm from{stream.at.cylinder, stream.at.head};
  stream.at = geometry_.locate(stream.left.begin);
  stream.settled = end + switch_time(from, stream.at, stream.access);
  stream.ready = stream.settled + rotation_until(stream.settled, stream.at);
}

void DiskMechanism::advance(MediaStream& stream, SimTime now) {
  while (!stream.left.empty() && stream.ready < now) {
    const std::int64_t rest = std::min<std::int64_t>(stream.left.size(), stream.at.run);
    const Duration whole = passing_time(stream.at, rest);
    if (stream.ready + whole > now) {
      // Sectors that have passed entirely: the estimate may be one too high by the rounding.
      std::int64_t count =
          (now - stream.ready).count() * stream.at.sectors_per_track / revolution_.count() + 1;
      count = std::min(count, rest - 1);
      while (count > 0 && stream.ready + passing_time(stream.at, count) > now) --count;
      if (count <= 0) return;
      stream.ready += passing_time(stream.at, count);
      stream.left.begin += count;
      stream.at = geometry_.locate(stream.left.begin);
      return;
    }
    stream.left.begin += rest;
    stream.ready += whole;
    const bool run_ends = rest == stream.at.run;
    if (stream.left.begin >= geometry_.sectors()) return;
    if (run_ends && !stream.left.empty()) {
      next_track(stream, stream.ready);
      move(stream.at);
    } else {
      stream.at = geometry_.locate(stream.left.begin);
    }
  }
}

SimTime DiskMechanism::time_at(MediaStream stream, std::int64_t sector, MediaCourse* course) const {
  stream.left.end = sector;
  while (true) {
    const std::int64_t rest = std::min<std::int64_t>(stream.left.size(), stream.at.run);
    if (rest <= 0) return stream.ready;
    const Duration length = passing_time(stream.at, rest);
    if (course != nullptr) course->pieces.push_back({stream.ready, length, rest});
    const SimTime end = stream.ready + length;
    stream.left.begin += rest;
    if (stream.left.empty()) return end;
    next_track(stream, end);
  }
}

}  // namespace copysim
