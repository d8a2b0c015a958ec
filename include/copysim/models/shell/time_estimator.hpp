#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string_view>

#include <copysim/units.hpp>

namespace copysim {

/// Says how long the rest of a copy will take, from what was copied so far: the number that the
/// progress dialog shows.
///
/// Contract: `advanced` is called in the order of time, once per piece; `remaining` may be asked at
/// any time not before the last piece, and has no effect on later answers. No answer means that
/// nothing was copied yet that a rate could be told from.
class TimeEstimator {
public:
  virtual ~TimeEstimator() = default;
  virtual void advanced(SimTime now, Bytes piece) = 0;
  [[nodiscard]] virtual std::optional<Duration> remaining(SimTime now, Bytes left) const = 0;
};

/// Estimates by the mean rate since the start: left x (now - start) / copied.
class MeanRateEstimator final : public TimeEstimator {
public:
  explicit MeanRateEstimator(SimTime start) : start_{start} {}
  void advanced(SimTime now, Bytes piece) override;
  [[nodiscard]] std::optional<Duration> remaining(SimTime now, Bytes left) const override;

private:
  SimTime start_;
  Bytes copied_;
};

/// Estimates by the rate over the last `window` of time, so it jumps with every change of speed:
/// left x min(window, now - start) / copied in the window.
class RecentRateEstimator final : public TimeEstimator {
public:
  RecentRateEstimator(SimTime start, Duration window) : start_{start}, window_{window} {}
  void advanced(SimTime now, Bytes piece) override;
  [[nodiscard]] std::optional<Duration> remaining(SimTime now, Bytes left) const override;

private:
  struct Piece {
    SimTime at;
    Bytes length;
  };
  SimTime start_;
  Duration window_;
  std::deque<Piece> recent_;  // those inside the window before the last piece
};

/// Estimates by an exponentially smoothed rate r with time constant T. A piece of n bytes that took
/// dt since the one before it moves r to a r + (1 - a) n / dt with a = exp(-dt / T); the first
/// piece sets it.
class SmoothedRateEstimator final : public TimeEstimator {
public:
  SmoothedRateEstimator(SimTime start, Duration time_constant)
      : last_{start}, time_constant_{time_constant} {}
  void advanced(SimTime now, Bytes piece) override;
  [[nodiscard]] std::optional<Duration> remaining(SimTime now, Bytes left) const override;

private:
  SimTime last_;
  Duration time_constant_;
  Bytes pending_;    // pieces of the present instant, which has no length yet
  double rate_ = 0;  // bytes per second; 0: none yet
};

/// The estimators by name, for a system sheet.
enum class EstimatorKind : std::uint8_t { mean, recent, smoothed };

[[nodiscard]] constexpr std::array<EstimatorKind, 3> all_values(EstimatorKind) {
  return {EstimatorKind::mean, EstimatorKind::recent, EstimatorKind::smoothed};
}
[[nodiscard]] constexpr std::string_view to_string(EstimatorKind kind) {
  switch (kind) {
    case EstimatorKind::mean:
      return "mean";
    case EstimatorKind::recent:
      return "recent";
    case EstimatorKind::smoothed:
      return "smoothed";
  }
  return "unknown";
}

/// `span` is the window or the time constant; `mean` has none.
[[nodiscard]] std::unique_ptr<TimeEstimator> make_estimator(EstimatorKind kind, SimTime start,
                                                            Duration span);

}  // namespace copysim
