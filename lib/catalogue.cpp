#include <copysim/lib/catalogue.hpp>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <sstream>
#include <utility>

#include <copysim/error.hpp>
#include <copysim/lib/published.hpp>
#include <copysim/lib/settings_reader.hpp>

#include "embedded_data.hpp"
#include "shared_sheet.hpp"

namespace copysim {

namespace {

// Takes a key that describes the sheet out of its values.
template <class Value>
Value take(Settings& settings, std::string_view key) {
  Value taken{};
  if (const Setting* setting = settings.find(key)) {
    if (const auto* value = std::get_if<Value>(&setting->value)) taken = *value;
    settings.erase(key);
  }
  return taken;
}

// `above` are the sheets that build on this one.
Sheet load_sheet_below(std::string_view kind, std::string_view id,
                       const std::vector<std::string>& above) {
  std::vector<std::string> chain = above;
  chain.emplace_back(id);
  if (std::find(above.begin(), above.end(), id) != above.end()) {
    throw ConfigError{chain.front(), "base must not lead back to itself, got " + joined(chain)};
  }
  Sheet sheet;
  sheet.id = id;
  if (id.ends_with(".toml")) {
    sheet.settings = Settings::parse(read_text_file(sheet.id), id, SettingOrigin::Kind::sheet);
  } else {
    const CatalogueFile& file = catalogue().find(kind, id);
    sheet.settings = Settings::parse(file.text, file.name, SettingOrigin::Kind::sheet);
  }
  sheet.title = take<std::string>(sheet.settings, "title");
  sheet.year = take<std::int64_t>(sheet.settings, "year");
  sheet.source = take<std::string>(sheet.settings, "source");
  const auto base = take<std::string>(sheet.settings, "base");
  if (!base.empty()) {
    Settings whole = load_sheet_below(kind, base, chain).settings;
    whole.merge(sheet.settings);
    sheet.settings = std::move(whole);
  }
  return sheet;
}

/// The sheets of the catalogue that were read so far, for all threads.
class ReadSheets {
public:
  std::shared_ptr<const Sheet> get(std::string_view kind, std::string_view id) {
    const std::pair key{std::string{kind}, std::string{id}};
    {
      const std::lock_guard lock{mutex_};
      if (const auto known = sheets_.find(key); known != sheets_.end()) return known->second;
    }
    // Two threads may read one sheet; the first to be done is kept.
    auto sheet = std::make_shared<const Sheet>(load_sheet_below(kind, id, {}));
    const std::lock_guard lock{mutex_};
    return sheets_.emplace(key, std::move(sheet)).first->second;
  }

private:
  std::mutex mutex_;
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const Sheet>> sheets_;
};

}  // namespace

const CatalogueFile& Catalogue::find(std::string_view kind, std::string_view id) const {
  for (const CatalogueFile& file : files_) {
    if (file.kind == kind && file.id == id) return file;
  }
  const std::vector<std::string> known = ids(kind);
  throw ConfigError{"catalogue", "no '" + std::string{id} + "' among the " + std::string{kind} +
                                     suggestion(id, known) + " (known: " + joined(known) + ")"};
}

bool Catalogue::contains(std::string_view kind, std::string_view id) const {
  return std::any_of(files_.begin(), files_.end(),
                     [&](const CatalogueFile& file) { return file.kind == kind && file.id == id; });
}

std::vector<std::string> Catalogue::ids(std::string_view kind) const {
  std::vector<std::string> found;
  for (const CatalogueFile& file : files_) {
    if (file.kind == kind) found.emplace_back(file.id);
  }
  std::sort(found.begin(), found.end());
  return found;
}

Catalogue catalogue() {
  return Catalogue{detail::embedded_files()};
}

std::string read_text_file(const std::string& path) {
  if (!std::filesystem::is_regular_file(path)) throw ConfigError{path, "no such file"};
  std::ifstream file{path};
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) throw ConfigError{path, "cannot be read"};
  return text.str();
}

std::shared_ptr<const Sheet> detail::shared_sheet(std::string_view kind, std::string_view id) {
  if (id.ends_with(".toml")) return std::make_shared<const Sheet>(load_sheet_below(kind, id, {}));
  // What ships in the library never changes, so each sheet is read once; a sweep asks for the same
  // few at every point.
  static ReadSheets sheets;
  return sheets.get(kind, id);
}

Sheet load_sheet(std::string_view kind, std::string_view id) {
  return *detail::shared_sheet(kind, id);
}

std::vector<FittedValue> fitted_values() {
  constexpr std::array<std::string_view, 6> kinds{"drives",   "links",     "loads",
                                                  "machines", "scenarios", "systems"};
  std::map<std::string, std::string> source_of_row;
  for (const PublishedSource& source : published_sources()) {
    for (const PublishedRow& row : source.rows) source_of_row.emplace(row.id, source.id);
  }
  std::vector<FittedValue> found;
  for (const CatalogueFile& file : catalogue().files()) {
    if (std::find(kinds.begin(), kinds.end(), file.kind) == kinds.end()) continue;
    const Settings settings = Settings::parse(file.text, file.name, SettingOrigin::Kind::sheet);
    for (const auto& [key, setting] : settings.all()) {
      if (!setting.fit) continue;
      const Fit& fit = *setting.fit;
      FittedValue& value = found.emplace_back();
      value.name = std::string{file.kind} + "/" + std::string{file.id} + ": " + key;
      value.value = setting.value;
      value.range = fit.range.empty() ? fit.candidates : fit.range;
      value.rows = fit.rows;
      value.command = fit.command;
      value.reason = setting.origin.source;
      for (const std::string& row : fit.rows) {
        const std::string& source = source_of_row[row];
        if (std::find(value.sources.begin(), value.sources.end(), source) == value.sources.end()) {
          value.sources.push_back(source);
        }
      }
    }
  }
  return found;
}

}  // namespace copysim
