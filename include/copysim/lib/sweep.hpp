#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <copysim/lib/run.hpp>

namespace copysim {

/// One setting and the values that it takes in a sweep.
struct SweepAxis {
  std::string key;
  std::vector<std::string> values;

  /// Reads "key=a,b,c".
  /// \throws ConfigError if the key or a value is empty.
  [[nodiscard]] static SweepAxis parse(std::string_view text);
};

/// One point of a sweep: the values of the axes, in their order, and what the run gave.
struct SweepPoint {
  std::vector<std::string> values;
  RunSummary summary;
};

/// All combinations of the values of its axes; the last axis varies fastest.
struct Sweep {
  std::vector<std::string> keys;
  std::vector<SweepPoint> points;
};

/// Runs `scenario` at every combination of the values of `axes`, all replications of all points
/// side by side. Every point is checked before the first one runs.
///
/// Points with equal seeds draw from equal random streams, so differences between them are those of
/// the settings. The result does not depend on `options`.
/// \throws ConfigError for a setting that is not known or not allowed; Cancelled.
[[nodiscard]] Sweep sweep(const Scenario& scenario, const std::vector<SweepAxis>& axes,
                          const RunOptions& options = {},
                          const PolicyRegistry& policies = builtin_policies());

}  // namespace copysim
