// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// All functions of a chain at a point, sorted into rows that are held and inequalities.
#include <Eigen/Core>
#include <vector>

#include "varia/control/chain_problem.hpp"

namespace varia::detail {

inline double largest(const Eigen::VectorXd& x) {
  return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0;
}

/// Gradients and values of rows: of a point, or what is left of (kkt).
struct ChainResidual {
  std::vector<Eigen::VectorXd> gradient, rows;  ///< tₖ and Rₖ
  Eigen::VectorXd start_gradient, start_rows;   ///< of x₀
  Eigen::VectorXd end_gradient;                 ///< of x_K
  Eigen::VectorXd ties;                         ///< E, then the joint rows
};

/// Rows of a step beside Rₖ that are held, as few as those of the ends: their slopes, and the place among the ties.
struct ChainJoint {
  Eigen::MatrixXd slopes;
  int first = 0;
};

struct ChainMultipliers {
  std::vector<Eigen::VectorXd> rho, limits;  ///< of Rₖ and of the inequalities
  Eigen::VectorXd start, ties;
};

/// Which rows of gₖ are inequalities, with their bounds, and which are held because both bounds are one.
struct ChainLimits {
  std::vector<int> held, open;
  Eigen::VectorXd target;        ///< of those that are held
  Eigen::VectorXd lower, upper;  ///< of the others
};

class ChainValues {
 public:
  explicit ChainValues(const ChainProblem& problem);

  /// Multipliers count only where order is `all`.
  void evaluate(const ChainPoint& at, const ChainMultipliers& multipliers, ChainOrder order);

  const ChainProblem& problem() const { return *problem_; }
  const std::vector<ChainLimits>& limits() const { return limits_; }
  const std::vector<ChainJoint>& joints() const { return joints_; }
  int count() const { return problem_->steps(); }

  bool finite() const { return finite_; }
  double cost() const { return cost_; }
  const Eigen::VectorXd& ties() const { return ties_; }  ///< E, then gₖ - target of the held rows
  /// Values and slopes of the inequalities of step k.
  const Eigen::VectorXd& open(int k) const { return open_[static_cast<std::size_t>(k)]; }
  const Eigen::MatrixXd& open_slopes(int k) const {
    return open_slopes_[static_cast<std::size_t>(k)];
  }

  std::vector<ChainStep> steps;
  ChainEnd start, end;

  /// tₖ without the inequalities, the gradients at the ends, and the rows.
  void residual(const ChainMultipliers& multipliers, ChainResidual& out) const;
  /// Rows of a step count by what they change of the state at its end, so that a finer chain has no larger violation.
  /// The slopes are those of a call of evaluate.
  void weigh();
  const std::vector<Eigen::VectorXd>& weights() const { return weights_; }
  void set_weights(const ChainValues& other) { weights_ = other.weights_; }
  /// Weighted sum, and largest one, of what Rₖ, S and the ties miss.
  double violation() const;
  double largest_violation() const;

 private:
  const ChainProblem* problem_;
  std::vector<ChainLimits> limits_;
  std::vector<ChainJoint> joints_;
  std::vector<Eigen::VectorXd> open_;
  std::vector<Eigen::MatrixXd> open_slopes_;
  std::vector<Eigen::VectorXd> weights_;
  Eigen::VectorXd ties_, all_;
  double cost_ = 0.0;
  bool finite_ = false;
};

}  // namespace varia::detail
