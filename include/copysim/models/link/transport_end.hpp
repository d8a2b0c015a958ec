#pragma once

#include <algorithm>
#include <cstdint>
#include <tuple>

#include <copysim/models/cpu/cpu.hpp>
#include <copysim/models/link/congestion_control.hpp>
#include <copysim/models/parameter.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// The TCP of one machine: a section of its system's sheet.
struct TcpConfig {
  /// Receive window that this machine offers above 100 Mbit/s, and at or below it. XP and Server
  /// 2003: 65,535 and 17,520 = 12 x 1,460 (documented: W2K-RWIN, ZED80). Windows 2000: 17,520 and
  /// 17,520, seen as 8,760 (MCPMAG). Vista and 2008 scale it and tune it up to 16 MiB (documented:
  /// SRCDADDY).
  Bytes receive_window{65535};
  Bytes receive_window_slow{17520};
  /// Whether this machine scales its window (RFC 1323). It takes both ends: if one does not,
  /// neither offers more than 65,535 bytes. Off before Vista (documented: SRCDADDY).
  bool window_scaling = false;
  /// Whether the window starts at 64 KiB and is tuned up to the values above. The tuning keeps
  /// ahead of slow start (a test shows it), so bursts take the final window from the start.
  bool autotuning = false;
  CongestionControlKind congestion_control = CongestionControlKind::reno;
  int initial_window = 2;  ///< segments; RFC 2581, documented
  /// Whether the congestion window is the initial one again after a pause longer than the timeout
  /// (RFC 5681, 4.1). Linux does so; Windows has it as CwndRestart, which is off (documented:
  /// Set-NetTCPSetting).
  bool restart_after_idle = false;
  /// An ACK is sent for every second segment, else after 200 ms (documented: TCPDELACK).
  int ack_every = 2;
  Duration delayed_ack = 200ms;
  /// A small segment waits while anything is outstanding (RFC 896). Off, as SMB sets it.
  bool nagle = false;
  /// SACK, RFC 2018: on since Windows 2000 (documented: SackOpts), not in NT 4.0.
  bool selective_acknowledgement = true;
  Duration initial_timeout = 3s;   ///< RFC 2988; documented for Windows: TcpInitialRTT
  Duration least_timeout = 300ms;  ///< of Windows (documented: MinRto of Set-NetTCPSetting)
  /// Times that a segment is sent again before the connection is given up: 5 on Windows
  /// (documented: TcpMaxDataRetransmissions), 15 on Linux (tcp_retries2).
  int max_retransmissions = 5;
  int max_connect_retransmissions = 2;  ///< documented: TcpMaxConnectRetransmissions

  static constexpr auto parameters = std::tuple{
      parameter("receive_window", &TcpConfig::receive_window, "offered above 100 Mbit/s",
                at_least(Bytes{1460})),
      parameter("receive_window_slow", &TcpConfig::receive_window_slow,
                "offered at 100 Mbit/s and below", at_least(Bytes{1460})),
      parameter("window_scaling", &TcpConfig::window_scaling,
                "offers more than 65,535 bytes if the other end does too"),
      parameter("autotuning", &TcpConfig::autotuning,
                "starts at 64 KiB and follows the path, up to the receive window"),
      parameter("congestion_control", &TcpConfig::congestion_control,
                "what follows slow start, and what a loss does"),
      parameter("restart_after_idle", &TcpConfig::restart_after_idle,
                "starts slowly again after a pause longer than the timeout"),
      parameter("initial_window", &TcpConfig::initial_window, "segments sent before the first ACK",
                between(1, 64)),
      parameter("ack_every", &TcpConfig::ack_every, "segments for one ACK", between(1, 64)),
      parameter("delayed_ack", &TcpConfig::delayed_ack, "time after which an ACK goes anyway",
                at_least(Duration{0})),
      parameter("nagle", &TcpConfig::nagle, "small segments wait while data is outstanding"),
      parameter("selective_acknowledgement", &TcpConfig::selective_acknowledgement,
                "tells and understands what came out of order"),
      parameter("initial_timeout", &TcpConfig::initial_timeout,
                "retransmission timeout before the first sample", at_least(1ms)),
      parameter("least_timeout", &TcpConfig::least_timeout, "least retransmission timeout",
                at_least(1ms)),
      parameter("max_retransmissions", &TcpConfig::max_retransmissions,
                "times a segment is sent again before the connection is given up", between(0, 255)),
      parameter("max_connect_retransmissions", &TcpConfig::max_connect_retransmissions,
                "times an unanswered handshake is tried again", between(0, 255)),
  };

