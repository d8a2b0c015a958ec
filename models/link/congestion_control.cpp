#include <copysim/models/link/congestion_control.hpp>

#include <algorithm>
#include <limits>

#include "compound_control.hpp"
#include "cubic_control.hpp"

namespace copysim {

namespace {

/// RFC 5681, 3.1 and 3.2: one segment more per window, half of what was in flight after a loss.
class RenoControl final : public CongestionControl {
public:
  using CongestionControl::CongestionControl;

protected:
  // Equation (3): per acknowledgement, so that delayed ACKs make it half as fast.
  void avoid(const AckReport&) override { window_ += segment * segment / window_; }
  double reduced(double flight, SimTime) override { return flight / 2; }
};

}  // namespace

std::string_view to_string(CongestionControlKind kind) {
  switch (kind) {
    case CongestionControlKind::reno:
      return "reno";
    case CongestionControlKind::compound:
      return "compound";
    case CongestionControlKind::cubic:
      return "cubic";
  }
  return "unknown";
}

CongestionControl::CongestionControl(int initial_segments)
    : window_{initial_segments * segment},
      threshold_{std::numeric_limits<double>::max()},
      initial_{window_} {}

void CongestionControl::acknowledged(const AckReport& report) {
  if (in_slow_start()) {
    window_ += std::min(segment, static_cast<double>(report.acknowledged.count()));
  } else {
    avoid(report);
  }
}

void CongestionControl::lost(Bytes flight, SimTime now) {
  threshold_ = std::max(reduced(static_cast<double>(flight.count()), now), 2 * segment);
  window_ = threshold_;
}

void CongestionControl::timed_out(Bytes flight, SimTime /*now*/) {
  forget();
  threshold_ = std::max(static_cast<double>(flight.count()) / 2, 2 * segment);
  window_ = segment;
}

void CongestionControl::restart() {
  window_ = std::min(window_, initial_);
}

std::unique_ptr<CongestionControl> make_congestion_control(CongestionControlKind kind,
                                                           int initial_segments) {
  switch (kind) {
    case CongestionControlKind::compound:
      return std::make_unique<CompoundControl>(initial_segments);
    case CongestionControlKind::cubic:
      return std::make_unique<CubicControl>(initial_segments);
    case CongestionControlKind::reno:
      break;
  }
  return std::make_unique<RenoControl>(initial_segments);
}

}  // namespace copysim
