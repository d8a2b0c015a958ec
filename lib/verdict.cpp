#include <copysim/lib/verdict.hpp>

#include <cmath>
#include <limits>

#include <copysim/error.hpp>

namespace copysim {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// The widths of `published-timings.md`: bounds 10 %, reduction 15 % of the ratio, faster 0.05.
constexpr double bounds_margin = 0.10;
constexpr double reduction_margin = 0.15;
constexpr double faster_margin = 0.05;

double ratio_of_reduction(double percent) {
  return 1 - percent / 100;
}
double ratio_of_faster(double percent) {
  return 1 / (1 + percent / 100);
}

/// What was published, as a range of the judged quantity without any margin.
struct Nominal {
  double lower = -infinity;
  double upper = infinity;
};

Nominal nominal(const PublishedRow& row) {
  const bool bounded = row.lower || row.upper;
  const auto low = row.lower.value_or(-infinity);
  const auto high = row.upper.value_or(infinity);
  switch (row.kind) {
    case RowKind::value:
      return {*row.value, *row.value};
    case RowKind::bounds:
    case RowKind::ordering:
      return {low, high};
    case RowKind::difference:
      if (bounded) return {low, high};
      return {*row.value, *row.value};
    case RowKind::reduction:
      // A larger reduction is a smaller ratio, so the ends change places.
      if (row.value) return {ratio_of_reduction(*row.value), ratio_of_reduction(*row.value)};
      return {ratio_of_reduction(high), ratio_of_reduction(low)};
    case RowKind::faster:
      return {ratio_of_faster(*row.value), ratio_of_faster(*row.value)};
  }
  throw SimulationError{"row of unknown kind"};
}

double middle_of_difference(const PublishedRow& row) {
  return row.value ? *row.value : (*row.lower + *row.upper) / 2;
}

AcceptedRange accepted_difference(const PublishedRow& row) {
  const Nominal published = nominal(row);
  const double d = middle_of_difference(row);
  AcceptedRange range{published.lower - std::abs(d) / 2, published.upper + std::abs(d) / 2};
  const bool contains_zero = published.lower <= 0 && published.upper >= 0;
  if (contains_zero) return range;
  if (d > 0 && range.lower <= 0) range = {0, range.upper, true, false};
  if (d < 0 && range.upper >= 0) range = {range.lower, 0, false, true};
  return range;
}

AcceptedRange below_one(AcceptedRange range) {
  if (range.upper >= 1) {
    range.upper = 1;
    range.open_upper = true;
  }
  return range;
}

/// What one hundred percent of error is.
double scale_of(const PublishedRow& row, double nearest) {
  if (row.kind != RowKind::difference) return std::abs(nearest);
  const double d = std::abs(middle_of_difference(row));
  if (d > 0) return d;
  return row.lower && row.upper ? (*row.upper - *row.lower) / 2 : 0;
}

double relative_error(const PublishedRow& row, double x) {
  const Nominal published = nominal(row);
  if (x >= published.lower && x <= published.upper) return 0;
  const double nearest = x < published.lower ? published.lower : published.upper;
  const double scale = scale_of(row, nearest);
  return scale > 0 ? (x - nearest) / scale : x - nearest;
}

}  // namespace

double judged_quantity(const PublishedRow& row, double predicted) {
  switch (row.kind) {
    case RowKind::reduction:
      return ratio_of_reduction(predicted);
    case RowKind::faster:
      return ratio_of_faster(predicted);
    default:
      return predicted;
  }
}

AcceptedRange accepted_range(const PublishedRow& row) {
  const Nominal published = nominal(row);
  switch (row.kind) {
    case RowKind::value:
      return {published.lower * (1 - row.tolerance), published.upper * (1 + row.tolerance)};
    case RowKind::bounds:
      return {published.lower * (1 - bounds_margin), published.upper * (1 + bounds_margin)};
    case RowKind::difference:
      return accepted_difference(row);
    case RowKind::reduction:
      return below_one(
          {published.lower * (1 - reduction_margin), published.upper * (1 + reduction_margin)});
    case RowKind::faster:
      return below_one({published.lower - faster_margin, published.upper + faster_margin});
    case RowKind::ordering:
      return {published.lower, published.upper, true, true};
  }
  throw SimulationError{"row of unknown kind"};
}

Verdict judge(const PublishedRow& row, double predicted) {
  if (!row.plan) return {};
  const double x = judged_quantity(row, predicted);
  const bool holds = accepted_range(row).contains(x);
  return {holds ? Outcome::holds : Outcome::misses, relative_error(row, x)};
}

std::string_view to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::holds:
      return "holds";
    case Outcome::misses:
      return "misses";
    case Outcome::not_modelled:
      return "not-modelled";
  }
  throw SimulationError{"unknown outcome"};
}

}  // namespace copysim
