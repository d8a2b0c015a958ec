#include <copysim/models/link/packet_link.hpp>

#include <copysim/models/link/packet_connection.hpp>

namespace copysim {

PacketLink::PacketLink(Simulation& simulation, const LinkConfig& config)
    : simulation_{simulation},
      config_{config},
      radio_{config},
      to_server_{simulation, config, "link.to_server"},
      to_client_{simulation, config, "link.to_client"} {
  if (config.medium == LinkMedium::wifi) {
    to_server_.use_radio(radio_, Toward::server);
    to_client_.use_radio(radio_, Toward::client);
  } else if (config.medium == LinkMedium::duplex_mismatch) {
    to_client_.collide_with(to_server_, true);
    to_server_.collide_with(to_client_, false);
  }
}

std::unique_ptr<Transport> PacketLink::open(TransportEnd client, TransportEnd server) {
  return std::make_unique<PacketConnection>(simulation_, *this, client, server);
}

}  // namespace copysim
