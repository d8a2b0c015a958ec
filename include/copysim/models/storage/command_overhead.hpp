#pragma once

#include <cstdint>

#include <copysim/units.hpp>

namespace copysim {

/// What a disk's electronics take for a command, as extracted from a real drive (DiskSim's
/// parameters; DIXtrac, Schindler and Ganger 1999).
///
/// A command is decoded (`hit`, `read`, `cached_write` or `through_write`, each by what the command
/// before it was), then the arm and the bus start. A read that needs the medium releases the bus
/// and takes it again when enough of its data has been read; a write through releases it once its
/// data are in the buffer, and takes it again to report. What a drive does not need is 0.
struct CommandOverheads {
  struct Case {
    Duration after_read{};
    Duration after_write{};
  };

  Case hit;            ///< read from the buffer: before the bus starts
  Case read;           ///< read from the medium: before the arm starts
  Case cached_write;   ///< before arm and bus start
  Case through_write;  ///< likewise, if the medium must have the data first

  Duration data_preparation{};  ///< before data cross the bus
  Duration first_reselect{};    ///< taking the bus again
  Duration other_reselect{};    ///< the second time
  Case read_disconnect;         ///< releasing it
  Duration write_disconnect{};
  Duration read_completion{};  ///< reporting the end
  Duration write_completion{};

  /// The part of a read (0 to 1, at least a sector) that must be in the buffer before the drive
  /// takes the bus again.
  double read_mark = 0;
  /// From the decoding of a write to its first sector at least this long, unless it continues the
  /// one before.
  Duration least_write_seek{};

  /// A write behind another one that it does not continue: the drive releases the bus before it
  /// takes any data (seen in HP's drives). In place of `through_write` and `write_disconnect`:
  struct ExtraDisconnect {
    bool happens = false;
    Duration command{};            ///< decoding
    Duration seek_delay{};         ///< from then to the start of the arm
    Duration disconnect{};         ///< releasing the bus, from the decoding on
    Duration pause{};              ///< until it takes it again
    Duration second_disconnect{};  ///< releasing it once the data are in the buffer
    // The medium starts once so many sectors, or all, are in the buffer. Not parameters of
    // DiskSim's files but constants of its model of such drives (4.0, diskcache).
    std::int64_t lead = 10;
    std::int64_t long_lead = 15;   ///< of long writes
    std::int64_t long_write = 45;  ///< sectors of a long write
  } extra_disconnect;

  [[nodiscard]] static constexpr Duration of(const Case& which, bool after_write) {
    return after_write ? which.after_write : which.after_read;
  }
};

}  // namespace copysim
