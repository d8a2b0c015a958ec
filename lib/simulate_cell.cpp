#include <copysim/lib/simulate_cell.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include <copysim/error.hpp>
#include <copysim/lib/run.hpp>

namespace copysim {

namespace {

double counter(const RunResult& result, std::string_view name) {
  for (const auto& [known, value] : result.counters) {
    if (known == name) return value;
  }
  throw SimulationError{"no counter " + std::string{name}};
}

}  // namespace

Scenario scenario_of(const CopyCell& cell) {
  std::vector<std::string> settings;
  for (const auto& [key, value] : cell.settings) {
    settings.push_back(key);
    settings.back().append("=").append(value);
  }
  const Scenario scenario = load_scenario(cell.scenario);
  return settings.empty() ? scenario : scenario.with(settings);
}

CellResult simulate_cell(const CopyCell& cell) {
  const ResolvedScenario resolved = scenario_of(cell).resolve();
  CellResult result;
  for (std::int64_t i = 0; i < resolved.config.run.replications; ++i) {
    const RunResult one = run(resolved, static_cast<std::uint64_t>(i));
    if (one.status != IoStatus::ok) {
      throw ConfigError{"copy", "must succeed to be timed, got " +
                                    std::string{to_string(one.status)} + " in replication " +
                                    std::to_string(i)};
    }
    const double elapsed = seconds(one.elapsed);
    result.elapsed_s.push_back(elapsed);
    result.durable_s.push_back(seconds(one.durable));
    // Replications are paired by index, so one without an estimate keeps its place.
    result.first_estimate_s.push_back(one.first_estimate
                                          ? seconds(*one.first_estimate)
                                          : std::numeric_limits<double>::quiet_NaN());
    result.throughput_bytes_per_s.push_back(
        elapsed > 0 ? static_cast<double>(one.copied.count()) / elapsed : 0);
    for (const auto& [name, value] : one.counters) result.counters[name].push_back(value);
    if (!resolved.config.device) continue;
    result.service_s.push_back(counter(one, "benchmark.mean_service_s"));
    result.requests_per_s.push_back(counter(one, "benchmark.requests_per_s"));
  }
  return result;
}

}  // namespace copysim
