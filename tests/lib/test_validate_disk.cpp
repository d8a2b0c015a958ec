#include <cstdlib>
#include <sstream>

#include <copysim/error.hpp>
#include <copysim/lib/validate_disk.hpp>
#include <copysim/lib/validate_disk_command.hpp>

#include "lib/disksim/tiny_drive.hpp"
#include "support/catch.hpp"

using namespace copysim;
using namespace copysim::test;

namespace {

DiskValidation validate(const TinyDrive& files, const std::string& trace) {
  return validate_disk(find_validated_drive(files.specs),
                       disksim::read_trace(files.folder.write("a.trace", trace)));
}

}  // namespace

TEST_CASE("The demerit is the root mean square distance of the sorted times", "[lib][validate]") {
  // Sorted 1 2 5 and 1 4 4: the differences are 0, 2, 1, whose squares have the mean 5 / 3.
  CHECK(demerit_s({5s, 1s, 2s}, {4s, 1s, 4s}) == Approx(std::sqrt(5.0 / 3)));
  CHECK(demerit_s({}, {}) == 0);
}

TEST_CASE("A traced request takes overhead, rotation, transfer and the bus", "[lib][validate]") {
  const TinyDrive files;
  // Block 8 on track 0: decoded at 0.3 ms, it begins to pass at 0.8 ms, takes 4 x 0.1 ms, and the
  // last block crosses the bus in 0.05 ms: 1.25 ms. The next request comes 20 ms later and finds
  // block 12 in the buffer: 0.1 ms and 2 x 0.05 ms.
  const DiskValidation result = validate(files, "R Miss 8 4 1250 20000\nR Hit 12 2 200 0\n");
  CHECK(result.modelled == std::vector<Duration>{1250us, 200us});
  CHECK(result.hits == std::array<std::int64_t, 4>{1, 0, 1, 0});
  CHECK(demerit_s(result.modelled, result.measured) == 0);
}

TEST_CASE("A write ends in the buffer, the next read waits for it and takes longer to decode",
          "[lib][validate]") {
  const TinyDrive files;
  // Write: 0.2 ms and 4 x 0.05 ms on the bus. The medium: from 0.2 ms on the arm is there; block 20
  // passes from 2.0 to 2.4 ms. The read comes at 1.4 ms and would be decoded at 1.9 ms, but waits
  // until 2.4 ms; block 30 passes from 3.0 to 3.1 ms; with the bus it ends at 3.15 ms.
  const DiskValidation result = validate(files, "W Hit 20 4 400 1000\nR Miss 30 1 1750 0\n");
  CHECK(result.modelled == std::vector<Duration>{400us, 1750us});
  CHECK(result.hits == std::array<std::int64_t, 4>{1, 0, 0, 1});
}

TEST_CASE("Requests of an ascii trace queue", "[lib][validate]") {
  const TinyDrive files;
  // As alone, the two reads would take what the first one does; the second one comes 0.25 ms later
  // and waits. The trace measures nothing.
  const DiskValidation result = validate(files, "0 0 8 4 1\n0.25 0 40 1 1\n");
  REQUIRE(result.modelled.size() == 2);
  CHECK(result.modelled[1] > result.modelled[0]);
  CHECK(result.measured.empty());
  CHECK(result.hits == std::array<std::int64_t, 4>{2, 0, 0, 0});
  std::ostringstream out;
  write_disk_validation(result, ReportFormat::json, out);
  CHECK(out.str().find("\"demerit_ms\":null") != std::string::npos);
}

TEST_CASE("A request beyond the drive is an error with the trace's line", "[lib][validate]") {
  const TinyDrive files;
  CHECK_THROWS_WITH(validate(files, "R Hit 0 1 1 1\nR Hit 599 2 1 1\n"),
                    Catch::Contains("a.trace:2: a request must lie on the drive's 600 blocks"));
}

