#include <copysim/lib/sweep.hpp>

#include <algorithm>
#include <utility>

#include <copysim/error.hpp>

#include "run_batch.hpp"

namespace copysim {

namespace {

// Counts through all combinations, the last axis fastest.
std::vector<std::vector<std::string>> combinations(const std::vector<SweepAxis>& axes) {
  std::vector<std::vector<std::string>> all{{}};
  for (const SweepAxis& axis : axes) {
    std::vector<std::vector<std::string>> longer;
    longer.reserve(all.size() * axis.values.size());
    for (const auto& start : all) {
      for (const std::string& value : axis.values) {
        longer.push_back(start);
        longer.back().push_back(value);
      }
    }
    all = std::move(longer);
  }
  return all;
}

}  // namespace

SweepAxis SweepAxis::parse(std::string_view text) {
  const auto equals = text.find('=');
  if (equals == std::string_view::npos || equals == 0 || equals + 1 == text.size()) {
    throw ConfigError{"sweep",
                      "vary must be key=value,value,..., got \"" + std::string{text} + '"'};
  }
  SweepAxis axis{std::string{text.substr(0, equals)}, {}};
  std::string_view rest = text.substr(equals + 1);
  for (;;) {
    const auto comma = rest.find(',');
    const std::string_view value = rest.substr(0, comma);
    if (value.empty()) {
      throw ConfigError{"sweep", "values of " + axis.key + " must not be empty, got \"" +
                                     std::string{text} + '"'};
    }
    axis.values.emplace_back(value);
    if (comma == std::string_view::npos) return axis;
    rest.remove_prefix(comma + 1);
  }
}

Sweep sweep(const Scenario& scenario, const std::vector<SweepAxis>& axes, const RunOptions& options,
            const PolicyRegistry& policies) {
  Sweep result;
  for (const SweepAxis& axis : axes) {
    if (std::find(result.keys.begin(), result.keys.end(), axis.key) != result.keys.end()) {
      throw ConfigError{"sweep", "vary must name a key once, got " + axis.key + " again"};
    }
    result.keys.push_back(axis.key);
  }
  std::vector<Scenario> scenarios;
  for (auto& values : combinations(axes)) {
    std::vector<std::string> assignments;
    for (std::size_t i = 0; i < axes.size(); ++i) {
      assignments.push_back(axes[i].key + '=' + values[i]);
    }
    scenarios.push_back(scenario.with(assignments, policies));
    result.points.push_back({std::move(values), {}});
  }
  std::vector<RunSummary> summaries = detail::run_batch(scenarios, options, policies);
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    result.points[i].summary = std::move(summaries[i]);
  }
  return result;
}

}  // namespace copysim
