#pragma once

#include <copysim/models/io_result.hpp>
#include <copysim/sim/task.hpp>
#include <copysim/units.hpp>

namespace copysim {

/// What lies under a cached file: the file system's paging path, which the cache manager uses to
/// bring pages in and to write them back.
///
/// Contract: extents are multiples of the page size except at the end of the file. Both calls end
/// when the device reports completion. Neither touches the cache.
class BackingFile {
public:
  virtual ~BackingFile() = default;
  [[nodiscard]] virtual Task<ReadResult> page_in(Extent extent) = 0;
  [[nodiscard]] virtual Task<IoStatus> page_out(Bytes offset, Content content) = 0;
  [[nodiscard]] virtual Bytes size() const = 0;
};

}  // namespace copysim
