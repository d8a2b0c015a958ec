#pragma once

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
  Bytes allocated_;
};

inline void FileMap::append(Extent device) {
  allocated_ += device.length;
  if (!extents_.empty() && extents_.back().end() == device.offset) {
    extents_.back().length += device.length;
  } else {
    extents_.push_back(device);
  }
}

template <class Visit>
void FileMap::for_pieces(Extent file_extent, Visit visit) const {
  Bytes at;
  for (const Extent& extent : extents_) {
    const Bytes from = file_extent.offset > at ? file_extent.offset : at;
    const Bytes stop = at + extent.length;
    const Bytes to = file_extent.end() < stop ? file_extent.end() : stop;
    if (from < to) visit(Extent{extent.offset + (from - at), to - from});
    at = stop;
    if (at >= file_extent.end()) break;
  }
}

}  // namespace copysim
