#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include <copysim/models/link/delay_variation.hpp>
#include <copysim/models/link/frame_loss.hpp>
#include <copysim/models/link/link_config.hpp>
#include <copysim/models/link/packet.hpp>
#include <copysim/sim/label.hpp>
#include <copysim/sim/signal.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim {

/// One direction of an Ethernet path, packet by packet, shared by all connections.
///
/// The stations in a row, each first come first served: the sender's card (`rate`), the switches
/// (each waits for the whole frame, then repeats it), the bottleneck, and `rtt / 2` of propagation.
/// When a packet is handed over, everything before it is known, so its way through the stations is
/// arithmetic; its arrival is one event. Packets never overtake each other. A packet that finds the
/// bottleneck's queue full is lost there, else perhaps by `FrameLoss`, or because the path is down.
class PacketPath {
public:
  /// The simulation, and the sinks of packets on the way, outlive the path. `name` is that of its
  /// random streams.
  PacketPath(Simulation& simulation, const LinkConfig& config, const std::string& name);
  PacketPath(const PacketPath&) = delete;
  PacketPath& operator=(const PacketPath&) = delete;

  /// Hands a packet to the card at `ready`, which may be earlier than now (the sender's processor
  /// has made several since). Returns whether it will arrive.
  bool send(const Packet& packet, SimTime ready, PacketSink& sink);

private:
  struct InFlight {
    Packet packet;
    PacketSink* sink;
    SimTime arrival;
  };
  Task<> deliver();

  Simulation& simulation_;
  LinkConfig config_;
  Label wire_;
  Label latency_;
  SimTime card_{};  // free from then on
  SimTime bottleneck_{};
  std::vector<SimTime> switches_;
  FrameLoss loss_;
  DelayVariation variation_;
  SimTime last_arrival_{};
  std::deque<InFlight> in_flight_;
  Signal sent_;
};

}  // namespace copysim
