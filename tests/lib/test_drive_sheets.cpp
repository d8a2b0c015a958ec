#include <copysim/lib/catalogue.hpp>
#include <copysim/lib/settings_reader.hpp>
#include <copysim/models/storage/hard_disk.hpp>
#include <copysim/models/storage/usb_stick.hpp>

#include "support/catch.hpp"

using namespace copysim;

namespace {

// The keys that describe the sheet and not the device.
std::string take_text(Settings& settings, std::string_view key) {
  const Setting* setting = settings.find(key);
  REQUIRE(setting != nullptr);
  std::string text = to_text(setting->value);
  settings.erase(key);
  return text;
}

template <class Device>
typename Device::Config device_config(const Settings& settings) {
  typename Device::Config config;
  SettingsReader reader{settings};
  reader.read("", config);
  reader.finish();
  return config;
}

}  // namespace

TEST_CASE("Every drive sheet of the catalogue describes a device", "[lib][drives]") {
  const std::vector<std::string> ids = catalogue().ids("drives");
  REQUIRE(ids.size() >= 12);
  for (const std::string& id : ids) {
    CAPTURE(id);
    Sheet sheet = load_sheet("drives", id);
    CHECK_FALSE(sheet.title.empty());
    const std::string kind = take_text(sheet.settings, "kind");
    CHECK(sheet.year > 1990);
    CHECK_FALSE(sheet.source.empty());
    Simulation sim;
    if (kind == "\"hard-disk\"") {
      const auto config = device_config<HardDisk>(sheet.settings);
      const HardDisk disk{sim, id, config};
      CHECK(disk.capacity() == config.geometry.capacity);
      // Whole sectors per track and per skew: within 0.5 % of the sheet's rates.
      const DiskGeometry& geometry = disk.controller().mechanism().geometry();
      CHECK(geometry.sustained_rate(geometry.zones().front()).bytes_per_second() ==
            Approx(config.geometry.outer_rate.bytes_per_second()).epsilon(0.005));
      CHECK(geometry.sustained_rate(geometry.zones().back()).bytes_per_second() ==
            Approx(config.geometry.inner_rate.bytes_per_second()).epsilon(0.005));
    } else {
      REQUIRE(kind == "\"usb-stick\"");
      const UsbStick stick{sim, id, device_config<UsbStick>(sheet.settings)};
      CHECK(stick.capacity() > 1_GiB);
    }
  }
}
