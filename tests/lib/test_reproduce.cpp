#include <atomic>
#include <limits>
#include <sstream>

#include <copysim/error.hpp>
#include <copysim/lib/recorded.hpp>
#include <copysim/lib/reproduce.hpp>
#include <copysim/lib/reproduce_command.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

// A simulator that looks its answer up: the setting `t` is the elapsed time in seconds, of which
// the two replications take one second less and one more. The file has 10^6 bytes per second of t.
CellResult fake(const CopyCell& cell) {
  if (cell.scenario == "nowhere") throw ConfigError{"scenario: id must be one of here"};
  const double t = std::stod(cell.settings.at("t"));
  return {{t - 1, t + 1}, {t + 9, t + 11}, {12, 12}, {2e6, 4e6}};
}

PublishedSource source_of(const std::string& rows) {
  const std::string cells =
      "[source]\nid = \"fake\"\n[cells]\n"
      "c10 = { scenario = \"here\", set = { t = 10 } }\n"
      "c20 = { scenario = \"here\", set = { t = 20 } }\n"
      "c40 = { scenario = \"here\", set = { t = 40 } }\n";
  return parse_published(cells + rows, "fake.toml");
}

Reproduction reproduced(const std::string& rows) {
  return reproduce({source_of(rows)}, fake);
}

const std::string level = "[[row]]\nid = \"F-1\"\nvalue = 10\npredict.of = \"c10\"\n";
const std::string level_miss =
    "[[row]]\nid = \"F-2\"\nvalue = 16\npredict.of = \"c20\"\nmiss_reason = \"too slow\"\n";
const std::string open_row =
    "[[row]]\nid = \"F-3\"\nvalue = 1\nnot_modelled = \"later\"\nrole = \"fit\"\n";
const std::string input_row =
    "[[row]]\nid = \"F-4\"\nvalue = 1\nnot_modelled = \"a parameter\"\nrole = \"input\"\n";

}  // namespace

TEST_CASE("An estimate is the mean with its interval by Student's t", "[reproduce]") {
  // 9 and 11: mean 10, standard error sqrt(2 / 2) = 1; t of one degree of freedom is 12.706.
  CHECK(estimate({9, 11}).mean == 10);
  CHECK(estimate({9, 11}).ci95 == Approx(12.706).epsilon(1e-4));
  CHECK(estimate({7}).ci95 == 0);
}

TEST_CASE("Each kind of row combines its copies by its own formula", "[reproduce]") {
  const Reproduction result = reproduced(
      "[[row]]\nid = \"A\"\nvalue = 10\npredict.of = \"c10\"\n"
      "[[row]]\nid = \"B\"\nvalue = 10\nkind = \"difference\"\npredict = { a = \"c20\", b = "
      "\"c10\" }\n"
      "[[row]]\nid = \"C\"\nvalue = 2\nmetric = \"ratio\"\npredict = { a = \"c40\", b = \"c20\" }\n"
      "[[row]]\nid = \"D\"\nvalue = 50\nkind = \"reduction\"\nmetric = \"percent\"\n"
      "predict = { a = \"c10\", b = \"c20\" }\n"
      "[[row]]\nid = \"E\"\nvalue = 100\nkind = \"faster\"\nmetric = \"percent\"\n"
      "predict = { a = \"c10\", b = \"c20\" }\n"
      "[[row]]\nid = \"F\"\nvalue = 3\nmetric = \"MB/s\"\npredict.of = \"c10\"\n"
      "[[row]]\nid = \"G\"\nvalue = 20\npredict = { quantity = \"durable\", of = \"c10\" }\n");

  REQUIRE(result.rows.size() == 7);
  CHECK(result.rows[0].predicted->mean == 10);
  // Replication by replication: (19 - 9, 21 - 11), so the noise that both share is gone.
  CHECK(result.rows[1].predicted->mean == 10);
  CHECK(result.rows[1].predicted->ci95 == 0);
  CHECK(result.rows[2].predicted->mean == Approx((39.0 / 19 + 41.0 / 21) / 2));
  CHECK(result.rows[3].predicted->mean == Approx(100 - 50 * (9.0 / 19 + 11.0 / 21)));
  CHECK(result.rows[4].predicted->mean == Approx(50 * (19.0 / 9 + 21.0 / 11) - 100));
  CHECK(result.rows[5].predicted->mean == 3);
  CHECK(result.rows[6].predicted->mean == 20);
  for (const ReproducedRow& row : result.rows) CHECK(row.verdict.outcome == Outcome::holds);
}

