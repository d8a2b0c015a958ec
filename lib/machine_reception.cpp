#include <copysim/lib/machine_reception.hpp>

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <copysim/error.hpp>
#include <copysim/lib/scenario_config.hpp>
#include <copysim/models/cpu/shared_cpu.hpp>
#include <copysim/models/link/frames.hpp>
#include <copysim/models/link/link.hpp>
#include <copysim/models/link/packet_stream.hpp>
#include <copysim/models/link/transport.hpp>

namespace copysim {

std::string_view to_string(Traffic traffic) {
  switch (traffic) {
    case Traffic::offered:
      return "offered";
    case Traffic::stream:
      return "stream";
    case Traffic::requests:
      return "requests";
  }
  throw SimulationError{"unknown traffic"};
}

namespace {

/// Takes packets in at no cost: the protocol of an offered load.
class Sink final : public PacketSink {
public:
  void arrive(const Packet& /*packet*/) override {}
};

constexpr Bytes request{63};         // its header over SMB
constexpr Bytes endless{1LL << 50};  // more than any run carries

LinkConfig packets(LinkConfig link) {
  link.detail = LinkDetail::packet;
  return link;
}

// The other computer: nothing is known of it, so it costs nothing and sends as RFC 5681 says.
TransportEnd sender(const TcpConfig& client) {
  TransportEnd end;
  end.tcp.window_scaling = client.window_scaling;
  end.cost = NetworkCost::none();
  return end;
}

// Everything that receiving costs is the card's.
TransportEnd receiver(const TcpConfig& client, PacketCard& card) {
  return {.cpu = nullptr, .tcp = client, .cost = NetworkCost::none(), .card = &card};
}

// An offered load is not acknowledged; TCP costs half an acknowledgement per packet.
ReceiveAdapter::Config adapter_config(const ScenarioConfig& config) {
  ReceiveAdapter::Config adapter = config.reception->adapter;
  if (config.reception->traffic != Traffic::offered) {
    adapter.packet += config.client.machine.network.ack / 2;
  }
  return adapter;
}

// What had been counted when the measurement began.
struct Mark {
  SimTime at;
  ReceiveAdapter::Counters card;
  TransportCounters stream;
  MultimediaPlayer::Counters player;
  std::vector<Duration> used;
};

class ReceivingMachine {
public:
  ReceivingMachine(const ScenarioConfig& config, std::uint64_t replication)
      : config_{config},
        reception_{*config.reception},
        sim_{{.seed = static_cast<std::uint64_t>(config.run.seed), .replication = replication}},
        cpu_{sim_, "client", config.client.machine.cpu, config.client.system.scheduler},
        throttle_{reception_.throttle, reception_.adapters},
        card_{sim_, "card", cpu_, throttle_, adapter_config(config)},
        link_{make_link(sim_, packets(config.link))},
        connection_{link_->open(receiver(config.client.system.tcp, card_),
                                sender(config.client.system.tcp))},
        copier_{cpu_, {.name = "copy"}},
        busy_{cpu_, {.name = "busy"}} {}
  ReceivingMachine(const ReceivingMachine&) = delete;
  ReceivingMachine& operator=(const ReceivingMachine&) = delete;
  ~ReceivingMachine() { sim_.close(); }

  RunResult measure() {
    start();
    sim_.run_until(SimTime{reception_.warm_up});
    const Mark before = mark();
    sim_.run_until(SimTime{reception_.warm_up + reception_.length});
    return difference(before, mark());
  }

private:
  void start() {
    if (reception_.playing) {
      throttle_.set_playing(true);
      RandomStream random = sim_.random("client.player");
      // Neither when it starts nor which core Windows gave its thread is known.
      const Duration phase = random.uniform(Duration{0}, reception_.player.period);
      const auto ideal = static_cast<int>(random.below(static_cast<std::uint64_t>(cpu_.cores())));
      player_.emplace(sim_, cpu_, reception_.player, phase, ideal);
    }
    if (reception_.busy) sim_.spawn(keep_busy(), "busy program");
    if (reception_.traffic == Traffic::offered) {
      const bool given = reception_.offered > Bandwidth{0};
      source_.emplace(sim_, given ? reception_.offered : config_.link.rate, card_, sink_);
      return;
    }
    sim_.spawn(reception_.traffic == Traffic::requests ? copy() : stream(), "copy");
  }

