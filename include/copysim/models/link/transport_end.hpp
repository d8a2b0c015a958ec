#pragma once

#include <tuple>

#include <copysim/models/cpu/cpu.hpp>
#include <copysim/models/parameter.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// The TCP of one machine: a section of its system's sheet.
struct TcpConfig {
  /// Receive window that this machine offers above 100 Mbit/s, and at or below it. XP and Server
  /// 2003: 65,535 and 17,520 = 12 x 1,460 (documented: W2K-RWIN, ZED80). Windows 2000: 17,520 and
  /// 17,520, seen as 8,760 (MCPMAG). Vista and 2008 scale it and tune it up to 16 MiB (documented:
  /// SRCDADDY); the tuning keeps ahead of slow start, so the final value is modelled.
  Bytes receive_window{65535};
  Bytes receive_window_slow{17520};
  /// Whether this machine scales its window (RFC 1323). It takes both ends: if one does not,
  /// neither offers more than 65,535 bytes. Off before Vista (documented: SRCDADDY).
  bool window_scaling = false;
  int initial_window = 2;  ///< segments; RFC 2581, documented
  /// An ACK is sent for every second segment, else after 200 ms (documented: TCPDELACK).
  int ack_every = 2;
  Duration delayed_ack = 200ms;

  static constexpr auto parameters = std::tuple{
      parameter("receive_window", &TcpConfig::receive_window, "offered above 100 Mbit/s",
                at_least(Bytes{1460})),
      parameter("receive_window_slow", &TcpConfig::receive_window_slow,
                "offered at 100 Mbit/s and below", at_least(Bytes{1460})),
      parameter("window_scaling", &TcpConfig::window_scaling,
                "offers more than 65,535 bytes if the other end does too"),
      parameter("initial_window", &TcpConfig::initial_window, "segments sent before the first ACK",
                between(1, 64)),
      parameter("ack_every", &TcpConfig::ack_every, "segments for one ACK", between(1, 64)),
      parameter("delayed_ack", &TcpConfig::delayed_ack, "time after which an ACK goes anyway",
                at_least(Duration{0})),
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
  };

  /// No cost at all.
  [[nodiscard]] static NetworkCost none() {
    return {Duration{0}, 1e9, Duration{0}, Duration{0}, Duration{0}, Bandwidth{0}};
  }
};

/// One machine as a connection sees it. The processor outlives the connection.
struct TransportEnd {
  Cpu* cpu = nullptr;
  TcpConfig tcp{};
  NetworkCost cost{};
};

}  // namespace copysim
