#include <copysim/models/link/link.hpp>

#include <string>

#include <copysim/error.hpp>
#include <copysim/models/link/ethernet_link.hpp>
#include <copysim/models/link/relay_link.hpp>

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
  }
  return "unknown";
}

std::unique_ptr<Link> make_link(Simulation& simulation, const LinkConfig& config) {
  if (config.rtt < Duration::zero()) {
    throw ConfigError{
        "link", "rtt must not be negative, got " + std::to_string(config.rtt.count()) + " ns"};
  }
  if (config.switches < 0) {
    throw ConfigError{"link",
                      "switches must not be negative, got " + std::to_string(config.switches)};
  }
  if (config.delayed_ack_stall_every < 0_B) {
    throw ConfigError{"link", "delayed_ack_stall_every must not be negative, got " +
                                  std::to_string(config.delayed_ack_stall_every.count()) + " B"};
  }
  if (config.kind == LinkKind::relay) return std::make_unique<RelayLink>(simulation, config);
  return std::make_unique<EthernetLink>(simulation, config);
}

}  // namespace copysim
