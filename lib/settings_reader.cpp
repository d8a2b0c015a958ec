#include <copysim/lib/settings_reader.hpp>

#include <algorithm>
#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

#include <copysim/error.hpp>
#include <copysim/models/quantity.hpp>

namespace copysim {

namespace {

std::string place(const SettingOrigin& origin) {
  if (origin.file.empty()) return to_text(origin);
  return origin.file + ":" + std::to_string(origin.line);
}

std::string shown(std::int64_t value) {
  return std::to_string(value);
}
std::string shown(double value) {
  return to_text(SettingValue{value});
}
template <class Quantity>
std::string shown(Quantity value) {
  return to_text(value);
}

template <class Value>
std::string bounds_text(const Allowed<Value>& allowed) {
  if (allowed.least && allowed.most) {
    return "must be between " + shown(*allowed.least) + " and " + shown(*allowed.most);
  }
  if (allowed.least) return "must be at least " + shown(*allowed.least);
  return "must be at most " + shown(*allowed.most);
}

template <class Value>
bool inside(const Value& value, const Allowed<Value>& allowed) {
  return !(allowed.least && value < *allowed.least) && !(allowed.most && *allowed.most < value);
}

template <class Number>
std::optional<Number> number_from(std::string_view text) {
  Number number{};
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (code != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

std::optional<std::int64_t> as_count(const SettingValue& value) {
  if (const auto* count = std::get_if<std::int64_t>(&value)) return *count;
  if (const auto* raw = std::get_if<UntypedText>(&value)) {
    return number_from<std::int64_t>(raw->text);
  }
  return std::nullopt;
}

std::optional<double> as_number(const SettingValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* count = std::get_if<std::int64_t>(&value)) return static_cast<double>(*count);
  if (const auto* raw = std::get_if<UntypedText>(&value)) {
    const auto number = number_from<double>(raw->text);
    // "nan" and "inf" are numbers to from_chars, not to a model.
    if (number && *number - *number == 0) return number;
  }
  return std::nullopt;
}

std::optional<bool> as_flag(const SettingValue& value) {
  if (const auto* flag = std::get_if<bool>(&value)) return *flag;
  if (const auto* raw = std::get_if<UntypedText>(&value)) {
    if (raw->text == "true") return true;
    if (raw->text == "false") return false;
  }
  return std::nullopt;
}

const std::string* as_text(const SettingValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return text;
  if (const auto* raw = std::get_if<UntypedText>(&value)) return &raw->text;
  return nullptr;
}

}  // namespace

std::string SettingsReader::key_of(std::string_view name) const {
  std::string key;
  for (const std::string& part : path_) {
    if (!key.empty()) key += '.';
    key += part;
  }
  if (!key.empty() && !name.empty()) key += '.';
  return key + std::string{name};
}

const Setting* SettingsReader::take(const std::string& key) {
  const auto split = split_.find(key);
  return split != split_.end() ? &split->second : settings_->find(key);
}

void SettingsReader::note(const std::string& key, SettingValue value, const Setting* setting) {
  effective_.insert_or_assign(
      key, EffectiveSetting{key, std::move(value),
                            setting == nullptr ? SettingOrigin{} : setting->origin});
}

void SettingsReader::reject(std::string_view key, std::string_view rule) const {
  const auto split = split_.find(key);
  const Setting* setting = split != split_.end() ? &split->second : settings_->find(key);
  if (setting == nullptr) {
    throw ConfigError{std::string{key}, std::string{rule} + ", got its default"};
  }
  std::string got = to_text(setting->value);
  if (std::holds_alternative<UntypedText>(setting->value)) got = "'" + got + "'";
  throw ConfigError{place(setting->origin),
                    std::string{key} + " " + std::string{rule} + ", got " + got};
}

void SettingsReader::value(std::string_view name, std::string_view, bool& field) {
  const std::string key = key_of(name);
  const Setting* setting = take(key);
  if (setting != nullptr) {
    const auto flag = as_flag(setting->value);
    if (!flag) reject(key, "must be true or false");
    field = *flag;
  }
  note(key, field, setting);
}

void SettingsReader::value(std::string_view name, std::string_view, std::int64_t& field,
                           const Allowed<std::int64_t>& allowed) {
  const std::string key = key_of(name);
  const Setting* setting = take(key);
  if (setting != nullptr) {
    const auto count = as_count(setting->value);
    if (!count) reject(key, "must be a whole number");
    if (!inside(*count, allowed)) reject(key, bounds_text(allowed));
    field = *count;
  }
  note(key, field, setting);
}

void SettingsReader::value(std::string_view name, std::string_view, double& field,
                           const Allowed<double>& allowed) {
  const std::string key = key_of(name);
  const Setting* setting = take(key);
  if (setting != nullptr) {
    const auto number = as_number(setting->value);
    if (!number) reject(key, "must be a number");
    if (!inside(*number, allowed)) reject(key, bounds_text(allowed));
    field = *number;
  }
  note(key, field, setting);
}

template <class Quantity, class Parse>
void SettingsReader::quantity(std::string_view name, Quantity& field,
                              const Allowed<Quantity>& allowed, Parse parse) {
  const std::string key = key_of(name);
  const Setting* setting = take(key);
  if (setting != nullptr) {
    const std::string* text = as_text(setting->value);
    // A bare number gets the same answer as a text without a unit.
    const auto parsed = parse(text != nullptr ? *text : to_text(setting->value));
    if (!parsed.value) reject(key, parsed.error);
    if (!inside(*parsed.value, allowed)) reject(key, bounds_text(allowed));
    field = *parsed.value;
  }
  note(key, to_text(field), setting);
}

void SettingsReader::value(std::string_view name, std::string_view, Bytes& field,
                           const Allowed<Bytes>& allowed) {
  quantity(name, field, allowed, try_parse_bytes);
}

void SettingsReader::value(std::string_view name, std::string_view, Duration& field,
                           const Allowed<Duration>& allowed) {
  quantity(name, field, allowed, try_parse_duration);
}

void SettingsReader::value(std::string_view name, std::string_view, Bandwidth& field,
                           const Allowed<Bandwidth>& allowed) {
  quantity(name, field, allowed, try_parse_bandwidth);
}

void SettingsReader::value(std::string_view name, std::string_view, std::string& field) {
  const std::string key = key_of(name);
  const Setting* setting = take(key);
  if (setting != nullptr) {
    const std::string* text = as_text(setting->value);
    if (text == nullptr) reject(key, "must be a text in quotes");
    field = *text;
  }
  note(key, field, setting);
}

void SettingsReader::choice(std::string_view name, std::string_view, std::size_t& index,
                            std::span<const std::string_view> names) {
  const std::string key = key_of(name);
  const Setting* setting = take(key);
  if (setting != nullptr) {
    const std::string* text = as_text(setting->value);
    const auto found = text == nullptr ? names.end() : std::find(names.begin(), names.end(), *text);
    if (found == names.end()) {
      const std::vector<std::string> known{names.begin(), names.end()};
      reject(key, "must be one of " + joined(known));
    }
    index = static_cast<std::size_t>(found - names.begin());
  }
  note(key, std::string{names[index]}, setting);
}

void SettingsReader::enter(std::string_view name, std::string_view) {
  path_.emplace_back(name);
}

void SettingsReader::leave() {
  path_.pop_back();
}

std::size_t SettingsReader::list(std::string_view name, std::string_view, std::size_t length) {
  enter(name, {});
  const std::string key = key_of({});
  whole_lists_.insert(key);
  if (const Setting* whole = settings_->find(key)) {
    const auto* raw = std::get_if<UntypedText>(&whole->value);
    if (raw == nullptr) reject(key, "must be a list");
    std::size_t count = 0;
    for (std::size_t start = 0; start <= raw->text.size(); ++count) {
      const auto end = std::min(raw->text.find(',', start), raw->text.size());
      split_.insert_or_assign(
          key + "." + std::to_string(count),
          Setting{UntypedText{raw->text.substr(start, end - start)}, whole->origin});
      start = end + 1;
    }
    return count;
  }
  const std::size_t given = settings_->children(key).size();
  return given == 0 ? length : given;
}

void SettingsReader::finish() const {
  for (const auto& [key, setting] : settings_->all()) {
    if (effective_.contains(key) || whole_lists_.contains(key)) continue;
    std::vector<std::string> known;
    for (const auto& [name, unused] : effective_) known.push_back(name);
    // The nearest table above the key that has parameters tells what is allowed there.
    std::string table = key;
    std::vector<std::string> allowed;
    while (allowed.empty()) {
      const auto dot = table.rfind('.');
      table = dot == std::string::npos ? std::string{} : table.substr(0, dot);
      const std::string before = table.empty() ? table : table + ".";
      for (const std::string& name : known) {
        if (!name.starts_with(before)) continue;
        const std::string next =
            name.substr(before.size(), name.find('.', before.size()) - before.size());
        if (allowed.empty() || allowed.back() != next) allowed.push_back(next);
      }
      if (table.empty()) break;
    }
    throw ConfigError{place(setting.origin), "unknown key '" + key + "'" + suggestion(key, known) +
                                                 " (allowed " +
                                                 (table.empty() ? "at the top" : "in " + table) +
                                                 ": " + joined(allowed) + ")"};
  }
}

std::vector<EffectiveSetting> SettingsReader::effective() const {
  std::vector<EffectiveSetting> all;
  for (const auto& [key, setting] : effective_) all.push_back(setting);
  return all;
}

}  // namespace copysim
