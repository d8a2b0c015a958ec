#include <copysim/models/link/packet_link.hpp>

#include <copysim/models/link/packet_connection.hpp>

namespace copysim {

PacketLink::PacketLink(Simulation& simulation, const LinkConfig& config)
    : simulation_{simulation},
      config_{config},
      to_server_{simulation, config, "link.to_server"},
      to_client_{simulation, config, "link.to_client"} {}

std::unique_ptr<Transport> PacketLink::open(TransportEnd client, TransportEnd server) {
  return std::make_unique<PacketConnection>(simulation_, *this, client, server);
}

}  // namespace copysim
