// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A chain as one sparse problem in ℝⁿ, for a solver that knows nothing of chains.
//
//   minimise  f(X)  subject to  l ≤ c(X) ≤ u,   X = (x₀, w₀, y₀, w₁, y₁, …),   c = (S, R₀, g₀, R₁, g₁, …, E)
//
// The variables of a step lie side by side, as xₖ is the end of yₖ₋₁: its derivatives are one block. Which entries of a
// block can differ from zero is read off at a few points. An entry that turns out to do so later has grown: evaluations
// fail from then on, and the problem is to be solved anew, with the larger pattern.
#include <Eigen/Core>
#include <vector>

#include "varia/control/chain_problem.hpp"

namespace varia::detail {

class SparseChain {
 public:
  /// Throws InvalidArgument where a state of the guess does not move as a vector does.
  SparseChain(const ChainProblem& problem, const ChainPoint& guess);

  int variables() const { return variables_; }
  int rows() const { return rows_; }
  int jacobian_count() const { return jacobian_count_; }
  int hessian_count() const { return hessian_count_; }
  ChainBounds bounds() const;
  ChainBounds row_bounds() const;
  Eigen::VectorXd flat(const ChainPoint& at) const;
  ChainPoint point(const Eigen::VectorXd& x) const;
  /// First variable of step k, first row; for k = steps(): of x_K, and of E.
  int first_variable(int k) const { return blocks_[static_cast<std::size_t>(k) + 1].variable; }
  int first_row(int k) const { return blocks_[static_cast<std::size_t>(k) + 1].row; }

  void jacobian_places(int* row, int* column) const;
  /// Of the lower triangle; an entry may come twice, to be added.
  void hessian_places(int* row, int* column) const;

  /// False where a number does not exist, or where an entry has grown.
  bool cost(const double* x, double& out);
  bool gradient(const double* x, double* out);
  bool values(const double* x, double* out);
  bool jacobian(const double* x, double* out);
  /// Of factor f + ⟨λ, c⟩.
  bool hessian(const double* x, double factor, const double* lambda, double* out);
  bool has_grown() const { return grown_; }
  /// Counts anew what has grown.
  void settle();

 private:
  using Pattern = Eigen::Matrix<bool, Eigen::Dynamic, Eigen::Dynamic>;
  /// S, a step, or E with e: its derivatives, and where they may differ from zero.
  struct Block {
    int variable = 0, row = 0, columns = 0, rows = 0;
    double cost = 0.0;
    Eigen::VectorXd gradient, values;
    Eigen::MatrixXd jacobian, hessian;
    Pattern jacobian_pattern, hessian_pattern;
  };

  void lay_out();
  void learn(const ChainPoint& guess);
  bool evaluate(const double* x, ChainOrder order);
  void evaluate_blocks(const double* lambda, double factor, ChainOrder order);
  void evaluate_step(int k, const Eigen::VectorXd& lambda, ChainOrder order, Block& out);
  void grow(Pattern& pattern, const Eigen::MatrixXd& entries, bool lower);

  const ChainProblem& problem_;
  std::vector<Block> blocks_;  ///< start, steps, end
  int variables_ = 0, rows_ = 0, jacobian_count_ = 0, hessian_count_ = 0;
  bool grown_ = false, finite_ = false, known_ = false;
  Eigen::VectorXd x_;  ///< where the blocks are known, up to this order
  ChainOrder order_ = ChainOrder::values;
  ChainPoint at_;
  ChainStep step_;
  ChainEnd end_;
};

}  // namespace varia::detail
