#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace copysim {

/// Where the value of a setting comes from.
struct SettingOrigin {
  enum class Kind : std::uint8_t { built_in, sheet, scenario, command_line };

  Kind kind = Kind::built_in;
  std::string file{};    ///< "systems/xp.toml" or a path; empty for built_in and command_line
  int line = 0;          ///< from 1
  std::string mark{};    ///< how it is known: documented, measured, inferred, fitted; or empty
  std::string source{};  ///< the citation
};

/// Prints "default", "command line", or the kind with "file:line".
[[nodiscard]] std::string to_text(const SettingOrigin& origin);

/// A value from the command line, whose type only its parameter knows.
struct UntypedText {
  std::string text;
  bool operator==(const UntypedText&) const = default;
};

/// A value as it was given. Quantities are strings with a unit.
using SettingValue = std::variant<bool, std::int64_t, double, std::string, UntypedText>;

/// How a message or a list shows a value: strings of TOML in quotes.
[[nodiscard]] std::string to_text(const SettingValue& value);

/// What a fitted value must tell: from where it was chosen, by which rows, and how to repeat it.
struct Fit {
  std::vector<SettingValue> range;       ///< lowest and highest value, for a number
  std::vector<SettingValue> candidates;  ///< for a choice, such as a drive of the catalogue
  std::vector<std::string> rows;         ///< ids of published timings
  std::string command;                   ///< "copysim calibrate ..."
};

struct Setting {
  SettingValue value;
  SettingOrigin origin{};
  std::optional<Fit> fit{};
};

/// Orders dotted keys part by part, whole numbers by value: "zones.2.rate" before "zones.10.rate".
struct KeyLess {
  using is_transparent = void;
  [[nodiscard]] bool operator()(std::string_view a, std::string_view b) const;
};

/// Settings as a flat, ordered list of dotted keys, from TOML text and `key=value` assignments.
///
/// A TOML value is plain, or a table that says how the value is known:
/// `rtt = { value = "0.2 ms", mark = "inferred", source = "..." }`. A fitted one also has `range`
/// (lowest, highest) or `candidates`, `rows` and `command`. Elements of a list have their index as
/// last part of the key. What the values mean is not known here: `SettingsReader` checks them.
class Settings {
public:
  Settings() = default;

  /// Reads TOML. `file` names the text in messages.
  /// \throws ConfigError with file and line, for TOML that is none and for a malformed mark.
  [[nodiscard]] static Settings parse(std::string_view toml, std::string_view file,
                                      SettingOrigin::Kind kind);

  /// Takes one `key=value` of the command line; a later one wins.
  /// \throws ConfigError if there is no `=` or no key.
  void assign(std::string_view assignment);

  /// Replaces the value of `key`. A list is replaced as a whole: setting `zones` removes
  /// `zones.0`, and the other way round.
  void set(std::string_view key, Setting setting);
  void erase(std::string_view key);

  /// Lets all of `stronger` win over what is here, with `prefix` and a dot before its keys unless
  /// `prefix` is empty.
  void merge(const Settings& stronger, std::string_view prefix = {});

  [[nodiscard]] const Setting* find(std::string_view key) const;
  /// True if `key` or anything below it is set.
  [[nodiscard]] bool contains(std::string_view key) const;
  /// The next parts of the keys below `key`, each once: of "volumes", the names of the volumes.
  [[nodiscard]] std::vector<std::string> children(std::string_view key) const;
  /// The settings below `key`, without that prefix.
  [[nodiscard]] Settings below(std::string_view key) const;
  [[nodiscard]] const std::map<std::string, Setting, KeyLess>& all() const { return settings_; }

  /// Prints as TOML that parses to equal settings.
  [[nodiscard]] std::string to_toml() const;

  /// Equal keys with equal values; where they come from is not compared.
  bool operator==(const Settings& other) const;

private:
  std::map<std::string, Setting, KeyLess> settings_;
};

}  // namespace copysim
