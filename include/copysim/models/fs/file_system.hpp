#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include <copysim/models/fs/file_node.hpp>
#include <copysim/models/io_result.hpp>
#include <copysim/sim/task.hpp>

namespace copysim {

/// What a file system has done for its metadata; each field only grows.
struct FileSystemCounters {
  std::int64_t creates = 0;
  std::int64_t opens = 0;
  std::int64_t metadata_reads = 0;  ///< device requests for metadata
  std::int64_t metadata_writes = 0;
  Bytes zero_filled;                     ///< zeros written up to valid data length
  std::int64_t out_of_order_writes = 0;  ///< writes that began behind valid data length
};

/// The on-disk format's part of a local store: which metadata each operation reads and writes.
///
/// Contract: the store calls each hook at the point where the real file system does its metadata
/// work; the hook awaits what the caller has to wait for (processor time, synchronous device
/// writes) and leaves to the background what is written lazily. `extended` has allocated the space.
class FileSystem {
public:
  virtual ~FileSystem() = default;
  [[nodiscard]] virtual std::string_view name() const = 0;
  [[nodiscard]] virtual Task<IoStatus> opened(FileNode& file) = 0;
  [[nodiscard]] virtual Task<IoStatus> created(FileNode& file) = 0;
  [[nodiscard]] virtual Task<IoStatus> extended(FileNode& file, Bytes by) = 0;
  [[nodiscard]] virtual Task<IoStatus> changed(FileNode& file) = 0;
  /// A write-through write moved the valid data length: the change must be on the medium too.
  [[nodiscard]] virtual Task<IoStatus> moved_through(FileNode& file) = 0;
  [[nodiscard]] virtual Task<IoStatus> closed(FileNode& file, bool written) = 0;
  [[nodiscard]] virtual Task<IoStatus> queried() = 0;
  [[nodiscard]] virtual Task<IoStatus> listed(std::size_t entries) = 0;
  /// Ends when what is needed to find `file` again after a crash is on the device.
  [[nodiscard]] virtual Task<IoStatus> flushed(FileNode& file) = 0;
  /// Ends when all metadata is on the device.
  [[nodiscard]] virtual Task<IoStatus> settle() = 0;
  /// The most bytes that the format lets a file have.
  [[nodiscard]] virtual Bytes largest_file() const {
    return Bytes{std::numeric_limits<std::int64_t>::max()};
  }
  /// False if no data may stay in the file cache once a file is closed (FAT on a removable stick).
  [[nodiscard]] virtual bool lazy() const = 0;
  [[nodiscard]] FileSystemCounters& counters() { return counters_; }

protected:
  FileSystemCounters counters_;
};

}  // namespace copysim
