#pragma once

#include <algorithm>
#include <cmath>

#include <copysim/models/link/congestion_control.hpp>

namespace copysim {

/// Compound TCP (Tan, Song, Zhang, Sridharan, INFOCOM 2006; draft-sridharan-tcpm-ctcp-02): Reno's
/// window and a second one that follows the delay.
///
/// With W = cwnd + dwnd in segments: cwnd grows by 1 / W per acknowledgement. Once per round trip
/// `diff = W (1 - base_rtt / rtt)` segments are taken to lie in queues; below gamma = 30 `dwnd +=
/// alpha W^k - 1`, else `dwnd -= zeta diff`. At a loss `W = W (1 - beta)`, `cwnd /= 2`, dwnd is the
/// rest. alpha = 1/8, beta = 1/2, k = 3/4, zeta = 1.
class CompoundControl final : public CongestionControl {
public:
  using CongestionControl::CongestionControl;

protected:
  void avoid(const AckReport& report) override {
    const double total = window_ / segment;
    double loss_window = total - delay_window_;
    loss_window += 1 / total;
    if (report.now >= round_ends_) {
      round_ends_ = report.now + report.round_trip;
      const double base = std::max(seconds(report.least_round_trip), 1e-9);
      const double round = std::max(seconds(report.round_trip), base);
      const double queued = total * (1 - base / round);
      if (queued < gamma) {
        delay_window_ += std::max(alpha * std::pow(total, k) - 1, 0.0);
      } else {
        delay_window_ = std::max(delay_window_ - zeta * queued, 0.0);
      }
    }
    window_ = (loss_window + delay_window_) * segment;
  }

  double reduced(double flight, SimTime /*now*/) override {
    const double total = std::min(window_, flight) / segment;
    const double loss_window = std::max(window_ / segment - delay_window_, 0.0) / 2;
    delay_window_ = std::max(total * (1 - beta) - loss_window, 0.0);
    return (loss_window + delay_window_) * segment;
  }

  void forget() override { delay_window_ = 0; }

private:
  static constexpr double alpha = 0.125;
  static constexpr double beta = 0.5;
  static constexpr double k = 0.75;
  static constexpr double gamma = 30;
  static constexpr double zeta = 1;

  double delay_window_ = 0;  // segments
  SimTime round_ends_{};
};

}  // namespace copysim