TEST_CASE("Replications stay paired where one showed no first estimate", "[reproduce]") {
  const double none = std::numeric_limits<double>::quiet_NaN();
  const RunCell with_gaps = [none](const CopyCell& cell) -> CellResult {
    const bool first = cell.settings.at("t") == "10";
    return {{1, 1, 1},
            {1, 1, 1},
            first ? std::vector{none, 14.0, 16.0} : std::vector{2.0, 4.0, 6.0},
            {1, 1, 1}};
  };
  const std::string row =
      "[[row]]\nid = \"A\"\nvalue = 10\nkind = \"difference\"\n"
      "predict = { quantity = \"first_estimate\", a = \"c10\", b = \"c20\" }\n";

  // 14 - 4 and 16 - 6; the first replication has no pair.
  const Reproduction result = reproduce({source_of(row)}, with_gaps);
  CHECK(result.rows.front().predicted->mean == 10);
  CHECK(result.rows.front().predicted->ci95 == 0);

  const RunCell silent = [none](const CopyCell&) -> CellResult { return {{1}, {1}, {none}, {1}}; };
  CHECK_THROWS_WITH(reproduce({source_of(row)}, silent),
                    Catch::Contains("row A: no replication showed a first estimate"));
}

TEST_CASE("A row of every copy shows the copy that is farthest off", "[reproduce]") {
  const std::string both =
      "[[row]]\nid = \"A\"\nvalue = 20\npredict = { of = [\"c20\", \"c40\"], rule = ";

  const Reproduction every = reproduced(both + "\"every\" }\n");
  const Reproduction mean = reproduced(both + "\"mean\" }\n");

  CHECK(every.rows.front().predicted->mean == 40);
  CHECK(every.rows.front().verdict.outcome == Outcome::misses);
  CHECK(mean.rows.front().predicted->mean == 30);
}

TEST_CASE("A distinct copy is simulated once, whatever the number of jobs", "[reproduce]") {
  std::atomic<int> runs = 0;
  const RunCell counted = [&](const CopyCell& cell) {
    ++runs;
    return fake(cell);
  };
  const std::string rows = level + level_miss +
                           "[[row]]\nid = \"F-9\"\nvalue = 10\nkind = \"difference\"\n"
                           "predict = { a = \"c20\", b = \"c10\" }\n";

  const Reproduction one = reproduce({source_of(rows)}, counted, {.jobs = 1});
  const Reproduction two = reproduce({source_of(rows)}, counted, {.jobs = 2});

  CHECK(one.simulations == 2);
  CHECK(runs == 4);
  std::ostringstream first;
  std::ostringstream second;
  write_reproduction(first, one, ReportFormat::json);
  write_reproduction(second, two, ReportFormat::json);
  CHECK(first.str() == second.str());
}

TEST_CASE("Check and fit rows are counted apart and inputs never", "[reproduce]") {
  const auto counts = reproduced(level + level_miss + open_row + input_row).counts();

  REQUIRE(counts.size() == 1);
  CHECK(counts[0].check.holds == 1);
  CHECK(counts[0].check.misses == 1);
  CHECK(counts[0].fit.not_modelled == 1);
  CHECK(counts[0].inputs == 1);
}

TEST_CASE("The JSON of a reproduction has the promised form", "[reproduce]") {
  std::ostringstream out;

  write_reproduction(out, reproduced(level_miss + open_row), ReportFormat::json);

  // 19 and 21 s: mean 20 and, as above, t = 12.706 times a standard error of 1.
  const std::string text = out.str();
  CHECK(text.find(R"([
{"id":"F-2","source":"fake","metric":"seconds","unit":"s","kind":"value",)"
                  R"("published":{"value":16,"lower":null,"upper":null},)"
                  R"("predicted":{"mean":20,"ci95":12.706)") == 0);
  CHECK(text.find(R"(},"role":"check","verdict":"misses","reason":"too slow"},)") !=
        std::string::npos);
  CHECK(text.find(R"("predicted":null,"role":"fit","verdict":"not-modelled","reason":"later"})") !=
        std::string::npos);
}

TEST_CASE("The text of a reproduction shows every row and the counts", "[reproduce]") {
  std::ostringstream out;

  write_reproduction(out, reproduced(level + level_miss), ReportFormat::text);

  CHECK(out.str().find("F-1     check  10 s") != std::string::npos);
  CHECK(out.str().find("(too slow)") != std::string::npos);
  CHECK(out.str().find("1 hold, 1 miss, 0 not-modelled") != std::string::npos);
}

TEST_CASE("A copy that cannot be run is named", "[reproduce]") {
  const PublishedSource source = parse_published(
      "[[row]]\nid = \"A\"\nscenario = \"nowhere\"\nset = { policy = \"xp\" }\nvalue = 1\n",
      "a.toml");

  CHECK_THROWS_WITH(reproduce({source}, fake),
                    "nowhere policy=xp: scenario: id must be one of here");
}

TEST_CASE("The spread shows a row under every choice of the catalogue", "[reproduce]") {
  ReproduceCommand command;
  command.sources = {source_of(level)};
  command.run = fake;
  command.format = ReportFormat::csv;
  command.spread = true;
  command.find_choice = [](const CopyCell&) { return FittedChoice{"t", "10", {"10", "5", "30"}}; };
  std::ostringstream out;
  std::ostringstream err;

  CHECK(reproduce_command(command, out, err) == 0);
  CHECK(out.str().find("F-1,fake,s,t,10,10,") != std::string::npos);
  CHECK(out.str().find("F-1,fake,s,t,5,5,") != std::string::npos);
  CHECK(out.str().find("F-1,fake,s,t,30,30,") != std::string::npos);
}
