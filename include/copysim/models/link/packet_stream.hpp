#pragma once

#include <copysim/models/link/packet.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// Sends full packets at a constant rate, whatever happens to them: an offered load.
///
/// A packet of 1,500 bytes occupies 1,538 bytes of the wire, so the link carries one each
/// `1538 / rate`.
/// Packet i arrives at `(i + 1) x interval`, rounded once, so that no error adds up.
class ConstantStream {
public:
  /// Starts at once, towards `protocol` above `card`; all outlive the simulation's tasks.
  /// \throws ConfigError if the rate is not positive.
  ConstantStream(Simulation& simulation, Bandwidth wire, PacketCard& card, PacketSink& protocol);

private:
  Task<> send(Bandwidth wire);

  Simulation& simulation_;
  PacketCard& card_;
  PacketSink& protocol_;
};

}  // namespace copysim
