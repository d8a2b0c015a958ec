#pragma once

#include <algorithm>
#include <cstdint>

#include <copysim/units.hpp>

namespace copysim {

/// What TCP over IPv4 over Ethernet adds to the bytes of a message.
///
/// A full frame carries 1,460 bytes of payload and occupies 1,538 bytes of the wire: 20 TCP, 20 IP,
/// 14 Ethernet header, 4 check sequence, 8 preamble, 12 gap between frames (IEEE 802.3; RFC 791,
/// RFC 793, no TCP time stamps, as Windows of 2000 to 2008 sends it).
struct Framing {
  static constexpr Bytes segment{1460};    ///< most payload of one frame (MSS)
  static constexpr Bytes overhead{78};     ///< wire bytes of a frame besides its payload
  static constexpr Bytes least_frame{84};  ///< 64 bytes at least, with preamble and gap
  static constexpr Bytes full_frame = segment + overhead;

  /// The frames that a message needs; an empty message is one frame (a bare ACK).
  [[nodiscard]] static constexpr std::int64_t frames(Bytes payload) {
    return std::max<std::int64_t>(1, pieces(payload, segment));
  }
  /// The payload of the last frame of a message.
  [[nodiscard]] static constexpr Bytes last_payload(Bytes payload) {
    return payload - (frames(payload) - 1) * segment;
  }
  /// The wire bytes of one frame.
  [[nodiscard]] static constexpr Bytes frame(Bytes payload) {
    return std::max(payload + overhead, least_frame);
  }
  /// The wire bytes of a whole message. `ceil(payload / 1460)` frames; the last one is shorter.
  [[nodiscard]] static constexpr Bytes wire(Bytes payload) {
    return (frames(payload) - 1) * full_frame + frame(last_payload(payload));
  }
};

}  // namespace copysim
