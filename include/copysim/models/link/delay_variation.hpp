#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>

#include <copysim/models/link/link_config.hpp>
#include <copysim/sim/random.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// Jitter of one direction: what other traffic adds to the delay, as a function of time.
///
/// The extra delay takes a new value, uniform between zero and `jitter`, every `jitter_period`, and
/// moves in a straight line between them. As `jitter` is at most the period, frames never overtake
/// each other; as it is a function of time, both levels of detail see the same.
class DelayVariation {
public:
  DelayVariation(const LinkConfig& config, RandomStream random);

  /// The extra delay of what leaves `at`, in any order; it knows the last 4,096 periods.
  [[nodiscard]] Duration at(SimTime at);

private:
  static constexpr std::size_t most_kept = 4096;
  void draw();

  Duration jitter_;
  Duration period_;
  RandomStream random_;
  SimTime from_{};               // the first of `values_` is for this instant
  std::deque<Duration> values_;  // one for each period
};

}  // namespace copysim
