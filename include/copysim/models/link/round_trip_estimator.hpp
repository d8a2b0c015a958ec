#pragma once

#include <algorithm>

#include <copysim/units.hpp>

namespace copysim {

/// The retransmission timeout of a TCP sender (RFC 6298).
///
/// First sample: `srtt = R, rttvar = R / 2`; then `rttvar = 3/4 rttvar + 1/4 |srtt - R|`,
/// `srtt = 7/8 srtt + 1/8 R`; `RTO = srtt + 4 rttvar`, at least `least`. Each timeout doubles it
/// (5.5), until a sample comes of a segment that was sent once (Karn's rule).
class RoundTripEstimator {
public:
  struct Config {
    Duration initial{};  ///< before the first sample
    Duration least{};
    Duration most = 60s;  ///< RFC 6298, 2.5: at least 60 s
  };

  explicit RoundTripEstimator(Config config) : config_{config} {}

  void sample(Duration round_trip) {
    last_ = round_trip;
    backoff_ = 0;
    if (!known_) {
      known_ = true;
      smoothed_ = least_ = round_trip;
      deviation_ = round_trip / 2;
      return;
    }
    least_ = std::min(least_, round_trip);
    const Duration error = smoothed_ > round_trip ? smoothed_ - round_trip : round_trip - smoothed_;
    deviation_ = (3 * deviation_ + error) / 4;
    smoothed_ = (7 * smoothed_ + round_trip) / 8;
  }
  void timed_out() { ++backoff_; }

  [[nodiscard]] Duration timeout() const {
    Duration base = known_ ? std::max(smoothed_ + 4 * deviation_, config_.least) : config_.initial;
    for (int i = 0; i < backoff_ && base < config_.most; ++i) base *= 2;
    return std::min(base, std::max(config_.most, config_.least));
  }
  [[nodiscard]] bool known() const { return known_; }
  [[nodiscard]] Duration last() const { return last_; }
  [[nodiscard]] Duration least() const { return least_; }
  [[nodiscard]] Duration smoothed() const { return smoothed_; }

private:
  Config config_;
  bool known_ = false;
  Duration last_{};
  Duration least_{};
  Duration smoothed_{};
  Duration deviation_{};
  int backoff_ = 0;
};

}  // namespace copysim
