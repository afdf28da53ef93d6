// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The least cost of a chain of steps: Newton's method on the conditions of optimality, and an interior-point method
// where there are inequalities. Both solve one linear system, block by block along the chain.
//
//   const Optimum optimum = optimise(problem, guess, options);
//   if (optimum.status != OptimumStatus::solved) ... optimum.message ...
#include <functional>
#include <string>
#include <vector>

#include "varia/control/chain_problem.hpp"

namespace varia {

enum class OptimumStatus {
  solved,
  infeasible,  ///< a point where the infeasibility has a minimum that is not zero
  unbounded,   ///< the cost falls without end along feasible points
  iterations,  ///< they were used up
  stalled,     ///< no step makes progress, short of the tolerance
  no_value,    ///< a function has no value at the guess
  dependent,   ///< rows of an end that contradict each other or say nothing: see the message
  interrupted
};
std::string to_string(OptimumStatus status);

struct OptimiserOptions {
  double tolerance = 1e-10;  ///< of the scaled conditions of optimality
  int max_iterations = 500;
  /// After each iteration, for a line of progress; false: stop.
  std::function<bool(const struct OptimiserProgress&)> progress;
};

struct OptimiserProgress {
  int iteration = 0;
  double cost = 0.0;
  double infeasibility = 0.0;  ///< largest violation
  double stationarity = 0.0;   ///< scaled
  double complementarity = 0.0;
  double barrier = 0.0;         ///< μ; 0 without inequalities
  double step = 0.0;            ///< of the primal variables
  double regularisation = 0.0;  ///< added to the Hessian
};

struct Optimum {
  OptimumStatus status = OptimumStatus::iterations;
  std::string message;  ///< one sentence where it is not solved
  double cost = 0.0;
  double kkt_error = 0.0;  ///< largest of scaled infeasibility, stationarity and complementarity
  int iterations = 0;
  ChainPoint point;
  std::vector<Eigen::VectorXd> rho;  ///< multipliers of Rₖ
  std::vector<Eigen::VectorXd>
      inequality;  ///< of gₖ: positive at an upper bound, negative at a lower one
  std::vector<Eigen::VectorXd> bound;  ///< of the bounds of wₖ, likewise
  Eigen::VectorXd start, end;          ///< of S and E
  std::vector<OptimiserProgress> history;
  /// Feedback along the optimum: δw = Kₖ δx is the best answer to a small change of xₖ. Empty unless solved.
  std::vector<Eigen::MatrixXd> gains;
};

Optimum optimise(const ChainProblem& problem, const ChainPoint& guess,
                 const OptimiserOptions& options = {});

/// By Ipopt, a second opinion that is loaded at run time; one call at a time. For ℝⁿ only, and without gains.
/// Throws InvalidArgument where it is not installed, or where a state lies on a manifold.
Optimum optimise_by_ipopt(const ChainProblem& problem, const ChainPoint& guess,
                          const OptimiserOptions& options = {});
bool ipopt_is_installed();

}  // namespace varia
