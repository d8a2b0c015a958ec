#pragma once

#include <copysim/models/io_result.hpp>
#include <copysim/sim/task.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// What lies under a cached file: the file system's paging path, which the cache manager uses to
/// bring pages in and to write them back.
///
/// Contract: extents are multiples of the page size except at the end of the file. Both calls end
/// when the device reports completion; with `to_medium`, when the data is on the medium in spite of
/// a write cache in the device. Neither touches the file cache.
class BackingFile {
public:
  virtual ~BackingFile() = default;
  [[nodiscard]] virtual Task<ReadResult> page_in(Extent extent) = 0;
  [[nodiscard]] virtual Task<IoStatus> page_out(Bytes offset, Content content, bool to_medium) = 0;
  [[nodiscard]] virtual Bytes size() const = 0;
};

}  // namespace copysim
