#include <algorithm>
#include <memory>

#include <copysim/lib/catalogue.hpp>
#include <copysim/lib/machine_drive.hpp>
#include <copysim/lib/settings_reader.hpp>
#include <copysim/sim/simulation.hpp>

#include "support/catch.hpp"

using namespace copysim;

TEST_CASE("Every drive sheet of the catalogue describes a device", "[lib][drives]") {
  const std::vector<std::string> ids = catalogue().ids("drives");
  REQUIRE(ids.size() >= 36);
  for (const std::string& id : ids) {
    CAPTURE(id);
    const Sheet sheet = load_sheet("drives", id);
    CHECK_FALSE(sheet.title.empty());
    CHECK(sheet.year > 1990);
    CHECK_FALSE(sheet.source.empty());
    for (const auto& [key, setting] : sheet.settings.all()) {
      CAPTURE(key);
      CHECK((key == "kind" || !setting.origin.mark.empty()));
    }
    DriveConfig config;
    SettingsReader reader{sheet.settings};
    read_drive(config, reader);
    reader.finish();
    Simulation sim;
    const std::unique_ptr<BlockDevice> drive = make_drive(sim, id, config);
    CHECK(drive->capacity() > Bytes{1000} * 1000 * 1000);  // the smallest is of 1992, 1 GB
    if (config.kind != DriveKind::hard_disk) continue;
    const HardDisk disk{sim, id, config.hard_disk};
    CHECK(disk.capacity() == config.hard_disk.geometry.capacity);
    // Whole sectors per track and per skew, each rounded by half a sector at most: with N sectors
    // on a track the rate is within 1 / N of the sheet's, and within 0.5 % on the drives of today.
    const DiskGeometry& geometry = disk.controller().mechanism().geometry();
    const auto rounding = [](const Zone& zone) {
      return std::max(0.005, 1.0 / zone.sectors_per_track);
    };
    CHECK(geometry.sustained_rate(geometry.zones().front()).bytes_per_second() ==
          Approx(config.hard_disk.geometry.outer_rate.bytes_per_second())
              .epsilon(rounding(geometry.zones().front())));
    CHECK(geometry.sustained_rate(geometry.zones().back()).bytes_per_second() ==
          Approx(config.hard_disk.geometry.inner_rate.bytes_per_second())
              .epsilon(rounding(geometry.zones().back())));
  }
}
