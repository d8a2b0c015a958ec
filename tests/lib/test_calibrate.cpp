#include <algorithm>
#include <cmath>
#include <map>
#include <sstream>

#include <copysim/error.hpp>
#include <copysim/lib/calibrate.hpp>
#include <copysim/lib/calibrate_command.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

FitProblem line_problem(std::vector<FitTarget> targets) {
  FitProblem problem;
  problem.parameters = {{"a", 0, -10, 10}, {"b", 0, -10, 10}};
  problem.targets = std::move(targets);
  problem.predict = [](const FitPoint& at) {
    const double a = at.values[0];
    const double b = at.values[1];
    return std::vector<double>{a - b, a, a + b};
  };
  return problem;
}

bool mentions(const std::vector<std::string>& remarks, const std::string& text) {
  return std::any_of(remarks.begin(), remarks.end(), [&](const std::string& remark) {
    return remark.find(text) != std::string::npos;
  });
}

const std::string sheet =
    "rtt = { value = \"1 ms\", mark = \"fitted\", source = \"chosen\", "
    "range = [\"0.5 ms\", \"9 ms\"], rows = [\"F-1\"], command = \"copysim calibrate links/l\" }\n";

CalibrateCommand command_of(const std::string& text, const std::string& role) {
  CalibrateCommand command;
  command.sheet = "links/l";
  command.settings = Settings::parse(text, "links/l.toml", SettingOrigin::Kind::sheet);
  command.sources = {parse_published(
      "[[row]]\nid = \"F-1\"\nscenario = \"here\"\nvalue = 30\nrole = \"" + role + "\"\n",
      "f.toml")};
  // Ten seconds for each millisecond of round trip.
  command.run = [](const CopyCell& cell) {
    const double t = 10 * std::stod(cell.settings.at("link.rtt"));
    return CellResult{{t, t}, {t, t}, {}, {}};
  };
  command.apply = [](CopyCell cell, const std::string& key, const std::string& value) {
    cell.settings["link." + key] = value;
    return cell;
  };
  return command;
}

}  // namespace

TEST_CASE("A line through three points is fitted with its standard errors", "[calibrate]") {
  // At x = -1, 0, 1 the points 1, 2, 6: a = 9/3 = 3, b = (6 - 1)/2 = 2.5. Residuals -0.5, 1, -0.5,
  // chi-square 1.5 with one spare point, so the errors are sqrt(1.5/3) and sqrt(1.5/2); a and b are
  // not correlated, since the x are symmetric.
  const auto result = calibrate(line_problem({{"p", 1, 1}, {"q", 2, 1}, {"r", 6, 1}}));

  const FitSolution& best = result.solutions.front();
  CHECK(best.point.values[0] == Approx(3).margin(1e-3));
  CHECK(best.point.values[1] == Approx(2.5).margin(1e-3));
  CHECK(best.chi_square == Approx(1.5).epsilon(1e-4));
  CHECK(best.standard_errors[0] == Approx(std::sqrt(0.5)).epsilon(1e-3));
  CHECK(best.standard_errors[1] == Approx(std::sqrt(0.75)).epsilon(1e-3));
  CHECK(best.correlations[0][1] == Approx(0).margin(1e-6));
  CHECK(best.remarks.empty());
}

TEST_CASE("A curved problem finds its known answer", "[calibrate]") {
  // y = 5 exp(-0.7 x) at x = 0, 1, 2, 3, without noise.
  FitProblem problem;
  problem.parameters = {{"height", 1, 0, 20}, {"rate", 0.1, 0, 3}};
  for (const double x : {0.0, 1.0, 2.0, 3.0}) {
    problem.targets.push_back({"x", 5 * std::exp(-0.7 * x), 0.1});
  }
  problem.predict = [](const FitPoint& at) {
    std::vector<double> y;
    for (const double x : {0.0, 1.0, 2.0, 3.0}) {
      y.push_back(at.values[0] * std::exp(-at.values[1] * x));
    }
    return y;
  };

  const FitSolution best = calibrate(problem).solutions.front();

  CHECK(best.point.values[0] == Approx(5).epsilon(1e-3));
  CHECK(best.point.values[1] == Approx(0.7).epsilon(1e-3));
}

