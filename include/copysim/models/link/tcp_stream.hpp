#pragma once

#include <cstdint>
#include <deque>
#include <set>
#include <string_view>
#include <tuple>

#include <copysim/models/link/ip_packet.hpp>
#include <copysim/models/parameter.hpp>
#include <copysim/sim/signal.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// One direction of a TCP connection, packet by packet, with what a receiver that drops packets
/// does to it.
///
/// The sender keeps at most the smaller of the congestion window and the receiver's window in
/// flight. Slow start, congestion avoidance, fast retransmit and recovery are those of NewReno
/// (RFC 5681, RFC 6582); the timeout is `least_timeout` (RFC 6298 with a small round trip). The
/// receiver acknowledges every second packet in order, each one out of order at once, and an odd
/// one after `delayed_ack`. The sender's machine costs nothing. Left out: SACK, sizes below a full
/// packet, time stamps, loss on the path.
class TcpStream final : public PacketReceiver {
public:
  struct Config {
    Bandwidth rate = Bandwidth::bits_per_second(1e9);  ///< of the wire
    Bandwidth bottleneck{};                            ///< a slower line; 0: none
    Duration rtt = 200us;                              ///< propagation there and back
    Bytes receive_window{65535};                       ///< documented: mechanisms.md 6.3
    int initial_segments = 2;                          ///< RFC 5681
    int ack_every = 2;                                 ///< documented
    Duration delayed_ack = 200ms;                      ///< documented: TcpDelAckTicks
    Duration least_timeout = 300ms;  ///< documented: TcpInitialRtt family, Windows
  };

  struct Counters {
    std::int64_t sent = 0;
    std::int64_t retransmitted = 0;
    std::int64_t timeouts = 0;
  };

  /// `card` is the receiver's; it hands the packets to `arrive` when its processor has done with
  /// them. All outlive the simulation's tasks.
  TcpStream(Simulation& simulation, std::string_view name, Config config);

  /// Starts the connection towards `card`.
  void start(PacketReceiver& card);
  /// The application at the sender writes so many packets more.
  void write(std::int64_t packets);
  /// Waits until `packets` in all have come to the receiver in order.
  [[nodiscard]] Task<> received(std::int64_t packets);
  /// The receiver sends something, which carries the acknowledgement of what has come.
  void acknowledge();

  /// Called by the receiver's card, or its driver.
  bool arrive(IpPacket packet) override;
  [[nodiscard]] std::int64_t in_order() const { return expected_; }
  [[nodiscard]] const Counters& counters() const { return counters_; }

private:
  struct Timed {
    SimTime at;
    std::int64_t number = 0;
  };
  [[nodiscard]] bool may_send() const;
  [[nodiscard]] std::int64_t in_flight() const { return next_ - unacknowledged_; }
  Task<> send();
  Task<> carry(PacketReceiver& card);
  Task<> take_acks();
  Task<> watch();
  Task<> delay_acks();
  void on_ack(std::int64_t expected);
  void on_duplicate();
  void retransmit_first();

  Simulation& simulation_;
  Config config_;

  // Sender; packets are numbered from 0.
  std::int64_t written_ = 0;
  std::int64_t next_ = 0;
  std::int64_t unacknowledged_ = 0;
  double window_;
  double threshold_;
  int duplicates_ = 0;
  bool recovering_ = false;
  std::int64_t recovery_point_ = 0;
  bool retransmit_ = false;
  SimTime progress_;  // the last acknowledgement, or the first packet after idleness
  SimTime line_free_;

  // Receiver.
  std::int64_t expected_ = 0;
  std::set<std::int64_t> beyond_;
  int without_ack_ = 0;
  SimTime odd_since_;

  std::deque<Timed> flying_;
  std::deque<Timed> acks_;
  Signal sendable_;
  Signal flying_signal_;
  Signal ack_signal_;
  Signal in_flight_signal_;
  Signal odd_signal_;
  Signal came_;
  Counters counters_;
};

}  // namespace copysim
