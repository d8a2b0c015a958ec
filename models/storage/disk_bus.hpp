#pragma once

#include <algorithm>
#include <cstdint>

#include <copysim/models/storage/disk_geometry.hpp>
#include <copysim/models/storage/disk_mechanism.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// The time that `sectors` take on a bus of this rate.
[[nodiscard]] inline Duration bus_time(std::int64_t sectors, Bandwidth rate) {
  return sector_size * sectors / rate;
}

/// When the bus has moved all sectors of `course`, if it is free from `start` on: a sector leaves
/// as soon as it has been read and the one before it has left. Of n sectors that come in evenly
/// over a time, either the first waits for none and the bus sets the pace, or the last comes when
/// the bus is idle.
[[nodiscard]] inline SimTime bus_end(const MediaCourse& course, SimTime start, Bandwidth rate) {
  SimTime free = start;
  for (const MediaPiece& piece : course.pieces) {
    const Duration all = bus_time(piece.sectors, rate);
    const Duration media_sets_pace = piece.length + bus_time(1, rate);
    const Duration bus_sets_pace = piece.length / piece.sectors + all;
    free = std::max(free + all, piece.start + std::max(media_sets_pace, bus_sets_pace));
  }
  return free;
}

/// The earliest time at which the medium may begin to write `sectors` without running dry, if it
/// needs `media` for all of them and the bus fills the buffer from `start` on.
[[nodiscard]] inline SimTime first_write(SimTime start, std::int64_t sectors, Duration media,
                                         Bandwidth rate) {
  const SimTime first = start + bus_time(1, rate);
  return std::max(first, start + bus_time(sectors, rate) - media * (sectors - 1) / sectors);
}

}  // namespace copysim
