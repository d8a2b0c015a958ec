#pragma once

#include <cstdint>
#include <memory>

#include <copysim/models/cache/cache_counters.hpp>
#include <copysim/models/cache/cached_file.hpp>
#include <copysim/models/content.hpp>
#include <copysim/models/io_result.hpp>
#include <copysim/sim/task.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// Who writes: it decides about throttling.
enum class Writer : std::uint8_t {
  program,        ///< held back when too much is dirty
  remote_client,  ///< the file server on behalf of a client
};

/// The cached reads of one handle: the cache remembers here what it needs to read ahead.
///
/// Contract: the file and the cache outlive it, and it outlives its reads.
class CacheReader {
public:
  virtual ~CacheReader() = default;
  /// Reads `extent`, which lies inside the file, through the cache.
  [[nodiscard]] virtual Task<ReadResult> read(Extent extent) = 0;
};

/// The file cache of a machine, shared by all its volumes, as a file system sees it.
///
/// A strategy: Windows' cache manager and Linux's page cache differ in how far they read ahead,
/// when they write back and when they hold writers back.
///
/// Contract: a read ends when the bytes are in the program's buffer. A write ends when they are in
/// the cache, perhaps after a wait for others to be written back. No call loses a byte that was
/// written: what is dirty reaches the backing file before its pages are given up. State is kept
/// per view of a file (`CachedFile`), so memory does not grow with what was copied.
class FileCache {
public:
  virtual ~FileCache() = default;

  /// Begins the reads of a handle; `sequential_hint` is what the program said when it opened it.
  [[nodiscard]] virtual std::unique_ptr<CacheReader> open(CachedFile& file,
                                                          bool sequential_hint) = 0;
  /// Puts `content` into the cache and marks it dirty. Pages that it covers only in part are read
  /// first if they lie below `valid_to`, the file's valid data length before this write.
  [[nodiscard]] virtual Task<IoStatus> write(CachedFile& file, Bytes offset, Content content,
                                             Bytes valid_to, Writer writer) = 0;
  /// Writes all dirty pages of `file` back; ends when they are on the device, or on its medium.
  [[nodiscard]] virtual Task<IoStatus> flush(CachedFile& file, bool to_medium = false) = 0;
  /// The same for the pages of `extent` only.
  [[nodiscard]] virtual Task<IoStatus> flush_part(CachedFile& file, Extent extent,
                                                  bool to_medium) = 0;
  /// Forgets all pages of `file`, dirty ones and a failure too (the file is deleted or emptied).
  /// I/Os under way go on, but what they read is dropped; `CachedFile::writing` tells their end.
  virtual void forget(CachedFile& file) = 0;
  /// Writes everything back.
  [[nodiscard]] virtual Task<IoStatus> flush_all() = 0;

  [[nodiscard]] virtual const CacheCounters& counters() const = 0;
  /// What is dirty or being written back, of all files.
  [[nodiscard]] virtual Bytes dirty() const = 0;
};

}  // namespace copysim
