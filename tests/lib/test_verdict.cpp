#include <copysim/lib/verdict.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

PublishedRow row_of(RowKind kind) {
  PublishedRow row;
  row.id = "T-01";
  row.kind = kind;
  row.plan = RowPlan{};
  return row;
}

PublishedRow value_row(double value, double tolerance) {
  PublishedRow row = row_of(RowKind::value);
  row.value = value;
  row.tolerance = tolerance;
  return row;
}

PublishedRow bounded_row(RowKind kind, std::optional<double> lower, std::optional<double> upper) {
  PublishedRow row = row_of(kind);
  row.lower = lower;
  row.upper = upper;
  return row;
}

bool holds(const PublishedRow& row, double predicted) {
  return judge(row, predicted).outcome == Outcome::holds;
}

}  // namespace

TEST_CASE("A value holds within its tolerance on both sides", "[verdict]") {
  const PublishedRow row = value_row(200, 0.10);  // 180 to 220.

  CHECK(holds(row, 180.01));
  CHECK_FALSE(holds(row, 179.99));
  CHECK(holds(row, 219.99));
  CHECK_FALSE(holds(row, 220.01));
  CHECK(judge(row, 230).error == Approx(0.15));   // 30 / 200.
  CHECK(judge(row, 190).error == Approx(-0.05));  // -10 / 200.
}

TEST_CASE("Bounds hold from nine tenths of the lower to eleven tenths of the upper", "[verdict]") {
  const PublishedRow row = bounded_row(RowKind::bounds, 510, 533.3);  // 459 to 586.63.

  CHECK(holds(row, 459.01));
  CHECK_FALSE(holds(row, 458.99));
  CHECK(holds(row, 586.62));
  CHECK_FALSE(holds(row, 586.64));
  CHECK(judge(row, 520).error == 0);
  CHECK(judge(row, 408).error == Approx(-0.2));  // -102 / 510.
}

TEST_CASE("Bounds that stand beside a value are the ones that count", "[verdict]") {
  PublishedRow row = bounded_row(RowKind::bounds, 77.4, 83.1);  // 69.66 to 91.41.
  row.value = 80;

  CHECK(holds(row, 91.40));
  CHECK_FALSE(holds(row, 91.42));
}

TEST_CASE("A blank side of bounds is open", "[verdict]") {
  CHECK(holds(bounded_row(RowKind::bounds, {}, 6000), 1));  // Up to 6600.
  CHECK_FALSE(holds(bounded_row(RowKind::bounds, {}, 6000), 6601));
  CHECK(holds(bounded_row(RowKind::bounds, 25, {}), 1e9));  // From 22.5.
  CHECK_FALSE(holds(bounded_row(RowKind::bounds, 25, {}), 22.4));
}

TEST_CASE("A difference with a value holds within half of it", "[verdict]") {
  PublishedRow row = row_of(RowKind::difference);  // 12: from 6 to 18.
  row.value = 12;

  CHECK(holds(row, 6.01));
  CHECK_FALSE(holds(row, 5.99));
  CHECK(holds(row, 17.99));
  CHECK_FALSE(holds(row, 18.01));
  CHECK(judge(row, 24).error == Approx(1.0));
}

TEST_CASE("The bounds of a difference are widened by half of their midpoint", "[verdict]") {
  // Midpoint 10, so 6 - 5 = 1 to 14 + 5 = 19.
  const PublishedRow row = bounded_row(RowKind::difference, 6, 14);

  CHECK(holds(row, 1.01));
  CHECK_FALSE(holds(row, 0.99));
  CHECK(holds(row, 18.99));
  CHECK_FALSE(holds(row, 19.01));
}

