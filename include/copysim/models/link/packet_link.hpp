#pragma once

#include <array>
#include <memory>

#include <copysim/models/link/link.hpp>
#include <copysim/models/link/packet_path.hpp>
#include <copysim/models/link/radio_channel.hpp>

namespace copysim {

/// An Ethernet path packet by packet (`link.detail = "packet"`), with TCP connections over it.
///
/// Each direction is a `PacketPath` of its own, which all connections share, so that
/// they compete for the bottleneck's queue.
class PacketLink final : public Link {
public:
  PacketLink(Simulation& simulation, const LinkConfig& config);

  [[nodiscard]] std::unique_ptr<Transport> open(TransportEnd client, TransportEnd server) override;
  [[nodiscard]] const LinkConfig& config() const override { return config_; }
  [[nodiscard]] PacketPath& path(Toward toward) {
    return toward == Toward::server ? to_server_ : to_client_;
  }

private:
  Simulation& simulation_;
  LinkConfig config_;
  RadioChannel radio_;
  PacketPath to_server_;
  PacketPath to_client_;
};

}  // namespace copysim
