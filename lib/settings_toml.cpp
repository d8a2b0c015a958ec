// Settings from and to TOML text: the only file that includes toml++ for settings.
#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>

#include <toml++/toml.h>

#include <copysim/error.hpp>
#include <copysim/lib/settings.hpp>

namespace copysim {

namespace {

constexpr std::array<std::string_view, 4> marks{"documented", "measured", "inferred", "fitted"};
constexpr std::array<std::string_view, 7> provenance_keys{"value",      "mark", "source", "range",
                                                          "candidates", "rows", "command"};

int line_of(const toml::node& node) {
  return static_cast<int>(node.source().begin.line);
}

// Walks over a parsed file and adds its values to the settings.
class Collector {
public:
  Collector(std::string_view file, SettingOrigin::Kind kind, Settings& settings)
      : file_{file}, kind_{kind}, settings_{&settings} {}

  void add_table(const toml::table& table, const std::string& prefix) {
    for (const auto& [key, node] : table) {
      const std::string_view name = key.str();
      if (name.empty() || name.find_first_of(".= ") != std::string_view::npos) {
        fail(node, prefix + std::string{name}, "must be a key without blanks, dots and =");
      }
      add(node, prefix + std::string{name});
    }
  }

private:
  [[noreturn]] void fail(const toml::node& node, const std::string& key,
                         const std::string& rule) const {
    throw ConfigError{file_ + ":" + std::to_string(line_of(node)), key + " " + rule};
  }

  void add(const toml::node& node, const std::string& key) {
    Setting setting{.value = {}, .origin = {.kind = kind_, .file = file_, .line = line_of(node)}};
    if (const toml::table* table = node.as_table()) {
      const toml::node* value = table->get("value");
      if (value == nullptr) {
        if (table->get("mark") != nullptr) fail(node, key, "has a mark but no value");
        add_table(*table, key + ".");
        return;
      }
      add_provenance(*table, key, setting);
      add_value(*value, key, setting);
      return;
    }
    add_value(node, key, setting);
  }

  void add_value(const toml::node& node, const std::string& key, Setting setting) {
    if (const toml::array* array = node.as_array()) {
      if (array->empty()) fail(node, key, "must not be an empty list");
      for (std::size_t i = 0; i < array->size(); ++i) {
        const std::string element = key + "." + std::to_string(i);
        const toml::node& item = *array->get(i);
        setting.origin.line = line_of(item);
        if (const toml::table* table = item.as_table()) {
          add_table(*table, element + ".");
        } else {
          add_value(item, element, setting);
        }
      }
      return;
    }
    setting.value = scalar(node, key);
    settings_->set(key, std::move(setting));
  }

  SettingValue scalar(const toml::node& node, const std::string& key) const {
    if (const auto* text = node.as_string()) return text->get();
    if (const auto* flag = node.as_boolean()) return flag->get();
    if (const auto* count = node.as_integer()) return count->get();
    if (const auto* number = node.as_floating_point()) {
      if (!std::isfinite(number->get())) fail(node, key, "must be a finite number");
      return number->get();
    }
    fail(node, key, "must be a text, a number, true or false, or a list of them");
  }

  std::string text(const toml::table& table, std::string_view name, const std::string& key) const {
    const toml::node* node = table.get(name);
    if (node == nullptr) return {};
    if (!node->is_string()) fail(*node, key, "must have a text as " + std::string{name});
    return node->as_string()->get();
  }

  std::vector<SettingValue> scalars(const toml::table& table, std::string_view name,
                                    const std::string& key) const {
    std::vector<SettingValue> values;
    const toml::node* node = table.get(name);
    if (node == nullptr) return values;
    if (!node->is_array()) fail(*node, key, "must have a list as " + std::string{name});
    for (const toml::node& item : *node->as_array()) values.push_back(scalar(item, key));
    return values;
  }

  void add_provenance(const toml::table& table, const std::string& key, Setting& setting) const {
    for (const auto& [name, node] : table) {
      if (std::find(provenance_keys.begin(), provenance_keys.end(), name.str()) ==
          provenance_keys.end()) {
        fail(node, key,
             "has the unknown part '" + std::string{name.str()} +
                 "' (allowed: value, mark, source, range, candidates, rows, command)");
      }
    }
    setting.origin.mark = text(table, "mark", key);
    setting.origin.source = text(table, "source", key);
    const std::string& mark = setting.origin.mark;
    if (std::find(marks.begin(), marks.end(), mark) == marks.end()) {
      fail(table, key,
           "must have a mark (documented, measured, inferred or fitted), got '" + mark + "'");
    }
    if (setting.origin.source.empty()) fail(table, key, "must name the source of its value");
    Fit fit{.range = scalars(table, "range", key),
            .candidates = scalars(table, "candidates", key),
            .rows = {},
            .command = text(table, "command", key)};
    for (const SettingValue& row : scalars(table, "rows", key)) {
      const std::string* id = std::get_if<std::string>(&row);
      if (id == nullptr) fail(table, key, "must have ids of published timings as rows");
      fit.rows.push_back(*id);
    }
    if (mark != "fitted") {
      if (!fit.range.empty() || !fit.candidates.empty() || !fit.rows.empty() ||
          !fit.command.empty()) {
        fail(table, key, "has range, candidates, rows or command, which belong to a fitted value");
      }
      return;
    }
    if ((fit.range.size() != 2) == fit.candidates.empty() || fit.rows.empty() ||
        fit.command.empty()) {
      fail(table, key,
           "is fitted: it needs a range of two values or a list of candidates, and rows and "
           "command");
    }
    setting.fit = std::move(fit);
  }

