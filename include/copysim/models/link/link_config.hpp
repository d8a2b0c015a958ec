#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>

#include <copysim/models/parameter.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// What carries the bytes between the two machines.
enum class LinkKind : std::uint8_t {
  ethernet,  ///< frames, TCP windows, processor cost at both ends
  relay,     ///< paces the payload and delays it; no frames, no TCP (`smb-measured.md` section 2)
};
[[nodiscard]] std::string_view to_string(LinkKind kind);
constexpr std::array<LinkKind, 2> all_values(LinkKind) {
  return {LinkKind::ethernet, LinkKind::relay};
}

/// How finely an Ethernet link is simulated.
enum class LinkDetail : std::uint8_t {
  burst,   ///< one calculation per message; windows by arithmetic
  packet,  ///< every segment and acknowledgement
};
[[nodiscard]] std::string_view to_string(LinkDetail detail);
constexpr std::array<LinkDetail, 2> all_values(LinkDetail) {
  return {LinkDetail::burst, LinkDetail::packet};
}

/// How the two directions of an Ethernet link share what carries them.
enum class LinkMedium : std::uint8_t {
  full_duplex,      ///< each has it for itself
  duplex_mismatch,  ///< the server's end is half duplex, the client's does not know; packets only
  wifi,             ///< half duplex, many frames per access (`RadioChannel`)
};
[[nodiscard]] std::string_view to_string(LinkMedium medium);
constexpr std::array<LinkMedium, 3> all_values(LinkMedium) {
  return {LinkMedium::full_duplex, LinkMedium::duplex_mismatch, LinkMedium::wifi};
}

/// The link of a scenario, or a sheet of the catalogue. A rate of zero means "no limit".
struct LinkConfig {
  LinkKind kind = LinkKind::ethernet;
  LinkDetail detail = LinkDetail::burst;
  /// Rate of the network cards at both ends; each direction has it for itself (full duplex).
  Bandwidth rate = Bandwidth::bits_per_second(1e9);
  /// Propagation there and back, without the sending of any frame. 0.1 to 0.2 ms is what an idle
  /// gigabit LAN of 2007 adds (inferred, `mechanisms.md` 6.3: turnaround 0.2 to 0.6 ms in all).
  Duration rtt = 200us;
  /// A slower piece of the path, such as the line of a WAN; zero: none. Frame for frame on
  /// Ethernet, payload only on a relay.
  Bandwidth bottleneck{};
  /// Store-and-forward switches on the path: each repeats one frame time and adds its latency.
  int switches = 0;
  Duration switch_latency = 5us;  ///< inferred: look-up and queueing of a small gigabit switch
  /// The rival explanation of the slow copies between Vista and XP: each time so many bytes have
  /// gone one way, the sender waits once for a delayed ACK. Zero: never (the default; no source
  /// shows it; `mechanisms.md` 2.5 (a)).
  Bytes delayed_ack_stall_every{};
  /// What a relay works per byte, in its one thread on the client's machine; zero: nothing.
  Bandwidth relay_copy{};

  LinkMedium medium = LinkMedium::full_duplex;
  /// What each access to a radio channel takes besides its frames: waiting (34 us and 7.5 slots of
  /// 9 us), preamble (40 us), pause and block acknowledgement (16 and 32 us); IEEE 802.11n.
  Duration wifi_access = 190us;
  Bytes wifi_aggregate{65535};  ///< most bytes of one access; IEEE 802.11n

  // What goes wrong on the way, in each direction by itself.
  double loss = 0;              ///< probability that a frame is lost
  double loss_run = 1;          ///< mean frames that are lost in a row; 1: each by itself
  std::int64_t loss_every = 0;  ///< each n-th frame with data is lost; 0: none
  /// Room in front of the bottleneck, in wire bytes; what does not fit is lost. Zero: no limit.
  Bytes queue{};
  Duration jitter{};               ///< most that other traffic adds to the delay
  Duration jitter_period = 100ms;  ///< after which the added delay has another value
  /// The path carries nothing from `down_from` (since the start of the run) for `down_for`.
  Duration down_from{};
  Duration down_for{};

  /// Whether what leaves the last station at `t` is lost because the path is down.
  [[nodiscard]] bool down_at(SimTime t) const {
    return t >= SimTime{down_from} && t < SimTime{down_from} + down_for;
  }
  /// Whether frames can get lost.
  [[nodiscard]] bool loses() const {
    return loss > 0 || loss_every > 0 || queue > Bytes{0} || down_for > Duration{0};
  }

  static constexpr auto parameters = std::tuple{
      parameter("kind", &LinkConfig::kind, "ethernet, or relay: pacing of payload and delay only"),
      parameter("detail", &LinkConfig::detail, "how finely an Ethernet link is simulated"),
      parameter("rate", &LinkConfig::rate, "rate of the network cards, each direction",
                at_least(Bandwidth{0})),
      parameter("rtt", &LinkConfig::rtt, "propagation there and back", at_least(Duration{0})),
      parameter("bottleneck", &LinkConfig::bottleneck, "rate of the slowest line; 0: the cards'",
                at_least(Bandwidth{0})),
      parameter("switches", &LinkConfig::switches, "store-and-forward switches on the path",
                between(0, 16)),
      parameter("switch_latency", &LinkConfig::switch_latency, "added by each switch",
                at_least(Duration{0})),
      parameter("delayed_ack_stall_every", &LinkConfig::delayed_ack_stall_every,
                "bytes one way after which the sender waits for a delayed ACK; 0: never",
                at_least(Bytes{0})),
      parameter("relay_copy", &LinkConfig::relay_copy,
                "copying by a relay on the client's processors; 0: no cost",
                at_least(Bandwidth{0})),
      parameter("medium", &LinkConfig::medium, "full-duplex, duplex-mismatch or wifi"),
      parameter("wifi_access", &LinkConfig::wifi_access,
                "what an access to the radio channel takes besides its frames",
                at_least(Duration{0})),
      parameter("wifi_aggregate", &LinkConfig::wifi_aggregate,
                "most bytes of one access to the radio channel", at_least(Bytes{1538})),
      parameter("loss", &LinkConfig::loss, "probability that a frame is lost", between(0.0, 1.0)),
      parameter("loss_run", &LinkConfig::loss_run, "mean frames that are lost in a row",
                between(1.0, 1e6)),
      parameter("loss_every", &LinkConfig::loss_every, "each n-th frame with data is lost; 0: none",
                at_least(0)),
      parameter("queue", &LinkConfig::queue, "room in front of the bottleneck; 0: no limit",
                at_least(Bytes{0})),
      parameter("jitter", &LinkConfig::jitter, "most that other traffic adds to the delay",
                at_least(Duration{0})),
      parameter("jitter_period", &LinkConfig::jitter_period,
                "time after which the added delay has another value", at_least(1ms)),
      parameter("down_from", &LinkConfig::down_from, "when the path goes down, since the start",
                at_least(Duration{0})),
      parameter("down_for", &LinkConfig::down_for, "how long it carries nothing; 0: it never fails",
                at_least(Duration{0})),
  };
};

}  // namespace copysim
