#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include <copysim/models/link/frames.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// One TCP segment on the wire, in one Ethernet frame. Positions count the bytes of the stream.
struct Packet {
  enum class Kind : std::uint8_t { segment, syn, syn_ack };
  static constexpr std::size_t most_blocks = 3;  ///< RFC 2018 with few other options

  Kind kind = Kind::segment;
  /// Which life of the connection it belongs to; older ones are ignored.
  std::uint32_t incarnation = 0;
  Bytes position;      ///< of its first byte
  Bytes payload;       ///< zero: a bare ACK
  Bytes acknowledged;  ///< the sender has everything before this
  Bytes window;        ///< ... and takes so much from there on
  /// What it has besides (selective acknowledgement, RFC 2018); empty blocks are not there.
  std::array<Extent, most_blocks> sacked{};

  [[nodiscard]] bool carries_data() const { return payload > Bytes{0}; }
  [[nodiscard]] Bytes wire() const { return Framing::frame(payload); }
  /// Its length as an IP packet: 20 bytes of IP and 20 of TCP more.
  [[nodiscard]] Bytes ip_length() const { return payload + Bytes{40}; }
};

/// What takes packets in: the far end of a path, or a protocol above a card.
class PacketSink {
public:
  virtual ~PacketSink() = default;
  /// A packet is here. Called by the path's task; must not wait.
  virtual void arrive(const Packet& packet) = 0;
};

/// A network card, as what is on the wire sees it.
class PacketCard {
public:
  virtual ~PacketCard() = default;
  /// A packet is here. The card hands it to its protocol later, or drops it; it must not wait.
  virtual void receive(const Packet& packet, PacketSink& protocol) = 0;
};

}  // namespace copysim