  Task<> stream() { co_await connection_->deliver(Toward::client, endless); }

  Task<> copy() {
    while (true) {
      co_await copier_.run(reception_.request_work);
      co_await connection_->deliver(Toward::server, request);
      co_await sim_.delay(reception_.turnaround);
      co_await connection_->deliver(Toward::client, reception_.block);
    }
  }

  Task<> keep_busy() {
    while (true) {
      co_await busy_.run(100ms);
    }
  }

  [[nodiscard]] Mark mark() const {
    Mark mark{sim_.now(), card_.counters(), connection_->counters(), {}, {}};
    if (player_) mark.player = player_->counters();
    for (int core = 0; core < cpu_.cores(); ++core) {
      for (const CpuLevel level :
           {CpuLevel::thread, CpuLevel::deferred_call, CpuLevel::interrupt}) {
        mark.used.push_back(cpu_.used(core, level));
      }
    }
    return mark;
  }

  [[nodiscard]] RunResult difference(const Mark& from, const Mark& to) const {
    const double s = seconds(to.at - from.at);
    const auto rate = [s](std::int64_t a, std::int64_t b) {
      return static_cast<double>(b - a) / s;
    };
    RunResult result;
    result.elapsed = result.durable = to.at - from.at;
    const std::int64_t packets = to.card.passed - from.card.passed;
    result.copied = packets * Framing::segment;
    Counters& counters = result.counters;
    const auto add = [&](std::string name, double value) {
      counters.emplace_back(std::move(name), value);
    };
    const double per_s = rate(from.card.passed, to.card.passed);
    add("reception.packets_per_s", per_s);
    add("reception.packet_bytes_per_s",
        rate(from.card.passed_bytes.count(), to.card.passed_bytes.count()));
    const double wire = per_s * static_cast<double>(Framing::full_frame.count());
    add("reception.link_percent", 100 * wire / config_.link.rate.bytes_per_second());
    add("reception.dropped_packets_per_s", rate(from.card.dropped, to.card.dropped));
    add("reception.interrupts_per_s", rate(from.card.interrupts, to.card.interrupts));
    add("reception.throttled_ticks_per_s",
        rate(from.card.throttled_ticks, to.card.throttled_ticks));
    add("reception.retransmitted_packets",
        static_cast<double>(to.stream.retransmissions - from.stream.retransmissions));
    add("reception.timeouts", static_cast<double>(to.stream.timeouts - from.stream.timeouts));
    const std::int64_t drop_outs = to.player.drop_outs - from.player.drop_outs;
    add("player.periods", static_cast<double>(to.player.periods - from.player.periods));
    add("player.drop_outs", static_cast<double>(drop_outs));
    add("player.drop_outs_per_minute", 60 * static_cast<double>(drop_outs) / s);
    std::size_t i = 0;
    for (int core = 0; core < cpu_.cores(); ++core) {
      for (const char* level : {"thread", "deferred_call", "interrupt"}) {
        std::string name = "client.cpu.core" + std::to_string(core);
        name.append(".").append(level).append("_percent");
        add(std::move(name), 100 * seconds(to.used[i] - from.used[i]) / s);
        ++i;
      }
    }
    return result;
  }

  const ScenarioConfig& config_;
  const ReceptionConfig& reception_;
  Simulation sim_;
  SharedCpu cpu_;
  PacketThrottle throttle_;
  Sink sink_;
  ReceiveAdapter card_;
  std::unique_ptr<Link> link_;
  std::unique_ptr<Transport> connection_;
  CpuThread copier_;
  CpuThread busy_;
  std::optional<MultimediaPlayer> player_;
  std::optional<ConstantStream> source_;
};

}  // namespace

RunResult run_reception(const ScenarioConfig& config, std::uint64_t replication) {
  if (!config.reception) throw ConfigError{"scenario", "reception must be given"};
  if (config.link.rate <= Bandwidth{0}) {
    throw ConfigError{"link", "rate must be positive for a reception, got 0"};
  }
  const ReceptionConfig& reception = *config.reception;
  if (reception.playing && reception.player.period > reception.length) {
    throw ConfigError{"reception", "player.period must be at most length, got " +
                                       std::to_string(seconds(reception.player.period)) +
                                       " s and " + std::to_string(seconds(reception.length)) +
                                       " s"};
  }
  return ReceivingMachine{config, replication}.measure();
}

}  // namespace copysim
