#pragma once

#include <algorithm>
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
/// The sender tells when each ACK will be back; growth and reduction of the congestion window are
/// `CongestionControl`'s, as for packets. A loss has three instants: the segment was sent, it is
/// found lost (the window shrinks, once for all that were sent before), and its repetition is
/// acknowledged (until then what lies behind is acknowledged selectively: it leaves the pipe, but
/// the receiver's window does not move). Left out: the pause between finding a loss and sending on.
class SendWindow {
public:
  struct Config {
    Bytes receive_window{65535};
    int initial_segments = 2;
    int ack_every = 2;
    CongestionControlKind control = CongestionControlKind::reno;
    Duration round_trip = 1ms;  ///< of the path, for controls that need it
  };
  struct Loss {
    SimTime sent;
    SimTime found;
    SimTime repaired;  ///< the acknowledgement of what was sent again is back
    bool by_timeout = false;
  };

  explicit SendWindow(Config config)
      : config_{config},
        control_{make_congestion_control(config.control, config.initial_segments)} {}

  /// The most that may be in flight.
  [[nodiscard]] Bytes limit() const { return std::min(config_.receive_window, control_->window()); }
  [[nodiscard]] Bytes in_flight() const { return outstanding_; }
  [[nodiscard]] Bytes room() const {
    return std::min(config_.receive_window - outstanding_, control_->window() - pipe_);
  }

  /// Counts bytes as sent; `acknowledged_at` tells later when their ACK is back.
  void sent(Bytes amount) {
    pipe_ += amount;
    outstanding_ += amount;
  }
  /// The ACK of the oldest bytes without one, `amount` of them, is back `at`.
  void acknowledged_at(Bytes amount, SimTime at) {
    if (!acks_.empty()) at = std::max(at, acks_.back().at);
    acks_.push_back({amount, at});
  }
  void lost(const Loss& loss) {
    repaired_ = std::max(repaired_, loss.repaired);
    if (loss.sent < found_) return;  // of the same window
    found_ = loss.found;
    by_timeout_ = loss.by_timeout;
    pending_ = true;
  }
  /// Takes all ACKs that are back by `now`.
  void advance_to(SimTime now) {
    while (!acks_.empty() && acks_.front().at <= now) {
      const Ack ack = acks_.front();
      acks_.pop_front();
      shrink_by(ack.at);
      pipe_ -= ack.amount;
      release(ack);
      if (ack.at >= repaired_ || by_timeout_) grow(ack);
    }
    shrink_by(now);
    while (!held_.empty() && held_.front().at <= now) {
      outstanding_ -= held_.front().amount;
      held_.pop_front();
    }
  }
  /// When room may come next.
  [[nodiscard]] std::optional<SimTime> next_ack() const {
    if (acks_.empty() && held_.empty()) return std::nullopt;
    if (held_.empty()) return acks_.front().at;
    if (acks_.empty()) return held_.front().at;
    return std::min(acks_.front().at, held_.front().at);
  }
  /// The last ACK that is known to come.
  [[nodiscard]] std::optional<SimTime> last_ack() const {
    if (acks_.empty()) return std::nullopt;
    return acks_.back().at;
  }
  /// Starts slowly again after a pause.
  void restart() { control_->restart(); }

private:
  struct Ack {
    Bytes amount;
    SimTime at;
  };
  void release(const Ack& ack) {
    if (ack.at < repaired_) {
      held_.push_back({ack.amount, repaired_});
    } else {
      outstanding_ -= ack.amount;
    }
  }
  void shrink_by(SimTime now) {
    if (!pending_ || found_ > now) return;
    pending_ = false;
    const Bytes flight = std::min(outstanding_, limit());
    if (by_timeout_) {
      control_->timed_out(flight, found_);
    } else {
      control_->lost(flight, found_);
    }
  }
  // A step may stand for several acknowledgements.
  void grow(const Ack& ack) {
    if (control_->window() >= config_.receive_window) return;
    const Bytes each = config_.ack_every * Framing::segment;
    for (Bytes left = ack.amount; left > Bytes{0}; left -= each) {
      control_->acknowledged({.acknowledged = std::min(left, each),
                              .now = ack.at,
                              .round_trip = config_.round_trip,
                              .least_round_trip = config_.round_trip});
    }
  }

  Config config_;
  std::unique_ptr<CongestionControl> control_;
  Bytes pipe_;         // sent, and not acknowledged even selectively
  Bytes outstanding_;  // sent, and not acknowledged
  std::deque<Ack> acks_;
  std::deque<Ack> held_;  // acknowledged selectively, behind a hole
  bool pending_ = false;  // the window has yet to shrink, at `found_`
  bool by_timeout_ = false;
  SimTime found_ = SimTime::min();
  SimTime repaired_ = SimTime::min();
};

}  // namespace copysim
