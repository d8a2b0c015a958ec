#include <copysim/lib/settings.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <iterator>
#include <utility>

#include <copysim/error.hpp>

namespace copysim {

namespace {

bool is_below(std::string_view key, std::string_view parent) {
  return key.size() > parent.size() && key.starts_with(parent) && key[parent.size()] == '.';
}

std::string_view first_part(std::string_view key) {
  return key.substr(0, key.find('.'));
}

std::optional<std::int64_t> whole_number(std::string_view part) {
  // Most parts are names.
  if (part.empty() || (part.front() != '-' && (part.front() < '0' || part.front() > '9'))) {
    return std::nullopt;
  }
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(part.data(), part.data() + part.size(), value);
  if (code != std::errc{} || end != part.data() + part.size()) return std::nullopt;
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
  // The parts are equal up to the one with the first difference, and that one decides.
  const auto [in_a, in_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const auto same = static_cast<std::size_t>(in_a - a.begin());
  if (same == a.size() && same == b.size()) return false;
  const std::size_t dot = a.substr(0, same).rfind('.');
  const std::size_t part = dot == std::string_view::npos ? 0 : dot + 1;
  const std::string_view x = first_part(a.substr(part));
  const std::string_view y = first_part(b.substr(part));
  // One of them ends here, the other goes on below it.
  if (x == y) return a.size() < b.size();
  const auto n = whole_number(x);
  const auto m = whole_number(y);
  if (n && m && *n != *m) return *n < *m;
  if (n.has_value() != m.has_value()) return n.has_value();
  return x < y;
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
  // What is below a key follows it directly in the order of KeyLess.
  auto entry = settings_.lower_bound(key);
  while (entry != settings_.end() && (entry->first == key || is_below(entry->first, key))) {
    entry = settings_.erase(entry);
  }
  // An element replaces a value given for the whole list, which then is the only key of that list.
  if (entry != settings_.begin()) {
    const auto before = std::prev(entry);
    if (is_below(key, before->first)) settings_.erase(before);
  }
  settings_.emplace_hint(entry, std::string{key}, std::move(setting));
}

void Settings::erase(std::string_view key) {
  auto entry = settings_.lower_bound(key);
  while (entry != settings_.end() && (entry->first == key || is_below(entry->first, key))) {
    entry = settings_.erase(entry);
  }
}

void Settings::merge(const Settings& stronger, std::string_view prefix) {
  const std::string before = prefix.empty() ? std::string{} : std::string{prefix} + ".";
  // The first element of a stronger list removes the whole weaker list, however long that is.
  std::string_view last;
  for (const auto& [key, setting] : stronger.settings_) {
    for (auto dot = key.find('.'); dot != std::string::npos; dot = key.find('.', dot + 1)) {
      if (!whole_number(first_part(std::string_view{key}.substr(dot + 1)))) continue;
      // The elements of a list follow each other.
      const std::string_view list = std::string_view{key}.substr(0, dot);
      if (list != last) erase(before + std::string{list});
      last = list;
      break;
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
