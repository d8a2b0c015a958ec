#pragma once

#include <cstdint>

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

  /// The extra delay of what leaves `at`, which must not go back by more than a period.
  [[nodiscard]] Duration at(SimTime at);

private:
  void draw();

  Duration jitter_;
  Duration period_;
  RandomStream random_;
  SimTime from_{};  // the line goes from `low_` here to `high_` one period later
  Duration low_{};
  Duration high_{};
};

}  // namespace copysim
