#include <copysim/models/link/ethernet_link.hpp>

#include <algorithm>

#include <copysim/models/link/tcp_connection.hpp>

namespace copysim {

namespace {

Duration time_at(Bandwidth rate, Bytes amount) {
  return rate > Bandwidth{0} ? amount / rate : Duration::zero();
}

}  // namespace

EthernetLink::EthernetLink(Simulation& simulation, const LinkConfig& config)
    : simulation_{simulation},
      config_{config},
      labels_{simulation.label("link", "queue"), simulation.label("link", "wire"),
              simulation.label("link", "latency"), simulation.label("link", "window"),
              simulation.label("link", "delayed ACK")} {}

std::unique_ptr<Transport> EthernetLink::open(TransportEnd client, TransportEnd server) {
  return std::make_unique<TcpConnection>(*this, client, server);
}

Duration EthernetLink::one_way(Bytes frame_payload) const {
  const Duration hop =
      config_.switch_latency + time_at(config_.rate, Framing::frame(frame_payload));
  return config_.rtt / 2 + config_.switches * hop;
}

Bandwidth EthernetLink::slowest() const {
  const bool narrow = config_.bottleneck > Bandwidth{0} &&
                      (config_.rate <= Bandwidth{0} || config_.bottleneck < config_.rate);
  return narrow ? config_.bottleneck : config_.rate;
}

EthernetLink::Transit EthernetLink::carry(Toward toward, const Passage& passage) {
  Lane& lane = this->lane(toward);
  const Bytes wire = Framing::wire(passage.payload);
  const Bytes last = Framing::frame(Framing::last_payload(passage.payload));
  const Bytes first = Framing::frame(std::min(passage.payload, Framing::segment));
  const auto book = [&](SimTime& free_from, SimTime end, Duration busy) {
    // What waits for a window is sent into gaps later; only its share of capacity is taken now.
    free_from = passage.yields ? std::max(free_from, simulation_.now()) + busy : end;
  };

  Transit transit{};
  const Duration card = time_at(config_.rate, wire);
  transit.start = std::max(passage.earliest, lane.card);
  transit.end =
      std::max(transit.start + card, passage.last_frame_from + time_at(config_.rate, last));
  book(lane.card, transit.end, card);
  SimTime first_out = transit.start + time_at(config_.rate, first);
  SimTime last_out = transit.end;

  if (config_.bottleneck > Bandwidth{0}) {
    const Duration line = time_at(config_.bottleneck, wire);
    const SimTime start = std::max(first_out, lane.bottleneck);
    last_out = std::max(start + line, transit.end + time_at(config_.bottleneck, last));
    first_out = start + time_at(config_.bottleneck, first);
    book(lane.bottleneck, last_out, line);
  }
  // In a row of equal hops the last frame waits for the full one before it.
  const Duration travel = one_way(std::min(passage.payload, Framing::segment));
  transit.first_arrival = first_out + travel;
  transit.arrival = last_out + travel;
  return transit;
}

}  // namespace copysim
