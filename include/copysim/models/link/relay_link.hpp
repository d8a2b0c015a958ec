#pragma once

#include <array>
#include <cstddef>
#include <memory>

#include <copysim/models/link/link.hpp>
#include <copysim/sim/label.hpp>
#include <copysim/sim/semaphore.hpp>

namespace copysim {

/// A relay that reads everything at once and lets each byte go `rtt / 2` later, at most at `rate`.
///
/// What an emulated WAN between real programs does (`smb-measured.md` section 1): payload only, no
/// frames, no TCP windows, no cost for the handshake. A message of n bytes arrives at
/// `max(now, end of the one before) + n / rate + rtt / 2`. The rate is the smaller of `rate` and
/// `bottleneck`; zero means no limit. A relay that runs on the client's machine works there for
/// each byte (`relay_copy`), in one thread for both directions; the programs' own work is theirs.
class RelayLink final : public Link {
public:
  RelayLink(Simulation& simulation, const LinkConfig& config);

  [[nodiscard]] std::unique_ptr<Transport> open(TransportEnd client, TransportEnd server) override;
  [[nodiscard]] const LinkConfig& config() const override { return config_; }

private:
  class Connection;

  Simulation& simulation_;
  LinkConfig config_;
  Bandwidth rate_;
  Label label_;
  std::array<SimTime, 2> free_from_{};
  Semaphore thread_;
};

}  // namespace copysim
