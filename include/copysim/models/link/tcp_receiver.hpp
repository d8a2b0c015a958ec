#pragma once

#include <optional>

#include <copysim/models/link/extent_set.hpp>
#include <copysim/models/link/packet.hpp>
#include <copysim/models/link/transport_end.hpp>

namespace copysim {

/// The receiving half of a TCP connection: what has come, when to acknowledge, and the window.
///
/// An ACK goes for every `ack_every`-th segment, at once for one out of order or one that fills a
/// hole (RFC 5681, 4.2), else `delayed_ack` after the first segment without one. The program takes
/// everything at once, so the window is never smaller than offered. With `autotuning` it starts at
/// 64 KiB and follows what comes: twice the bytes of the last round trip, up to `receive_window`
/// (Fisk and Feng 2001, which Vista's is like); the round trip is the time that a window takes to
/// come.
class TcpReceiver {
public:
  TcpReceiver(const TcpConfig& config, Bytes most_window);

  /// Takes in a segment. Returns whether an ACK must go at once.
  bool take(Extent segment, SimTime now);
  /// Says what it has, in a packet that goes the other way; nothing is left to acknowledge then.
  void acknowledge_in(Packet& packet);

  /// Everything before this has come.
  [[nodiscard]] Bytes received() const { return received_; }
  [[nodiscard]] Bytes window() const { return window_; }
  /// Bytes that came more than once, and were dropped.
  [[nodiscard]] Bytes duplicates() const { return duplicates_; }
  /// Segments that wait for an ACK.
  [[nodiscard]] int unacknowledged() const { return unacknowledged_; }
  /// When the delayed-ACK timer fires, if it runs.
  [[nodiscard]] std::optional<SimTime> timer() const;

private:
  void tune_window(SimTime now);

  TcpConfig config_;
  Bytes most_window_;
  Bytes window_;
  Bytes received_;
  ExtentSet out_of_order_;
  Extent newest_{};  // the block of the last segment out of order goes first (RFC 2018)
  Bytes duplicates_;
  int unacknowledged_ = 0;
  SimTime first_unacknowledged_{};
  Bytes round_from_;
  std::optional<SimTime> round_started_;
  Duration round_trip_ = Duration::max();  // as the tuning knows it
};

}  // namespace copysim
