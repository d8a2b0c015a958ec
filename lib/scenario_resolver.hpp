#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <copysim/lib/scenario.hpp>
#include <copysim/lib/settings.hpp>
#include <copysim/lib/settings_reader.hpp>

namespace copysim::detail {

/// Puts the sheets below a scenario's own settings and reads everything into a `ScenarioConfig`.
class ScenarioResolver {
public:
  /// All referenced objects outlive it.
  ScenarioResolver(const Settings& given, std::string_view name, const PolicyRegistry& policies)
      : given_{&given}, name_{name}, policies_{&policies} {}

  [[nodiscard]] ResolvedScenario resolve();

private:
  [[nodiscard]] ResolvedScenario resolve_device();
  [[nodiscard]] ResolvedScenario resolve_reception();
  [[nodiscard]] ResolvedScenario resolve_file_server();
  void read_link(SettingsReader& reader, ScenarioConfig& config) const;
  void choose_client_system();
  void add_machine(const std::string& side);
  void add_system(const std::string& side);
  [[nodiscard]] bool on_client(const std::string& side) const;
  void check_shares(const std::string& side, const std::string& key) const;
  void add_sheet(std::string_view kind, const std::string& id_key, const std::string& prefix);
  void read_machine(SettingsReader& reader, const std::string& side, MachineConfig& machine) const;
  void read_host(SettingsReader& reader, const std::string& side, HostConfig& host) const;
  void read_workload(SettingsReader& reader, ScenarioConfig& config) const;
  void read_desktop(SettingsReader& reader, ScenarioConfig& config) const;
  void check_volumes(const ScenarioConfig& config) const;
  [[nodiscard]] std::string text(std::string_view key) const;
  /// A ConfigError about `key`, at the place where it is set, else about the scenario as a whole.
  [[noreturn]] void fail(std::string_view key, const std::string& rule) const;

  const Settings* given_;
  std::string name_;
  const PolicyRegistry* policies_;
  Settings all_;  // sheets and given settings, strongest on top
  Setting client_system_;
};

/// The settings of `scenario` with `key=value` ones on top, neither checked nor typed yet.
[[nodiscard]] Settings changed_by(const Scenario& scenario,
                                  std::span<const std::string> assignments,
                                  const PolicyRegistry& policies);

/// What `scenario.with(assignments, policies).resolve(policies)` gives, in half the time.
[[nodiscard]] ResolvedScenario resolve_with(const Scenario& scenario,
                                            std::span<const std::string> assignments,
                                            const PolicyRegistry& policies);

}  // namespace copysim::detail
