#pragma once

#include <vector>

#include <copysim/units.hpp>

namespace copysim {

/// Ranges of a byte stream, kept apart and in order; neighbours are merged.
///
/// Both ends of a TCP connection need it: the receiver for what came out of order, the sender for
/// what it knows to have come. It costs what the holes between the ranges cost.
class ExtentSet {
public:
  /// Adds a range and returns the parts of it that were not there yet, in order.
  std::vector<Extent> add(Extent extent);
  /// Removes everything before `end`.
  void remove_before(Bytes end);
  void clear() { extents_.clear(); }

  [[nodiscard]] bool empty() const { return extents_.empty(); }
  [[nodiscard]] const std::vector<Extent>& extents() const { return extents_; }
  [[nodiscard]] Extent front() const { return extents_.front(); }
  [[nodiscard]] Extent back() const { return extents_.back(); }
  /// The range that holds `position`, or an empty one.
  [[nodiscard]] Extent around(Bytes position) const;

private:
  std::vector<Extent> extents_;
};

}  // namespace copysim
