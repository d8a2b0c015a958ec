#pragma once

#include <algorithm>
#include <cstdint>

#include <copysim/models/copy/copy_job.hpp>
#include <copysim/models/copy/copy_report.hpp>
#include <copysim/sim/task.hpp>

namespace copysim::detail {

/// How one file is moved: what an engine's rules come down to once the size of the file and the
/// kinds of its ends are known.
struct TransferPlan {
  /// batch: read `depth` chunks, then write them. window: `depth` workers read and write.
  enum class Shape : std::uint8_t { batch, window };
  static constexpr int no_limit = 1 << 20;

  OpenOptions source;
  OpenOptions target;
  Bytes chunk = 64_KiB;
  Bytes read_piece{};   ///< a chunk is read in pieces of this size side by side; 0: whole
  Bytes write_piece{};  ///< a chunk is written in pieces of this size one by one; 0: whole
  /// The server of both files copies so much on one request, and no data comes here; 0: it does.
  Bytes server_copy{};
  int depth = 1;
  Shape shape = Shape::window;
  int initial_reads = 0;  ///< reads that do not count against `reads_in_flight`
  int reads_in_flight = no_limit;
  bool ordered = false;      ///< writes start in the file's order
  int writes_in_flight = 1;  ///< ordered only; without order, all that the shape allows
  bool preset_size = true;
  bool flush_at_end = false;  ///< the copy is over when the target is on its medium
  bool set_times = true;      ///< give the target the times of the source
  int source_queries = 2;
  bool query_target = true;  ///< whether the target is there, before anything is opened
};

/// What an engine knows about its file before it opens it.
struct TransferSubject {
  Bytes size;
  StoreTraits source;
  StoreTraits target;

  explicit TransferSubject(const CopyJob& job)
      : size{job.size()}, source{job.source_traits()}, target{job.target_traits()} {}
  /// What one request has the server copy by itself; 0: it cannot, or they are on two shares.
  [[nodiscard]] Bytes server_copy() const {
    return source.beside(target) ? std::min(source.most_copied, target.most_copied) : 0_B;
  }
  [[nodiscard]] bool crosses_smb1() const {
    return source.protocol == StoreTraits::Protocol::smb1 ||
           target.protocol == StoreTraits::Protocol::smb1;
  }
};

/// Copies the file of `job` by `plan`: query target, open source, query it, create target, set its
/// size, move the data, perhaps flush, set times, close both, less what the plan leaves out. Data
/// that the server copies counts as copied, but not as read and written.
///
/// The first failure stops the copy: I/Os under way are waited for, no new ones start, both files
/// are closed and the report tells the failure. The real engines delete the partial target then,
/// which is left out.
[[nodiscard]] Task<CopyReport> transfer(CopyJob job, TransferPlan plan);

}  // namespace copysim::detail
