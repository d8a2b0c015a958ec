#include <copysim/models/link/relay_link.hpp>

#include <algorithm>

namespace copysim {

class RelayLink::Connection final : public Transport {
public:
  explicit Connection(RelayLink& link) : link_{link} {}

  [[nodiscard]] Task<IoStatus> connect() override { co_return IoStatus::ok; }

  [[nodiscard]] Task<IoStatus> deliver(Toward toward, Bytes message) override {
    ++counters_.messages;
    counters_.wire_bytes += message;
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
  TransportCounters counters_;
};

RelayLink::RelayLink(Simulation& simulation, const LinkConfig& config)
    : simulation_{simulation},
      config_{config},
      rate_{config.rate},
      label_{simulation.label("link", "relay")} {
  const bool narrow =
      config.bottleneck > Bandwidth{0} && (rate_ <= Bandwidth{0} || config.bottleneck < rate_);
  if (narrow) rate_ = config.bottleneck;
}

std::unique_ptr<Transport> RelayLink::open(TransportEnd /*client*/, TransportEnd /*server*/) {
  return std::make_unique<Connection>(*this);
}

}  // namespace copysim
