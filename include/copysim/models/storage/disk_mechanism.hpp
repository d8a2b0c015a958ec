#pragma once

#include <cstdint>
#include <vector>

#include <copysim/models/storage/block_device.hpp>
#include <copysim/models/storage/disk_geometry.hpp>
#include <copysim/models/storage/seek_curve.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// What a disk access spends its time on. The parts follow one another and sum to the whole.
struct DiskTimes {
  Duration command{};
  Duration seek{};      ///< arm moving, head switching, settling
  Duration rotation{};  ///< waiting for the sector
  Duration transfer{};  ///< medium or bus moving data

  [[nodiscard]] constexpr Duration total() const { return command + seek + rotation + transfer; }
  constexpr DiskTimes& operator+=(const DiskTimes& other) {
    command += other.command;
    seek += other.seek;
    rotation += other.rotation;
    transfer += other.transfer;
    return *this;
  }
};

/// A sequential access that goes on by itself, such as a read-ahead: how far it is follows from the
/// time alone, so it needs no events.
struct MediaStream {
  Access access = Access::read;
  SectorRange left;   ///< what is still to be transferred
  SectorPosition at;  ///< position of `left.begin`
  SimTime settled;    ///< the head is on the track of `at`
  SimTime ready;      ///< the sector `left.begin` begins to pass under the head
};

/// When sectors pass under the head: `sectors` of them, evenly, from `start` on for `length`.
/// Sector k of them (from 1) has passed after k / `sectors` of the length.
struct MediaPiece {
  SimTime start;
  Duration length{};
  std::int64_t sectors = 0;
};

/// The course of an access, for what goes on beside it, such as the bus.
struct MediaCourse {
  SimTime settled;                 ///< the head is on the first track
  std::vector<MediaPiece> pieces;  ///< in logical order

  void clear() { pieces.clear(); }
  /// When the first `count` sectors have passed. \pre there are so many.
  [[nodiscard]] SimTime passed(std::int64_t count) const;
};

/// The arm and the spindle: where the head is and which sector passes under it.
///
/// The angle is a pure function of the time: (time + initial angle) mod revolution, so it goes on
/// while the disk is idle. A track change takes a head switch, a cylinder change a seek (the head
/// switch happens meanwhile); writes settle `write_settle` longer. Sector k of n on a track begins
/// k rev / n after the index mark, rounded down to ns the same way everywhere, so consecutive
/// sectors follow without a gap.
class DiskMechanism {
public:
  struct Timing {
    Duration head_switch{};
    Duration write_settle{};
    bool zero_latency = false;  ///< a track piece may be transferred from its middle on
  };

  DiskMechanism(DiskGeometry geometry, SeekCurve curve, Timing timing, Duration initial_angle);

  /// Transfers `range` from `start` on, the first sector not before `ready`, and leaves the arm
  /// behind it. Appends to `course`.
  DiskTimes access(SimTime start, Access access, SectorRange range, SimTime ready = {},
                   MediaCourse* course = nullptr);
  /// The time until the first sector passes under the head, without moving.
  [[nodiscard]] Duration positioning(SimTime start, Access access, std::int64_t sector) const;

  /// Sends the arm to `range.begin` at `start`, to transfer `range`, not before `ready`.
  MediaStream begin_stream(SimTime start, Access access, SectorRange range, SimTime ready = {});
  /// Transfers all whole sectors that have passed by `now`.
  void advance(MediaStream& stream, SimTime now);
  /// When the sector before `sector` will have been transferred. Appends to `course` how.
  [[nodiscard]] SimTime time_at(MediaStream stream, std::int64_t sector,
                                MediaCourse* course = nullptr) const;

  [[nodiscard]] const DiskGeometry& geometry() const { return geometry_; }
  [[nodiscard]] std::int32_t cylinder() const { return arm_.cylinder; }
  [[nodiscard]] std::int64_t seeks() const { return seeks_; }

private:
  struct Arm {
    std::int32_t cylinder = 0;
    std::int32_t head = 0;
  };
  [[nodiscard]] Duration switch_time(Arm from, const SectorPosition& to, Access access) const;
  [[nodiscard]] Duration rotation_until(SimTime now, const SectorPosition& to) const;
  [[nodiscard]] Duration passing_time(const SectorPosition& first, std::int64_t count) const;
  void next_track(MediaStream& stream, SimTime end) const;
  void move(const SectorPosition& to);

  DiskGeometry geometry_;
  SeekCurve curve_;
  Timing timing_;
  Duration revolution_;
  Duration initial_angle_;
  Arm arm_;
  std::int64_t seeks_ = 0;
};

}  // namespace copysim
