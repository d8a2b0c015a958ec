#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string_view>

#include <copysim/models/link/frames.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// How a TCP sender finds out how much the path takes.
enum class CongestionControlKind : std::uint8_t {
  reno,      ///< RFC 5681 (before: RFC 2581); Windows to XP and Server 2003
  compound,  ///< Tan et al. 2006, draft-sridharan-tcpm-ctcp; Windows from Vista on
  cubic,     ///< RFC 8312; Linux from 2.6.19 on
};
[[nodiscard]] std::string_view to_string(CongestionControlKind kind);
constexpr std::array<CongestionControlKind, 3> all_values(CongestionControlKind) {
  return {CongestionControlKind::reno, CongestionControlKind::compound,
          CongestionControlKind::cubic};
}

/// What a sender learns from one acknowledgement.
struct AckReport {
  Bytes acknowledged;           ///< new bytes
  SimTime now;                  ///< it is back now
  Duration round_trip{};        ///< last sample
  Duration least_round_trip{};  ///< least sample of the connection
};

/// The congestion window of one sender: slow start here, what comes after it in the subclasses.
///
/// Slow start (RFC 5681, 3.1): below the threshold the window grows by what is acknowledged, by one
/// segment per acknowledgement at most; so it doubles each round trip with an ACK per segment, and
/// grows by half with one per two segments. After a timeout: threshold = max(flight / 2, 2
/// segments), window = one segment.
///
/// Contract: the sender reports each acknowledgement of new bytes outside fast recovery, the start
/// of each recovery once, and each timeout. Windows are kept as fractions of bytes.
class CongestionControl {
public:
  explicit CongestionControl(int initial_segments);
  virtual ~CongestionControl() = default;

  [[nodiscard]] Bytes window() const { return Bytes{static_cast<std::int64_t>(window_)}; }
  [[nodiscard]] bool in_slow_start() const { return window_ < threshold_; }

  void acknowledged(const AckReport& report);
  /// Fast retransmit: a segment was lost while `flight` was unacknowledged.
  void lost(Bytes flight, SimTime now);
  void timed_out(Bytes flight, SimTime now);
  /// Starts slowly again after a pause (RFC 5681, 4.1).
  void restart();

protected:
  static constexpr double segment = static_cast<double>(Framing::segment.count());
  /// Grows `window_` in congestion avoidance.
  virtual void avoid(const AckReport& report) = 0;
  /// The window after a loss; called with the old one still in `window_`.
  [[nodiscard]] virtual double reduced(double flight, SimTime now) = 0;
  /// All that the subclass knows of the time before a timeout is void.
  virtual void forget() {}

  double window_;
  double threshold_;

private:
  double initial_;
};

[[nodiscard]] std::unique_ptr<CongestionControl> make_congestion_control(CongestionControlKind kind,
                                                                         int initial_segments);

}  // namespace copysim
