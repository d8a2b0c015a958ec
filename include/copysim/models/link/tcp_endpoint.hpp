#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <copysim/models/io_result.hpp>
#include <copysim/models/link/packet_path.hpp>
#include <copysim/models/link/tcp_receiver.hpp>
#include <copysim/models/link/tcp_sender.hpp>
#include <copysim/models/link/timer.hpp>
#include <copysim/models/link/transport.hpp>
#include <copysim/models/link/transport_end.hpp>
#include <copysim/sim/signal.hpp>

namespace copysim {

/// One machine's end of a TCP connection, packet by packet: what its processor and card do.
///
/// Sending: all segments that may go now are made in one piece of processor work (one per frame, or
/// per `segmentation_offload` bytes), and the wire starts behind the first of them. Receiving:
/// frames with data wait for the card's interrupt, which comes at once after a rest and not before
/// `1 / interrupt_rate` after the last; then the processor takes in what has come. Bare ACKs are
/// taken in when they come and cost `ack`; they neither raise nor delay that interrupt (adaptive
/// moderation), as in the model of bursts.
class TcpEndpoint final : public PacketSink {
public:
  /// A message that a task waits for at the receiving end.
  struct Delivery {
    Delivery(Simulation& simulation, Bytes stream_end)
        : end{stream_end}, done{simulation, "TCP delivery"} {}
    Bytes end;  ///< the message ends here in the stream
    IoStatus status = IoStatus::ok;
    Event done;
  };
  /// Both windows as the connection agreed on them.
  struct Windows {
    Bytes offered;  ///< by this end
    Bytes peer;     ///< by the other
  };

  /// `lost` is called when this end gives the connection up.
  TcpEndpoint(Simulation& simulation, PacketPath& out, const TransportEnd& end, Windows windows,
              TransportCounters& counters, std::string name, std::function<void()> lost);

  void set_peer(TcpEndpoint& peer) { peer_ = &peer; }
  /// Begins a new life of the connection; what is on the way from the old one is ignored.
  void restart(std::uint32_t incarnation);
  /// Writes a message to the other end; returns where it ends in the stream.
  Bytes write(Bytes message);
  /// Tells the waiting task when its message is here.
  void expect(std::shared_ptr<Delivery> delivery) { expected_.push_back(std::move(delivery)); }
  /// Ends all that wait here with `status`.
  void fail(IoStatus status);
  /// Sends a segment of the handshake.
  void send_handshake(Packet::Kind kind);
  void arrive(const Packet& packet) override;

  [[nodiscard]] const TcpSender& sender() const { return sender_; }
  [[nodiscard]] const TcpReceiver& receiver() const { return receiver_; }

  /// Set when the answer to the first segment of the handshake is here.
  std::function<void()> established;

private:
  /// What is above the card: frames come here when the processor has taken them in.
  class Protocol final : public PacketSink {
  public:
    explicit Protocol(TcpEndpoint& endpoint) : endpoint_{endpoint} {}
    void arrive(const Packet& packet) override;

  private:
    TcpEndpoint& endpoint_;
  };
  Task<> transmit();
  Task<> take_in_data();
  Task<> take_in_acks();
  [[nodiscard]] Duration prepare(const std::vector<Extent>& segments) const;
  [[nodiscard]] Duration receive_work(const std::vector<Packet>& packets) const;
  void send(Packet packet, SimTime ready);
  void send_ack();
  void take(const Packet& packet);
  void take_ack(const Packet& packet);
  void delayed_ack_expired();
  void retransmission_expired();

  Simulation& simulation_;
  PacketPath& out_;
  TransportEnd end_;
  Windows windows_;
  TransportCounters& counters_;
  std::function<void()> lost_;
  TcpEndpoint* peer_ = nullptr;
  std::uint32_t incarnation_ = 0;
  Protocol protocol_{*this};

  TcpSender sender_;
  TcpReceiver receiver_;
  std::deque<std::shared_ptr<Delivery>> expected_;
  Signal work_;  // for the sending task
  Signal data_;  // ... and those that take frames in
  Signal acks_in_;
  std::vector<Packet> ring_;  // frames that wait for the interrupt
  std::vector<Packet> acks_;
  SimTime next_interrupt_{};
  Duration interrupt_period_;
  bool stalled_ = false;
  std::int64_t counted_retransmissions_ = 0;
  Timer retransmission_;
  Timer delayed_ack_;
};

}  // namespace copysim
