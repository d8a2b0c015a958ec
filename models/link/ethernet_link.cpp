#include <copysim/models/link/ethernet_link.hpp>

#include <algorithm>

#include <copysim/error.hpp>
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
              simulation.label("link", "delayed ACK")},
      lanes_{Lane{simulation, config, "link.to_server"},
             Lane{simulation, config, "link.to_client"}},
      radio_{config} {}

EthernetLink::Lane::Lane(Simulation& simulation, const LinkConfig& config, const std::string& name)
    : loss{config, simulation.random(name + ".loss")},
      variation{config, simulation.random(name + ".jitter")} {}

bool EthernetLink::gets_through(Toward toward, SimTime at) {
  return !config_.down_at(at) && !lane(toward).loss.next(true, at);
}

// Counts the frames of a passage that are lost at random or because the path is down.
void EthernetLink::lose_frames(Lane& lane, std::int64_t frames, Transit& transit) {
  if (!config_.loses()) return;
  // From the first frame that leaves too late on; in the middle of a passage, as a share of it.
  const bool ends_down = config_.down_at(transit.arrival);
  const bool starts_down = config_.down_at(transit.first_arrival);
  for (std::int64_t i = 0; i < frames; ++i) {
    const bool late = ends_down && (starts_down || 2 * i >= frames);
    if (!lane.loss.next(true, transit.first_arrival) && !late) {
      if (transit.lost > 0) ++transit.behind;
      continue;
    }
    ++transit.lost;
    transit.behind = 0;
  }
}

std::unique_ptr<Transport> EthernetLink::open(TransportEnd client, TransportEnd server) {
  if (client.card != nullptr || server.card != nullptr) {
    throw ConfigError{"link", "detail must be packet where a card takes packets in, got burst"};
  }
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
    const SimTime offered = std::min(passage.offered, simulation_.now());
    free_from = passage.yields ? std::max(free_from, offered) + busy : end;
  };

  Transit transit{};
  std::int64_t overflow = 0;
  const Duration card = time_at(config_.rate, wire);
  transit.start = std::max(passage.earliest, lane.card);
  transit.end =
      std::max(transit.start + card, passage.last_frame_from + time_at(config_.rate, last));
  book(lane.card, transit.end, card);
  SimTime first_out = transit.start + time_at(config_.rate, first);
  SimTime last_out = transit.end;
  if (config_.medium == LinkMedium::wifi) {
    const auto air = radio_.send_message(passage.earliest, passage.payload);
    transit.start = air.start;
    first_out = air.first_out;
    last_out = transit.end = std::max(air.last_out, passage.last_frame_from);
  }

  if (config_.bottleneck > Bandwidth{0}) {
    const Duration line = time_at(config_.bottleneck, wire);
    const SimTime start = std::max({first_out, lane.bottleneck, passage.line_from});
    last_out = std::max(start + line, transit.end + time_at(config_.bottleneck, last));
    if (config_.queue > Bytes{0}) {
      // What waits when the last frame comes and is more than the queue holds is lost.
      const Duration room = time_at(config_.bottleneck, config_.queue);
      const Duration frame = time_at(config_.bottleneck, Framing::full_frame);
      const Duration excess = last_out - transit.end - room;
      if (excess > Duration::zero()) {
        overflow = std::min(Framing::frames(passage.payload), excess / frame + 1);
        last_out = std::max(lane.bottleneck, last_out - overflow * frame);
      }
    }
    first_out = start + time_at(config_.bottleneck, first);
    transit.line_end = last_out;
    book(lane.bottleneck, last_out, line);
  }
  transit.first_arrival = first_out;
  transit.arrival = last_out;
  lose_frames(lane, Framing::frames(passage.payload) - overflow, transit);
  transit.lost += overflow;
  if (overflow > 0) transit.behind = 0;
  // In a row of equal hops the last frame waits for the full one before it.
  const Duration travel = one_way(std::min(passage.payload, Framing::segment));
  transit.first_arrival += travel + lane.variation.at(first_out);
  transit.arrival += travel + lane.variation.at(last_out);
  return transit;
}

}  // namespace copysim
