#include <copysim/models/link/relay_link.hpp>

#include <algorithm>

namespace copysim {

class RelayLink::Connection final : public Transport {
public:
  Connection(RelayLink& link, Cpu* cpu) : link_{link}, cpu_{cpu} {}

  [[nodiscard]] Task<IoStatus> connect() override { co_return IoStatus::ok; }

  [[nodiscard]] Task<IoStatus> deliver(Toward toward, Bytes message) override {
    ++counters_.messages;
    counters_.wire_bytes += message;
    if (cpu_ != nullptr && link_.config_.relay_copy > Bandwidth{0}) {
      const Semaphore::Permit thread = co_await link_.thread_.scoped();
      co_await cpu_->run(message / link_.config_.relay_copy, CpuWork::thread);
    }
    SimTime& free_from = link_.free_from_[static_cast<std::size_t>(toward)];
    const SimTime now = link_.simulation_.now();
    free_from = std::max(now, free_from);
    if (link_.rate_ > Bandwidth{0}) free_from += message / link_.rate_;
    co_await link_.simulation_.delay(free_from - now + link_.config_.rtt / 2, link_.label_);
    co_return IoStatus::ok;
  }

  [[nodiscard]] const TransportCounters& counters() const override { return counters_; }

private:
  RelayLink& link_;
  Cpu* cpu_;
  TransportCounters counters_;
};

RelayLink::RelayLink(Simulation& simulation, const LinkConfig& config)
    : simulation_{simulation},
      config_{config},
      rate_{config.rate},
      label_{simulation.label("link", "relay")},
      thread_{simulation, 1, simulation.constraint("relay busy"), "relay"} {
  const bool narrow =
      config.bottleneck > Bandwidth{0} && (rate_ <= Bandwidth{0} || config.bottleneck < rate_);
  if (narrow) rate_ = config.bottleneck;
}

std::unique_ptr<Transport> RelayLink::open(TransportEnd client, TransportEnd /*server*/) {
  return std::make_unique<Connection>(*this, client.cpu);
}

}  // namespace copysim