  std::string file_;
  SettingOrigin::Kind kind_;
  Settings* settings_;
};

// Text of the command line that was never read by a parameter: TOML's own types, else a string.
void insert_value(toml::table& table, std::string_view name, const SettingValue& value) {
  std::visit(
      [&](const auto& held) {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, UntypedText>) {
          table.insert_or_assign(name, held.text);
        } else {
          table.insert_or_assign(name, held);
        }
      },
      value);
}

toml::array to_array(const std::vector<SettingValue>& values) {
  toml::array array;
  for (const SettingValue& value : values) {
    std::visit(
        [&](const auto& held) {
          if constexpr (std::is_same_v<std::decay_t<decltype(held)>, UntypedText>) {
            array.push_back(held.text);
          } else {
            array.push_back(held);
          }
        },
        value);
  }
  return array;
}

void insert_setting(toml::table& table, std::string_view name, const Setting& setting) {
  if (setting.origin.mark.empty()) {
    insert_value(table, name, setting.value);
    return;
  }
  toml::table known;
  known.is_inline(true);
  insert_value(known, "value", setting.value);
  known.insert_or_assign("mark", setting.origin.mark);
  known.insert_or_assign("source", setting.origin.source);
  if (setting.fit) {
    if (!setting.fit->range.empty()) {
      known.insert_or_assign("range", to_array(setting.fit->range));
    }
    if (!setting.fit->candidates.empty()) {
      known.insert_or_assign("candidates", to_array(setting.fit->candidates));
    }
    toml::array rows;
    for (const std::string& row : setting.fit->rows) rows.push_back(row);
    known.insert_or_assign("rows", std::move(rows));
    known.insert_or_assign("command", setting.fit->command);
  }
  table.insert_or_assign(name, std::move(known));
}

toml::table to_table(const Settings& settings);

bool is_list(const std::vector<std::string>& names) {
  return !names.empty() && names.front() == "0";
}

// The elements of a list; the mark of the first plain value speaks for all.
void insert_list(toml::table& table, const std::string& name, const Settings& elements,
                 const std::vector<std::string>& indices) {
  toml::array array;
  std::vector<SettingValue> values;
  const Setting* first = elements.find("0");
  for (const std::string& index : indices) {
    if (const Setting* plain = elements.find(index)) {
      values.push_back(plain->value);
    } else {
      array.push_back(to_table(elements.below(index)));
    }
  }
  if (!values.empty()) array = to_array(values);
  if (first == nullptr || first->origin.mark.empty()) {
    table.insert_or_assign(name, std::move(array));
    return;
  }
  insert_setting(table, name, *first);
  table.get_as<toml::table>(name)->insert_or_assign("value", std::move(array));
}

toml::table to_table(const Settings& settings) {
  toml::table table;
  std::string last;
  for (const auto& [key, setting] : settings.all()) {
    const std::string name = key.substr(0, key.find('.'));
    if (name == last) continue;
    last = name;
    if (const Setting* plain = settings.find(name)) {
      insert_setting(table, name, *plain);
      continue;
    }
    const Settings part = settings.below(name);
    std::vector<std::string> names;
    for (const auto& [inner, unused] : part.all()) {
      const std::string head = inner.substr(0, inner.find('.'));
      if (names.empty() || names.back() != head) names.push_back(head);
    }
    if (is_list(names)) {
      insert_list(table, name, part, names);
    } else {
      table.insert_or_assign(name, to_table(part));
    }
  }
  return table;
}

}  // namespace

Settings Settings::parse(std::string_view toml, std::string_view file, SettingOrigin::Kind kind) {
  try {
    const toml::table table = toml::parse(toml, file);
    Settings settings;
    Collector{file, kind, settings}.add_table(table, "");
    return settings;
  } catch (const toml::parse_error& error) {
    const auto& at = error.source().begin;
    throw ConfigError{std::string{file} + ":" + std::to_string(at.line),
                      "is no TOML: " + std::string{error.description()}};
  }
}

std::string Settings::to_toml() const {
  std::ostringstream out;
  out << to_table(*this) << '\n';
  return out.str();
}

}  // namespace copysim
