#pragma once

#include <cstdint>
#include <memory>

#include <copysim/models/link/packet_link.hpp>
#include <copysim/models/link/tcp_endpoint.hpp>
#include <copysim/models/link/transport.hpp>

namespace copysim {

/// A TCP connection of which every segment and acknowledgement is simulated.
///
/// It is established when made; `connect` begins a new life of it, with a handshake that is tried
/// again after 3, 6, ... s. When an end gives a segment up, all messages under way end with
/// `link_down`, at both ends at once (left out: that the other end learns of it later), and so does
/// everything until the next `connect`.
class PacketConnection final : public Transport {
public:
  /// The link outlives the connection.
  PacketConnection(Simulation& simulation, PacketLink& link, TransportEnd client,
                   TransportEnd server);

  [[nodiscard]] Task<IoStatus> connect() override;
  [[nodiscard]] Task<IoStatus> deliver(Toward toward, Bytes message) override;
  void disconnect() override { lose(); }
  [[nodiscard]] bool may_fail() const override { return link_.config().loses(); }
  [[nodiscard]] const TransportCounters& counters() const override { return counters_; }

  [[nodiscard]] const TcpEndpoint& end(Toward toward) const {
    return toward == Toward::server ? server_ : client_;
  }

private:
  [[nodiscard]] TcpEndpoint& endpoint(Toward toward) {
    return toward == Toward::server ? server_ : client_;
  }
  void lose();

  Simulation& simulation_;
  PacketLink& link_;
  TcpConfig client_tcp_;
  TransportCounters counters_;
  bool up_ = true;
  std::uint32_t incarnation_ = 0;
  std::shared_ptr<Event> handshake_;
  TcpEndpoint client_;
  TcpEndpoint server_;
};

}  // namespace copysim
