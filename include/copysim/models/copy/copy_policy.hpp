#pragma once

#include <string_view>

#include <copysim/models/copy/copy_job.hpp>
#include <copysim/models/copy/copy_report.hpp>
#include <copysim/sim/task.hpp>

namespace copysim {

/// Decides how one file is copied: which reads and writes are issued, how large, how many at once,
/// cached or not.
///
/// Contract: the caller opens nothing; the engine opens, copies, sets metadata and closes. It
/// reports through `job.advanced` after each piece that its real counterpart would report. It must
/// transfer every byte exactly once unless the report says why not. It may be used for many files,
/// also at the same time, and keeps no state between them.
class CopyPolicy {
public:
  virtual ~CopyPolicy() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual Task<CopyReport> copy(CopyJob job) = 0;
  /// How many files of a list it wants to be given at the same time.
  [[nodiscard]] virtual int files_at_once() const { return 1; }
};

}  // namespace copysim
