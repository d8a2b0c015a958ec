#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include <copysim/error.hpp>
#include <copysim/lib/calibrate.hpp>
#include <copysim/lib/published.hpp>
#include <copysim/lib/reproduce.hpp>
#include <copysim/lib/sheet_use.hpp>
#include <copysim/lib/simulate_cell.hpp>

#include "bindings.hpp"
#include "work.hpp"

namespace copysim::python {

namespace {

using SettingTexts = std::map<std::string, std::string>;
using Ids = std::optional<std::vector<std::string>>;
/// Key, start, lower, upper, unit.
using Parameter = std::tuple<std::string, double, double, double, std::string>;

PublishedSource find_source(const std::string& id_or_path) {
  return id_or_path.ends_with(".toml") ? load_published(id_or_path) : published_source(id_or_path);
}

/// `source` with the rows of `ids` alone (all if none are given), whose cells have `set` on top.
PublishedSource chosen(PublishedSource source, const Ids& ids, const SettingTexts& set) {
  if (ids) {
    std::vector<PublishedRow> rows;
    for (const std::string& id : *ids) {
      const auto row = std::find_if(source.rows.begin(), source.rows.end(),
                                    [&](const PublishedRow& each) { return each.id == id; });
      if (row == source.rows.end()) {
        throw ConfigError{"rows", "must be ids of the source " + source.id + ", got '" + id + "'"};
      }
      rows.push_back(*row);
    }
    source.rows = std::move(rows);
  }
  for (PublishedRow& row : source.rows) {
    if (!row.plan) continue;
    for (auto* cells : {&row.plan->a, &row.plan->b}) {
      for (CopyCell& cell : *cells) {
        for (const auto& [key, value] : set) cell.settings[key] = value;
      }
    }
  }
  return source;
}

py::dict row_to_dict(const PublishedRow& row) {
  py::dict all;
  all["id"] = row.id;
  all["what"] = row.what;
  all["metric"] = row.metric;
  all["unit"] = row.unit;
  all["kind"] = std::string{to_string(row.kind)};
  all["role"] = std::string{to_string(row.role)};
  all["published"] = row.value;
  all["lower"] = row.lower;
  all["upper"] = row.upper;
  all["tolerance"] = row.tolerance;
  all["note"] = row.note;
  return all;
}

py::dict published(const std::string& id_or_path) {
  const PublishedSource source = find_source(id_or_path);
  py::list rows;
  for (const PublishedRow& row : source.rows) rows.append(row_to_dict(row));
  py::dict all;
  all["id"] = source.id;
  all["citation"] = source.citation;
  all["date"] = source.date;
  all["address"] = py::tuple(py::cast(source.address));
  all["hardware"] = source.hardware;
  all["method"] = source.method;
  all["trust"] = source.trust;
  all["rows"] = rows;
  return all;
}

py::list compare(const std::string& id_or_path, const Ids& ids, const SettingTexts& set, int jobs) {
  const PublishedSource source = chosen(find_source(id_or_path), ids, set);
  const Reproduction done = interruptible([&](const std::stop_token& stop) {
    return reproduce({source}, simulate_cell, {.jobs = jobs, .stop = stop});
  });
  py::list rows;
  for (const ReproducedRow& each : done.rows) {
    py::dict row = row_to_dict(each.row);
    row["source"] = each.source;
    row["predicted"] = each.predicted ? py::cast(each.predicted->mean) : py::none();
    row["ci95"] = each.predicted ? py::cast(each.predicted->ci95) : py::none();
    row["error"] = each.predicted ? py::cast(each.verdict.error) : py::none();
    row["verdict"] = std::string{to_string(each.verdict.outcome)};
    row["reason"] = each.reason();
    rows.append(row);
  }
  return rows;
}

/// Settings that give each parameter its value at a point, and each choice its candidate.
SettingTexts settings_at(const FitProblem& problem, const FitPoint& point) {
  SettingTexts all;
  for (std::size_t i = 0; i < problem.choices.size(); ++i) {
    all[problem.choices[i].name] = point.choices[i];
  }
  for (std::size_t i = 0; i < problem.parameters.size(); ++i) {
    const FitParameter& parameter = problem.parameters[i];
    // Six decimals: settings take at most nine, and a fit is never that exact.
    std::string text = std::to_string(point.values[i]);
    if (!parameter.unit.empty()) text += ' ' + parameter.unit;
    all[parameter.name] = std::move(text);
  }
  return all;
}

py::dict to_dict(const FitSolution& solution) {
  py::dict all;
  all["values"] = solution.point.values;
  all["choices"] = solution.point.choices;
  all["predictions"] = solution.predictions;
  all["chi_square"] = solution.chi_square;
  all["standard_errors"] = solution.standard_errors;
  all["correlations"] = solution.correlations;
  all["remarks"] = solution.remarks;
  return all;
}

py::dict fitted(const FitProblem& problem, const Calibration& done) {
  py::list parameters;
  for (const FitParameter& each : problem.parameters) {
    parameters.append(py::make_tuple(each.name, each.start, each.lower, each.upper, each.unit));
  }
  py::list choices;
  for (const FitChoice& choice : problem.choices) choices.append(choice.name);
  py::list targets;
  for (const FitTarget& target : problem.targets) {
    targets.append(py::make_tuple(target.id, target.value, target.sigma));
  }
  py::list solutions;
  for (const FitSolution& solution : done.solutions) solutions.append(to_dict(solution));
  py::dict all;
  all["parameters"] = parameters;
  all["choices"] = choices;
  all["targets"] = targets;
  all["solutions"] = solutions;
  all["remarks"] = done.remarks;
  return all;
}

py::dict fit(const std::string& id_or_path, const Ids& ids,
             const std::vector<Parameter>& parameters,
             const std::map<std::string, std::vector<std::string>>& choices,
             const SettingTexts& set, int jobs) {
  const PublishedSource source = chosen(find_source(id_or_path), ids, set);
  FitProblem problem;
  for (const auto& [key, start, lower, upper, unit] : parameters) {
    problem.parameters.push_back({key, start, lower, upper, unit});
  }
  for (const auto& [key, candidates] : choices) problem.choices.push_back({key, candidates});
  for (const PublishedRow& row : source.rows) problem.targets.push_back(fit_target(row));
  // Without the function itself: the copy only names the parameters.
  const FitProblem names = problem;
  const Calibration done = interruptible([&](const std::stop_token& stop) {
    problem.predict = [&, stop](const FitPoint& point) {
      const Reproduction there = reproduce({chosen(source, {}, settings_at(names, point))},
                                           simulate_cell, {.jobs = jobs, .stop = stop});
      std::vector<double> predictions;
      for (const ReproducedRow& row : there.rows) predictions.push_back(row.predicted->mean);
      return predictions;
    };
    return calibrate(problem);
  });
  return fitted(problem, done);
}

py::dict fit_sheet(const std::string& sheet, int jobs) {
  CalibrateCommand command = calibration_of(sheet);
  command.options.jobs = jobs;
  FitProblem problem;
  const Calibration done = interruptible([&](const std::stop_token& stop) {
    command.options.stop = stop;
    problem = fit_problem(command);
    return calibrate(problem);
  });
  return fitted(problem, done);
}

}  // namespace

void bind_published(py::module_& m) {
  m.def("published", &published, py::arg("id_or_path"));
  m.def("compare", &compare, py::arg("id_or_path"), py::arg("rows"), py::arg("set"),
        py::arg("jobs"));
  m.def("calibrate", &fit, py::arg("id_or_path"), py::arg("rows"), py::arg("parameters"),
        py::arg("choices"), py::arg("set"), py::arg("jobs"));
  m.def("calibrate_sheet", &fit_sheet, py::arg("sheet"), py::arg("jobs"));
}

}  // namespace copysim::python
