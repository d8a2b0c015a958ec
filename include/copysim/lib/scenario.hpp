#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <copysim/lib/scenario_config.hpp>
#include <copysim/lib/settings.hpp>
#include <copysim/lib/settings_reader.hpp>
#include <copysim/models/copy/builtin_policies.hpp>
#include <copysim/models/copy/copy_policy.hpp>
#include <copysim/models/copy/policy_registry.hpp>

namespace copysim {

/// A scenario with every sheet looked up and every value checked.
struct ResolvedScenario {
  ScenarioConfig config;
  std::shared_ptr<CopyPolicy> policy;      ///< made from `policy.id` and its parameters
  std::vector<EffectiveSetting> settings;  ///< the whole effective configuration, flat
};

/// Two machines, a link, an engine, a workload: what to simulate, as text.
///
/// A value: copy it, change the copy `with` settings, compare. It holds only what its file and the
/// later settings say; the machine, system, drive and link sheets that it names are looked up when
/// it is resolved. Weaker to stronger: defaults of the models, drive and link sheets, system
/// sheet, machine sheet, scenario file, later settings.
///
/// `policy = "x"` is short for `policy.id`, `workload = "x"` for `copy.workload`. An engine with a
/// home system sets `client.system` unless that key is given; when an engine without one replaces
/// it, the system stays. `server.system = "client"` follows the client.
///
/// `base = "x"` builds on another scenario, an id of the catalogue or a path: its
/// settings are weaker than this file's. With another engine, those of the base's engine go.
class Scenario {
public:
  /// Reads TOML; `file` stands in messages, and is the id unless that is given.
  /// \throws ConfigError for text that is no TOML, and a base that is unknown or leads back.
  [[nodiscard]] static Scenario parse(std::string_view toml, std::string_view file,
                                      std::string_view id = {});

  [[nodiscard]] const std::string& id() const { return id_; }
  [[nodiscard]] const std::string& title() const { return title_; }
  /// Where the scenario is told, such as the file name of an article; may be empty.
  [[nodiscard]] const std::string& source() const { return source_; }
  [[nodiscard]] const Settings& settings() const { return settings_; }

  /// Returns this scenario with `key=value` settings on top, checked as a whole.
  /// \throws ConfigError that names the key, and what is allowed.
  [[nodiscard]] Scenario with(std::span<const std::string> assignments,
                              const PolicyRegistry& policies = builtin_policies()) const;

  /// Looks up the sheets and reads every parameter.
  /// \throws ConfigError for the first mistake.
  [[nodiscard]] ResolvedScenario resolve(const PolicyRegistry& policies = builtin_policies()) const;

  /// Prints TOML that parses to an equal scenario.
  [[nodiscard]] std::string to_toml() const;

  /// Equal settings; id, title and source are not compared.
  bool operator==(const Scenario& other) const { return settings_ == other.settings_; }

private:
  std::string id_;
  std::string title_;
  std::string source_;
  Settings settings_;
};

/// Finds a scenario: an id of the catalogue ("apc/vista-to-xp"), else the path of a TOML file.
/// \throws ConfigError if it is neither; the text lists the known ids.
[[nodiscard]] Scenario load_scenario(std::string_view id_or_path);

}  // namespace copysim
