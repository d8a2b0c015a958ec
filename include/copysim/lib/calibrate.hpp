#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

#include <copysim/lib/published.hpp>
#include <copysim/lib/reproduce.hpp>

namespace copysim {

/// A number to be fitted, in the unit that its sheet gives it.
struct FitParameter {
  std::string name;
  double start = 0;
  double lower = 0;  ///< The fit stays within these limits.
  double upper = 0;
  std::string unit{};
};

/// A choice to be fitted, such as a drive of the catalogue: every candidate is tried.
struct FitChoice {
  std::string name;
  std::vector<std::string> candidates;
};

/// A published figure to be met, and how closely: `sigma` counts as one standard deviation.
struct FitTarget {
  std::string id;
  double value = 0;
  double sigma = 1;
};

/// One set of values and choices, in the order of the problem.
struct FitPoint {
  std::vector<double> values;
  std::vector<std::string> choices;
};

/// What is to be fitted to what.
///
/// Contract: `predict` gives one number per target and is a pure function of the point. Being
/// simulated on common random numbers it is repeatable, but it may move in small steps.
struct FitProblem {
  std::vector<FitParameter> parameters;
  std::vector<FitChoice> choices;
  std::vector<FitTarget> targets;
  std::function<std::vector<double>(const FitPoint&)> predict;
};

/// The best values under one combination of choices.
struct FitSolution {
  FitPoint point;
  std::vector<double> predictions;
  double chi_square = 0;  ///< Sum over targets of ((predicted - published) / sigma)^2.
  /// One per parameter, NaN where the targets do not determine it. With more targets than
  /// parameters the misfit sets their scale, else the sigmas do.
  std::vector<double> standard_errors;
  std::vector<std::vector<double>> correlations;  ///< Between parameters; NaN where undetermined.
  std::vector<std::string> remarks;  ///< What the data cannot separate, and limits reached.
};

/// All combinations of choices, the best first.
struct Calibration {
  std::vector<FitSolution> solutions;
  std::vector<std::string> remarks;  ///< Choices that the data cannot separate.
};

/// Fits the parameters of `problem` by the method of Levenberg and Marquardt (Marquardt 1963), with
/// derivatives from differences of two percent of each range, and tries every combination of
/// choices.
/// \throws ConfigError if there is nothing to fit or nothing to fit it to, or a range is empty.
[[nodiscard]] Calibration calibrate(const FitProblem& problem);

/// Returns what a fit row asks for: its value or the middle of its bounds, and as sigma its
/// tolerance or half the width of its bounds, whichever is wider.
/// \throws ConfigError unless the role of the row is fit and the row has a plan.
[[nodiscard]] FitTarget fit_target(const PublishedRow& row);

/// Prints values, standard errors, correlations, how the targets are met, and the remarks.
void write_calibration(std::ostream& out, const FitProblem& problem, const Calibration& calibration,
                       ReportFormat format);

}  // namespace copysim
