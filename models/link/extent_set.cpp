#include <copysim/models/link/extent_set.hpp>

#include <algorithm>

namespace copysim {

std::vector<Extent> ExtentSet::add(Extent extent) {
  std::vector<Extent> fresh;
  if (extent.empty()) return fresh;
  // All that overlap or touch it become one with it.
  const auto first = std::lower_bound(extents_.begin(), extents_.end(), extent.offset,
                                      [](const Extent& e, Bytes at) { return e.end() < at; });
  auto last = first;
  Bytes start = extent.offset;
  Bytes end = extent.end();
  Bytes known_to = extent.offset;
  for (; last != extents_.end() && last->offset <= extent.end(); ++last) {
    if (last->offset > known_to) fresh.push_back({known_to, last->offset - known_to});
    known_to = std::max(known_to, last->end());
    start = std::min(start, last->offset);
    end = std::max(end, last->end());
  }
  if (known_to < extent.end()) fresh.push_back({known_to, extent.end() - known_to});
  const auto at = extents_.erase(first, last);
  extents_.insert(at, Extent{start, end - start});
  return fresh;
}

void ExtentSet::remove_before(Bytes end) {
  const auto first = std::find_if(extents_.begin(), extents_.end(),
                                  [end](const Extent& e) { return e.end() > end; });
  extents_.erase(extents_.begin(), first);
  if (extents_.empty() || extents_.front().offset >= end) return;
  const Bytes rest = extents_.front().end() - end;
  extents_.front() = {end, rest};
}

Extent ExtentSet::around(Bytes position) const {
  for (const Extent& extent : extents_) {
    if (extent.offset <= position && position < extent.end()) return extent;
  }
  return {position, Bytes{0}};
}

}  // namespace copysim
