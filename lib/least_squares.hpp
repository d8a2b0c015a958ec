#pragma once

#include <functional>

#include <Eigen/Core>

namespace copysim::detail {

/// A minimum of |r(x)|^2 with every x in 0 to 1, and the derivatives of r there.
struct LeastSquares {
  Eigen::VectorXd x;
  Eigen::VectorXd residuals;
  Eigen::MatrixXd jacobian;
};

using Residuals = std::function<Eigen::VectorXd(const Eigen::VectorXd& x)>;

/// Minimises by Levenberg and Marquardt from `start`.
///
/// Derivatives are central differences (one-sided at a limit). A variable at a limit that wants to
/// leave the range is held there for the step.
[[nodiscard]] LeastSquares minimise(const Residuals& residuals, Eigen::VectorXd start);

}  // namespace copysim::detail
