#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <queue>
#include <vector>

namespace bench {

__extension__ typedef unsigned __int128 Key;

inline Key make_key(std::int64_t time, std::uint64_t sequence, std::uint32_t slot) {
  return (static_cast<Key>(time) << 64) | (sequence << 24) | slot;
}

/// A binary heap of 16-byte keys (time, sequence, slot) with a sift that picks the smaller child
/// without a branch, and replace-top: the least that a calendar with a total order costs.
class BareHeap {
public:
  void push(std::int64_t time, std::uint32_t slot = 0) {
    const Key key = make_key(time, ++sequence_, slot);
    if (size_ + 3 > heap_.size()) heap_.resize(heap_.size() * 2, ~Key{0});
    std::size_t at = ++size_;
    for (; at > 1 && key < heap_[at / 2]; at /= 2) heap_[at] = heap_[at / 2];
    heap_[at] = key;
  }
  void replace_top(std::int64_t time, std::uint32_t slot = 0) {
    sift_down(make_key(time, ++sequence_, slot));
  }
  void pop() {
    const Key last = heap_[size_];
    heap_[size_] = ~Key{0};
    if (--size_ > 0) sift_down(last);
  }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] std::int64_t top_time() const { return static_cast<std::int64_t>(heap_[1] >> 64); }
  [[nodiscard]] std::uint32_t top_slot() const {
    return static_cast<std::uint32_t>(heap_[1]) & 0xffffff;
  }

private:
  void sift_down(Key key) {
    Key* const heap = heap_.data();
    std::size_t at = 1;
    for (std::size_t child = 2; child <= size_; child = at * 2) {
      child += static_cast<std::size_t>(heap[child + 1] < heap[child]);
      if (key < heap[child]) break;
      heap[at] = heap[child];
      at = child;
    }
    heap[at] = key;
  }

  std::vector<Key> heap_ = std::vector<Key>(4, ~Key{0});
  std::size_t size_ = 0;
  std::uint64_t sequence_ = 0;
};

/// The same entries in the queue of the standard library.
class StandardQueue {
public:
  void push(std::int64_t time, std::uint32_t slot = 0) {
    queue_.push(make_key(time, ++sequence_, slot));
  }
  void replace_top(std::int64_t time, std::uint32_t slot = 0) {
    queue_.pop();
    push(time, slot);
  }
  void pop() { queue_.pop(); }
  [[nodiscard]] bool empty() const { return queue_.empty(); }
  [[nodiscard]] std::int64_t top_time() const {
    return static_cast<std::int64_t>(queue_.top() >> 64);
  }
  [[nodiscard]] std::uint32_t top_slot() const {
    return static_cast<std::uint32_t>(queue_.top()) & 0xffffff;
  }

private:
  std::priority_queue<Key, std::vector<Key>, std::greater<>> queue_;
  std::uint64_t sequence_ = 0;
};

}  // namespace bench