  /// The window that this machine offers on a card of `rate`; zero is an unlimited rate.
  [[nodiscard]] Bytes window(Bandwidth rate) const {
    const bool slow = rate > Bandwidth{0} && rate <= Bandwidth::bits_per_second(100e6);
    return slow ? receive_window_slow : receive_window;
  }
};

/// What the network costs a machine's processors, on the reference core of `SharedCpu`.
///
/// Receive work per burst is `interrupts x interrupt + frames x receive_frame + bytes / copy`;
/// the card raises at most `interrupt_rate` interrupts per second (moderation), at least one per
/// burst and at most one per frame. ACKs cost their own at both ends.
struct NetworkCost {
  Duration interrupt = 3500ns;   ///< inferred: 2 us routine + 1.5 us DPC base (`mechanisms.md` 7.2)
  double interrupt_rate = 8000;  ///< per second; documented: E1000 driver
  Duration receive_frame = 3300ns;   ///< inferred: 8,000 cycles (4,000 to 15,000) at 2.4 GHz
  Duration transmit_frame = 1650ns;  ///< inferred: half of receiving
  Duration ack = 1250ns;             ///< inferred: 2,000 to 4,000 cycles, at either end
  Bandwidth copy{1.5e9};  ///< inferred: received bytes are copied once (`mechanisms.md` 5.6)
  /// Most bytes that the card cuts into frames by itself: `transmit_frame` is paid once for them.
  /// Zero: none, as on XP (`mechanisms.md` 7.2); 64 KiB is common from 2008 on (large send
  /// offload).
  Bytes segmentation_offload{};

  static constexpr auto parameters = std::tuple{
      parameter("interrupt", &NetworkCost::interrupt, "one interrupt with its DPC",
                at_least(Duration{0})),
      parameter("interrupt_rate", &NetworkCost::interrupt_rate,
                "most interrupts per second (moderation)", at_least(1.0)),
      parameter("receive_frame", &NetworkCost::receive_frame, "work for a received frame",
                at_least(Duration{0})),
      parameter("transmit_frame", &NetworkCost::transmit_frame, "work for a sent frame",
                at_least(Duration{0})),
      parameter("ack", &NetworkCost::ack, "work for one ACK, sent or received",
                at_least(Duration{0})),
      parameter("copy", &NetworkCost::copy, "copying of received bytes; 0: no copy",
                at_least(Bandwidth{0})),
      parameter("segmentation_offload", &NetworkCost::segmentation_offload,
                "most bytes that the card cuts into frames by itself; 0: none", at_least(Bytes{0})),
  };

  /// What sending a message costs, without its acknowledgements.
  [[nodiscard]] Duration transmit(Bytes message) const {
    const Bytes unit = std::max(Framing::segment, segmentation_offload);
    return std::max<std::int64_t>(1, pieces(message, unit)) * transmit_frame;
  }

  /// No cost at all.
  [[nodiscard]] static NetworkCost none() {
    return {Duration{0}, 1e9, Duration{0}, Duration{0}, Duration{0}, Bandwidth{0}, Bytes{0}};
  }
};

class PacketCard;

/// One machine as a connection sees it. What it points to outlives the connection.
struct TransportEnd {
  Cpu* cpu = nullptr;
  TcpConfig tcp{};
  NetworkCost cost{};
  /// The card that takes frames with data in, at its own cost; none: as `cost` says. Only packet by
  /// packet.
  PacketCard* card = nullptr;
};

/// The window that `to` offers `from` on a card of `rate`: more than 16 bits can say only if both
/// ends scale (RFC 1323).
[[nodiscard]] inline Bytes offered_window(const TransportEnd& from, const TransportEnd& to,
                                          Bandwidth rate) {
  constexpr Bytes unscaled{65535};
  const bool scales = from.tcp.window_scaling && to.tcp.window_scaling;
  const Bytes window = to.tcp.window(rate);
  return scales ? window : std::min(window, unscaled);
}

}  // namespace copysim
