#include <copysim/lib/calibrate.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/SVD>

#include <copysim/error.hpp>

#include "least_squares.hpp"
#include "report_text.hpp"

namespace copysim {

namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
// Directions whose effect is this small beside the strongest one are not determined by the data.
constexpr double weakest_direction = 1e-3;
constexpr double strong_correlation = 0.95;
// Choices whose chi-square differs by less are equally good.
constexpr double equal_chi_square = 1;

void check(const FitProblem& problem) {
  if (problem.parameters.empty() && problem.choices.empty()) {
    throw ConfigError{"calibrate: fitted values must be given, got none"};
  }
  if (problem.targets.empty()) throw ConfigError{"calibrate: fit rows must be given, got none"};
  for (const FitParameter& parameter : problem.parameters) {
    if (!(parameter.lower < parameter.upper)) {
      throw ConfigError{"calibrate: range of " + parameter.name + " must not be empty, got " +
                        detail::rounded(parameter.lower) + " to " +
                        detail::rounded(parameter.upper)};
    }
  }
  for (const FitChoice& choice : problem.choices) {
    if (choice.candidates.empty()) {
      throw ConfigError{"calibrate: candidates of " + choice.name + " must be given, got none"};
    }
  }
}

double width(const FitParameter& parameter) {
  return parameter.upper - parameter.lower;
}

std::vector<double> values_at(const FitProblem& problem, const Eigen::VectorXd& x) {
  std::vector<double> values;
  for (std::size_t j = 0; j < problem.parameters.size(); ++j) {
    const FitParameter& parameter = problem.parameters[j];
    values.push_back(parameter.lower + width(parameter) * x[static_cast<Eigen::Index>(j)]);
  }
  return values;
}

/// Names a direction in the space of the parameters: "+0.71 a -0.71 b".
std::string named(const FitProblem& problem, const Eigen::VectorXd& direction) {
  std::string text;
  for (Eigen::Index j = 0; j < direction.size(); ++j) {
    if (std::abs(direction[j]) < 0.1) continue;
    text += (text.empty() ? "" : " ") + std::string{direction[j] < 0 ? "-" : "+"} +
            detail::rounded(std::abs(direction[j]), 2) + ' ' +
            problem.parameters[static_cast<std::size_t>(j)].name;
  }
  return text;
}

/// What the derivatives at the minimum tell, in units of the ranges.
struct Uncertainty {
  Eigen::MatrixXd covariance;
  std::vector<bool> determined;
};

/// Covariance and undetermined directions by singular values: V S^-2 V^T over the determined ones.
Uncertainty uncertainty(const FitProblem& problem, const Eigen::MatrixXd& jacobian,
                        FitSolution& solution) {
  const Eigen::Index n = jacobian.cols();
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd{jacobian, Eigen::ComputeFullU | Eigen::ComputeFullV};
  const Eigen::VectorXd& s = svd.singularValues();
  Uncertainty result{Eigen::MatrixXd::Zero(n, n),
                     std::vector<bool>(static_cast<std::size_t>(n), true)};
  for (Eigen::Index k = 0; k < n; ++k) {
    const Eigen::VectorXd direction = svd.matrixV().col(k);
    if (k < s.size() && s[k] > weakest_direction * s[0]) {
      result.covariance += direction * direction.transpose() / (s[k] * s[k]);
      continue;
    }
    solution.remarks.push_back("the rows do not determine " + named(problem, direction) +
                               " (in units of the ranges)");
    for (Eigen::Index j = 0; j < n; ++j) {
      if (std::abs(direction[j]) > 0.1) result.determined[static_cast<std::size_t>(j)] = false;
    }
  }
  return result;
}

void add_uncertainty(const FitProblem& problem, const detail::LeastSquares& found,
                     FitSolution& solution) {
  const std::size_t n = problem.parameters.size();
  solution.standard_errors.assign(n, nan);
  solution.correlations.assign(n, std::vector<double>(n, nan));
  if (n == 0) return;
  auto [covariance, determined] = uncertainty(problem, found.jacobian, solution);
  const auto spare = static_cast<double>(found.residuals.size() - found.x.size());
  if (spare > 0) covariance *= solution.chi_square / spare;
  for (std::size_t a = 0; a < n; ++a) {
    const auto i = static_cast<Eigen::Index>(a);
    if (!determined[a]) continue;
    solution.standard_errors[a] = std::sqrt(covariance(i, i)) * width(problem.parameters[a]);
    for (std::size_t b = 0; b < n; ++b) {
      const auto j = static_cast<Eigen::Index>(b);
      const double scale = std::sqrt(covariance(i, i) * covariance(j, j));
      if (determined[b] && scale > 0) solution.correlations[a][b] = covariance(i, j) / scale;
    }
  }
}

void add_remarks(const FitProblem& problem, const Eigen::VectorXd& x, FitSolution& solution) {
  for (std::size_t a = 0; a < problem.parameters.size(); ++a) {
    const double at = x[static_cast<Eigen::Index>(a)];
    if (at <= 0 || at >= 1) {
      solution.remarks.push_back(problem.parameters[a].name + " stopped at the limit of its range");
    }
    for (std::size_t b = 0; b < a; ++b) {
      const double correlation = solution.correlations[a][b];
      if (std::abs(correlation) < strong_correlation || std::isnan(correlation)) continue;
      solution.remarks.push_back("the rows hardly separate " + problem.parameters[b].name +
                                 " and " + problem.parameters[a].name + " (correlation " +
                                 detail::rounded(correlation, 3) + ")");
    }
  }
}

FitSolution solve(const FitProblem& problem, const std::vector<std::string>& choices) {
  FitSolution solution;
  solution.point.choices = choices;
  const auto residuals = [&](const Eigen::VectorXd& x) {
    const auto predictions = problem.predict({values_at(problem, x), choices});
    if (predictions.size() != problem.targets.size()) {
      throw SimulationError{"calibrate: predictions and targets differ in number"};
    }
    Eigen::VectorXd r(static_cast<Eigen::Index>(predictions.size()));
    for (std::size_t i = 0; i < predictions.size(); ++i) {
      const FitTarget& target = problem.targets[i];
      r[static_cast<Eigen::Index>(i)] = (predictions[i] - target.value) / target.sigma;
    }
    return r;
  };
  Eigen::VectorXd start(static_cast<Eigen::Index>(problem.parameters.size()));
  for (std::size_t j = 0; j < problem.parameters.size(); ++j) {
    const FitParameter& parameter = problem.parameters[j];
    const double at = (parameter.start - parameter.lower) / width(parameter);
    start[static_cast<Eigen::Index>(j)] = std::clamp(at, 0.0, 1.0);
  }
  detail::LeastSquares found{start, residuals(start), {}};
  if (start.size() > 0) found = detail::minimise(residuals, start);
  solution.point.values = values_at(problem, found.x);
  solution.chi_square = found.residuals.squaredNorm();
  for (std::size_t i = 0; i < problem.targets.size(); ++i) {
    const FitTarget& target = problem.targets[i];
    solution.predictions.push_back(target.value +
                                   target.sigma * found.residuals[static_cast<Eigen::Index>(i)]);
  }
  add_uncertainty(problem, found, solution);
  add_remarks(problem, found.x, solution);
  return solution;
}

/// Every combination of candidates, the last choice varying fastest.
std::vector<std::vector<std::string>> combinations(const std::vector<FitChoice>& choices) {
  std::vector<std::vector<std::string>> all{{}};
  for (const FitChoice& choice : choices) {
    std::vector<std::vector<std::string>> longer;
    for (const auto& begun : all) {
      for (const std::string& candidate : choice.candidates) {
        longer.push_back(begun);
        longer.back().push_back(candidate);
      }
    }
    all = std::move(longer);
  }
  return all;
}

std::string joined_choices(const FitSolution& solution) {
  std::string text;
  for (const std::string& choice : solution.point.choices) {
    text += (text.empty() ? "" : ", ") + choice;
  }
  return text;
}

}  // namespace

