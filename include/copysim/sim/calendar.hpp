#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <copysim/sim/int128.hpp>
#include <copysim/units.hpp>

namespace copysim::detail {

/// The order of events: (time, sequence), nothing else.
///
/// An entry is one 128-bit number: 64 bits of time, 40 of sequence, 24 of the slot of the process
/// to resume. Later instants are in a binary heap; its sift picks the smaller child without a
/// branch, and the entry that is being executed stays at the top until the next one comes, which
/// then replaces it (most events schedule exactly one). Entries for the current instant are in a
/// ring: they are scheduled after all heap entries of that instant, so FIFO is their order.
///
/// An entry is cancelled by its process forgetting its ticket; the calendar drops such an entry
/// when it comes up, or sweeps them all when they are the majority.
class Calendar {
public:
  /// Sequence and slot of an entry, unique in a run. 0 is no ticket.
  using Ticket = std::uint64_t;
  static constexpr unsigned slot_bits = 24;
  static constexpr Ticket slot_mask = (Ticket{1} << slot_bits) - 1;
  static constexpr std::size_t max_slots = std::size_t{1} << slot_bits;

  Calendar() : heap_(4, sentinel) {}

  /// \pre `at` is later than now.
  Ticket schedule(SimTime at, std::uint32_t slot) {
    const Ticket ticket = next_ticket(slot);
    const Key key = (static_cast<Key>(at.time_since_epoch().count()) << 64) | ticket;
    if (top_is_spent_) {
      top_is_spent_ = false;
      sift_down(key);
    } else {
      push(key);
    }
    return ticket;
  }

  Ticket schedule_now(std::uint32_t slot) {
    const Ticket ticket = next_ticket(slot);
    if (ring_tail_ - ring_head_ == ring_.size()) grow_ring();
    ring_[ring_tail_++ & (ring_.size() - 1)] = ticket;
    return ticket;
  }

  [[nodiscard]] bool heap_empty() {
    settle_top();
    return size_ == 0;
  }
  /// \pre the heap is not empty (and `heap_empty` was asked since the last `take_top`)
  [[nodiscard]] SimTime top_time() const {
    return SimTime{Duration{static_cast<std::int64_t>(heap_[1] >> 64)}};
  }
  [[nodiscard]] Ticket top_ticket() const { return static_cast<Ticket>(heap_[1]); }
  void take_top() { top_is_spent_ = true; }

  [[nodiscard]] bool ring_empty() const { return ring_head_ == ring_tail_; }
  Ticket take_ring() { return ring_[ring_head_++ & (ring_.size() - 1)]; }

  /// Counts a heap entry as cancelled; true when it is worth to `sweep`.
  [[nodiscard]] bool note_cancelled() {
    ++cancelled_;
    return cancelled_ > 64 && cancelled_ * 2 > size_;
  }
  void note_dropped() { --cancelled_; }

  /// Removes the heap entries for which `is_live(ticket)` is false.
  template <class Predicate>
  void sweep(Predicate is_live) {
    settle_top();
    std::size_t kept = 0;
    for (std::size_t i = 1; i <= size_; ++i) {
      if (is_live(static_cast<Ticket>(heap_[i]))) heap_[++kept] = heap_[i];
    }
    rebuild(kept);
    cancelled_ = 0;
  }

private:
  using Key = UInt128;
  static constexpr Key sentinel = ~Key{0};

  Ticket next_ticket(std::uint32_t slot) {
    sequence_ += Ticket{1} << slot_bits;
    if (sequence_ == 0) sequence_exhausted();
    return sequence_ | slot;
  }
  [[noreturn]] static void sequence_exhausted();

  void settle_top() {
    if (top_is_spent_) {
      top_is_spent_ = false;
      pop();
    }
  }

  void push(Key key) {
    if (size_ + 3 > heap_.size()) heap_.resize(heap_.size() * 2, sentinel);
    std::size_t at = ++size_;
    for (; at > 1 && key < heap_[at / 2]; at /= 2) heap_[at] = heap_[at / 2];
    heap_[at] = key;
  }

  void pop() {
    const Key last = heap_[size_];
    heap_[size_] = sentinel;
    --size_;
    if (size_ > 0) sift_down(last);
  }

  // Puts `key` at the top and lets it sink. heap_[size_ + 1] is the sentinel, so that a last child
  // without a sibling needs no test.
  void sift_down(Key key, std::size_t at = 1) {
    Key* const heap = heap_.data();
    for (std::size_t child = at * 2; child <= size_; child = at * 2) {
      child += static_cast<std::size_t>(heap[child + 1] < heap[child]);
      if (key < heap[child]) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = key;
  }

  void rebuild(std::size_t size);
  void grow_ring();

  std::vector<Key> heap_;  // 1-based, with sentinels behind the last entry
  std::size_t size_ = 0;
  bool top_is_spent_ = false;
  std::size_t cancelled_ = 0;
  Ticket sequence_ = 0;
  std::vector<Ticket> ring_ = std::vector<Ticket>(16);
  std::size_t ring_head_ = 0;
  std::size_t ring_tail_ = 0;
};

}  // namespace copysim::detail
