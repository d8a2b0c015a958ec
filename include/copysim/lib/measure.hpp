#pragma once

#include <optional>

#include <copysim/lib/testbed.hpp>
#include <copysim/models/copy/copy_policy.hpp>
#include <copysim/models/shell/explorer.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// What one simulated copy gave.
struct RunResult {
  Duration elapsed{};                      ///< from the click until the dialog closes
  Duration durable{};                      ///< from the click until all data is safe on the medium
  std::optional<Duration> first_estimate;  ///< none if the dialog closed before
  Bytes copied;
  std::int64_t files = 0;
  IoStatus status = IoStatus::ok;  ///< the first failure, which ended the copy
  Counters counters;               ///< of the whole run, until the data is safe
};

/// Copies everything from the source to the target of `testbed` as the shell does, waits until it
/// is safe on the medium, and reads the counters.
[[nodiscard]] RunResult measure(Simulation& sim, Testbed& testbed, CopyPolicy& policy,
                                Explorer& shell);

}  // namespace copysim
