#pragma once

#include <memory>
#include <string>
#include <utility>

#include <copysim/models/fs/file_store.hpp>
#include <copysim/sim/simulation.hpp>
#include <copysim/sim/task_group.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// Hears how far a copy is, as the callback of CopyFileEx does.
class CopyProgress {
public:
  virtual ~CopyProgress() = default;
  /// `piece` more bytes of the current file are copied, in the engine's own opinion.
  virtual void advanced(Bytes piece) = 0;
};

/// The order to copy one file, and the only door through which an engine reaches the simulated
/// machine: the operations that it may await. A copy of it is cheap and refers to the same job;
/// stores and progress outlive it.
class CopyJob {
public:
  CopyJob(Simulation& sim, FileStore& source, FileStore& target, std::string name, Bytes size,
          CopyProgress& progress)
      : sim_{&sim},
        source_{&source},
        target_{&target},
        name_{std::move(name)},
        size_{size},
        progress_{&progress} {}

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] Bytes size() const { return size_; }
  [[nodiscard]] StoreTraits source_traits() const { return source_->traits(); }
  [[nodiscard]] StoreTraits target_traits() const { return target_->traits(); }

  [[nodiscard]] Task<OpenResult> open_source(OpenOptions options) {
    return source_->open(name_, options);
  }
  /// Creates the target; `options.create` is implied.
  [[nodiscard]] Task<OpenResult> open_target(OpenOptions options) {
    options.create = true;
    return target_->open(name_, options);
  }
  [[nodiscard]] Task<IoStatus> query_source() { return source_->query(name_); }
  [[nodiscard]] Task<IoStatus> query_target() { return target_->query(name_); }

  void advanced(Bytes piece) { progress_->advanced(piece); }
  [[nodiscard]] SimTime now() const { return sim_->now(); }
  [[nodiscard]] auto delay(Duration d) { return sim_->delay(d); }
  /// For work side by side: `TaskGroup workers{job.group()};`.
  [[nodiscard]] Simulation& group() { return *sim_; }

private:
  Simulation* sim_;
  FileStore* source_;
  FileStore* target_;
  std::string name_;
  Bytes size_;
  CopyProgress* progress_;
};

}  // namespace copysim
