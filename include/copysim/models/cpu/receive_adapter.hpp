#pragma once

#include <cstdint>
#include <deque>
#include <string_view>
#include <tuple>

#include <copysim/models/cpu/multicore_cpu.hpp>
#include <copysim/models/cpu/packet_throttle.hpp>
#include <copysim/models/link/packet.hpp>
#include <copysim/models/parameter.hpp>
#include <copysim/sim/signal.hpp>

namespace copysim {

/// A network card that receives, with its driver and the protocols above it: packet by packet.
///
/// Packets lie in a ring until the processor fetches them; a full ring drops what comes. The card
/// interrupts when packets lie there, at most `interrupt_rate` times a second. Its interrupt
/// routine queues a deferred procedure call on the same core, which hands packets to their protocol
/// (several connections may share the card), `packets_per_call` at a time, until the ring is empty;
/// each costs `packet` and its copy. While a multimedia program plays, the call stops when the
/// throttle's packets of the tick are used up, and a timer calls it again at the next tick. Left
/// out: hardware check sums, sending.
///
/// Sources: `mechanisms.md` 7.1 to 7.3.
class ReceiveAdapter final : public PacketCard {
public:
  struct Config {
    int ring = 256;                   ///< documented: E1000 driver
    double interrupt_rate = 8000;     ///< documented: E1000 driver
    Duration interrupt = 2us;         ///< inferred: interrupt routine, 1 to 4 us
    Duration deferred_call = 1500ns;  ///< inferred: base of a deferred procedure call
    Duration packet = 3300ns;         ///< inferred: 8,000 cycles (4,000 to 15,000) at 2.4 GHz
    Bandwidth copy{1.5e9};            ///< inferred: received bytes are copied once
    int packets_per_call = 16;  ///< how finely the model looks; the call goes on until it is done
    int core = 0;               ///< the one that it interrupts

    static constexpr auto parameters = std::tuple{
        parameter("ring", &Config::ring, "packets that wait in the card", between(1, 65536)),
        parameter("interrupt_rate", &Config::interrupt_rate,
                  "most interrupts per second (moderation)", at_least(1.0)),
        parameter("interrupt", &Config::interrupt, "work of an interrupt routine",
                  at_least(Duration{0})),
        parameter("deferred_call", &Config::deferred_call, "work of a call besides its packets",
                  at_least(Duration{0})),
        parameter("packet", &Config::packet, "work for a received packet", at_least(Duration{0})),
        parameter("copy", &Config::copy, "copying of received bytes; 0: no copy",
                  at_least(Bandwidth{0})),
        parameter("packets_per_call", &Config::packets_per_call, "packets handed on at a time",
                  between(1, 65536)),
        parameter("core", &Config::core, "core that it interrupts", between(0, 1023)),
    };
  };

  struct Counters {
    std::int64_t arrived = 0;
    std::int64_t dropped = 0;  ///< the ring was full
    std::int64_t passed = 0;   ///< handed to the protocol
    Bytes passed_bytes;        ///< as IP packets
    std::int64_t interrupts = 0;
    std::int64_t throttled_ticks = 0;  ///< waits for the next tick of the throttle
  };

  /// `name` is the machine's in labels. All referenced objects outlive the simulation's tasks.
  /// \throws ConfigError if the machine has no such core.
  ReceiveAdapter(Simulation& simulation, std::string_view name, MulticoreCpu& cpu,
                 PacketThrottle& throttle, Config config);

  void receive(const Packet& packet, PacketSink& protocol) override;
  [[nodiscard]] const Counters& counters() const { return counters_; }

private:
  struct Waiting {
    Packet packet;
    PacketSink* protocol = nullptr;
  };
  Task<> serve();
  Task<> hand_on();

  Simulation& simulation_;
  MulticoreCpu& cpu_;
  PacketThrottle& throttle_;
  Config config_;
  std::deque<Waiting> ring_;
  Signal arrived_;
  Counters counters_;
};

}  // namespace copysim
