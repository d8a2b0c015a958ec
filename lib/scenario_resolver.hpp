#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <copysim/lib/scenario.hpp>
#include <copysim/lib/settings.hpp>
#include <copysim/lib/settings_reader.hpp>

#include "scenario_sheets.hpp"

namespace copysim::detail {

/// Reads a scenario, with the sheets that it names, into a `ScenarioConfig`.
class ScenarioResolver {
public:
  /// All referenced objects outlive it. It is for one call of `resolve`.
  ScenarioResolver(const Settings& given, std::string_view name, const PolicyRegistry& policies)
      : sheets_{given, name}, policies_{&policies} {}

  [[nodiscard]] ResolvedScenario resolve();

private:
  [[nodiscard]] ResolvedScenario resolve_device();
  [[nodiscard]] ResolvedScenario resolve_reception();
  [[nodiscard]] ResolvedScenario resolve_file_server();
  void read_link(SettingsReader& reader, ScenarioConfig& config) const;
  void read_machine(SettingsReader& reader, const std::string& side, MachineConfig& machine) const;
  void read_host(SettingsReader& reader, const std::string& side, HostConfig& host) const;
  void read_workload(SettingsReader& reader, ScenarioConfig& config) const;
  void read_desktop(SettingsReader& reader, ScenarioConfig& config) const;
  void check_volumes(const ScenarioConfig& config) const;

  ScenarioSheets sheets_;
  const PolicyRegistry* policies_;
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
