#pragma once

#include <cstdint>

#include <boost/intrusive/list.hpp>
#include <boost/intrusive/list_hook.hpp>

#include <copysim/models/storage/disk_mechanism.hpp>
#include <copysim/models/storage/disk_scheduler.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// A request that waits; it lives in the coroutine that waits and leaves the queue with it.
struct DiskQueueEntry
    : boost::intrusive::list_base_hook<boost::intrusive::link_mode<boost::intrusive::auto_unlink>> {
  Access access = Access::read;
  std::int64_t sector = 0;
  bool flush = false;
  SimTime arrival;
};

/// The requests that wait for a disk, in the order of their arrival.
///
/// The scheduler chooses among the `depth` oldest (0: among all). A flush goes first, since it
/// concerns only what has been completed before. Equal candidates: the older one first.
class DiskQueue {
public:
  DiskQueue(DiskScheduler scheduler, int depth) : scheduler_{scheduler}, depth_{depth} {}

  void add(DiskQueueEntry& entry) { entries_.push_back(entry); }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  /// Takes out the entry to serve at `now`; nothing if none waits.
  [[nodiscard]] DiskQueueEntry* take_next(const DiskMechanism& mechanism, SimTime now);
  /// Notes that the request from `sector` to `end` is served: C-LOOK goes on from its begin, and a
  /// read from `end` on finds what the drive has read ahead.
  void served(std::int64_t sector, std::int64_t end) {
    last_ = sector;
    next_ = end;
  }

private:
  [[nodiscard]] std::int64_t cost(const DiskQueueEntry& entry, const DiskMechanism& mechanism,
                                  SimTime now) const;

  boost::intrusive::list<DiskQueueEntry, boost::intrusive::constant_time_size<false>> entries_;
  DiskScheduler scheduler_;
  int depth_;
  std::int64_t last_ = 0;
  std::int64_t next_ = -1;
};

}  // namespace copysim
