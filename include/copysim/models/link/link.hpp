#pragma once

#include <memory>

#include <copysim/models/link/link_config.hpp>
#include <copysim/models/link/transport.hpp>
#include <copysim/models/link/transport_end.hpp>
#include <copysim/sim/simulation.hpp>

namespace copysim {

/// The path between two machines, shared by all connections over it.
///
/// Contract: outlives its connections. `open` makes a connection and costs no simulated time; the
/// handshake is `Transport::connect`.
class Link {
public:
  virtual ~Link() = default;
  [[nodiscard]] virtual std::unique_ptr<Transport> open(TransportEnd client,
                                                        TransportEnd server) = 0;
  [[nodiscard]] virtual const LinkConfig& config() const = 0;
};

/// Makes the link that `config.kind` names.
/// \throws ConfigError if a value is out of its range.
[[nodiscard]] std::unique_ptr<Link> make_link(Simulation& simulation, const LinkConfig& config);

}  // namespace copysim
