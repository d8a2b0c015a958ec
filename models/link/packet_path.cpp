#include <copysim/models/link/packet_path.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace copysim {

namespace {

Duration time_at(Bandwidth rate, Bytes amount) {
  return rate > Bandwidth{0} ? amount / rate : Duration::zero();
}

// A server that is first come first served: returns when it is done with this one.
SimTime serve(SimTime& free_from, SimTime arrival, Duration service) {
  free_from = std::max(free_from, arrival) + service;
  return free_from;
}

}  // namespace

PacketPath::PacketPath(Simulation& simulation, const LinkConfig& config, const std::string& name)
    : simulation_{simulation},
      config_{config},
      wire_{simulation.label("link", "wire")},
      latency_{simulation.label("link", "latency")},
      switches_(static_cast<std::size_t>(config.switches)),
      loss_{config, simulation.random(name + ".loss")},
      variation_{config, simulation.random(name + ".jitter")},
      sent_{simulation, "packet path"} {
  simulation.spawn(deliver(), "packet path");
}

bool PacketPath::send(const Packet& packet, SimTime ready, PacketSink& sink) {
  const Bytes wire = packet.wire();
  SimTime at = serve(card_, ready, time_at(config_.rate, wire));
  for (SimTime& free_from : switches_) {
    at = serve(free_from, at + config_.switch_latency, time_at(config_.rate, wire));
  }
  if (config_.bottleneck > Bandwidth{0}) {
    const double waiting = seconds(std::max(Duration::zero(), bottleneck_ - at)) *
                           config_.bottleneck.bytes_per_second();
    const bool full = config_.queue > Bytes{0} && waiting + static_cast<double>(wire.count()) >
                                                      static_cast<double>(config_.queue.count());
    if (full) return false;
    at = serve(bottleneck_, at, time_at(config_.bottleneck, wire));
  }
  if (loss_.next(packet.carries_data(), at) || config_.down_at(at)) return false;
  const Duration delay = config_.rtt / 2 + variation_.at(at);
  last_arrival_ = std::max({last_arrival_, at + delay, simulation_.now()});
  in_flight_.push_back({packet, &sink, last_arrival_});
  if (in_flight_.size() == 1) sent_.notify_all();
  return true;
}

Task<> PacketPath::deliver() {
  for (;;) {
    if (in_flight_.empty()) {
      co_await sent_.wait();
      continue;
    }
    const Duration wait = in_flight_.front().arrival - simulation_.now();
    if (wait > Duration::zero()) {
      const Duration latency = std::min(wait, config_.rtt / 2);
      const std::array<LabelledPart, 2> parts{{{wire_, wait - latency}, {latency_, latency}}};
      co_await simulation_.delay(parts);
    }
    const InFlight next = in_flight_.front();
    in_flight_.pop_front();
    next.sink->arrive(next.packet);
  }
}

}  // namespace copysim
