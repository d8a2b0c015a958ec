#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

#include <copysim/models/link/delay_variation.hpp>
#include <copysim/models/link/frame_loss.hpp>
#include <copysim/models/link/link_config.hpp>
#include <copysim/models/link/packet.hpp>
#include <copysim/models/link/radio_channel.hpp>
#include <copysim/sim/label.hpp>
#include <copysim/sim/random.hpp>
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
///
/// Duplex mismatch: the half-duplex end waits for a frame that it hears to end, and then starts
/// together with the next one of the other end, which does not listen. Both are lost; it tries
/// again after 0 to 2^k - 1 slots of 512 bits, 16 times in all (IEEE 802.3, 4.2.3.2). What the
/// other end starts in the middle of its frame is lost, and the frame with it (a late collision).
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

  /// Makes this direction share a radio channel instead of having the card's rate for itself.
  void use_radio(RadioChannel& radio, Toward toward) {
    radio_ = &radio;
    toward_ = toward;
  }
  /// Makes the two ends of a wire disagree: `half` if the sender of this direction listens.
  void collide_with(PacketPath& opposite, bool half) {
    opposite_ = &opposite;
    half_ = half;
  }

private:
  struct InFlight {
    Packet packet;
    PacketSink* sink = nullptr;
    SimTime arrival;
    SimTime on_wire;  // it leaves the card from then on ...
    SimTime off_wire;
    bool damaged = false;
  };
  // When the card has sent a frame; none if it gave up or the frame was damaged there.
  std::optional<SimTime> through_card(SimTime ready, Bytes payload);
  std::optional<SimTime> after_carrier(SimTime ready);
  // Damages the frame that is on the wire at that time, if any; returns when it ends.
  std::optional<SimTime> damage(SimTime at);
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
  RandomStream backoff_;
  RadioChannel* radio_ = nullptr;
  Toward toward_ = Toward::server;
  PacketPath* opposite_ = nullptr;
  bool half_ = false;
  SimTime last_arrival_{};
  std::deque<InFlight> in_flight_;
  Signal sent_;
};

}  // namespace copysim
