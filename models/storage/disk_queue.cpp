#include "disk_queue.hpp"

#include <cstdlib>

namespace copysim {

std::string_view to_string(DiskScheduler scheduler) {
  switch (scheduler) {
    case DiskScheduler::fcfs:
      return "fcfs";
    case DiskScheduler::c_look:
      return "c-look";
    case DiskScheduler::sstf:
      return "sstf";
    case DiskScheduler::sptf:
      return "sptf";
  }
  return "?";
}

DiskQueueEntry* DiskQueue::take_next(const DiskMechanism& mechanism, SimTime now) {
  DiskQueueEntry* best = nullptr;
  std::int64_t best_cost = 0;
  int seen = 0;
  for (DiskQueueEntry& entry : entries_) {
    if (depth_ > 0 && seen++ == depth_) break;
    if (entry.flush || (scheduler_ == DiskScheduler::fcfs && best == nullptr)) {
      best = &entry;
      break;
    }
    const std::int64_t entry_cost = cost(entry, mechanism, now);
    if (best == nullptr || entry_cost < best_cost) {
      best = &entry;
      best_cost = entry_cost;
    }
  }
  if (best != nullptr) best->unlink();
  return best;
}

std::int64_t DiskQueue::cost(const DiskQueueEntry& entry, const DiskMechanism& mechanism,
                             SimTime now) const {
  switch (scheduler_) {
    case DiskScheduler::fcfs:
      return 0;
    case DiskScheduler::c_look: {
      // Requests below the last one come after all above it: one sweep, then back to the lowest.
      const std::int64_t ahead = entry.sector - last_;
      return ahead >= 0 ? ahead : ahead + mechanism.geometry().sectors();
    }
    case DiskScheduler::sstf:
      return std::abs(mechanism.geometry().locate(entry.sector).cylinder - mechanism.cylinder());
    case DiskScheduler::sptf:
      // The read-ahead brings it without any positioning.
      if (entry.access == Access::read && entry.sector == next_) return 0;
      return mechanism.positioning(now, entry.access, entry.sector).count();
  }
  return 0;
}

}  // namespace copysim
