#include "least_squares.hpp"

#include <algorithm>
#include <vector>

#include <Eigen/Cholesky>

namespace copysim::detail {

namespace {

// Differences over two percent of a range: far above the steps of a simulated time, still local.
constexpr double difference = 0.02;
constexpr int most_iterations = 40;
constexpr double smallest_step = 1e-5;
constexpr double smallest_gain = 1e-9;
constexpr double first_damping = 1e-3;
constexpr double most_damping = 1e8;

Eigen::MatrixXd derivatives(const Residuals& residuals, const Eigen::VectorXd& x,
                            Eigen::Index rows) {
  Eigen::MatrixXd jacobian(rows, x.size());
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    Eigen::VectorXd up = x;
    Eigen::VectorXd down = x;
    up[j] = std::min(1.0, x[j] + difference / 2);
    down[j] = std::max(0.0, x[j] - difference / 2);
    jacobian.col(j) = (residuals(up) - residuals(down)) / (up[j] - down[j]);
  }
  return jacobian;
}

/// The damped step; variables that would leave their range stay.
Eigen::VectorXd step(const Eigen::MatrixXd& jacobian, const Eigen::VectorXd& r,
                     const Eigen::VectorXd& x, double damping) {
  const Eigen::VectorXd gradient = jacobian.transpose() * r;
  std::vector<Eigen::Index> free;
  for (Eigen::Index j = 0; j < x.size(); ++j) {
    const bool held = (x[j] <= 0 && gradient[j] > 0) || (x[j] >= 1 && gradient[j] < 0);
    if (!held) free.push_back(j);
  }
  Eigen::VectorXd change = Eigen::VectorXd::Zero(x.size());
  if (free.empty()) return change;
  const auto n = static_cast<Eigen::Index>(free.size());
  Eigen::MatrixXd part(jacobian.rows(), n);
  for (Eigen::Index k = 0; k < n; ++k) part.col(k) = jacobian.col(free[static_cast<size_t>(k)]);
  Eigen::MatrixXd normal = part.transpose() * part;
  const double floor = std::max(normal.diagonal().maxCoeff(), 1e-300) * 1e-9;
  for (Eigen::Index k = 0; k < n; ++k) normal(k, k) += damping * std::max(normal(k, k), floor);
  const Eigen::VectorXd solved = normal.ldlt().solve(-part.transpose() * r);
  for (Eigen::Index k = 0; k < n; ++k) change[free[static_cast<size_t>(k)]] = solved[k];
  return change;
}

}  // namespace

LeastSquares minimise(const Residuals& residuals, Eigen::VectorXd start) {
  LeastSquares best{std::move(start), {}, {}};
  best.residuals = residuals(best.x);
  best.jacobian = derivatives(residuals, best.x, best.residuals.size());
  double damping = first_damping;
  for (int i = 0; i < most_iterations && damping < most_damping; ++i) {
    const Eigen::VectorXd change = step(best.jacobian, best.residuals, best.x, damping);
    const Eigen::VectorXd next = (best.x + change).cwiseMax(0.0).cwiseMin(1.0);
    if (!((next - best.x).cwiseAbs().maxCoeff() > smallest_step)) break;
    const Eigen::VectorXd r = residuals(next);
    const double before = best.residuals.squaredNorm();
    const double gain = before - r.squaredNorm();
    if (!(gain > 0)) {
      damping *= 8;
      continue;
    }
    damping = std::max(damping / 8, 1e-9);
    best.x = next;
    best.residuals = r;
    best.jacobian = derivatives(residuals, best.x, r.size());
    if (gain <= smallest_gain * before) break;
  }
  return best;
}

}  // namespace copysim::detail
