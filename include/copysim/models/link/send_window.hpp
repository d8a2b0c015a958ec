#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include <copysim/models/link/congestion_control.hpp>
#include <copysim/models/link/frames.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// How much a TCP sender may have unacknowledged, for the model of bursts: the smaller of the
/// receiver's window and the congestion window.
///
/// The sender tells when the ACKs of what it has sent will be back: as a train of `count` ACKs,
/// evenly spaced from `first` to `last`. What one train lets go leaves as one train again, so a
/// window costs one calculation, not one for each pair of segments. Growth and reduction of the
/// congestion window are `CongestionControl`'s, as for packets.
///
/// A loss makes a hole. What is sent behind it is acknowledged selectively: it leaves the pipe, but
/// the receiver's window does not move before the hole is filled. When the loss is found the window
/// shrinks, once for all that was sent before; it grows again when the holes of that recovery are
/// filled (after a timeout at once: it starts slowly).
class SendWindow {
public:
  struct Config {
    Bytes receive_window{65535};
    int initial_segments = 2;
    int ack_every = 2;
    CongestionControlKind control = CongestionControlKind::reno;
    Duration round_trip = 1ms;  ///< of the path, as long as none is measured
    /// Trains that follow each other within this time are one; zero: never.
    Duration joins_within{};
  };
  /// ACKs in a row, of `amount` bytes together.
  struct Train {
    Bytes amount;
    SimTime first;
    SimTime last;
    std::int64_t count = 1;
    std::int64_t hole = 0;  ///< the last one before it; the window's own note

    /// When the ACK number `n` of it is back, counted from 1.
    [[nodiscard]] SimTime at(std::int64_t n) const {
      return count > 1 ? first + (n - 1) * (last - first) / (count - 1) : last;
    }
  };
  /// How the next hole that has not been found yet is filled.
  struct Repair {
    SimTime found;
    SimTime filled;  ///< the acknowledgement of what was sent again is back
    bool by_timeout = false;
  };

  explicit SendWindow(Config config);

  /// The most that may be in flight.
  [[nodiscard]] Bytes limit() const { return std::min(config_.receive_window, control_->window()); }
  /// Whether only the receiver's window limits, so that ACKs change nothing but the room.
  [[nodiscard]] bool steady() const { return control_->window() >= config_.receive_window; }
  [[nodiscard]] Bytes in_flight() const { return outstanding_; }
  [[nodiscard]] Bytes room() const {
    return std::min(config_.receive_window - outstanding_, control_->window() - pipe_);
  }

  /// Counts bytes as sent; `acknowledged` tells later when their ACKs are back.
  void sent(Bytes amount) {
    pipe_ += amount;
    outstanding_ += amount;
  }
  /// The ACKs of the oldest bytes without one are these.
  void acknowledged(Train train);
  /// Of what was sent `at`, so much will not come.
  void lost(Bytes amount, SimTime at) { holes_.push_back({.sent = at, .lost = amount}); }
  /// Says how the first hole is filled about which nothing is known yet.
  void repaired(const Repair& repair);
  /// Takes all ACKs that are back by `now`.
  void advance_to(SimTime now);
  /// Takes the next ACKs before they are back, so many that they make room for `want` bytes, or all
  /// of their train. Only where nothing can get lost, and there is a train.
  Train take_ahead(Bytes want);

  /// When room may come next.
  [[nodiscard]] std::optional<SimTime> next_ack() const;
  /// The last ACK that is known to come.
  [[nodiscard]] std::optional<SimTime> last_ack() const {
    if (trains_.empty()) return std::nullopt;
    return trains_.back().last;
  }
  /// Tells round trips as the sender has measured them, for controls that need them.
  void measured(Duration last, Duration least) {
    round_trip_ = last;
    least_round_trip_ = least;
  }
  /// Starts slowly again after a pause.
  void restart() { control_->restart(); }

private:
  struct Hole {
    SimTime sent;
    Bytes lost;    // of the hole itself, in the pipe
    Bytes held{};  // acknowledged selectively behind it
    std::optional<SimTime> filled{};
  };
  [[nodiscard]] Bytes each() const { return config_.ack_every * Framing::segment; }
  Train take(std::int64_t count);
  void take_in(const Train& train);
  void fill_holes(SimTime now);
  void shrink_by(SimTime now);
  void grow(const Train& train);
  void report(Bytes fresh, SimTime at);

  Config config_;
  std::unique_ptr<CongestionControl> control_;
  Duration round_trip_;
  Duration least_round_trip_;
  Bytes pipe_;         // sent, and not acknowledged even selectively
  Bytes outstanding_;  // sent, and not acknowledged
  std::deque<Train> trains_;
  std::deque<Hole> holes_;         // not filled yet
  std::int64_t filled_holes_ = 0;  // those before them
  std::size_t known_ = 0;          // of `holes_`, those of which it is known when they are filled
  bool pending_ = false;           // the window has yet to shrink, at `found_`
  bool by_timeout_ = false;
  SimTime found_ = SimTime::min();
  SimTime recovered_ = SimTime::min();  // the recovery that began at `found_` ends
};

}  // namespace copysim
