#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>

#include <copysim/models/link/ethernet_link.hpp>
#include <copysim/models/link/round_trip_estimator.hpp>
#include <copysim/models/link/send_window.hpp>
#include <copysim/models/link/timer.hpp>
#include <copysim/models/link/transport.hpp>
#include <copysim/models/link/transport_end.hpp>
#include <copysim/sim/semaphore.hpp>
#include <copysim/sim/signal.hpp>

namespace copysim {

/// A TCP connection over an Ethernet link, one calculation per message (`link.detail = "burst"`).
///
/// Per message: the sender's processor prepares the frames (the wire starts behind the first one),
/// the frames pass the link as the windows allow, and the receiver's processor takes them in while
/// they arrive, at interrupts that the card moderates: the last frame waits for the next one, and
/// what came since the one before is still to be done then. That is three events, and two more for
/// each further 64 frames. Windows are
/// arithmetic: throughput is `min(window / RTT, wire)`.
///
/// ACKs: one for every second segment; an odd last segment is acknowledged by the next data of
/// either direction, else by the 200 ms timer. The sender notices the timer only when it has no
/// room left, so requests and answers, whose ACK rides on the answer, never stall. The time of an
/// ACK is computed from frames already booked: data of the other direction that is sent later, in
/// the middle of a stall, does not shorten it.
///
/// Loss: a hole is found when the ACK of the third frame behind it is back, of this message or of a
/// later one, and filled a round trip after that; else the timer finds it (RFC 6298), which doubles
/// until it gets through, or the connection is given up after `max_retransmissions`. What comes
/// behind a hole waits for it; what that does to the windows is `SendWindow`'s. Without selective
/// acknowledgements each hole of a window takes a round trip (RFC 6582).
///
/// Left out, against `PacketConnection`: loss of ACKs; Nagle's algorithm (SMB sets it off); that
/// the receiver's window is tuned (it keeps ahead).
class TcpConnection final : public Transport {
public:
  TcpConnection(EthernetLink& link, TransportEnd client, TransportEnd server);

  [[nodiscard]] Task<IoStatus> connect() override;
  [[nodiscard]] Task<IoStatus> deliver(Toward toward, Bytes message) override;
  void disconnect() override;
  [[nodiscard]] bool may_fail() const override { return link_.config().loses(); }
  [[nodiscard]] const TransportCounters& counters() const override { return counters_; }

private:
  // What was lost of a piece, while it is not known how it is found.
  struct Hole {
    std::int64_t number = 0;  // counted from 1
    std::int64_t frames = 0;
    std::int64_t behind = 0;  // frames behind it that have come
    SimTime sent;
    SimTime timer_from;  // the timer started then
    Duration there{};    // from the card to the other end
  };
  // A message that waits for a hole before its end.
  struct Arrival {
    Arrival(Simulation& simulation, std::int64_t hole)
        : last_hole{hole}, known{simulation, "TCP message behind a loss"} {}
    std::int64_t last_hole;
    SimTime at{};
    Event known;
  };
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
    std::deque<Hole> holes;        // not found yet
    std::int64_t holes_made = 0;   // all so far
    std::deque<Arrival*> waiting;  // messages behind them, in order
    std::unique_ptr<Timer> retransmission;
    SimTime found = SimTime::min();  // when the last recovery began
    SimTime held_until{};  // what was lost before this is there, so that the rest can follow
    std::optional<SimTime> given_up;
    Duration ack_delay{};
    bool unlimited = false;  // the window has outgrown the path: nothing to compute any more
    SimTime last_end{};      // the last message has left
    SimTime line_end{};      // ... and the bottleneck is done with it
    Duration interrupt_period{};
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
  };
  // A part of a message that passes the link as one: its first frame from `from`, its last from
  // `to` on.
  struct Piece {
    Bytes length;
    SimTime from{};
    SimTime to{};
  };
  // How the receiver's processor takes a message in: the same work for each slice of its frames, as
  // late as it can be if it shall be done before the next slice comes, the last one by `end`. In
  // one piece it would keep the processor from others for too long.
  struct Reception {
    std::int64_t slices = 1;  // left
    Duration work{};          // for each
    Duration takes{};         // on a free processor
    SimTime arrival;          // of the first frame of the next slice
    Duration apart{};
    SimTime end;

    [[nodiscard]] SimTime start() const {
      return std::max(arrival, (slices > 1 ? arrival + apart : end) - takes);
    }
  };
  // Frames of a slice: some 0.8 ms at 1 Gbit/s. A message of 64 KiB, 45 frames, is one.
  static constexpr std::int64_t slice_frames = 64;
  struct Offer {
    Bytes message;
    SimTime first_frame_from;
    SimTime last_frame_from;
  };

  [[nodiscard]] Stream& stream(Toward toward) { return streams_[static_cast<std::size_t>(toward)]; }
  static SimTime last_interrupt(Stream& s, const EthernetLink::Transit& transit);
  [[nodiscard]] Bytes left_for_last_interrupt(const Stream& s, Bytes message, SimTime arrival,
                                              SimTime noticed) const;
  Schedule schedule(Toward toward, const Offer& offer);
  void send_windowed(Toward toward, const Offer& offer, SimTime from, Schedule& result);
  [[nodiscard]] static Bytes lost_of(Bytes piece, const EthernetLink::Transit& transit);
  void note_loss(Stream& s, Bytes piece, const EthernetLink::Transit& transit);
  void note_behind_holes(Toward toward, std::int64_t frames, SimTime back);
  [[nodiscard]] SimTime timer_due(const Stream& s) const;
  void timed_out(Toward toward);
  void fill_first_hole(Toward toward, SimTime found, bool by_timeout);
  Task<IoStatus> give_up(SimTime at);
  [[nodiscard]] Reception reception_of(const Stream& s, Bytes message,
                                       const EthernetLink::Transit& transit, SimTime noticed) const;
  [[nodiscard]] bool goes_with_acks(const Stream& s, SimTime now, Bytes before) const;
  [[nodiscard]] Piece next_piece(const Stream& s, Bytes remaining, SimTime from) const;
  static Piece next_with_acks(Stream& s, Bytes remaining, SimTime from, Schedule& result);
  SimTime wait_for_ack(Toward toward, SimTime now, Schedule& result);
  void note_sent(Toward toward, Bytes chunk, const EthernetLink::Transit& transit);
  void note_out_of_order(Toward toward, Bytes chunk, const EthernetLink::Transit& transit);
  void acknowledge_tail(Stream& s, SimTime at, SimTime back);
  [[nodiscard]] bool outgrown(const Stream& s) const;
  [[nodiscard]] Duration ack_delay(const Stream& s) const;
  [[nodiscard]] SimTime ack_back(Toward toward, SimTime arrival);
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
