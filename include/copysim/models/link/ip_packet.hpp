#pragma once

#include <cstdint>

#include <copysim/units.hpp>

namespace copysim {

/// One IP packet on its way to a machine.
struct IpPacket {
  std::int64_t number = 0;  ///< its place in the stream, from 0
  Bytes length{1500};       ///< of the IP packet; a full one, with 1,460 bytes of TCP payload
};

/// What takes packets in: a network card, or the protocol above it.
///
/// Contract: `arrive` returns at once; whatever takes time goes on in tasks of the receiver. It may
/// drop the packet and says so with `false`.
class PacketReceiver {
public:
  virtual ~PacketReceiver() = default;
  virtual bool arrive(IpPacket packet) = 0;
};

}  // namespace copysim
