#include <copysim/sim/path.hpp>

#include <algorithm>
#include <iterator>

namespace copysim::detail {

void Cuts::remove(SimTime t) {
  const auto cut = counts_.find(t);
  if (--cut->second == 0) counts_.erase(cut);
}

SimTime Cuts::at_or_before(SimTime t) const {
  const auto later = counts_.upper_bound(t);
  return later == counts_.begin() ? SimTime::min() : std::prev(later)->first;
}

SimTime Cuts::after(SimTime t) const {
  const auto later = counts_.upper_bound(t);
  return later == counts_.end() ? SimTime::max() : later->first;
}

void Path::append(Label label, Duration length, const Cuts& cuts) {
  while (length.count() > 0) {
    const Duration step = std::min(length, cuts.after(end_) - end_);
    add(cuts.at_or_before(end_), Key{label, {}}, step);
    end_ += step;
    length -= step;
  }
}

void Path::take_over(const Path& causer, Constraint constraint, SimTime waiting_since,
                     const Cuts& cuts) {
  end_ = causer.end_;
  if (constraint.value == 0) {
    pieces_ = causer.pieces_;
  } else {
    // `waiting_since` is a cut, so no piece of the causer lies on both sides of it.
    std::ranges::copy_if(causer.pieces_, std::back_inserter(pieces_),
                         [&](const Piece& piece) { return piece.after >= waiting_since; });
    mark(constraint, waiting_since);
  }
  merge(cuts);
}

void Path::mark(Constraint constraint, SimTime waiting_since) {
  for (Piece& piece : pieces_) {
    if (piece.after >= waiting_since && piece.key.constraint.value == 0) {
      piece.key.constraint = constraint;
    }
  }
}

void Path::merge(const Cuts& cuts) {
  std::vector<Piece> old;
  old.swap(pieces_);
  pieces_.reserve(old.size());
  for (const Piece& piece : old) add(cuts.at_or_before(piece.after), piece.key, piece.duration);
}

void Path::clear() {
  end_ = SimTime{};
  pieces_.clear();
}

// Pieces of the latest interval are at the back, and that is where nearly all additions go.
void Path::add(SimTime after, Key key, Duration length) {
  for (auto piece = pieces_.rbegin(); piece != pieces_.rend() && piece->after == after; ++piece) {
    if (piece->key == key) {
      piece->duration += length;
      return;
    }
  }
  pieces_.push_back(Piece{after, key, length});
}

}  // namespace copysim::detail
