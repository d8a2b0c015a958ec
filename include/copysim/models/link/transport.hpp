#pragma once

#include <cstdint>

#include <copysim/models/io_result.hpp>
#include <copysim/sim/task.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// The two ends of a connection: the client is the machine that starts the copy.
enum class Toward : std::uint8_t { server, client };

/// What a connection has carried so far.
struct TransportCounters {
  std::int64_t messages = 0;
  std::int64_t frames = 0;         ///< Ethernet frames with data, both directions
  Bytes wire_bytes;                ///< all bytes on the wire, both directions
  std::int64_t window_stalls = 0;  ///< times the sender waited for the receive or congestion window
  std::int64_t delayed_acks = 0;   ///< times a delayed-ACK timer had to fire
  std::int64_t retransmissions = 0;
  std::int64_t timeouts = 0;     ///< times a retransmission timer had to fire
  std::int64_t lost_frames = 0;  ///< with data or not, both directions
};

/// A reliable, ordered byte stream between two machines that carries whole messages.
///
/// Contract: `deliver` ends at the instant when the last byte of the message is in the receiver's
/// hands (after the receiver's interrupt and protocol work). Messages of one direction arrive in
/// the order of the calls. Many may be outstanding. When the connection is lost all of them end
/// with `link_down`, and so do later ones until the next `connect`.
class Transport {
public:
  virtual ~Transport() = default;
  /// Three-way handshake; what was under way before is lost.
  [[nodiscard]] virtual Task<IoStatus> connect() = 0;
  [[nodiscard]] virtual Task<IoStatus> deliver(Toward toward, Bytes message) = 0;
  /// Gives the connection up.
  virtual void disconnect() {}
  /// Whether the path can lose something, so that it is worth to wait for a limited time only.
  [[nodiscard]] virtual bool may_fail() const { return false; }
  [[nodiscard]] virtual const TransportCounters& counters() const = 0;
};

}  // namespace copysim
