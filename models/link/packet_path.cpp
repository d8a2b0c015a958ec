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
      backoff_{simulation.random(name + ".backoff")},
      sent_{simulation, "packet path"} {
  simulation.spawn(deliver(), "packet path");
}

std::optional<SimTime> PacketPath::damage(SimTime at) {
  for (auto it = in_flight_.rbegin(); it != in_flight_.rend(); ++it) {
    if (it->on_wire > at) continue;
    if (it->off_wire <= at) return std::nullopt;
    it->damaged = true;
    return it->off_wire;
  }
  return std::nullopt;
}

// The half-duplex end: when its frame can start without a collision, as far as the other end's
// frames are known.
std::optional<SimTime> PacketPath::after_carrier(SimTime ready) {
  constexpr int most_tries = 16;
  constexpr int most_doublings = 10;
  const Duration slot = time_at(config_.rate, Bytes{64});
  SimTime at = std::max(ready, card_);
  for (int tries = 1; tries <= most_tries; ++tries) {
    if (opposite_->card_ <= at) return at;
    // It hears a frame, waits for its end, and starts together with the next one.
    for (const InFlight& other : opposite_->in_flight_) {
      if (other.on_wire <= at && at < other.off_wire) at = other.off_wire;
    }
    if (opposite_->card_ <= at) return at;
    const std::optional<SimTime> other_ends = opposite_->damage(at);
    const auto slots = std::uint64_t{1} << std::min(tries, most_doublings);
    at = std::max(at, other_ends.value_or(at)) +
         static_cast<std::int64_t>(backoff_.below(slots)) * slot;
  }
  return std::nullopt;
}

std::optional<SimTime> PacketPath::through_card(SimTime ready, Bytes payload) {
  const Bytes wire = Framing::frame(payload);
  if (radio_ != nullptr) return radio_->send(toward_, ready, payload);
  if (opposite_ == nullptr) return serve(card_, ready, time_at(config_.rate, wire));
  if (half_) {
    const std::optional<SimTime> start = after_carrier(ready);
    if (!start) return std::nullopt;
    return serve(card_, *start, time_at(config_.rate, wire));
  }
  const SimTime end = serve(card_, ready, time_at(config_.rate, wire));
  // It does not listen: what the other end sends at the time collides with it.
  const bool collides = opposite_->damage(end - time_at(config_.rate, wire)).has_value();
  return collides ? std::nullopt : std::optional<SimTime>{end};
}

bool PacketPath::send(const Packet& packet, SimTime ready, PacketSink& sink) {
  const Bytes wire = packet.wire();
  const std::optional<SimTime> sent = through_card(ready, packet.payload);
  if (!sent) return false;
  SimTime at = *sent;
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
  in_flight_.push_back({.packet = packet,
                        .sink = &sink,
                        .arrival = last_arrival_,
                        .on_wire = *sent - time_at(config_.rate, wire),
                        .off_wire = *sent});
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
    if (!next.damaged) next.sink->arrive(next.packet);
  }
}

}  // namespace copysim
