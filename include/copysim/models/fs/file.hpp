#pragma once

#include <cstdint>

#include <copysim/models/io_result.hpp>
#include <copysim/sim/task.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// Names an open file to the server that has it, which may then fill another file from it. Opaque.
struct CopyKey {
  IoStatus status = IoStatus::not_found;
  std::uint64_t value = 0;
};

/// An open file, local or remote, cached or not, as a program sees it through a handle.
///
/// Contract: several reads and writes may be outstanding on one handle at once. The handle must
/// outlive them; `close` is the last call. A read that crosses the end of the file returns the part
/// before it. A write ends when a program would get control back: for a cached write that is when
/// the data is in the cache, for a non-cached one when the device has it.
class File {
public:
  virtual ~File() = default;
  [[nodiscard]] virtual Task<ReadResult> read(Extent extent) = 0;
  [[nodiscard]] virtual Task<IoStatus> write(Bytes offset, Content content) = 0;
  /// Sets the end of file (FileEndOfFileInformation): allocates or frees, writes no data.
  [[nodiscard]] virtual Task<IoStatus> set_size(Bytes size) = 0;
  /// Sets times and attributes (FileBasicInformation).
  [[nodiscard]] virtual Task<IoStatus> set_times() = 0;
  /// Ends when the file's data and metadata are on the medium (FlushFileBuffers).
  [[nodiscard]] virtual Task<IoStatus> flush() = 0;
  [[nodiscard]] virtual Task<IoStatus> close() = 0;
  [[nodiscard]] virtual Bytes size() const = 0;

  /// The server's key for this file, good until it is closed (FSCTL_SRV_REQUEST_RESUME_KEY); a file
  /// that no server has gives none.
  [[nodiscard]] virtual Task<CopyKey> copy_key() { co_return CopyKey{}; }
  /// Has the server copy `extent` of the file that `source` names to the same place in this one
  /// (FSCTL_SRV_COPYCHUNK); `not_found` if it knows no such file.
  [[nodiscard]] virtual Task<IoStatus> copy_range(CopyKey /*source*/, Extent /*extent*/) {
    co_return IoStatus::not_found;
  }
};

}  // namespace copysim
