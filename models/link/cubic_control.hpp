#pragma once

#include <algorithm>
#include <cmath>

#include <copysim/models/link/congestion_control.hpp>

namespace copysim {

/// CUBIC (RFC 8312): after a loss the window returns to where it was along a cubic of time.
///
/// With W in segments and t the time since the last loss: `W(t) = C (t - K)^3 + W_max`,
/// `K = cbrt(W_max (1 - beta) / C)`, C = 0.4, beta = 0.7 (4.1, 5.); never below what Reno would
/// have (4.2), `W_est = W_max beta + 3 (1 - beta) / (1 + beta) t / RTT`; fast convergence (4.6).
/// Left out: the end of slow start by delay (HyStart), which the RFC leaves open.
class CubicControl final : public CongestionControl {
public:
  using CongestionControl::CongestionControl;

protected:
  void avoid(const AckReport& report) override {
    const double round = std::max(seconds(report.round_trip), 1e-6);
    const double now = seconds(report.now - SimTime{});
    if (!epoch_) {
      epoch_ = true;
      started_ = now;
      const double here = window_ / segment;
      if (here < most_) {
        origin_ = most_;
        k_ = std::cbrt((most_ - here) / c);
      } else {
        origin_ = here;
        k_ = 0;
      }
      reno_ = here;
      reno_from_ = now;
    }
    const double t = now - started_;
    const double target = origin_ + c * std::pow(t + round - k_, 3);
    const double here = window_ / segment;
    // 4.3 and 4.4: in each round trip the window moves to the target of the next one, by half of
    // itself at most.
    const double share = static_cast<double>(report.acknowledged.count()) / window_;
    const double next = here + std::clamp(target - here, 0.0, 0.5 * here) * share;
    const double friendly = reno_ + 3 * (1 - beta) / (1 + beta) * (now - reno_from_) / round;
    window_ = std::max(next, friendly) * segment;
  }

  double reduced(double /*flight*/, SimTime /*now*/) override {
    const double here = window_ / segment;
    most_ = here < most_ ? here * (1 + beta) / 2 : here;
    epoch_ = false;
    return here * beta * segment;
  }

  void forget() override {
    most_ = window_ / segment;
    epoch_ = false;
  }

private:
  static constexpr double c = 0.4;
  static constexpr double beta = 0.7;

  bool epoch_ = false;  // a curve has been laid since the last loss
  double most_ = 0;     // W_max, segments
  double origin_ = 0;
  double k_ = 0;  // seconds
  double started_ = 0;
  double reno_ = 0;  // W_est where the curve began
  double reno_from_ = 0;
};

}  // namespace copysim
