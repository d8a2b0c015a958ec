#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include <copysim/models/link/congestion_control.hpp>
#include <copysim/models/link/extent_set.hpp>
#include <copysim/models/link/packet.hpp>
#include <copysim/models/link/round_trip_estimator.hpp>
#include <copysim/models/link/transport_end.hpp>

namespace copysim {

/// The sending half of a TCP connection, segment by segment: what may go now, and what is lost.
///
/// It knows no link and no clock of its own: the caller hands it the time. Segments are full
/// (1,460 bytes) but for the last of each message; two messages never share one. As much may be in
/// flight as both the congestion window and the receiver's window allow; the window counts what is
/// in the pipe (RFC 6675): sent, and neither acknowledged nor taken for lost.
///
/// Loss: with selective acknowledgements a segment is lost when three segments' worth behind it has
/// come (RFC 6675; as the path keeps the order, in the form of Mathis and Mahdavi 1996); without,
/// at the third duplicate ACK, and at each partial one in recovery (NewReno, RFC 6582). Each
/// recovery shrinks the window once. When the timer fires everything outstanding is lost, the
/// window is one segment, and the timeout doubles (RFC 6298); after `max_retransmissions` of one
/// segment the connection is dead. Left out: time stamps, D-SACK, tail loss probes.
class TcpSender {
public:
  explicit TcpSender(const TcpConfig& config, Bytes receive_window);

  /// Adds a message behind those that wait.
  void write(Bytes message);
  /// The next segment to put on the wire, if one may go; it counts as sent at `now`.
  [[nodiscard]] std::optional<Extent> next(SimTime now);
  /// Takes in what a packet of the other end says. Returns whether anything may have changed.
  bool acknowledged(const Packet& packet, SimTime now);
  /// The retransmission timer fired.
  void timed_out(SimTime now);

  /// When the timer fires, if it runs.
  [[nodiscard]] std::optional<SimTime> timer() const;
  [[nodiscard]] bool dead() const { return timeouts_in_row_ > config_.max_retransmissions; }
  [[nodiscard]] bool has_unsent() const { return sent_to_ < written_; }
  [[nodiscard]] Bytes written() const { return written_; }
  [[nodiscard]] Bytes outstanding() const { return sent_to_ - acknowledged_; }
  [[nodiscard]] std::int64_t retransmissions() const { return retransmissions_; }
  [[nodiscard]] std::int64_t timeouts() const { return timeouts_; }
  [[nodiscard]] std::int64_t recoveries() const { return recoveries_; }
  [[nodiscard]] const CongestionControl& congestion() const { return *congestion_; }
  [[nodiscard]] const RoundTripEstimator& round_trips() const { return round_trips_; }

private:
  struct Sent {
    Extent extent;
    SimTime at;
    int times = 1;
    bool in_pipe = true;
    bool arrived = false;  // selectively acknowledged
  };
  [[nodiscard]] std::optional<Extent> next_lost(SimTime now);
  [[nodiscard]] std::deque<Sent>::iterator find(Bytes position);
  void acknowledge_until(Bytes position, SimTime now);
  bool note_blocks(const Packet& packet);
  void note_losses(SimTime now);
  void note_duplicate(SimTime now);
  void take_for_lost(Sent& sent);
  void leave_pipe(Sent& sent);
  void enter_recovery(SimTime now);

  TcpConfig config_;
  std::unique_ptr<CongestionControl> congestion_;
  RoundTripEstimator round_trips_;

  std::deque<Bytes> messages_;  // ends of those not fully sent
  Bytes written_;
  Bytes sent_to_;
  Bytes acknowledged_;
  Bytes window_;  // the receiver's
  Bytes pipe_;
  std::deque<Sent> sent_;        // from `acknowledged_` to `sent_to_`, in order
  ExtentSet blocks_;             // of it, what has come
  std::deque<Bytes> lost_;       // where segments to be sent again begin
  Bytes checked_to_;             // everything before is acknowledged, arrived or was found lost
  bool retransmit_now_ = false;  // fast retransmit does not wait for room
  int duplicates_ = 0;
  std::optional<Bytes> recovery_;  // until everything sent before the loss is acknowledged
  bool after_timeout_ = false;
  SimTime timer_from_{};
  SimTime last_sent_{};
  int timeouts_in_row_ = 0;
  std::int64_t retransmissions_ = 0;
  std::int64_t timeouts_ = 0;
  std::int64_t recoveries_ = 0;
};

}  // namespace copysim
