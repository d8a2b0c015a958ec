#include <copysim/models/link/link.hpp>

#include <array>
#include <string>
#include <utility>

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

namespace {

// A relay paces and delays what TCP on loopback brings it. Switches of a link sheet are passed
// over, since any link may be made a relay; what goes wrong on a path is not.
void check_relay(const LinkConfig& config) {
  const std::array<std::pair<const char*, bool>, 5> only_on_ethernet{
      {{"loss", config.loss > 0},
       {"loss_every", config.loss_every > 0},
       {"queue", config.queue > 0_B},
       {"jitter", config.jitter > 0ns},
       {"down_for", config.down_for > 0ns}}};
  for (const auto& [parameter, given] : only_on_ethernet) {
    if (given) {
      throw ConfigError{"link", std::string{parameter} +
                                    " must be 0 with kind relay, which paces and delays the "
                                    "payload and nothing else; kind ethernet has it"};
    }
  }
  if (config.medium != LinkMedium::full_duplex) {
    throw ConfigError{"link", "medium must be full-duplex with kind relay, got " +
                                  std::string{to_string(config.medium)}};
  }
}

}  // namespace

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
  if (config.kind == LinkKind::relay) {
    check_relay(config);
    return std::make_unique<RelayLink>(simulation, config);
  }
  if (config.detail == LinkDetail::packet) {
    return std::make_unique<PacketLink>(simulation, config);
  }
  return std::make_unique<EthernetLink>(simulation, config);
}

}  // namespace copysim
