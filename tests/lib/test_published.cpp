#include <map>

#include <copysim/error.hpp>
#include <copysim/lib/published.hpp>
#include <copysim/lib/verdict.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

std::string message_of(const std::string& text) {
  try {
    static_cast<void>(parse_published(text, "mine.toml"));
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("The shipped sources hold every published row", "[published]") {
  // Rows per prefix, counted in the table of published timings: 223 in all, and the 196 of
  // smb-measured.csv.
  const std::map<std::string, std::size_t> expected{
      {"apc", 27},           {"blt", 9}, {"bon", 2},      {"cw", 6},   {"ddb", 7},   {"dki", 7},
      {"dsk", 14},           {"gs", 2},  {"hpm", 7},      {"mcp", 3},  {"mmcss", 9}, {"msr", 18},
      {"netbench", 11},      {"ned", 6}, {"linux24", 43}, {"pcw", 5},  {"rus", 3},   {"sea", 17},
      {"smb-measured", 196}, {"tw", 3},  {"ubc", 2},      {"usb", 17}, {"wan", 5}};
  std::map<std::string, std::size_t> found;
  std::size_t total = 0;

  for (const auto& source : published_sources()) {
    found[source.id] = source.rows.size();
    total += source.rows.size();
  }

  CHECK(found == expected);
  CHECK(total == 419);
}

TEST_CASE("The shipped rows keep the roles and kinds of the table", "[published]") {
  // Counted in the table: 17 fit, 41 input and 165 check rows; 173 values, 23 bounds, 9
  // differences, 8 orderings, 7 reductions and 3 of the kind faster. The 196 rows of smb-measured
  // are values too, 14 of them fit rows.
  std::map<RowRole, int> roles;
  std::map<RowKind, int> kinds;

  for (const auto& source : published_sources()) {
    for (const auto& row : source.rows) {
      ++roles[row.role];
      ++kinds[row.kind];
      CHECK(row.id.rfind(source.prefix + (source.id == "smb-measured" ? "" : "-"), 0) == 0);
    }
  }

  CHECK(roles ==
        std::map<RowRole, int>{{RowRole::fit, 31}, {RowRole::check, 347}, {RowRole::input, 41}});
  CHECK(kinds == std::map<RowKind, int>{{RowKind::value, 369},
                                        {RowKind::bounds, 23},
                                        {RowKind::difference, 9},
                                        {RowKind::reduction, 7},
                                        {RowKind::faster, 3},
                                        {RowKind::ordering, 8}});
}

TEST_CASE("A row of the APC source reads as it is written", "[published]") {
  const PublishedSource apc = published_source("apc");
  const PublishedRow& first = apc.rows.front();

  CHECK(first.id == "APC-01");
  CHECK(first.value == 573.0);
  CHECK(first.role == RowRole::fit);
  CHECK(first.kind == RowKind::value);
  CHECK(first.bytes == 2684354560);
  REQUIRE(first.plan);
  CHECK(first.plan->a ==
        std::vector<CopyCell>{
            {"apc/vista-to-xp",
             {{"policy", "vista-rtm"}, {"copy.direction", "read"}, {"workload", "single"}}}});
}

TEST_CASE("The points that must be modelled leave few rows out", "[published]") {
  // At most a tenth of the rows that are not inputs may be not-modelled: RUS, PCW, CW, WAN, MCP and
  // USB-01 to 07, and none of APC.
  int planned = 0;
  int open = 0;
  for (const auto& source : published_sources()) {
    for (const auto& row : source.rows) {
      const bool listed = source.id == "apc" || source.id == "rus" || source.id == "pcw" ||
                          source.id == "cw" || source.id == "wan" || source.id == "mcp" ||
                          (source.id == "usb" && row.id <= "USB-07");
      if (!listed || row.role == RowRole::input) continue;
      ++(row.plan ? planned : open);
    }
  }

  // 27 + 3 + 5 + 6 + 4 + 2 + 6: all of them.
  CHECK(planned == 53);
  CHECK(open == 0);
}

TEST_CASE("An unknown source is refused with the known ones", "[published]") {
  try {
    static_cast<void>(published_source("acp"));
    FAIL("no error");
  } catch (const ConfigError& error) {
    CHECK(std::string{error.what()}.find("known: apc, blt, bon") != std::string::npos);
  }
}

TEST_CASE("A user's row needs a scenario, settings and a value only", "[published]") {
  const PublishedSource mine = parse_published(
      "[[row]]\n"
      "id = \"ME-1\"\n"
      "scenario = \"my.toml\"\n"
      "set = { policy = \"xp\", \"link.rtt\" = \"5 ms\", \"run.seed\" = 7 }\n"
      "value = 12.5\n",
      "there/mine.toml");

  REQUIRE(mine.rows.size() == 1);
  const PublishedRow& row = mine.rows.front();
  CHECK(mine.id == "mine");
  CHECK(row.metric == "seconds");
  CHECK(row.kind == RowKind::value);
  CHECK(row.tolerance == 0.10);
  REQUIRE(row.plan);
  CHECK(row.plan->a.front().scenario == "there/my.toml");
  CHECK(row.plan->a.front().settings.at("run.seed") == "7");
}

TEST_CASE("A mistake in a file of timings is named with file, line, key and what is allowed",
          "[published]") {
  const std::string row = "[[row]]\nid = \"ME-1\"\nscenario = \"apc/disk-to-disk\"\n";

  CHECK(message_of(row + "value = 1\nkind = \"exact\"\n") ==
        "mine.toml:5: row ME-1: kind must be one of value, bounds, difference, reduction, faster, "
        "ordering, got 'exact'");
  CHECK(message_of(row + "valu = 1\n").find("mine.toml:1: row ME-1: value must be given") == 0);
  CHECK(
      message_of(row + "value = 1\ntypo = 2\n").find("mine.toml:5: row ME-1: typo is not a key") ==
      0);
  CHECK(message_of(row + "value = \"12\"\n") ==
        "mine.toml:4: row ME-1: value must be a number, got '12'");
  CHECK(message_of(row + "value = 1\nmetric = \"MB/s\"\nkind = \"difference\"\n")
            .find("compares two copies") != std::string::npos);
  CHECK(message_of("[[row]\n").find("mine.toml:1: ") == 0);
  CHECK(message_of("[[row]]\nid = \"A\"\nvalue = 1\n").find("not_modelled must say why") !=
        std::string::npos);
  CHECK(message_of(row + "value = 1\n" + row + "value = 1\n").find("id must be unique") !=
        std::string::npos);
}
