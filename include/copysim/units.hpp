#pragma once

#include <chrono>
#include <compare>
#include <cstdint>
#include <limits>

namespace copysim {

/// The simulated clock: int64 nanoseconds since the start of the run.
///
/// It has no `now()`: the time of day of a run belongs to its `Simulation`.
struct SimClock {
  using duration = std::chrono::nanoseconds;
  using rep = duration::rep;
  using period = duration::period;
  using time_point = std::chrono::time_point<SimClock>;
  static constexpr bool is_steady = true;
};

using Duration = SimClock::duration;
using SimTime = SimClock::time_point;

/// Returns `d` in seconds, for reports; the simulation itself never uses floating point time.
[[nodiscard]] constexpr double seconds(Duration d) {
  return std::chrono::duration<double>(d).count();
}

/// Returns the duration nearest to `s` seconds, rounded once to whole nanoseconds.
[[nodiscard]] constexpr Duration from_seconds(double s) {
  return Duration{static_cast<Duration::rep>(s * 1e9 + (s < 0 ? -0.5 : 0.5))};
}

/// A number of bytes, or an offset in bytes. Signed, so that differences are safe.
class Bytes {
public:
  constexpr Bytes() = default;
  constexpr explicit Bytes(std::int64_t count) : count_{count} {}

  [[nodiscard]] constexpr std::int64_t count() const { return count_; }

  constexpr auto operator<=>(const Bytes&) const = default;
  constexpr Bytes& operator+=(Bytes other) {
    count_ += other.count_;
    return *this;
  }
  constexpr Bytes& operator-=(Bytes other) {
    count_ -= other.count_;
    return *this;
  }
  friend constexpr Bytes operator+(Bytes a, Bytes b) { return Bytes{a.count_ + b.count_}; }
  friend constexpr Bytes operator-(Bytes a, Bytes b) { return Bytes{a.count_ - b.count_}; }
  friend constexpr Bytes operator-(Bytes a) { return Bytes{-a.count_}; }
  friend constexpr Bytes operator*(Bytes a, std::int64_t n) { return Bytes{a.count_ * n}; }
  friend constexpr Bytes operator*(std::int64_t n, Bytes a) { return Bytes{a.count_ * n}; }
  friend constexpr Bytes operator/(Bytes a, std::int64_t n) { return Bytes{a.count_ / n}; }
  /// How often `b` fits into `a`, rounded down.
  friend constexpr std::int64_t operator/(Bytes a, Bytes b) { return a.count_ / b.count_; }
  friend constexpr Bytes operator%(Bytes a, Bytes b) { return Bytes{a.count_ % b.count_}; }

private:
  std::int64_t count_ = 0;
};

/// How many pieces of `piece` cover `total`: division rounded up.
[[nodiscard]] constexpr std::int64_t pieces(Bytes total, Bytes piece) {
  return (total.count() + piece.count() - 1) / piece.count();
}

/// The largest multiple of `step` that is not above `value`.
[[nodiscard]] constexpr Bytes align_down(Bytes value, Bytes step) {
  return value - value % step;
}

/// The smallest multiple of `step` that is not below `value`.
[[nodiscard]] constexpr Bytes align_up(Bytes value, Bytes step) {
  return align_down(value + step - Bytes{1}, step);
}

/// A rate in bytes per second.
class Bandwidth {
public:
  constexpr Bandwidth() = default;
  constexpr explicit Bandwidth(double bytes_per_second) : rate_{bytes_per_second} {}

  [[nodiscard]] constexpr double bytes_per_second() const { return rate_; }
  [[nodiscard]] static constexpr Bandwidth bits_per_second(double bits) {
    return Bandwidth{bits / 8};
  }

  constexpr auto operator<=>(const Bandwidth&) const = default;
  friend constexpr Bandwidth operator*(Bandwidth a, double n) { return Bandwidth{a.rate_ * n}; }

  /// The time to move `amount` at `rate`, rounded up to whole nanoseconds: a transfer is never
  /// finished before its last byte.
  friend constexpr Duration operator/(Bytes amount, Bandwidth rate) {
    const double ns = static_cast<double>(amount.count()) / rate.rate_ * 1e9;
    const auto whole = static_cast<Duration::rep>(ns);
    return Duration{static_cast<double>(whole) < ns ? whole + 1 : whole};
  }

private:
  double rate_ = 0;
};

/// The rate that moves `amount` in `time`.
[[nodiscard]] constexpr Bandwidth operator/(Bytes amount, Duration time) {
  return Bandwidth{static_cast<double>(amount.count()) / seconds(time)};
}

/// A range of bytes: `length` bytes from `offset` on.
struct Extent {
  Bytes offset;
  Bytes length;

  [[nodiscard]] constexpr Bytes end() const { return offset + length; }
  [[nodiscard]] constexpr bool empty() const { return length.count() <= 0; }
  [[nodiscard]] constexpr bool overlaps(const Extent& other) const {
    return offset < other.end() && other.offset < end();
  }
  constexpr bool operator==(const Extent&) const = default;
};

inline namespace literals {

constexpr Bytes operator""_B(unsigned long long n) {
  return Bytes{static_cast<std::int64_t>(n)};
}
constexpr Bytes operator""_KiB(unsigned long long n) {
  return Bytes{static_cast<std::int64_t>(n) << 10};
}
constexpr Bytes operator""_MiB(unsigned long long n) {
  return Bytes{static_cast<std::int64_t>(n) << 20};
}
constexpr Bytes operator""_GiB(unsigned long long n) {
  return Bytes{static_cast<std::int64_t>(n) << 30};
}

}  // namespace literals

using namespace std::chrono_literals;

}  // namespace copysim
