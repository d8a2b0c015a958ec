#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include <copysim/sim/label.hpp>

namespace copysim::detail {

/// The times at which waits on constraints that are still going on began, and the start of the run.
///
/// A path is kept apart at these times, so that when such a wait ends it is known which of the
/// pieces passed during it. Times are added in order, because a wait begins now.
class Cuts {
public:
  void add(SimTime t) { ++counts_[t]; }
  void remove(SimTime t);
  /// The latest cut that is not after `t`, or the beginning of time.
  [[nodiscard]] SimTime at_or_before(SimTime t) const;
  /// The earliest cut after `t`, or the end of time.
  [[nodiscard]] SimTime after(SimTime t) const;

private:
  std::map<SimTime, std::uint32_t> counts_;
};

/// The chain of activities that led to where a task stands, as sums.
///
/// A path covers all simulated time from 0 to `end()` without gap or overlap, so its pieces sum
/// exactly to the elapsed time. Three rules make it:
///  1. A delay adds its labelled parts, in order; one without a label adds a nameless piece.
///  2. A wait that another task ends, and a new task, copy the path of the task that caused it.
///     (Of an `all_of` that is the last child to end; of two at one instant, the earlier event.)
///  3. A wait on a constraint `k` (a semaphore or resource that was given one) that began at `t0`
///     takes over the path of the task that freed the place from `t0` on, and keeps its own before:
///     who waits for a place does not wait for what its holder did earlier. Those pieces get `k`
///     unless they have a constraint already. So a piece carries the constraint of the crossing
///     nearest to it on the way from the activity to this task, and the column adds no time.
/// Rule 3 needs a path cut at each `t0` that is still open. Nothing else is kept apart, so a path
/// has at most (kinds of pieces) x (constrained waits going on + 2) sums, however long the run is.
class Path {
public:
  struct Key {
    Label label;
    Constraint constraint;
    auto operator<=>(const Key&) const = default;
  };
  struct Piece {
    SimTime after;  // the cut that begins the interval in which the piece lies
    Key key;
    Duration duration;
  };

  [[nodiscard]] SimTime end() const { return end_; }
  [[nodiscard]] const std::vector<Piece>& pieces() const { return pieces_; }

  /// Appends a piece of this length to the end.
  void append(Label label, Duration length, const Cuts& cuts);
  /// Takes over all of `causer`, or with a constraint what is since `waiting_since`, a cut.
  void take_over(const Path& causer, Constraint constraint, SimTime waiting_since,
                 const Cuts& cuts);
  /// Marks the pieces since `waiting_since` that have no constraint yet.
  void mark(Constraint constraint, SimTime waiting_since);
  /// Merges what no open cut separates any more.
  void merge(const Cuts& cuts);
  void clear();

private:
  void add(SimTime after, Key key, Duration length);

  SimTime end_;
  std::vector<Piece> pieces_;  // in the order of `after`
};

}  // namespace copysim::detail
