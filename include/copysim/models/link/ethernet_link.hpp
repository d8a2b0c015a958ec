#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include <copysim/models/link/delay_variation.hpp>
#include <copysim/models/link/frame_loss.hpp>
#include <copysim/models/link/frames.hpp>
#include <copysim/models/link/link.hpp>
#include <copysim/models/link/radio_channel.hpp>
#include <copysim/sim/label.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// A full-duplex Ethernet path: cards, switches, and perhaps a slower line in the middle.
///
/// Each direction is a queue that all connections share, first come first served, with two servers
/// in a row: the card (`rate`) and, if set, the `bottleneck`. A message of n frames leaves the card
/// after `wire bytes / rate`, follows the bottleneck one frame behind, and arrives `rtt / 2` later;
/// each switch repeats one frame time. The queue is arithmetic and costs no events. Frames are lost
/// as in `PacketPath`: what does not fit the bottleneck's queue, what `FrameLoss` draws, and what
/// leaves while the path is down; `DelayVariation` adds its jitter. Left out: the wire time of bare
/// ACKs (they go against the stream, in the idle direction of a copy), and their loss.
class EthernetLink final : public Link {
public:
  /// When the parts of one message pass.
  struct Transit {
    SimTime start;            ///< the first frame enters the wire
    SimTime end;              ///< the last frame has left the sending card
    SimTime line_end{};       ///< ... and the bottleneck
    SimTime first_arrival;    ///< the first frame is there
    SimTime arrival;          ///< the last frame is there
    std::int64_t lost = 0;    ///< frames that will not be there
    std::int64_t behind = 0;  ///< frames behind the last one that is lost
  };
  /// What a message asks of the wire.
  struct Passage {
    Bytes payload;
    SimTime earliest;         ///< the first frame may go
    SimTime last_frame_from;  ///< the last frame may go (the sender's processor has made it)
    /// It waits for a window: it takes up capacity, but keeps nobody behind it from going first.
    bool yields = false;
    SimTime offered{};    ///< its message came to the card, if it yields
    SimTime line_from{};  ///< the bottleneck is done with what it must follow
  };

  EthernetLink(Simulation& simulation, const LinkConfig& config);

  [[nodiscard]] std::unique_ptr<Transport> open(TransportEnd client, TransportEnd server) override;
  [[nodiscard]] const LinkConfig& config() const override { return config_; }

  /// Books the passage of a message that is handed to the card at `now`.
  Transit carry(Toward toward, const Passage& passage);
  /// Whether a frame that a timeout sends again `at` some time gets through.
  [[nodiscard]] bool gets_through(Toward toward, SimTime at);
  /// The instant from which the card is free.
  [[nodiscard]] SimTime free_from(Toward toward) const { return lane(toward).card; }

  /// Propagation one way, with the latency of the switches and one frame time in each.
  [[nodiscard]] Duration one_way(Bytes frame_payload) const;
  /// What other traffic adds to the way of an ACK for what goes `toward`, sent `at`.
  [[nodiscard]] Duration ack_variation(Toward toward, SimTime at) {
    return lane(toward == Toward::server ? Toward::client : Toward::server).variation.at(at);
  }
  /// Rate of the slowest piece; zero if nothing limits it.
  [[nodiscard]] Bandwidth slowest() const;

  struct Labels {
    Label queue;        ///< behind other messages
    Label wire;         ///< sending frames
    Label latency;      ///< propagation and switches
    Label window;       ///< the sender waits for room in a TCP window
    Label delayed_ack;  ///< the sender waits for a delayed ACK
  };
  [[nodiscard]] const Labels& labels() const { return labels_; }
  [[nodiscard]] Simulation& simulation() const { return simulation_; }

private:
  struct Lane {
    Lane(Simulation& simulation, const LinkConfig& config, const std::string& name);
    SimTime card{};        // the card is free
    SimTime bottleneck{};  // the bottleneck is free
    FrameLoss loss;
    DelayVariation variation;
  };
  void lose_frames(Lane& lane, std::int64_t frames, Transit& transit);
  [[nodiscard]] Lane& lane(Toward toward) { return lanes_[static_cast<std::size_t>(toward)]; }
  [[nodiscard]] const Lane& lane(Toward toward) const {
    return lanes_[static_cast<std::size_t>(toward)];
  }

  Simulation& simulation_;
  LinkConfig config_;
  Labels labels_;
  std::array<Lane, 2> lanes_;
  RadioChannel radio_;
};

}  // namespace copysim
