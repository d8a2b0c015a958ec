#include <copysim/models/link/packet_connection.hpp>

#include <algorithm>

#include <copysim/sim/combine.hpp>

namespace copysim {

namespace {

Task<> wait_for(std::shared_ptr<Event> event) {
  co_await event->wait();
}

}  // namespace

PacketConnection::PacketConnection(Simulation& simulation, PacketLink& link, TransportEnd client,
                                   TransportEnd server)
    : simulation_{simulation},
      link_{link},
      client_tcp_{client.tcp},
      client_{simulation,
              link.path(Toward::server),
              client,
              {.offered = offered_window(server, client, link.config().rate),
               .peer = offered_window(client, server, link.config().rate)},
              counters_,
              "TCP client",
              [this] { lose(); }},
      server_{simulation,
              link.path(Toward::client),
              server,
              {.offered = offered_window(client, server, link.config().rate),
               .peer = offered_window(server, client, link.config().rate)},
              counters_,
              "TCP server",
              [this] { lose(); }} {
  client_.set_peer(server_);
  server_.set_peer(client_);
  client_.established = [this] { handshake_->set(); };
}

Task<IoStatus> PacketConnection::connect() {
  lose();
  const std::shared_ptr<Event> answered = std::make_shared<Event>(simulation_, "TCP handshake");
  handshake_ = answered;
  Duration timeout = client_tcp_.initial_timeout;
  for (int tries = 0; tries <= client_tcp_.max_connect_retransmissions; ++tries) {
    client_.send_handshake(Packet::Kind::syn);
    const bool in_time = co_await with_timeout(simulation_, wait_for(answered), timeout);
    if (in_time) {
      up_ = true;
      co_return IoStatus::ok;
    }
    timeout *= 2;
  }
  co_return IoStatus::link_down;
}

Task<IoStatus> PacketConnection::deliver(Toward toward, Bytes message) {
  if (!up_) co_return IoStatus::link_down;
  ++counters_.messages;
  TcpEndpoint& from = endpoint(toward == Toward::server ? Toward::client : Toward::server);
  const Bytes end = from.write(std::max(message, Bytes{1}));
  const auto delivery = std::make_shared<TcpEndpoint::Delivery>(simulation_, end);
  endpoint(toward).expect(delivery);
  co_await delivery->done.wait();
  co_return delivery->status;
}

void PacketConnection::lose() {
  up_ = false;
  // Nothing more is sent or taken in.
  client_.restart(++incarnation_);
  server_.restart(incarnation_);
  client_.fail(IoStatus::link_down);
  server_.fail(IoStatus::link_down);
}

}  // namespace copysim
