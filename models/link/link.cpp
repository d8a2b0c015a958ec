#include <copysim/models/link/link.hpp>

#include <string>

#include <copysim/error.hpp>
#include <copysim/models/link/ethernet_link.hpp>
#include <copysim/models/link/packet_link.hpp>
#include <copysim/models/link/relay_link.hpp>
#include <copysim/models/parameter_check.hpp>

namespace copysim {

std::string_view to_string(LinkKind kind) {
  switch (kind) {
    case LinkKind::ethernet:
      return "ethernet";
    case LinkKind::relay:
      return "relay";
  }
  return "unknown";
}

std::string_view to_string(LinkDetail detail) {
  switch (detail) {
    case LinkDetail::burst:
      return "burst";
    case LinkDetail::packet:
      return "packet";
  }
  return "unknown";
}

std::string_view to_string(LinkMedium medium) {
  switch (medium) {
    case LinkMedium::full_duplex:
      return "full-duplex";
    case LinkMedium::duplex_mismatch:
      return "duplex-mismatch";
    case LinkMedium::wifi:
      return "wifi";
  }
  return "unknown";
}

std::unique_ptr<Link> make_link(Simulation& simulation, const LinkConfig& config) {
  check_parameters("link", config);
  if (config.queue > 0_B && config.bottleneck <= Bandwidth{0}) {
    throw ConfigError{"link", "queue must be 0 without a bottleneck, got " +
                                  std::to_string(config.queue.count()) + " B"};
  }
  if (config.medium == LinkMedium::duplex_mismatch && config.kind == LinkKind::ethernet &&
      config.detail != LinkDetail::packet) {
    throw ConfigError{"link", "detail must be packet on a duplex-mismatch, got burst"};
  }
  if (config.kind == LinkKind::relay) return std::make_unique<RelayLink>(simulation, config);
  if (config.detail == LinkDetail::packet) {
    return std::make_unique<PacketLink>(simulation, config);
  }
  return std::make_unique<EthernetLink>(simulation, config);
}

}  // namespace copysim
