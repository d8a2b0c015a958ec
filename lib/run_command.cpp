#include <copysim/lib/run_command.hpp>

#include <copysim/error.hpp>
#include <copysim/lib/run.hpp>
#include <copysim/lib/run_report.hpp>
#include <copysim/lib/sweep.hpp>

namespace copysim {

namespace {

Scenario scenario_of(const RunCommand& command) {
  std::vector<std::string> settings = command.settings;
  if (command.policy) settings.push_back("policy.id=" + *command.policy);
  if (command.seed) settings.push_back("run.seed=" + std::to_string(*command.seed));
  if (command.replications) {
    settings.push_back("run.replications=" + std::to_string(*command.replications));
  }
  const Scenario scenario = load_scenario(command.scenario);
  return settings.empty() ? scenario : scenario.with(settings);
}

}  // namespace

void run_command(const RunCommand& command, std::ostream& out) {
  write_run(out, replicate(scenario_of(command), command.options), command.format);
}

void sweep_command(const SweepCommand& command, std::ostream& out) {
  if (command.vary.empty()) throw ConfigError{"sweep", "vary must name a key, got nothing"};
  std::vector<SweepAxis> axes;
  for (const std::string& text : command.vary) axes.push_back(SweepAxis::parse(text));
  write_sweep(out, sweep(scenario_of(command.base), axes, command.base.options),
              command.base.format);
}

}  // namespace copysim
