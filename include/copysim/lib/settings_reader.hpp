#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <copysim/lib/settings.hpp>
#include <copysim/models/parameter_reader.hpp>

namespace copysim {

/// One value that a run really used, and where it comes from.
struct EffectiveSetting {
  std::string key;
  SettingValue value;  ///< typed; a quantity as text in its shortest unit, "1 s"
  SettingOrigin origin{};

  bool operator==(const EffectiveSetting& other) const {
    return key == other.key && value == other.value;
  }
};

/// Reads settings into any `Config` with a `parameters` table and takes note of every effective
/// value, set or default.
///
/// Every mistake is a `ConfigError` of one line that names the place, the key, what is allowed and
/// what was found: `my.toml:7: link.rtt needs a unit (ns, us, ms, s, min, h), got 50`. Read all
/// that there is, then call `finish`, which refuses the keys that nobody asked for.
class SettingsReader final : public ParameterReader {
public:
  /// `settings` outlive the reader.
  explicit SettingsReader(const Settings& settings) : settings_{&settings} {}

  /// Reads the section `name` (at the top if empty) into `config`.
  template <class Config>
  void read(std::string_view name, Config& config) {
    Section inside{*this, name};
    read_parameters(config, *this);
  }
  /// The same for a table of parameters that is not in the `Config` itself.
  template <class Config, class Declared>
  void read(std::string_view name, Config& config, const Declared& declared) {
    Section inside{*this, name};
    read_parameters(config, declared, *this);
  }

  void value(std::string_view name, std::string_view text, bool& field) override;
  void value(std::string_view name, std::string_view text, std::int64_t& field,
             const Allowed<std::int64_t>& allowed) override;
  void value(std::string_view name, std::string_view text, double& field,
             const Allowed<double>& allowed) override;
  void value(std::string_view name, std::string_view text, Bytes& field,
             const Allowed<Bytes>& allowed) override;
  void value(std::string_view name, std::string_view text, Duration& field,
             const Allowed<Duration>& allowed) override;
  void value(std::string_view name, std::string_view text, Bandwidth& field,
             const Allowed<Bandwidth>& allowed) override;
  void value(std::string_view name, std::string_view text, std::string& field) override;
  void choice(std::string_view name, std::string_view text, std::size_t& index,
              std::span<const std::string_view> names) override;
  void enter(std::string_view name, std::string_view text) override;
  void leave() override;
  std::size_t list(std::string_view name, std::string_view text, std::size_t length) override;

  /// Throws `ConfigError` for the value of `key` (a whole key): `<place>: <key> <rule>, got <v>`.
  [[noreturn]] void reject(std::string_view key, std::string_view rule) const;

  /// \throws ConfigError for the first setting that no parameter has read, with a suggestion and
  /// the keys that its table knows.
  void finish() const;

  /// In the order of the keys.
  [[nodiscard]] std::vector<EffectiveSetting> effective() const;

private:
  class Section {
  public:
    Section(SettingsReader& reader, std::string_view name) : reader_{&reader}, in_{!name.empty()} {
      if (in_) reader_->enter(name, {});
    }
    Section(const Section&) = delete;
    Section& operator=(const Section&) = delete;
    ~Section() {
      if (in_) reader_->leave();
    }

  private:
    SettingsReader* reader_;
    bool in_;
  };

  [[nodiscard]] std::string key_of(std::string_view name) const;
  const Setting* take(const std::string& key);
  void note(const std::string& key, SettingValue value, const Setting* setting);
  template <class Quantity, class Parse>
  void quantity(std::string_view name, Quantity& field, const Allowed<Quantity>& allowed,
                Parse parse);

  const Settings* settings_;
  std::vector<std::string> path_;
  std::map<std::string, EffectiveSetting, KeyLess> effective_;
  // Elements of a list that was given as one text "a,b" on the command line.
  std::map<std::string, Setting, KeyLess> split_;
  std::set<std::string, std::less<>> whole_lists_;
};

/// Returns "; did you mean 'x'?" with the nearest of `known`, or nothing if none is near.
[[nodiscard]] std::string suggestion(std::string_view wrong, std::span<const std::string> known);

/// Joins texts as a message lists them: "a, b, c".
[[nodiscard]] std::string joined(std::span<const std::string> texts);

}  // namespace copysim
