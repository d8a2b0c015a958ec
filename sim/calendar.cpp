#include <copysim/sim/calendar.hpp>

#include <copysim/error.hpp>

namespace copysim::detail {

void Calendar::sequence_exhausted() {
  throw SimulationError{"more than 2^40 events in one simulation"};
}

void Calendar::rebuild(std::size_t size) {
  for (std::size_t i = size + 1; i <= size_; ++i) heap_[i] = sentinel;
  size_ = size;
  for (std::size_t i = size / 2; i >= 1; --i) sift_down(heap_[i], i);
}

void Calendar::grow_ring() {
  std::vector<Ticket> larger(ring_.size() * 2);
  const std::size_t count = ring_tail_ - ring_head_;
  for (std::size_t i = 0; i < count; ++i) larger[i] = take_ring();
  ring_ = std::move(larger);
  ring_head_ = 0;
  ring_tail_ = count;
}

}  // namespace copysim::detail
