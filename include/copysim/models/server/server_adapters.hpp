#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string_view>
#include <tuple>
#include <vector>

#include <copysim/models/cpu/multicore_cpu.hpp>
#include <copysim/models/cpu/receive_scaling.hpp>
#include <copysim/models/parameter.hpp>
#include <copysim/sim/signal.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/sim/task_group.hpp>

namespace copysim {

/// The network adapters of a server in a team, with the wires behind them and the interrupts and
/// deferred procedure calls that receiving costs.
///
/// Each client is bound to one adapter (team) and, with receive-side scaling, to one core (hash of
/// the connection): client i to adapter i mod n, and to the cores in turn. A wire is full duplex;
/// each direction is a first come first served queue, by arithmetic.
///
/// Receiving, after the documentation of NDIS for cards with one hardware queue: the card
/// interrupts (at most `interrupt_rate` times a second) and stays silent until all has been done
/// that the interrupt found. Without scaling one deferred call does all the work of each packet,
/// `packet`. With scaling, the call on the interrupted core does the driver's share of it and
/// `sort`s packets by hash; then each core that has packets handles its own in a call of its own,
/// all side by side, and the last one to end enables interrupts again.
///
/// Acknowledgements of what the server sends are packets too: one for every second frame. Left
/// out: loss, large send offload, sharing of a connection between adapters.
class ServerAdapters {
public:
  struct Config {
    int adapters = 2;  ///< documented (article 004): two BCM5708C in a team
    Bandwidth rate = Bandwidth::bits_per_second(1e9);
    Duration latency = 30us;          ///< inferred: one way, with the switch
    double interrupt_rate = 8000;     ///< inferred: as E1000 (`mechanisms.md` 7.3)
    Duration interrupt = 2us;         ///< inferred: 1 to 4 us
    Duration deferred_call = 1500ns;  ///< inferred: base of a call
    /// All work for a received packet up to the protocol, with what sending costs at this level.
    /// Inferred default: 8,000 cycles at 2.4 GHz (4,000 to 23,000).
    Duration packet = 3300ns;
    /// Part of `packet` that stays on the interrupted core. Measured: 26 % (profile of the receive
    /// path of gigabit cards, in "Integrated network interfaces for high-bandwidth TCP/IP").
    double driver_share = 0.26;
    /// Inferred: hash look-up and moving of a buffer descriptor to another core's queue, two cache
    /// misses of some 100 ns each, and the interrupt between processors, shared by a few packets.
    Duration sort = 400ns;

    static constexpr auto parameters = std::tuple{
        parameter("adapters", &Config::adapters, "adapters in the team", between(1, 16)),
        parameter("rate", &Config::rate, "of each adapter, each direction",
                  at_least(Bandwidth{1.0})),
        parameter("latency", &Config::latency, "one way", at_least(Duration{0})),
        parameter("interrupt_rate", &Config::interrupt_rate,
                  "most interrupts per second of an adapter", at_least(1.0)),
        parameter("interrupt", &Config::interrupt, "work of an interrupt routine",
                  at_least(Duration{0})),
        parameter("deferred_call", &Config::deferred_call, "work of a call besides its packets",
                  at_least(Duration{0})),
        parameter("packet", &Config::packet, "work for a received packet", at_least(Duration{0})),
        parameter("driver_share", &Config::driver_share,
                  "part of it that receive-side scaling does not move", between(0.0, 1.0)),
        parameter("sort", &Config::sort, "scaling: work to hand a packet to its core",
                  at_least(Duration{0})),
    };
  };

  /// What one adapter has done so far.
  struct Counters {
    Duration wire_in{};  ///< time that its wire was busy
    Duration wire_out{};
    std::int64_t packets = 0;  ///< received, with acknowledgements
    std::int64_t interrupts = 0;
  };

  /// All referenced objects outlive the simulation's tasks.
  /// \throws ConfigError for a number that is out of range.
  ServerAdapters(Simulation& simulation, std::string_view name, MulticoreCpu& cpu,
                 const Config& config, const ReceiveScaling::Config& scaling);

  /// Carries a message of a client to the server; ends when the protocol has it.
  [[nodiscard]] Task<> receive(int client, Bytes message);
  /// Carries a message to a client; ends when it is there.
  [[nodiscard]] Task<> send(int client, Bytes message);

  [[nodiscard]] int adapters() const { return config_.adapters; }
  [[nodiscard]] const Counters& counters(int adapter) const;

private:
  struct Queue {
    explicit Queue(Simulation& simulation) : done{simulation, "received message"} {}
    Signal done;  // one wait per message, in order
    std::int64_t messages = 0;
    std::int64_t packets = 0;
  };
  struct Adapter {
    Adapter(Simulation& simulation, int cores);
    SimTime in_free;
    SimTime out_free;
    Signal arrived;
    std::vector<std::unique_ptr<Queue>> queues;  // by core of the scaling
    Counters counters;
  };

  [[nodiscard]] Adapter& adapter_of(int client);
  Task<> serve(int number);
  Task<> handle_all(Adapter& adapter, int core);
  Task<> handle_scaled(Adapter& adapter, int number, int core);
  Task<> handle_queue(Queue& queue, int core, std::int64_t messages, std::int64_t packets);

  Simulation& simulation_;
  MulticoreCpu& cpu_;
  Config config_;
  ReceiveScaling scaling_;
  std::vector<std::unique_ptr<Adapter>> adapters_;
};

}  // namespace copysim