TEST_CASE("A fit says which values the rows cannot separate", "[calibrate]") {
  FitProblem problem = line_problem({{"p", 4, 1}, {"q", 4, 1}});
  problem.predict = [](const FitPoint& at) {
    const double sum = at.values[0] + at.values[1];
    return std::vector<double>{sum, sum};
  };

  const FitSolution best = calibrate(problem).solutions.front();

  CHECK(best.point.values[0] + best.point.values[1] == Approx(4).margin(1e-3));
  CHECK(std::isnan(best.standard_errors[0]));
  CHECK(mentions(best.remarks, "the rows do not determine"));
}

TEST_CASE("A value that no row depends on is reported and the other one fitted", "[calibrate]") {
  FitProblem problem = line_problem({{"p", 4, 0.5}});
  problem.predict = [](const FitPoint& at) { return std::vector<double>{2 * at.values[0]}; };

  const FitSolution best = calibrate(problem).solutions.front();

  CHECK(best.point.values[0] == Approx(2).margin(1e-3));
  // One row and no spare: sigma 0.5 over a slope of 2.
  CHECK(best.standard_errors[0] == Approx(0.25).epsilon(1e-3));
  CHECK(std::isnan(best.standard_errors[1]));
  CHECK(mentions(best.remarks, "do not determine +1 b"));
}

TEST_CASE("A fit stays within the range and says so", "[calibrate]") {
  FitProblem problem;
  problem.parameters = {{"a", 1, 0, 3}};
  problem.targets = {{"p", 8, 1}};
  problem.predict = [](const FitPoint& at) { return at.values; };

  const FitSolution best = calibrate(problem).solutions.front();

  CHECK(best.point.values[0] == 3);
  CHECK(mentions(best.remarks, "a stopped at the limit"));
}

TEST_CASE("Every candidate of a choice is tried and equal ones are named", "[calibrate]") {
  FitProblem problem;
  problem.choices = {{"drive", {"slow", "good", "equal"}}};
  problem.targets = {{"p", 10, 1}};
  problem.predict = [](const FitPoint& at) {
    return std::vector<double>{at.choices[0] == "slow"   ? 20.0
                               : at.choices[0] == "good" ? 10
                                                         : 10.5};
  };

  const Calibration result = calibrate(problem);

  REQUIRE(result.solutions.size() == 3);
  CHECK(result.solutions[0].point.choices[0] == "good");
  CHECK(result.solutions[2].chi_square == Approx(100));
  CHECK(result.remarks == std::vector<std::string>{"the rows do not separate good from equal"});
}

TEST_CASE("A target is the value or the middle of the bounds of a fit row", "[calibrate]") {
  PublishedRow row;
  row.id = "F-1";
  row.role = RowRole::fit;
  row.plan = RowPlan{};
  row.value = 50;
  row.tolerance = 0.1;
  CHECK(fit_target(row).value == 50);
  CHECK(fit_target(row).sigma == Approx(5));

  row.value.reset();
  row.lower = 80;
  row.upper = 120;
  CHECK(fit_target(row).value == 100);
  CHECK(fit_target(row).sigma == Approx(20));

  row.role = RowRole::check;
  CHECK_THROWS_WITH(fit_target(row), "calibrate: row F-1 must have the role fit, got check");
}

TEST_CASE("A sheet is fitted through the simulations of its rows", "[calibrate]") {
  const CalibrateCommand command = command_of(sheet, "fit");
  std::ostringstream out;

  CHECK(calibrate_command(command, out) == 0);

  // 30 s at ten seconds per millisecond: 3 ms; sigma 3 s, so 0.3 ms.
  CHECK(calibrate(fit_problem(command)).solutions.front().point.values[0] ==
        Approx(3).margin(1e-3));
  CHECK(out.str().find("+- 0.3 ms  (range 0.5 to 9)") != std::string::npos);
}

TEST_CASE("A sheet may rest on fit rows only, and must have something to fit", "[calibrate]") {
  CHECK_THROWS_WITH(fit_problem(command_of(sheet, "check")),
                    "calibrate: row F-1 must have the role fit, got check");
  CHECK_THROWS_WITH(fit_problem(command_of("rtt = \"1 ms\"\n", "fit")),
                    "links/l: a value must be marked fitted, got none");
  std::string other = sheet;
  other.replace(other.find("F-1"), 3, "F-7");
  CHECK_THROWS_WITH(fit_problem(command_of(other, "fit")),
                    "links/l: rows must be ids of published timings, got 'F-7'");
  std::string units = sheet;
  units.replace(units.find("9 ms"), 4, "9 us");
  CHECK_THROWS_AS(fit_problem(command_of(units, "fit")), ConfigError);
}