Calibration calibrate(const FitProblem& problem) {
  check(problem);
  Calibration calibration;
  std::vector<FitSolution>& ordered = calibration.solutions;
  for (const auto& choices : combinations(problem.choices)) {
    FitSolution solution = solve(problem, choices);
    const auto worse = std::upper_bound(
        ordered.begin(), ordered.end(), solution,
        [](const FitSolution& a, const FitSolution& b) { return a.chi_square < b.chi_square; });
    ordered.insert(worse, std::move(solution));
  }
  const FitSolution& best = calibration.solutions.front();
  for (std::size_t i = 1; i < calibration.solutions.size(); ++i) {
    const FitSolution& other = calibration.solutions[i];
    if (other.chi_square - best.chi_square >= equal_chi_square) break;
    calibration.remarks.push_back("the rows do not separate " + joined_choices(best) + " from " +
                                  joined_choices(other));
  }
  return calibration;
}

FitTarget fit_target(const PublishedRow& row) {
  if (row.role != RowRole::fit) {
    throw ConfigError{"calibrate: row " + row.id + " must have the role fit, got " +
                      std::string{to_string(row.role)}};
  }
  if (!row.plan) {
    throw ConfigError{"calibrate: row " + row.id + " must be modelled: " + row.not_modelled};
  }
  const std::optional<double> first = row.lower ? row.lower : row.value;
  const std::optional<double> last = row.upper ? row.upper : row.value;
  const double low = first ? *first : *last;
  const double high = last ? *last : *first;
  const double target = row.value ? *row.value : (low + high) / 2;
  const double sigma = std::max(row.tolerance * std::abs(target), (high - low) / 2);
  return {row.id, target, sigma > 0 ? sigma : 1};
}

}  // namespace copysim
