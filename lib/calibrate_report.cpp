#include <cmath>

#include <copysim/lib/calibrate.hpp>

#include "report_text.hpp"

namespace copysim {

namespace {

using detail::json_number;
using detail::json_text;
using detail::padded;
using detail::rounded;

void write_text(std::ostream& out, const FitProblem& problem, const Calibration& calibration) {
  const FitSolution& best = calibration.solutions.front();
  for (std::size_t c = 0; c < problem.choices.size(); ++c) {
    out << padded(problem.choices[c].name, 40) << best.point.choices[c] << '\n';
  }
  for (std::size_t a = 0; a < problem.parameters.size(); ++a) {
    const FitParameter& parameter = problem.parameters[a];
    const double error = best.standard_errors[a];
    out << padded(parameter.name, 40) << rounded(best.point.values[a]) << " +- "
        << (std::isnan(error) ? "undetermined" : rounded(error, 2)) << ' ' << parameter.unit
        << "  (range " << rounded(parameter.lower) << " to " << rounded(parameter.upper) << ")\n";
  }
  if (problem.parameters.size() > 1) out << "\ncorrelations\n";
  for (std::size_t a = 1; a < problem.parameters.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      out << "  " << padded(problem.parameters[b].name + ", " + problem.parameters[a].name, 60)
          << rounded(best.correlations[a][b], 2) << '\n';
    }
  }
  out << "\nrows (chi-square " << rounded(best.chi_square, 3) << ")\n";
  for (std::size_t i = 0; i < problem.targets.size(); ++i) {
    const FitTarget& target = problem.targets[i];
    out << "  " << padded(target.id, 10) << "published " << padded(rounded(target.value), 10)
        << "predicted " << rounded(best.predictions[i]) << '\n';
  }
  if (calibration.solutions.size() > 1) out << "\nchoices, the best first\n";
  for (const FitSolution& solution : calibration.solutions) {
    if (calibration.solutions.size() == 1) break;
    std::string choices;
    for (const std::string& choice : solution.point.choices) choices += choice + ' ';
    out << "  " << padded(choices, 40) << "chi-square " << rounded(solution.chi_square, 3) << '\n';
  }
  for (const std::string& remark : best.remarks) out << "note: " << remark << '\n';
  for (const std::string& remark : calibration.remarks) out << "note: " << remark << '\n';
}

template <class Items, class Write>
void write_list(std::ostream& out, const Items& items, Write write) {
  const char* separator = "";
  out << '[';
  for (const auto& item : items) {
    out << separator;
    write(item);
    separator = ",";
  }
  out << ']';
}

void write_json(std::ostream& out, const FitProblem& problem, const Calibration& calibration) {
  const auto number = [&out](double x) { out << json_number(x); };
  const auto text = [&out](const std::string& x) { out << json_text(x); };
  const FitSolution& best = calibration.solutions.front();
  out << R"({"parameters":[)";
  for (std::size_t a = 0; a < problem.parameters.size(); ++a) {
    const FitParameter& parameter = problem.parameters[a];
    out << (a > 0 ? "," : "") << R"({"name":)" << json_text(parameter.name) << R"(,"value":)"
        << json_number(best.point.values[a]) << R"(,"standard_error":)"
        << json_number(best.standard_errors[a]) << R"(,"unit":)" << json_text(parameter.unit)
        << R"(,"range":[)" << json_number(parameter.lower) << ',' << json_number(parameter.upper)
        << "]}";
  }
  out << R"(],"correlations":)";
  write_list(out, best.correlations,
             [&](const std::vector<double>& row) { write_list(out, row, number); });
  out << R"(,"rows":[)";
  for (std::size_t i = 0; i < problem.targets.size(); ++i) {
    out << (i > 0 ? "," : "") << R"({"id":)" << json_text(problem.targets[i].id)
        << R"(,"published":)" << json_number(problem.targets[i].value) << R"(,"predicted":)"
        << json_number(best.predictions[i]) << '}';
  }
  out << R"(],"choices":)";
  write_list(out, calibration.solutions, [&](const FitSolution& solution) {
    out << R"({"chosen":)";
    write_list(out, solution.point.choices, text);
    out << R"(,"chi_square":)" << json_number(solution.chi_square) << '}';
  });
  std::vector<std::string> remarks = best.remarks;
  remarks.insert(remarks.end(), calibration.remarks.begin(), calibration.remarks.end());
  out << R"(,"remarks":)";
  write_list(out, remarks, text);
  out << "}\n";
}

void write_csv(std::ostream& out, const FitProblem& problem, const Calibration& calibration) {
  const FitSolution& best = calibration.solutions.front();
  out << "name,value,standard_error,unit,lower,upper\n";
  for (std::size_t c = 0; c < problem.choices.size(); ++c) {
    out << detail::csv_text(problem.choices[c].name) << ','
        << detail::csv_text(best.point.choices[c]) << ",,,,\n";
  }
  for (std::size_t a = 0; a < problem.parameters.size(); ++a) {
    const FitParameter& parameter = problem.parameters[a];
    const double error = best.standard_errors[a];
    out << detail::csv_text(parameter.name) << ',' << json_number(best.point.values[a]) << ','
        << (std::isnan(error) ? "" : json_number(error)) << ',' << parameter.unit << ','
        << json_number(parameter.lower) << ',' << json_number(parameter.upper) << '\n';
  }
}

}  // namespace

void write_calibration(std::ostream& out, const FitProblem& problem, const Calibration& calibration,
                       ReportFormat format) {
  switch (format) {
    case ReportFormat::text:
      write_text(out, problem, calibration);
      return;
    case ReportFormat::json:
      write_json(out, problem, calibration);
      return;
    case ReportFormat::csv:
      write_csv(out, problem, calibration);
      return;
  }
}

}  // namespace copysim
