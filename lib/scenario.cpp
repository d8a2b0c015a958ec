#include <copysim/lib/scenario.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

#include <copysim/error.hpp>
#include <copysim/lib/catalogue.hpp>

#include "scenario_resolver.hpp"

namespace copysim {

namespace {

// Replaces the short forms, so that one meaning has one key.
void expand(Settings& settings) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> short_forms{
      {{"policy", "policy.id"}, {"workload", "copy.workload"}}};
  for (const auto& [short_form, key] : short_forms) {
    if (const Setting* setting = settings.find(short_form)) {
      Setting full = *setting;
      settings.erase(short_form);
      settings.set(key, std::move(full));
    }
  }
}

std::string text_of(const Setting* setting) {
  if (setting == nullptr) return {};
  if (const auto* text = std::get_if<std::string>(&setting->value)) return *text;
  if (const auto* raw = std::get_if<UntypedText>(&setting->value)) return raw->text;
  return {};
}

// Takes out a key that says something about the scenario and is no setting.
std::string take(Settings& settings, std::string_view key) {
  std::string text = text_of(settings.find(key));
  settings.erase(key);
  return text;
}

// Empty for an unknown engine too: resolving reports that.
std::string home_of(std::string_view engine, const PolicyRegistry& policies) {
  for (const PolicyEntry& entry : policies.entries()) {
    if (entry.id == engine) return entry.home_system;
  }
  return {};
}

// Gives texts of the command line the type that their parameter has.
void settle_types(Settings& settings, const std::vector<EffectiveSetting>& effective) {
  std::vector<std::string> untyped;
  for (const auto& [key, setting] : settings.all()) {
    if (std::holds_alternative<UntypedText>(setting.value)) untyped.push_back(key);
  }
  for (const std::string& key : untyped) {
    const SettingOrigin origin = settings.find(key)->origin;
    for (const EffectiveSetting& each : effective) {
      const bool element = each.key.starts_with(key + ".");
      if (each.key == key || element) settings.set(each.key, {each.value, origin});
    }
  }
}

struct ScenarioText {
  std::string toml;
  std::string file;  ///< as messages name it
};

bool is_known(const std::string& id_or_path) {
  return catalogue().contains("scenarios", id_or_path) ||
         std::filesystem::is_regular_file(id_or_path);
}

ScenarioText text_at(const std::string& id_or_path) {
  if (!catalogue().contains("scenarios", id_or_path)) {
    return {read_text_file(id_or_path), id_or_path};
  }
  const CatalogueFile& found = catalogue().find("scenarios", id_or_path);
  return {std::string{found.text}, std::string{found.name}};
}

// Reads a scenario and those that it builds on; `above` are the scenarios that build on this one.
Settings read_settings(const ScenarioText& text, std::vector<std::string> above) {
  Settings own = Settings::parse(text.toml, text.file, SettingOrigin::Kind::scenario);
  expand(own);
  if (own.find("base") == nullptr) return own;
  const std::string base = text_of(own.find("base"));

  above.push_back(text.file);
  if (!is_known(base)) {
    const std::vector<std::string> ids = catalogue().ids("scenarios");
    SettingsReader{own}.reject("base", "must be a scenario of the catalogue or the path of a file" +
                                           suggestion(base, ids) + " (known: " + joined(ids) + ")");
  }
  const ScenarioText below = text_at(base);
  if (std::find(above.begin(), above.end(), below.file) != above.end()) {
    SettingsReader{own}.reject("base", "must not lead back to its own scenario");
  }
  Settings whole = read_settings(below, std::move(above));
  for (const char* told : {"title", "source"}) whole.erase(told);
  const std::string engine = text_of(own.find("policy.id"));
  // The parameters of the engine that goes mean nothing to the one that comes.
  if (!engine.empty() && engine != text_of(whole.find("policy.id"))) whole.erase("policy");
  own.erase("base");
  whole.merge(own);
  return whole;
}

}  // namespace

Scenario Scenario::parse(std::string_view toml, std::string_view file, std::string_view id) {
  Scenario scenario;
  scenario.id_ = id.empty() ? file : id;
  scenario.settings_ = read_settings({std::string{toml}, std::string{file}}, {});
  scenario.title_ = take(scenario.settings_, "title");
  scenario.source_ = take(scenario.settings_, "source");
  return scenario;
}

Settings detail::changed_by(const Scenario& scenario, std::span<const std::string> assignments,
                            const PolicyRegistry& policies) {
  Settings stronger;
  for (const std::string& assignment : assignments) {
    Settings one;
    one.assign(assignment);
    expand(one);
    stronger.merge(one);
  }

  Settings changed = scenario.settings();
  const std::string engine = text_of(changed.find("policy.id"));
  const std::string next = text_of(stronger.find("policy.id"));
  if (!next.empty() && next != engine) {
    // The parameters of the engine that goes mean nothing to the one that comes.
    changed.erase("policy");
    const std::string home = home_of(engine, policies);
    if (home_of(next, policies).empty() && !home.empty() && !changed.contains("client.system")) {
      changed.set("client.system", {home, SettingOrigin{}});
    }
  }
  changed.merge(stronger);
  return changed;
}

ResolvedScenario detail::resolve_with(const Scenario& scenario,
                                      std::span<const std::string> assignments,
                                      const PolicyRegistry& policies) {
  const Settings changed = changed_by(scenario, assignments, policies);
  return ScenarioResolver{changed, scenario.id(), policies}.resolve();
}

Scenario Scenario::with(std::span<const std::string> assignments,
                        const PolicyRegistry& policies) const {
  Scenario changed = *this;
  changed.settings_ = detail::changed_by(*this, assignments, policies);
  settle_types(changed.settings_, changed.resolve(policies).settings);
  return changed;
}

ResolvedScenario Scenario::resolve(const PolicyRegistry& policies) const {
  return detail::ScenarioResolver{settings_, id_, policies}.resolve();
}

std::string Scenario::to_toml() const {
  Settings all = settings_;
  if (!title_.empty()) all.set("title", {title_, SettingOrigin{}});
  if (!source_.empty()) all.set("source", {source_, SettingOrigin{}});
  return all.to_toml();
}

Scenario load_scenario(std::string_view id_or_path) {
  const std::string path{id_or_path};
  if (is_known(path) || path.ends_with(".toml")) {
    const ScenarioText text = text_at(path);
    return Scenario::parse(text.toml, text.file, path);
  }
  const std::vector<std::string> known = catalogue().ids("scenarios");
  throw ConfigError{"scenario", "'" + path + "' is neither a scenario of the catalogue nor a file" +
                                    suggestion(path, known) + " (known: " + joined(known) + ")"};
}

}  // namespace copysim
