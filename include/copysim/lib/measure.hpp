#pragma once

#include <optional>
#include <string>
#include <vector>

#include <copysim/lib/counters.hpp>
#include <copysim/models/copy/copy_policy.hpp>
#include <copysim/models/fs/file_store.hpp>
#include <copysim/models/shell/explorer.hpp>
#include <copysim/models/shell/program.hpp>
#include <copysim/sim/simulation.hpp>
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
  /// Files that the target's medium does not hold exactly as the source does.
  std::vector<std::string> damaged;
};

/// Where the time of one copy went; rows sum exactly to the time. Empty unless the simulation
/// records paths.
struct MeasuredPaths {
  std::vector<PathRow>
      elapsed;  ///< until the dialog closes; empty for a device that still wrote back
  std::vector<PathRow> durable;  ///< until all data is safe on the medium
};

/// Copies everything from `source` to `target` as the shell does and waits until it is safe on the
/// medium. `counters` and `damaged` are the caller's to fill in. `paths`, if any, gets where the
/// time went; `files` is what `source` holds, for a shell that does not look.
[[nodiscard]] RunResult measure(Simulation& sim, FileStore& source, FileStore& target,
                                CopyPolicy& policy, Explorer& shell, MeasuredPaths* paths = nullptr,
                                std::vector<FileStore::Entry> files = {});

/// Runs a program in place of a copy and waits until what it wrote is safe on the medium. `copied`
/// is what it read and wrote, `files` what it read.
[[nodiscard]] RunResult measure(Simulation& sim, Program& program, FileStore& input,
                                FileStore& output, MeasuredPaths* paths = nullptr);

}  // namespace copysim
