#include <copysim/lib/settings.hpp>

#include <algorithm>
#include <array>
#include <charconv>

#include <copysim/error.hpp>

namespace copysim {

namespace {

bool is_below(std::string_view key, std::string_view parent) {
  return key.size() > parent.size() && key.starts_with(parent) && key[parent.size()] == '.';
}

std::string_view first_part(std::string_view key) {
  return key.substr(0, key.find('.'));
}

std::string_view after_first_part(std::string_view key) {
  const auto dot = key.find('.');
  return dot == std::string_view::npos ? std::string_view{} : key.substr(dot + 1);
}

std::optional<std::int64_t> whole_number(std::string_view part) {
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(part.data(), part.data() + part.size(), value);
  if (part.empty() || code != std::errc{} || end != part.data() + part.size()) return std::nullopt;
  return value;
}

std::string trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(" \t");
  if (first == std::string_view::npos) return {};
  return std::string{text.substr(first, text.find_last_not_of(" \t") - first + 1)};
}

}  // namespace

std::string to_text(const SettingOrigin& origin) {
  switch (origin.kind) {
    case SettingOrigin::Kind::built_in:
      return "default";
    case SettingOrigin::Kind::command_line:
      return "command line";
    case SettingOrigin::Kind::sheet:
      return "sheet " + origin.file + ":" + std::to_string(origin.line);
    case SettingOrigin::Kind::scenario:
      return "scenario " + origin.file + ":" + std::to_string(origin.line);
  }
  return {};
}

std::string to_text(const SettingValue& value) {
  struct Printer {
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::int64_t count) const { return std::to_string(count); }
    std::string operator()(double number) const {
      std::array<char, 32> buffer{};
      const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
      return {buffer.data(), end};
    }
    std::string operator()(const std::string& text) const { return '"' + text + '"'; }
    std::string operator()(const UntypedText& text) const { return text.text; }
  };
  return std::visit(Printer{}, value);
}

bool KeyLess::operator()(std::string_view a, std::string_view b) const {
  while (!a.empty() && !b.empty()) {
    const std::string_view x = first_part(a);
    const std::string_view y = first_part(b);
    if (x != y) {
      const auto n = whole_number(x);
      const auto m = whole_number(y);
      if (n && m && *n != *m) return *n < *m;
      if (n.has_value() != m.has_value()) return n.has_value();
      return x < y;
    }
    a = after_first_part(a);
    b = after_first_part(b);
  }
  return a.empty() && !b.empty();
}

void Settings::assign(std::string_view assignment) {
  const auto equals = assignment.find('=');
  const std::string key = trimmed(assignment.substr(0, equals));
  if (equals == std::string_view::npos || key.empty()) {
    throw ConfigError{"command line",
                      "a setting must be key=value, got '" + std::string{assignment} + "'"};
  }
  set(key, {UntypedText{trimmed(assignment.substr(equals + 1))},
            SettingOrigin{.kind = SettingOrigin::Kind::command_line}});
}

void Settings::set(std::string_view key, Setting setting) {
  erase(key);
  // An element replaces a value given for the whole list.
  for (auto dot = key.rfind('.'); dot != std::string_view::npos && dot > 0;
       dot = key.rfind('.', dot - 1)) {
    const auto parent = settings_.find(key.substr(0, dot));
    if (parent != settings_.end()) settings_.erase(parent);
  }
  settings_.insert_or_assign(std::string{key}, std::move(setting));
}

void Settings::erase(std::string_view key) {
  // What is below a key follows it directly in the order of KeyLess.
  auto entry = settings_.lower_bound(key);
  while (entry != settings_.end() && (entry->first == key || is_below(entry->first, key))) {
    entry = settings_.erase(entry);
  }
}

void Settings::merge(const Settings& stronger, std::string_view prefix) {
  const std::string before = prefix.empty() ? std::string{} : std::string{prefix} + ".";
  // The first element of a stronger list removes the whole weaker list, however long that is.
  for (const auto& [key, setting] : stronger.settings_) {
    for (auto dot = key.find('.'); dot != std::string::npos; dot = key.find('.', dot + 1)) {
      if (whole_number(first_part(std::string_view{key}.substr(dot + 1)))) {
        erase(before + key.substr(0, dot));
        break;
      }
    }
  }
  for (const auto& [key, setting] : stronger.settings_) set(before + key, setting);
}

const Setting* Settings::find(std::string_view key) const {
  const auto found = settings_.find(key);
  return found == settings_.end() ? nullptr : &found->second;
}

bool Settings::contains(std::string_view key) const {
  const auto entry = settings_.lower_bound(key);
  return entry != settings_.end() && (entry->first == key || is_below(entry->first, key));
}

std::vector<std::string> Settings::children(std::string_view key) const {
  std::vector<std::string> names;
  for (const auto& [name, setting] : settings_) {
    if (!is_below(name, key)) continue;
    const std::string_view child = first_part(std::string_view{name}.substr(key.size() + 1));
    if (names.empty() || names.back() != child) names.emplace_back(child);
  }
  return names;
}

Settings Settings::below(std::string_view key) const {
  Settings part;
  for (const auto& [name, setting] : settings_) {
    if (is_below(name, key)) part.settings_.emplace(name.substr(key.size() + 1), setting);
  }
  return part;
}

bool Settings::operator==(const Settings& other) const {
  return std::equal(settings_.begin(), settings_.end(), other.settings_.begin(),
                    other.settings_.end(), [](const auto& a, const auto& b) {
                      return a.first == b.first && a.second.value == b.second.value;
                    });
}

}  // namespace copysim
