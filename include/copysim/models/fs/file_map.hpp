#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include <copysim/units.hpp>

namespace copysim {

/// Where a file lies on its volume: device extents in the order of file offsets.
class FileMap {
public:
  /// Adds space at the end of the file; a neighbour of the last extent is merged with it.
  void append(Extent device);
  /// Calls `visit(device_extent)` for each device piece under `file_extent`, in order.
  template <class Visit>
  void for_pieces(Extent file_extent, Visit visit) const;

  [[nodiscard]] Bytes allocated() const { return allocated_; }
  [[nodiscard]] std::size_t fragments() const { return extents_.size(); }
  [[nodiscard]] const std::vector<Extent>& extents() const { return extents_; }

private:
  std::vector<Extent> extents_;
  std::vector<Bytes> starts_;  // where each begins in the file
  Bytes allocated_;
};

inline void FileMap::append(Extent device) {
  if (!extents_.empty() && extents_.back().end() == device.offset) {
    extents_.back().length += device.length;
  } else {
    extents_.push_back(device);
    starts_.push_back(allocated_);
  }
  allocated_ += device.length;
}

template <class Visit>
void FileMap::for_pieces(Extent file_extent, Visit visit) const {
  // The first extent that does not end before the range.
  const auto behind = std::upper_bound(starts_.begin(), starts_.end(), file_extent.offset);
  auto i = static_cast<std::size_t>(behind - starts_.begin());
  if (i > 0) --i;
  for (; i < extents_.size() && starts_[i] < file_extent.end(); ++i) {
    const Extent& extent = extents_[i];
    const Bytes at = starts_[i];
    const Bytes from = std::max(file_extent.offset, at);
    const Bytes to = std::min(file_extent.end(), at + extent.length);
    if (from < to) visit(Extent{extent.offset + (from - at), to - from});
  }
}

}  // namespace copysim
