#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <copysim/sim/int128.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// Count, mean, spread and range of single values, such as response times.
///
/// Mean and sum of squares are updated by Welford's recurrence (Technometrics 4, 1962), which does
/// not lose digits when the spread is small beside the mean.
class Tally {
public:
  void add(double value) {
    ++count_;
    const double from_old = value - mean_;
    mean_ += from_old / static_cast<double>(count_);
    squares_ += from_old * (value - mean_);
    least_ = std::min(least_, value);
    greatest_ = std::max(greatest_, value);
  }
  /// Adds a duration in seconds.
  void add(Duration d) { add(seconds(d)); }

  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// The mean; 0 without values.
  [[nodiscard]] double mean() const { return mean_; }
  [[nodiscard]] double sum() const { return mean_ * static_cast<double>(count_); }
  /// The unbiased variance; 0 with fewer than two values.
  [[nodiscard]] double variance() const {
    return count_ < 2 ? 0 : squares_ / static_cast<double>(count_ - 1);
  }
  [[nodiscard]] double standard_deviation() const { return std::sqrt(variance()); }
  [[nodiscard]] double least() const { return least_; }
  [[nodiscard]] double greatest() const { return greatest_; }

private:
  std::uint64_t count_ = 0;
  double mean_ = 0;
  double squares_ = 0;
  double least_ = std::numeric_limits<double>::infinity();
  double greatest_ = -std::numeric_limits<double>::infinity();
};

/// The mean over time of a whole number that changes in steps, such as a queue length.
///
/// mean = (1 / T) * integral of the value over the T since the start or the last `restart`. The
/// integral is kept in 128-bit integers (value x nanoseconds), so it is exact, also of bytes.
class TimeWeighted {
public:
  explicit TimeWeighted(std::int64_t value = 0, SimTime now = {})
      : value_{value}, greatest_{value}, started_{now}, changed_{now} {}

  /// The value is `value` from `now` on. `now` must not go back.
  void set(SimTime now, std::int64_t value) {
    integral_ = integral_until(now);
    changed_ = now;
    value_ = value;
    greatest_ = std::max(greatest_, value);
  }
  void add(SimTime now, std::int64_t change) { set(now, value_ + change); }
  /// Forgets the past, such as a warm-up; the value stays.
  void restart(SimTime now) { *this = TimeWeighted{value_, now}; }

  [[nodiscard]] std::int64_t value() const { return value_; }
  [[nodiscard]] std::int64_t greatest() const { return greatest_; }
  /// Integral of the value, in value x seconds.
  [[nodiscard]] double integral(SimTime now) const {
    return static_cast<double>(integral_until(now)) * 1e-9;
  }
  /// Mean over time; the present value if no time has passed.
  [[nodiscard]] double mean(SimTime now) const {
    return now == started_ ? static_cast<double>(value_) : integral(now) / seconds(now - started_);
  }

private:
  [[nodiscard]] detail::Int128 integral_until(SimTime now) const {
    return integral_ + static_cast<detail::Int128>(value_) * (now - changed_).count();
  }

  std::int64_t value_;
  std::int64_t greatest_;
  detail::Int128 integral_ = 0;
  SimTime started_;
  SimTime changed_;
};

}  // namespace copysim
