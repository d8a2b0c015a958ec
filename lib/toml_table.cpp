#include "toml_table.hpp"

#include <algorithm>
#include <sstream>

#include <copysim/error.hpp>

#include "report_text.hpp"

namespace copysim::detail {

namespace {

std::string shown(const toml::node& node) {
  std::ostringstream out;
  node.visit([&out](const auto& value) { out << value; });
  return out.str();
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

}  // namespace

toml::table parse_toml(std::string_view text, const std::string& file) {
  try {
    return toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    throw ConfigError{file + ':' + std::to_string(error.source().begin.line) + ": " +
                      std::string{error.description()}};
  }
}

TomlTable::TomlTable(const toml::table& table, std::string file, std::string name)
    : table_{&table}, file_{std::move(file)}, name_{std::move(name)} {}

void TomlTable::fail(std::string_view key, std::string_view rule) const {
  const toml::node* found = table_->get(key);
  const auto line = found ? found->source().begin.line : table_->source().begin.line;
  std::string text = file_ + ':' + std::to_string(line) + ": ";
  if (!name_.empty()) text += name_ + ": ";
  text += std::string{key} + ' ' + std::string{rule};
  if (found && !found->is_table() && !found->is_array()) text += ", got " + shown(*found);
  throw ConfigError{text};
}

const toml::node* TomlTable::node(std::string_view key) {
  asked_.emplace_back(key);
  return table_->get(key);
}

std::string TomlTable::text(std::string_view key, std::string_view otherwise) {
  const toml::node* found = node(key);
  if (!found) return std::string{otherwise};
  if (!found->is_string()) fail(key, "must be a text");
  return found->value_or(std::string{});
}

std::string TomlTable::required_text(std::string_view key) {
  if (!has(key)) fail(key, "must be given");
  return text(key, "");
}

std::string TomlTable::choice(std::string_view key, const std::vector<std::string>& allowed,
                              std::string_view otherwise) {
  const std::string chosen = text(key, otherwise);
  if (std::find(allowed.begin(), allowed.end(), chosen) == allowed.end()) {
    fail(key, "must be one of " + joined(allowed));
  }
  return chosen;
}

std::vector<std::string> TomlTable::texts(std::string_view key) {
  const toml::node* found = node(key);
  if (!found) return {};
  if (found->is_string()) return {found->value_or(std::string{})};
  if (!found->is_array()) fail(key, "must be a text or an array of texts");
  std::vector<std::string> all;
  for (const toml::node& item : *found->as_array()) {
    if (!item.is_string()) fail(key, "must be a text or an array of texts");
    all.push_back(item.value_or(std::string{}));
  }
  return all;
}

std::optional<double> TomlTable::number(std::string_view key) {
  const toml::node* found = node(key);
  if (!found) return std::nullopt;
  if (!found->is_number()) fail(key, "must be a number");
  return found->value<double>();
}

std::optional<std::int64_t> TomlTable::integer(std::string_view key) {
  const toml::node* found = node(key);
  if (!found) return std::nullopt;
  if (!found->is_integer()) fail(key, "must be a whole number");
  return found->value<std::int64_t>();
}

bool TomlTable::boolean(std::string_view key, bool otherwise) {
  const toml::node* found = node(key);
  if (!found) return otherwise;
  if (!found->is_boolean()) fail(key, "must be true or false");
  return found->value_or(otherwise);
}

std::map<std::string, std::string> TomlTable::settings(std::string_view key) {
  std::map<std::string, std::string> all;
  const toml::node* found = node(key);
  if (!found) return all;
  if (!found->is_table()) fail(key, "must be a table of settings such as { policy = \"xp\" }");
  for (const auto& [name, value] : *found->as_table()) {
    std::string& text = all[std::string{name.str()}];
    if (const auto* string = value.as_string()) {
      text = string->get();
    } else if (const auto* integer = value.as_integer()) {
      text = std::to_string(integer->get());
    } else if (const auto* real = value.as_floating_point()) {
      text = json_number(real->get());
    } else if (const auto* truth = value.as_boolean()) {
      text = truth->get() ? "true" : "false";
    } else {
      fail(key, "must hold texts, numbers or booleans only (quote a key with a dot)");
    }
  }
  return all;
}

TomlTable TomlTable::table(std::string_view key) {
  const toml::node* found = node(key);
  if (!found || !found->is_table()) fail(key, "must be a table");
  return {*found->as_table(), file_, name_.empty() ? std::string{key} : name_};
}

std::vector<TomlTable> TomlTable::tables(std::string_view key) {
  std::vector<TomlTable> all;
  const toml::node* found = node(key);
  if (!found) return all;
  if (!found->is_array()) fail(key, "must be an array of tables");
  for (const toml::node& item : *found->as_array()) {
    if (!item.is_table()) fail(key, "must be an array of tables");
    all.emplace_back(*item.as_table(), file_, std::string{key});
  }
  return all;
}

void TomlTable::finish() const {
  for (const auto& [key, value] : *table_) {
    const std::string_view name = key.str();
    if (std::find(asked_.begin(), asked_.end(), name) != asked_.end()) continue;
    std::vector<std::string> allowed = asked_;
    std::sort(allowed.begin(), allowed.end());
    allowed.erase(std::unique(allowed.begin(), allowed.end()), allowed.end());
    const auto line = key.source().begin.line;
    throw ConfigError{file_ + ':' + std::to_string(line) + ": " +
                      (name_.empty() ? "" : name_ + ": ") + std::string{name} +
                      " is not a key here; allowed are " + joined(allowed)};
  }
}

}  // namespace copysim::detail
