#include "scenario_sheets.hpp"

#include <algorithm>
#include <utility>

#include <copysim/error.hpp>
#include <copysim/lib/catalogue.hpp>
#include <copysim/lib/settings_reader.hpp>

#include "shared_sheet.hpp"

namespace copysim::detail {

namespace {

std::vector<std::string> policy_ids(const PolicyRegistry& policies) {
  std::vector<std::string> ids;
  for (const PolicyEntry& entry : policies.entries()) ids.push_back(entry.id);
  return ids;
}

}  // namespace

std::string known_text(std::span<const std::string> ids) {
  return " (known: " + joined(ids) + ")";
}

void ScenarioSheets::fail(std::string_view key, const std::string& rule) const {
  if (all_.find(key) != nullptr) SettingsReader{all_}.reject(key, rule);
  throw ConfigError{name_, std::string{key} + " " + rule};
}

std::string ScenarioSheets::text(std::string_view key) const {
  const Setting* setting = all_.find(key);
  if (setting == nullptr) return {};
  if (const auto* text = std::get_if<std::string>(&setting->value)) return *text;
  if (const auto* raw = std::get_if<UntypedText>(&setting->value)) return raw->text;
  SettingsReader{all_}.reject(key, "must be a text in quotes");
}

void ScenarioSheets::choose_client_system(const PolicyRegistry& policies) {
  const std::vector<std::string> ids = policy_ids(policies);
  const std::string engine = text("policy.id");
  if (engine.empty()) fail("policy.id", "must name an engine" + known_text(ids));
  if (std::find(ids.begin(), ids.end(), engine) == ids.end()) {
    fail("policy.id", "must be one of " + joined(ids) + suggestion(engine, ids));
  }
  if (all_.find("client.system") != nullptr) return;
  const std::string home = policies.find(engine).home_system;
  if (home.empty()) {
    fail("client.system", "must be given, since the engine '" + engine + "' has no home system" +
                              known_text(catalogue().ids("systems")));
  }
  all_.set("client.system", {home, SettingOrigin{}});
}

void ScenarioSheets::add_sheet(std::string_view kind, const std::string& id_key,
                               const std::string& prefix) {
  std::string id = text(id_key);
  if (id.empty()) return;
  if (kind == "systems" && id == "client" && id_key == "server.system") {
    id = text("client.system");
  }
  if (!id.ends_with(".toml") && !catalogue().contains(kind, id)) {
    const std::vector<std::string> ids = catalogue().ids(kind);
    fail(id_key, "must be one of " + joined(ids) + suggestion(id, ids));
  }
  // What is there already was said by the scenario or a stronger sheet.
  Settings weaker;
  weaker.merge(shared_sheet(kind, id)->settings, prefix);
  weaker.merge(all_);
  all_ = std::move(weaker);
}

bool ScenarioSheets::on_client(const std::string& side) const {
  return side == "server" && text("server.machine") == "client";
}

void ScenarioSheets::add_system(const std::string& side) {
  if (text(side + ".system").empty()) {
    fail(side + ".system", "must name a system sheet" + known_text(catalogue().ids("systems")));
  }
  add_sheet("systems", side + ".system", side);
}

void ScenarioSheets::add_machine(const std::string& side) {
  const std::string machine = side + ".machine";
  if (on_client(side)) {
    add_system(side);
    return;
  }
  if (text(machine).empty() && !all_.contains(side + ".volumes")) {
    fail(machine, "must name a machine sheet, unless " + side + ".volumes tells its drives" +
                      known_text(catalogue().ids("machines")));
  }
  // The machine first: its sheet may name the system that it runs.
  add_sheet("machines", machine, side);
  add_system(side);
  for (const std::string& volume : all_.children(side + ".volumes")) {
    std::string key = side;
    key.append(".volumes.").append(volume);
    if (all_.find(key + ".shares") != nullptr) {
      check_shares(side, key);
      continue;
    }
    if (text(key + ".filesystem") == "tmpfs") continue;
    if (text(key + ".drive").empty()) {
      fail(key + ".drive", "must name a drive sheet" + known_text(catalogue().ids("drives")));
    }
    add_sheet("drives", key + ".drive", key + ".device");
  }
}

// A volume may share the drive of one that has its own; nothing else then says what its drive is.
void ScenarioSheets::check_shares(const std::string& side, const std::string& key) const {
  std::vector<std::string> owners;
  for (const std::string& volume : all_.children(side + ".volumes")) {
    std::string owner = side;
    owner.append(".volumes.").append(volume);
    const bool owns =
        all_.find(owner + ".shares") == nullptr && text(owner + ".filesystem") != "tmpfs";
    if (owner != key && owns) owners.push_back(volume);
  }
  const std::string shared = text(key + ".shares");
  if (std::find(owners.begin(), owners.end(), shared) == owners.end()) {
    fail(key + ".shares", "must be a volume with a drive of its own: " + joined(owners) +
                              suggestion(shared, owners));
  }
  if (all_.find(key + ".drive") != nullptr) fail(key + ".drive", "must not be given with shares");
}

}  // namespace copysim::detail