TEST_CASE("A difference keeps its sign unless its bounds contain zero", "[verdict]") {
  // Midpoint 5.5: 1 - 2.75 lies below zero, so the range starts just above it.
  CHECK(holds(bounded_row(RowKind::difference, 1, 10), 0.01));
  CHECK_FALSE(holds(bounded_row(RowKind::difference, 1, 10), 0));
  CHECK_FALSE(holds(bounded_row(RowKind::difference, 1, 10), -0.01));
  CHECK(holds(bounded_row(RowKind::difference, -10, -1), -0.01));
  CHECK_FALSE(holds(bounded_row(RowKind::difference, -10, -1), 0));
  // Midpoint 1: -2 - 0.5 to 4 + 0.5, either sign.
  CHECK(holds(bounded_row(RowKind::difference, -2, 4), -2.49));
  CHECK_FALSE(holds(bounded_row(RowKind::difference, -2, 4), -2.51));
}

TEST_CASE("A difference of zero with bounds is not widened", "[verdict]") {
  PublishedRow row = bounded_row(RowKind::difference, -3, 3);
  row.value = 0;

  CHECK(holds(row, -2.99));
  CHECK_FALSE(holds(row, 3.01));
  CHECK(judge(row, 6).error == Approx(1.0));  // 3 s beyond, over a half width of 3 s.
}

TEST_CASE("A reduction holds while the ratio is within 15 percent", "[verdict]") {
  PublishedRow row = row_of(RowKind::reduction);  // 80 %: ratio 0.2, from 0.17 to 0.23.
  row.value = 80;

  CHECK(holds(row, 82.9));  // Ratio 0.171.
  CHECK_FALSE(holds(row, 83.1));
  CHECK(holds(row, 77.1));  // Ratio 0.229.
  CHECK_FALSE(holds(row, 76.9));
  CHECK(judge(row, 70).error == Approx(0.5));  // Ratio 0.3 against 0.2.
}

TEST_CASE("A small reduction must still be one", "[verdict]") {
  PublishedRow row = row_of(RowKind::reduction);  // 5 %: 0.95 x 1.15 > 1, so below 1.
  row.value = 5;

  CHECK(holds(row, 0.01));
  CHECK_FALSE(holds(row, 0));
}

TEST_CASE("A reduction of up to some percent accepts less", "[verdict]") {
  // Up to 50 %: ratio from 0.85 x 0.5 = 0.425 to below 1.
  const PublishedRow row = bounded_row(RowKind::reduction, {}, 50);

  CHECK(holds(row, 57.4));
  CHECK_FALSE(holds(row, 57.6));
  CHECK(holds(row, 1));
  CHECK_FALSE(holds(row, -1));
}

TEST_CASE("Faster by a percentage holds within 0.05 of the ratio and below one", "[verdict]") {
  PublishedRow row = row_of(RowKind::faster);  // 25 %: ratio 0.8, from 0.75 to 0.85.
  row.value = 25;

  CHECK(holds(row, 100 * (1 / 0.751 - 1)));
  CHECK_FALSE(holds(row, 100 * (1 / 0.749 - 1)));
  CHECK(holds(row, 100 * (1 / 0.849 - 1)));
  CHECK_FALSE(holds(row, 100 * (1 / 0.851 - 1)));

  row.value = 4;  // Ratio 0.9615; 1.0115 is cut at 1.
  CHECK(holds(row, 0.01));
  CHECK_FALSE(holds(row, 0));
}

TEST_CASE("An ordering is strict", "[verdict]") {
  CHECK(holds(bounded_row(RowKind::ordering, {}, 1), 0.999));
  CHECK_FALSE(holds(bounded_row(RowKind::ordering, {}, 1), 1));
  CHECK(holds(bounded_row(RowKind::ordering, 1, {}), 1.001));
  CHECK_FALSE(holds(bounded_row(RowKind::ordering, 1, {}), 1));
}

TEST_CASE("A row without a plan is not modelled", "[verdict]") {
  PublishedRow row = value_row(1, 0.1);
  row.plan.reset();

  CHECK(judge(row, 1).outcome == Outcome::not_modelled);
  CHECK(to_string(Outcome::not_modelled) == "not-modelled");
}
