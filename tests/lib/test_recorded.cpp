#include <sstream>

#include <copysim/error.hpp>
#include <copysim/lib/recorded.hpp>
#include <copysim/lib/reproduce_command.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

Reproduction one_row(Outcome outcome, double error, RowRole role = RowRole::check) {
  ReproducedRow row;
  row.source = "fake";
  row.row.id = "F-1";
  row.row.role = role;
  row.verdict = {outcome, error};
  if (outcome != Outcome::not_modelled) row.predicted = Estimate{20.5, 0.25};
  Reproduction reproduction;
  reproduction.rows.push_back(row);
  return reproduction;
}

Recorded recorded_as(Outcome outcome, double error) {
  Recorded recorded;
  recorded.record(one_row(outcome, error));
  return recorded;
}

bool worse(const Recorded& before, const Reproduction& now) {
  return !before.worsened(now).empty();
}

}  // namespace

TEST_CASE("A verdict that falls is worse", "[recorded]") {
  const Recorded held = recorded_as(Outcome::holds, 0.05);
  const Recorded missed = recorded_as(Outcome::misses, 0.30);

  CHECK(worse(held, one_row(Outcome::misses, 0.11)));
  CHECK(worse(held, one_row(Outcome::not_modelled, 0)));
  CHECK(worse(missed, one_row(Outcome::not_modelled, 0)));
  CHECK_FALSE(worse(held, one_row(Outcome::holds, 0.09)));
  CHECK_FALSE(worse(missed, one_row(Outcome::holds, 0.05)));
  CHECK(held.worsened(one_row(Outcome::misses, 0.11)).front() == "F-1 fell from holds to misses");
}

TEST_CASE("A miss may drift by one percentage point and no more", "[recorded]") {
  const Recorded missed = recorded_as(Outcome::misses, -0.30);

  CHECK_FALSE(worse(missed, one_row(Outcome::misses, -0.309)));
  CHECK(worse(missed, one_row(Outcome::misses, -0.311)));
  CHECK(worse(missed, one_row(Outcome::misses, 0.32)));
  CHECK_FALSE(worse(missed, one_row(Outcome::misses, 0.12)));
}

TEST_CASE("A row that was never recorded is not worse, and inputs are not recorded", "[recorded]") {
  CHECK_FALSE(worse(Recorded{}, one_row(Outcome::misses, 1)));

  Recorded recorded;
  recorded.record(one_row(Outcome::not_modelled, 0, RowRole::input));
  CHECK(recorded.rows().empty());
}

TEST_CASE("What is recorded reads back", "[recorded]") {
  const Recorded before = recorded_as(Outcome::misses, -0.25);

  const Recorded after = Recorded::parse(before.to_toml(), "recorded.toml");

  REQUIRE(after.rows().count("F-1") == 1);
  const RecordedRow& row = after.rows().at("F-1");
  CHECK(row.source == "fake");
  CHECK(row.verdict == Outcome::misses);
  CHECK(row.error == -0.25);
  CHECK(row.predicted->mean == 20.5);
  CHECK(row.predicted->ci95 == 0.25);
  CHECK_THROWS_AS(Recorded::parse("[[row]]\nid = \"A\"\n", "recorded.toml"), ConfigError);
}

TEST_CASE("Recording one source keeps the others", "[recorded]") {
  Recorded recorded = recorded_as(Outcome::holds, 0);
  Reproduction other = one_row(Outcome::holds, 0);
  other.rows.front().source = "other";
  other.rows.front().row.id = "O-1";

  recorded.record(other);

  CHECK(recorded.rows().size() == 2);
}

TEST_CASE("The command exits with 1 only when it checks and something is worse", "[recorded]") {
  ReproduceCommand command;
  command.sources = {
      parse_published("[[row]]\nid = \"F-1\"\nscenario = \"here\"\nvalue = 10\n", "fake.toml")};
  command.run = [](const CopyCell&) { return CellResult{{20}, {20}, {12}, {1e6}}; };
  command.recorded = recorded_as(Outcome::holds, 0);
  std::ostringstream out;
  std::ostringstream err;

  CHECK(reproduce_command(command, out, err) == 0);
  command.check = true;
  CHECK(reproduce_command(command, out, err) == 1);
  CHECK(err.str() == "worse than recorded: F-1 fell from holds to misses\n");
}
