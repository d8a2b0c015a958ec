#include <copysim/lib/sheet_use.hpp>

#include <algorithm>
#include <array>
#include <utility>

#include <copysim/error.hpp>
#include <copysim/lib/catalogue.hpp>
#include <copysim/lib/settings_reader.hpp>
#include <copysim/lib/simulate_cell.hpp>

namespace copysim {

namespace {

constexpr std::array<std::string_view, 5> kinds{"drives", "links", "loads", "machines", "systems"};

std::string text_of(const SettingValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return to_text(value);
}

// A system sheet may build on another one, whose values it then has.
bool is_or_builds_on(std::string_view kind, const std::string& id, const std::string& wanted) {
  if (id == wanted) return true;
  if (!catalogue().contains(kind, id)) return false;
  const CatalogueFile& file = catalogue().find(kind, id);
  const Settings settings = Settings::parse(file.text, file.name, SettingOrigin::Kind::sheet);
  const Setting* base = settings.find("base");
  return base != nullptr && is_or_builds_on(kind, text_of(base->value), wanted);
}

void add_host_uses(const HostConfig& host, const std::string& side, const SheetName& sheet,
                   std::vector<std::string>& keys) {
  if (sheet.kind == "machines" && host.machine.id == sheet.id) keys.push_back(side);
  if (sheet.kind == "systems" && is_or_builds_on(sheet.kind, host.system.id, sheet.id)) {
    keys.push_back(side);
  }
  if (sheet.kind != "drives") return;
  for (const auto& [name, volume] : host.machine.volumes) {
    if (volume.drive != sheet.id) continue;
    keys.push_back(side);
    keys.back().append(".volumes.").append(name).append(".device");
  }
}

}  // namespace

SheetName find_sheet(const std::string& text) {
  std::vector<std::string> fitted;
  for (const FittedValue& value : fitted_values()) {
    const std::string name = value.name.substr(0, value.name.find(':'));
    if (std::find(fitted.begin(), fitted.end(), name) == fitted.end()) fitted.push_back(name);
  }
  std::vector<SheetName> found;
  for (const std::string_view kind : kinds) {
    for (const std::string& id : catalogue().ids(kind)) {
      const SheetName name{std::string{kind}, id};
      if (text == id || text == name.text()) found.push_back(name);
    }
  }
  if (found.size() == 1) return found.front();
  throw ConfigError{"calibrate", "SHEET must name one sheet" +
                                     std::string{found.empty() ? "" : " with its folder"} +
                                     ", got '" + text + "'" + suggestion(text, fitted) +
                                     " (with fitted values: " + joined(fitted) + ")"};
}

std::vector<std::string> uses(const ScenarioConfig& config, const Settings& settings,
                              const SheetName& sheet) {
  std::vector<std::string> keys;
  if (config.device) {
    if (sheet.kind == "drives" && config.device->drive == sheet.id) keys.emplace_back("device");
    return keys;
  }
  add_host_uses(config.client, "client", sheet, keys);
  if (config.server) add_host_uses(*config.server, "server", sheet, keys);
  const Setting* link = settings.find("link.id");
  if (sheet.kind == "links" && link != nullptr && text_of(link->value) == sheet.id) {
    keys.emplace_back("link");
  }
  const Setting* load = settings.find("load");
  if (sheet.kind == "loads" && load != nullptr && text_of(load->value) == sheet.id) {
    keys.emplace_back();
  }
  return keys;
}

std::optional<FittedChoice> fitted_choice(const CopyCell& cell) {
  const Scenario scenario = scenario_of(cell);
  const ResolvedScenario resolved = scenario.resolve();
  for (const std::string_view kind : kinds) {
    for (const std::string& id : catalogue().ids(kind)) {
      const auto keys = uses(resolved.config, scenario.settings(), {std::string{kind}, id});
      if (keys.empty()) continue;
      const Sheet sheet = load_sheet(kind, id);
      for (const auto& [key, setting] : sheet.settings.all()) {
        if (!setting.fit || setting.fit->candidates.empty()) continue;
        FittedChoice choice{
            keys.front().empty() ? key : keys.front() + "." + key, text_of(setting.value), {}};
        for (const SettingValue& candidate : setting.fit->candidates) {
          if (candidate != setting.value) choice.others.push_back(text_of(candidate));
        }
        return choice;
      }
    }
  }
  return std::nullopt;
}

CalibrateCommand calibration_of(const std::string& name) {
  const SheetName sheet = find_sheet(name);
  return {.sheet = sheet.text(),
          .settings = load_sheet(sheet.kind, sheet.id).settings,
          .sources = published_sources(),
          .run = simulate_cell,
          .apply = [sheet](CopyCell cell, const std::string& key, const std::string& value) {
            const Scenario scenario = scenario_of(cell);
            for (const std::string& prefix :
                 uses(scenario.resolve().config, scenario.settings(), sheet)) {
              std::string whole = prefix;
              if (!prefix.empty()) whole += '.';
              cell.settings[whole.append(key)] = value;
            }
            return cell;
          }};
}

}  // namespace copysim
