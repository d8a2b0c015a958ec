#include <copysim/lib/run_command.hpp>

#include <fstream>
#include <sstream>

#include <copysim/error.hpp>
#include <copysim/lib/explain.hpp>
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

// A picture or a trace goes to a file whole or not at all: it is made before the file is opened.
void write_file(const std::string& name, const std::string& text) {
  std::ofstream file{name, std::ios::binary};
  file << text;
  if (!file.flush()) throw ConfigError{name, "must be a file that can be written"};
}

}  // namespace

void run_command(const RunCommand& command, std::ostream& out) {
  write_run(out, replicate(scenario_of(command), command.options), command.format);
}

void explain_command(const ExplainCommand& command, std::ostream& out) {
  const Scenario scenario = scenario_of(command.base);
  std::vector<Explanation> explanations{explain(scenario)};
  for (const std::string& policy : command.compare) {
    explanations.push_back(explain(scenario.with(std::vector{"policy.id=" + policy})));
  }
  if (!command.plot.empty()) {
    std::ostringstream picture;
    draw_explanations(picture, explanations);
    write_file(command.plot, picture.str());
  }
  write_explanations(out, explanations, command.base.format);
}

void trace_command(const TraceCommand& command, std::ostream& out) {
  const Trace trace = record_trace(scenario_of(command.base).resolve());
  if (command.output.empty()) {
    write_trace(out, trace, command.kind);
    return;
  }
  std::ofstream file{command.output, std::ios::binary};
  write_trace(file, trace, command.kind);
  if (!file.flush()) throw ConfigError{command.output, "must be a file that can be written"};
}

void sweep_command(const SweepCommand& command, std::ostream& out) {
  if (command.vary.empty()) throw ConfigError{"sweep", "vary must name a key, got nothing"};
  std::vector<SweepAxis> axes;
  for (const std::string& text : command.vary) axes.push_back(SweepAxis::parse(text));
  write_sweep(out, sweep(scenario_of(command.base), axes, command.base.options),
              command.base.format);
}

}  // namespace copysim
