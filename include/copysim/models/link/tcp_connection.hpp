#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include <copysim/models/link/ethernet_link.hpp>
#include <copysim/models/link/round_trip_estimator.hpp>
#include <copysim/models/link/send_window.hpp>
#include <copysim/models/link/transport.hpp>
#include <copysim/models/link/transport_end.hpp>
#include <copysim/sim/semaphore.hpp>

namespace copysim {

/// A TCP connection over an Ethernet link, one calculation per message (`link.detail = "burst"`).
///
/// Per message: the sender's processor prepares the frames (the wire starts behind the first one),
/// the frames pass the link as the windows allow, and the receiver's processor takes them in while
/// they arrive, at interrupts that the card moderates: the last frame waits for the next one, and
/// what came since the one before is still to be done then. That is three events. Windows are
/// arithmetic: throughput is `min(window / RTT, wire)`.
///
/// ACKs: one for every second segment; an odd last segment is acknowledged by the next data of
/// either direction, else by the 200 ms timer. The sender notices the timer only when it has no
/// room left, so requests and answers, whose ACK rides on the answer, never stall. The time of an
/// ACK is computed from frames already booked: data of the other direction that is sent later, in
/// the middle of a stall, does not shorten it.
///
/// Loss: a frame with three behind it is found lost a round trip later and sent again at once; else
/// the timer finds it (RFC 6298), which doubles until it gets through, or the connection is given
/// up after `max_retransmissions`. What comes behind a hole waits for it. All that is lost of one
/// window is repaired together, as with selective acknowledgements.
///
/// Left out, against `PacketConnection`: loss of ACKs; Nagle's algorithm (SMB sets it off); that
/// the receiver's window is tuned (it keeps ahead); the pause before new data in a recovery.
class TcpConnection final : public Transport {
public:
  TcpConnection(EthernetLink& link, TransportEnd client, TransportEnd server);

  [[nodiscard]] Task<IoStatus> connect() override;
  [[nodiscard]] Task<IoStatus> deliver(Toward toward, Bytes message) override;
  void disconnect() override;
  [[nodiscard]] bool may_fail() const override { return link_.config().loses(); }
  [[nodiscard]] const TransportCounters& counters() const override { return counters_; }

private:
  // One direction of the connection.
  struct Stream {
    Stream(Simulation& simulation, const TransportEnd& from, const TransportEnd& to,
           Bandwidth rate);

    const TransportEnd& sender;
    const TransportEnd& receiver;
    Semaphore sending;    // keeps the order of messages at the sender's processor
    Semaphore receiving;  // ... and at the receiver's
    void restart();
    SendWindow::Config window_config;
    SendWindow window;
    RoundTripEstimator round_trips;
    SimTime found = SimTime::min();  // when the last loss is found
    SimTime held_until{};  // what was lost before this is there, so that the rest can follow
    Duration ack_delay{};
    bool unlimited = false;    // the window has outgrown the path: nothing to compute any more
    SimTime last_end{};        // the last message has left
    SimTime next_interrupt{};  // of the receiver's card, not before
    Bytes since_stall{};       // for `delayed_ack_stall_every`
    // The last segments, too few for an ACK of their own.
    std::int64_t tail_segments = 0;
    Bytes tail_bytes{};
    SimTime tail_arrival{};
  };
  struct Schedule {
    EthernetLink::Transit transit{};
    Duration queued{};
    Duration window{};
    Duration delayed_ack{};
    std::optional<SimTime> given_up;  // the connection is dead from then on
  };
  // A part of a message that passes the link as one: its first frame from `from`, its last from
  // `to` on.
  struct Piece {
    Bytes length;
    SimTime from{};
    SimTime to{};
  };
  struct Offer {
    Bytes message;
    SimTime first_frame_from;
    SimTime last_frame_from;
  };

  [[nodiscard]] Stream& stream(Toward toward) { return streams_[static_cast<std::size_t>(toward)]; }
  static SimTime last_interrupt(Stream& s, const EthernetLink::Transit& transit);
  [[nodiscard]] Bytes left_for_last_interrupt(const Stream& s, Bytes message) const;
  Schedule schedule(Toward toward, const Offer& offer);
  void send_windowed(Toward toward, const Offer& offer, SimTime from, Schedule& result);
  void repair(Toward toward, EthernetLink::Transit& transit, std::int64_t frames_after,
              Schedule& result);
  [[nodiscard]] bool goes_with_acks(const Stream& s, SimTime now, Bytes before) const;
  [[nodiscard]] Piece next_piece(const Stream& s, Bytes remaining, SimTime from) const;
  static Piece next_with_acks(Stream& s, Bytes remaining, SimTime from, Schedule& result);
  SimTime wait_for_ack(Stream& s, SimTime now, Schedule& result);
  void note_sent(Stream& s, Bytes chunk, const EthernetLink::Transit& transit);
  void acknowledge_tail(Stream& s, SimTime at, SimTime back);
  [[nodiscard]] bool outgrown(const Stream& s) const;
  [[nodiscard]] Duration ack_delay(const Stream& s) const;
  [[nodiscard]] Duration transmit_work(const Stream& s, Bytes message) const;
  [[nodiscard]] Duration receive_work(const Stream& s, Bytes message, Duration span) const;

  EthernetLink& link_;
  Simulation& simulation_;
  TransportEnd client_;
  TransportEnd server_;
  std::array<Stream, 2> streams_;
  TransportCounters counters_;
  bool up_ = true;
  std::uint32_t life_ = 0;  // counts connections made
};

}  // namespace copysim
