#include <copysim/models/content.hpp>

#include <algorithm>
#include <iterator>

namespace copysim {

void Content::append(Origin origin, Bytes length) {
  if (length <= 0_B) return;
  size_ += length;
  if (!pieces_.empty() && pieces_.back().origin.advanced(pieces_.back().length) == origin) {
    pieces_.back().length += length;
    return;
  }
  pieces_.push_back({origin, length});
}

void Content::append(const Content& other) {
  for (const Piece& piece : other.pieces_) append(piece.origin, piece.length);
}

Content Content::slice(Extent range) const {
  Content part;
  Bytes at;
  for (const Piece& piece : pieces_) {
    const Bytes from = std::max(range.offset, at);
    const Bytes to = std::min(range.end(), at + piece.length);
    if (from < to) part.append(piece.origin.advanced(from - at), to - from);
    at += piece.length;
    if (at >= range.end()) break;
  }
  return part;
}

void ContentMap::erase(Extent range) {
  if (range.empty()) return;
  const std::int64_t from = range.offset.count();
  const std::int64_t to = range.end().count();
  auto it = runs_.lower_bound(from);
  if (it != runs_.begin()) {
    const auto before = std::prev(it);
    const std::int64_t end = before->first + before->second.length.count();
    if (end > from) {
      const Run whole = before->second;
      before->second.length = Bytes{from - before->first};
      if (end > to) {
        runs_.emplace(to, Run{whole.origin.advanced(Bytes{to - before->first}), Bytes{end - to}});
        return;
      }
    }
  }
  while (it != runs_.end() && it->first < to) {
    const std::int64_t end = it->first + it->second.length.count();
    const Run run = it->second;
    const std::int64_t start = it->first;
    it = runs_.erase(it);
    if (end > to) {
      runs_.emplace(to, Run{run.origin.advanced(Bytes{to - start}), Bytes{end - to}});
      return;
    }
  }
}

void ContentMap::put(Bytes position, Origin origin, Bytes length) {
  auto it = runs_.lower_bound(position.count());
  if (it != runs_.begin()) {
    const auto before = std::prev(it);
    Run& run = before->second;
    if (before->first + run.length.count() == position.count() &&
        run.origin.advanced(run.length) == origin) {
      run.length += length;
      if (it != runs_.end() && it->first == (position + length).count() &&
          origin.advanced(length) == it->second.origin) {
        run.length += it->second.length;
        runs_.erase(it);
      }
      return;
    }
  }
  if (it != runs_.end() && it->first == (position + length).count() &&
      origin.advanced(length) == it->second.origin) {
    length += it->second.length;
    runs_.erase(it);
  }
  runs_.emplace(position.count(), Run{origin, length});
}

void ContentMap::write(Bytes position, const Content& content) {
  erase({position, content.size()});
  for (const Content::Piece& piece : content.pieces()) {
    if (piece.origin.file != Origin::nothing) put(position, piece.origin, piece.length);
    position += piece.length;
  }
}

Content ContentMap::read(Extent range) const {
  Content result;
  std::int64_t at = range.offset.count();
  const std::int64_t to = range.end().count();
  auto it = runs_.upper_bound(at);
  if (it != runs_.begin()) --it;
  for (; it != runs_.end() && it->first < to; ++it) {
    const std::int64_t end = it->first + it->second.length.count();
    if (end <= at) continue;
    if (it->first > at) {
      result.append(Origin{}, Bytes{it->first - at});
      at = it->first;
    }
    const std::int64_t stop = std::min(end, to);
    result.append(it->second.origin.advanced(Bytes{at - it->first}), Bytes{stop - at});
    at = stop;
  }
  if (at < to) result.append(Origin{}, Bytes{to - at});
  return result;
}

}  // namespace copysim
