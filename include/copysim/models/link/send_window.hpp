#pragma once

#include <algorithm>
#include <deque>
#include <optional>

#include <copysim/models/link/frames.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// How much a TCP sender may have unacknowledged: the smaller of the receiver's window and the
/// congestion window.
///
/// Slow start as in RFC 2581: the congestion window begins at a few segments and grows by one
/// segment per ACK; with an ACK for every second segment it grows by half per round trip. Without
/// loss it stops only at the receiver's window. Left out: loss, and the restart after idle time.
class SendWindow {
public:
  struct Config {
    Bytes receive_window{65535};
    int initial_segments = 2;
    int ack_every = 2;
  };

  explicit SendWindow(Config config)
      : config_{config}, congestion_{Framing::segment * config.initial_segments} {}

  /// The most that may be in flight.
  [[nodiscard]] Bytes limit() const { return std::min(config_.receive_window, congestion_); }
  [[nodiscard]] Bytes in_flight() const { return in_flight_; }
  [[nodiscard]] Bytes room() const { return limit() - in_flight_; }

  /// Counts bytes as sent; `acknowledged_at` tells later when their ACK is back.
  void sent(Bytes amount) { in_flight_ += amount; }
  /// The ACK of the oldest bytes without one, `amount` of them, is back `at`.
  void acknowledged_at(Bytes amount, SimTime at) {
    if (!acks_.empty()) at = std::max(at, acks_.back().at);
    acks_.push_back({amount, at});
  }
  /// Takes all ACKs that are back by `now`.
  void advance_to(SimTime now) {
    while (!acks_.empty() && acks_.front().at <= now) {
      in_flight_ -= acks_.front().amount;
      if (congestion_ < config_.receive_window) {
        // A step stands for several acknowledgements; one of less than two segments counts whole.
        const Bytes amount = acks_.front().amount;
        congestion_ += std::min(amount, std::max(Framing::segment, amount / config_.ack_every));
      }
      acks_.pop_front();
    }
  }
  [[nodiscard]] std::optional<SimTime> next_ack() const {
    if (acks_.empty()) return std::nullopt;
    return acks_.front().at;
  }

private:
  struct Ack {
    Bytes amount;
    SimTime at;
  };
  Config config_;
  Bytes congestion_;
  Bytes in_flight_;
  std::deque<Ack> acks_;
};

}  // namespace copysim