TEST_CASE("The results are printed as text, JSON and a picture", "[lib][validate]") {
  DiskValidation result;
  result.drive = "A <drive>";
  result.modelled = {1ms, 3ms};
  result.measured = {1ms, 5ms};
  result.hits = {2, 0, 0, 0};
  std::ostringstream json;
  write_disk_validation(result, ReportFormat::json, json);
  // The differences are 0 and 2 ms: the root of 4 / 2 is 1.414 ms, 47.1 % of the mean of 3 ms.
  CHECK(
      json.str().starts_with("{\"drive\":\"A <drive>\",\"requests\":2,\"mean_measured_ms\":3,"
                             "\"mean_modelled_ms\":2,\"demerit_ms\":1.414"));
  CHECK(json.str().find("\"demerit_percent\":47.1") != std::string::npos);
  std::ostringstream text;
  write_disk_validation(result, ReportFormat::text, text);
  CHECK(text.str().find("demerit (ms)") != std::string::npos);
  const std::string svg = plot_disk_validation(result);
  CHECK(svg.starts_with("<svg "));
  CHECK(svg.find("A &lt;drive>") != std::string::npos);
}

TEST_CASE("A drive of the catalogue can be validated, a stick cannot", "[lib][validate]") {
  CHECK(find_validated_drive("barracuda-7200-7-80gb").config.geometry.rpm == 7200);
  CHECK_THROWS_AS(find_validated_drive("sandisk-cruzer-micro-4gb"), ConfigError);
  CHECK_THROWS_AS(find_validated_drive("missing.parv"), ConfigError);
}

// The demerits that DiskSim 4 reaches with the same files, as the traces' README has them, and the
// drives' mean measured times.
TEST_CASE("Five measured drives are met as closely as by DiskSim", "[lib][validate][traces]") {
  const char* folder = std::getenv("COPYSIM_DRIVE_TRACES");
  if (folder == nullptr) {
    WARN("NOTHING WAS CHECKED: COPYSIM_DRIVE_TRACES names no folder with the drives' traces");
    return;
  }
  struct Row {
    const char* drive;
    double mean_ms;
    double demerit_ms;
  };
  for (const Row& row : {Row{"barracuda", 6.627, 0.349}, Row{"cheetah9LP", 4.273, 0.107},
                         Row{"atlas10k", 3.893, 0.268}, Row{"hp_c2247a", 15.298, 0.090},
                         Row{"ibm18es", 5.261, 0.136}}) {
    CAPTURE(row.drive);
    const std::string path = std::string{folder} + '/' + row.drive;
    const DiskValidation result =
        validate_disk(find_validated_drive(path + ".parv"), disksim::read_trace(path + ".trace"));
    CHECK(mean_s(result.measured) * 1000 == Approx(row.mean_ms).margin(0.0005));
    CHECK(demerit_s(result.modelled, result.measured) * 1000 <= row.demerit_ms);
  }
}

TEST_CASE("A data sheet with true figures gives the mean of a measured drive within a fifth",
          "[lib][validate][traces]") {
  const char* folder = std::getenv("COPYSIM_DRIVE_TRACES");
  if (folder == nullptr) {
    WARN("NOTHING WAS CHECKED: COPYSIM_DRIVE_TRACES names no folder with the drives' traces");
    return;
  }
  const std::string path = folder;
  for (const auto& [name, sheet] :
       {std::pair{"barracuda", "barracuda-st32171w-2gb"},
        std::pair{"cheetah9LP", "cheetah-9lp-9gb"}, std::pair{"atlas10k", "atlas-10k-9gb"},
        std::pair{"ibm18es", "ultrastar-18es-9gb"}, std::pair{"hp_c2247a", "hp-c2247a-1gb"}}) {
    INFO(sheet);
    const disksim::Trace trace = disksim::read_trace(path + "/" + name + ".trace");
    const DiskValidation sheet_only = validate_disk(find_validated_drive(sheet), trace);
    const DiskValidation extracted =
        validate_disk(find_validated_drive(path + "/" + name + ".parv"), trace);
    // What docs/data-sheets.md says: the sheets leave out overheads, skews and the buffer's ways.
    CHECK(mean_s(sheet_only.modelled) == Approx(mean_s(sheet_only.measured)).epsilon(0.2));
    CHECK(demerit_s(sheet_only.modelled, sheet_only.measured) >
          3 * demerit_s(extracted.modelled, extracted.measured));
  }
}
