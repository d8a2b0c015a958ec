#include <copysim/lib/calibrate_command.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>

#include <copysim/error.hpp>

#include "report_text.hpp"
#include "run_cells.hpp"

namespace copysim {

namespace {

/// A number with its unit, as a sheet writes it: "0.2 ms", 3, 1.5.
struct Quantity {
  double number;
  std::string unit;
};

Quantity quantity(const SettingValue& value, const std::string& name) {
  if (std::holds_alternative<std::int64_t>(value)) {
    throw ConfigError{name + " is a count: it must be fitted by candidates, not over a range"};
  }
  if (const auto* real = std::get_if<double>(&value)) return {*real, ""};
  if (const auto* text = std::get_if<std::string>(&value)) {
    double number = 0;
    const char* const last = text->data() + text->size();
    const auto [end, error] = std::from_chars(text->data(), last, number);
    if (error == std::errc{}) {
      const char* const unit = std::find_if(end, last, [](char c) { return c != ' '; });
      return {number, std::string{unit, last}};
    }
  }
  throw ConfigError{name + " must be a number with its unit to be fitted over a range, got " +
                    to_text(value)};
}

// Settings take at most nine decimals; a fit is never that exact.
std::string written(double number, const std::string& unit) {
  constexpr double grain = 1e6;
  const std::string text = detail::json_number(std::round(number * grain) / grain);
  return unit.empty() ? text : text + ' ' + unit;
}

std::string plain(const SettingValue& value) {
  const auto* text = std::get_if<std::string>(&value);
  return text ? *text : to_text(value);
}

FitParameter parameter_of(const std::string& sheet, const std::string& key,
                          const Setting& setting) {
  const std::string name = sheet + ": " + key;
  const Quantity value = quantity(setting.value, name);
  const Quantity lower = quantity(setting.fit->range.front(), name);
  const Quantity upper = quantity(setting.fit->range.back(), name);
  if (lower.unit != value.unit || upper.unit != value.unit) {
    throw ConfigError{name + " must have its range in the unit of its value, got " +
                      to_text(setting.fit->range.front()) + " to " +
                      to_text(setting.fit->range.back())};
  }
  return {key, value.number, lower.number, upper.number, value.unit};
}

const PublishedRow& find_row(const std::vector<PublishedSource>& sources, const std::string& id,
                             const std::string& sheet) {
  for (const PublishedSource& source : sources) {
    for (const PublishedRow& row : source.rows) {
      if (row.id == id) return row;
    }
  }
  throw ConfigError{sheet + ": rows must be ids of published timings, got '" + id + "'"};
}

/// A row whose cells all carry the values of `point`.
PublishedRow row_at(const CalibrateCommand& command, const PublishedRow& row,
                    const FitProblem& problem, const FitPoint& point) {
  PublishedRow changed = row;
  for (auto* cells : {&changed.plan->a, &changed.plan->b}) {
    for (CopyCell& cell : *cells) {
      for (std::size_t c = 0; c < problem.choices.size(); ++c) {
        cell = command.apply(std::move(cell), problem.choices[c].name, point.choices[c]);
      }
      for (std::size_t a = 0; a < problem.parameters.size(); ++a) {
        const FitParameter& parameter = problem.parameters[a];
        cell = command.apply(std::move(cell), parameter.name,
                             written(point.values[a], parameter.unit));
      }
    }
  }
  return changed;
}

}  // namespace

FitProblem fit_problem(const CalibrateCommand& command) {
  FitProblem problem;
  std::vector<PublishedRow> rows;
  for (const auto& [key, setting] : command.settings.all()) {
    if (!setting.fit) continue;
    if (setting.fit->candidates.empty()) {
      problem.parameters.push_back(parameter_of(command.sheet, key, setting));
    } else {
      FitChoice choice{key, {}};
      for (const SettingValue& value : setting.fit->candidates) {
        choice.candidates.push_back(plain(value));
      }
      problem.choices.push_back(std::move(choice));
    }
    for (const std::string& id : setting.fit->rows) {
      const bool known = std::any_of(rows.begin(), rows.end(),
                                     [&](const PublishedRow& row) { return row.id == id; });
      if (known) continue;
      rows.push_back(find_row(command.sources, id, command.sheet));
      problem.targets.push_back(fit_target(rows.back()));
    }
  }
  if (problem.parameters.empty() && problem.choices.empty()) {
    throw ConfigError{command.sheet + ": a value must be marked fitted, got none"};
  }
  // Without the function itself: the copy only names the parameters.
  const FitProblem names = problem;
  problem.predict = [&command, rows, names](const FitPoint& point) {
    std::vector<PublishedRow> changed;
    std::set<CopyCell> cells;
    for (const PublishedRow& row : rows) {
      changed.push_back(row_at(command, row, names, point));
      detail::collect(*changed.back().plan, cells);
    }
    const detail::CellResults results = detail::run_cells(cells, command.run, command.options);
    std::vector<double> predictions;
    predictions.reserve(changed.size());
    for (const PublishedRow& row : changed) {
      predictions.push_back(detail::predict_row("", row, results).predicted->mean);
    }
    return predictions;
  };
  return problem;
}

int calibrate_command(const CalibrateCommand& command, std::ostream& out) {
  const FitProblem problem = fit_problem(command);
  write_calibration(out, problem, calibrate(problem), command.format);
  return 0;
}

}  // namespace copysim
