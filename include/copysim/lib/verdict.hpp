#pragma once

#include <string_view>

#include <copysim/lib/published.hpp>

namespace copysim {

/// What became of a published figure.
enum class Outcome { holds, misses, not_modelled };

/// The judgement of one row.
struct Verdict {
  Outcome outcome = Outcome::not_modelled;
  /// The relative distance of the prediction from what was published, signed; 0.10 is ten percent
  /// above. It is 0 within published bounds, and may be large for a difference near zero.
  double error = 0;
};

/// The numbers that a row accepts; each end belongs to the range unless it is open.
struct AcceptedRange {
  double lower = 0;
  double upper = 0;
  bool open_lower = false;
  bool open_upper = false;

  [[nodiscard]] bool contains(double x) const {
    return (open_lower ? x > lower : x >= lower) && (open_upper ? x < upper : x <= upper);
  }
};

/// Returns the number that the rule of a row speaks of.
///
/// It is the prediction itself, in the unit of the row, except for the two kinds in percent, whose
/// rules speak of a ratio: reduction by p percent is the ratio 1 - p/100, faster by p percent the
/// ratio 1 / (1 + p/100).
[[nodiscard]] double judged_quantity(const PublishedRow& row, double predicted);

/// Returns which `judged_quantity` the row accepts.
///
/// With value v, bounds L and U (a blank side is open) and tolerance t:
/// - value: v(1 - t) to v(1 + t);
/// - bounds: 0.9 L to 1.1 U;
/// - difference: d is the value or else the midpoint of the bounds; d or its bounds widened by
///   |d|/2 on each side, with the sign of d unless the bounds contain 0;
/// - reduction: within 15 % of 1 - p/100, and below 1; with a bound for p ("up to"), on that side;
/// - faster: within 0.05 of 1 / (1 + p/100), and below 1;
/// - ordering: beyond its one bound, strictly.
///
/// A ratio that has a value is of the kind value.
[[nodiscard]] AcceptedRange accepted_range(const PublishedRow& row);

/// Judges a prediction in the unit of the row; a row that nothing predicts is `not_modelled`.
[[nodiscard]] Verdict judge(const PublishedRow& row, double predicted);

/// "holds", "misses" or "not-modelled".
[[nodiscard]] std::string_view to_string(Outcome outcome);

}  // namespace copysim
