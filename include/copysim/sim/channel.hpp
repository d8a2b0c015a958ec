#pragma once

#include <coroutine>
#include <cstddef>
#include <deque>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>

#include <copysim/sim/wait_list.hpp>

namespace copysim {

/// A queue of items from producers to consumers, first in first out.
///
/// A consumer that finds it empty waits, and so does a producer that finds it full; both are served
/// in the order in which they came. An item goes straight to the consumer that has waited longest,
/// which resumes at the present time, behind what is already due. An item that was handed to a
/// consumer that is cancelled before it resumes goes to the next one.
template <class T>
class Channel {
public:
  static constexpr std::size_t unbounded = std::numeric_limits<std::size_t>::max();

  /// `capacity` is the number of items that lie in the channel at most; 0 means 1.
  explicit Channel(Simulation& simulation, std::size_t capacity = unbounded,
                   std::string_view name = {}, Constraint constraint = {})
      : consumers_{simulation, "channel", name},
        producers_{simulation, "full channel", name, constraint},
        capacity_{capacity == 0 ? 1 : capacity} {}

  class Push;
  class Pop;

  /// Puts an item in, waiting while the channel is full.
  [[nodiscard]] Push push(T item) { return Push{*this, std::move(item)}; }
  /// Puts an item in even if the channel is full; may be called from anywhere.
  void push_now(T item) {
    items_.push_back(std::move(item));
    deliver();
  }
  /// Takes the oldest item, waiting while there is none.
  [[nodiscard]] Pop pop() { return Pop{*this}; }
  /// Takes the oldest item if there is one.
  [[nodiscard]] std::optional<T> try_pop() {
    if (items_.empty()) return std::nullopt;
    std::optional<T> item{std::move(items_.front())};
    items_.pop_front();
    refill();
    return item;
  }

  /// The number of items that lie in the channel.
  [[nodiscard]] std::size_t size() const { return items_.size(); }
  [[nodiscard]] bool empty() const { return items_.empty(); }
  [[nodiscard]] bool full() const { return items_.size() >= capacity_; }

private:
  // Hands items to consumers that wait.
  void deliver() {
    while (!items_.empty() && !consumers_.empty()) {
      consumers_.template front<Pop>().item_.emplace(std::move(items_.front()));
      items_.pop_front();
      consumers_.wake_front();
    }
  }
  // Lets producers that wait put their items in.
  void refill() {
    while (!full() && !producers_.empty()) {
      auto& producer = producers_.template front<Push>();
      producer.accepted_ = true;
      items_.push_back(std::move(producer.item_));
      producers_.wake_front();
    }
    deliver();
  }

  WaitList consumers_;
  WaitList producers_;
  std::size_t capacity_;
  std::deque<T> items_;
};

/// The awaitable of `Channel::push`. Once the item is in, an interruption waits for the next wait.
template <class T>
class [[nodiscard]] Channel<T>::Push {
public:
  Push(Channel& channel, T item) : channel_{channel}, item_{std::move(item)} {}
  Push(const Push&) = delete;
  Push& operator=(const Push&) = delete;

  [[nodiscard]] bool await_ready() {
    if (channel_.full() || !channel_.producers_.empty()) return false;
    accepted_ = true;
    channel_.push_now(std::move(item_));
    return true;
  }
  void await_suspend(std::coroutine_handle<> where) { channel_.producers_.suspend(where, this); }
  void await_resume() {
    if (!accepted_) channel_.producers_.resumed();
  }

private:
  friend class Channel;
  Channel& channel_;
  T item_;
  bool accepted_ = false;
};

/// The awaitable of `Channel::pop`; yields the item.
template <class T>
class [[nodiscard]] Channel<T>::Pop {
public:
  explicit Pop(Channel& channel)
      : channel_{channel}, simulation_{channel.consumers_.simulation()} {}
  Pop(const Pop&) = delete;
  Pop& operator=(const Pop&) = delete;
  ~Pop() {
    if (!item_ || simulation_.closing()) return;
    channel_.items_.push_front(std::move(*item_));
    channel_.deliver();
  }

  [[nodiscard]] bool await_ready() {
    item_ = channel_.try_pop();
    return item_.has_value();
  }
  void await_suspend(std::coroutine_handle<> where) { channel_.consumers_.suspend(where, this); }
  T await_resume() {
    channel_.consumers_.resumed();
    T item = std::move(*item_);
    item_.reset();
    return item;
  }

private:
  friend class Channel;
  Channel& channel_;
  Simulation& simulation_;
  std::optional<T> item_;
};

}  // namespace copysim
