#pragma once

#include <cstdint>
#include <optional>
#include <tuple>

#include <copysim/models/parameter.hpp>
#include <copysim/models/storage/block_device.hpp>
#include <copysim/models/storage/command_overhead.hpp>
#include <copysim/models/storage/disk_mechanism.hpp>
#include <copysim/models/storage/read_cache.hpp>
#include <copysim/models/storage/write_cache.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// How a command was served.
enum class DiskHit : std::uint8_t {
  none,     ///< the medium gave or took the data
  partial,  ///< a read whose beginning was in the buffer, or on its way into it
  whole,    ///< a read of which all was in the buffer
  write,    ///< a write that ended in the buffer
};

/// The electronics of a disk: serves one command after another from the buffer or the medium.
///
/// A read is served
///  - from the buffer (hit): hit overhead, then the bus;
///  - by the read-ahead that is under way (partial hit): when its last sector has been read;
///  - from the medium (miss): overhead, seek, rotation, transfer.
/// The bus moves each sector once it has been read, so a fast bus adds its last sector only; a slow
/// one sets the pace.
/// A cached write takes overhead and the bus. The medium is written meanwhile; if the buffer
/// is full, the data flows through it: the command ends when the write-back has made room for its
/// last sector and the bus has moved that, so a long sequential write runs at the sustained rate of
/// the zone. A write through (cache off or forced) ends with the medium.
///
/// While no command needs the arm, it reads ahead first, then (after a pause) writes back. Both are
/// computed from the elapsed time when the next command comes, so idle time costs nothing. A
/// command that needs the arm stops them at a sector boundary, but not in the middle of a seek; a
/// read that finds the buffer full, or not yet relieved by a batch, waits until it is. With
/// `write_cache.at_once` a write goes to the medium before anything else, and is finished.
class DiskController {
public:
  /// The time that the drive's processor needs before the arm or the bus starts.
  struct Overhead {
    Duration read = 300us;   ///< a read that needs the medium; 0.1-1.0 ms (mechanisms.md 8.2, 8.4)
    Duration write = 300us;  ///< likewise for writes
    Duration hit = 150us;    ///< a read from the buffer; 0.07-0.18 ms in DiskSim's drives
    static constexpr auto parameters = std::tuple{
        parameter("read", &Overhead::read, "of a read from the medium", at_least(Duration{})),
        parameter("write", &Overhead::write, "of a write", at_least(Duration{})),
        parameter("hit", &Overhead::hit, "of a read from the buffer", at_least(Duration{})),
    };
  };
  struct Config {
    Overhead overhead;
    std::optional<CommandOverheads> extracted{};  ///< instead of `overhead`, where it is known
    Bandwidth bus_rate{100e6};
    Bandwidth bus_write_rate{};  ///< 0: as for reads
    ReadCache::Config read_cache;
    WriteCache::Config write_cache;
  };

  DiskController(Config config, DiskMechanism mechanism);

  /// Serves a command that has the drive for itself from `now` on; `decoded` of its overhead is
  /// over already (a queued command is decoded while the one before it runs).
  DiskTimes serve(const BlockRequest& request, SimTime now, Duration decoded = {});
  /// Writes back all that waits for the medium.
  DiskTimes flush(SimTime now);

  [[nodiscard]] const DiskMechanism& mechanism() const { return mechanism_; }
  [[nodiscard]] std::int64_t cache_hits() const { return hits_; }
  /// How the last command was served.
  [[nodiscard]] DiskHit last_hit() const { return last_hit_; }
  /// How long the arm has read ahead and written back while no command waited for it, as of the
  /// last command.
  [[nodiscard]] Duration background_time() const { return background_time_; }
  /// What waits for the medium as of the last command.
  [[nodiscard]] Bytes dirty() const;

private:
  enum class Background : std::uint8_t { none, read_ahead, write_back };

  DiskTimes read(SectorRange range, SimTime now, Duration decoded);
  DiskTimes read_from_buffer(CacheSegment* segment, SectorRange range, Duration overhead,
                             SimTime now);
  DiskTimes read_from_stream(SectorRange range, SimTime now, Duration overhead);
  DiskTimes read_from_medium(SectorRange range, CacheSegment* segment, SimTime now,
                             Duration overhead, Duration hit_overhead);
  DiskTimes end_on_bus(DiskTimes times, SimTime now, SimTime bus_start);
  void keep_and_read_on(SectorRange range, CacheSegment* segment, std::int64_t passing,
                        SimTime end);
  [[nodiscard]] std::int64_t goal_behind(SectorRange range, const CacheSegment& segment) const;

  DiskTimes write(SectorRange range, SimTime now, Duration decoded, bool to_buffer);
  DiskTimes write_cached(SectorRange range, SimTime now, Duration overhead);
  DiskTimes accept(SectorRange range, SimTime now);
  DiskTimes write_at_once(SectorRange range, SimTime now, Duration overhead);
  DiskTimes write_through(SectorRange range, SimTime now, Duration overhead);
  void keep_written(SectorRange range, bool continues);
  DiskTimes drain(SimTime now);
  DiskTimes write_back_until(std::int64_t dirty_sectors, SimTime now);

  void catch_up(SimTime now);
  void note_progress();
  bool start_background(SimTime now);
  bool start_write_back(SimTime start);
  SimTime take_arm(SimTime now);
  SimTime finish_write_back(SimTime now);
  [[nodiscard]] std::int64_t all_dirty() const;
  [[nodiscard]] std::int64_t low_mark() const;  // sectors that wait after a batch has left

  Config config_;
  CommandOverheads overheads_;
  DiskMechanism mechanism_;
  ReadCache read_cache_;
  WriteCache write_cache_;
  Background background_ = Background::none;
  MediaStream stream_;
  CacheSegment* ahead_ = nullptr;    // the segment that read-ahead fills or may go on filling
  SimTime free_;                     // the arm is idle, or its background work counted, since
  std::int64_t position_ = 0;        // the sector behind the last one that passed under the head
  bool last_wrote_back_ = false;     // the arm's last work was write-back: it may go on at once
  bool draining_ = false;            // the buffer was full and has not lost a batch since
  bool after_write_ = false;         // the command before was a write
  std::int64_t written_end_ = -1;    // behind the last sector written by it
  CacheSegment* written_ = nullptr;  // the segment that holds what was written last
  MediaCourse course_;               // of the command being served
  std::int64_t hits_ = 0;
  DiskHit last_hit_ = DiskHit::none;
  Duration background_time_{};
};

}  // namespace copysim
