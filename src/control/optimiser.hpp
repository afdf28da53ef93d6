// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Newton's method on the conditions of optimality of a chain, with a filter line search and a barrier for bounds,
// after Wächter and Biegler, Math. Program. 106 (2006) [WB06].
#include <functional>
#include <string>
#include <vector>

#include "chain_iterate.hpp"
#include "chain_system.hpp"
#include "filter.hpp"
#include "varia/control/optimise.hpp"

namespace varia::detail {

class Optimiser {
 public:
  Optimiser(const ChainProblem& problem, const OptimiserOptions& options, bool may_restore = true);

  Optimum run(const ChainPoint& guess);

 private:
  enum class Progress { moved, stuck, tiny };
  enum class Restored { done, nothing_to_do, infeasible, failed };

  bool begin(const ChainPoint& guess);
  void estimate_multipliers();
  OptimumStatus iterate();
  KktError error(const ChainIterate& x, double mu) const { return kkt_error(x, scale_, mu); }
  bool lower_barrier();
  bool regularise();
  bool is_minimum();
  void add_curvature();
  void shake();
  void find_direction(const ChainResidual& residual, ChainSolution& out,
                      std::vector<BoundedStep>& bounded);
  void make_residual();
  Merit merit(const ChainIterate& x) const;
  double slope() const;
  Progress search();
  bool accept(const Merit& from, const Merit& to, double slope, double alpha);
  bool correct(const Merit& from, double slope, double alpha);
  bool newton_step(double alpha);
  void place(const ChainSolution& s, const std::vector<BoundedStep>& bounded, double alpha);
  void take(const ChainSolution& s, const std::vector<BoundedStep>& bounded, double alpha);
  void refresh(ChainIterate& x) const;
  Restored restore();
  void report(double alpha);
  Optimum result(OptimumStatus status);
  std::string describe(OptimumStatus status) const;

  const ChainProblem& problem_;
  OptimiserOptions options_;
  bool may_restore_;
  ChainIterate here_, there_;
  ChainSystem system_;
  Filter filter_;
  ChainResidual residual_;
  ChainSolution solution_, corrected_;
  std::vector<BoundedStep> bounded_, corrected_bounded_;
  std::vector<Eigen::VectorXd> limits_, corrected_limits_;
  Eigen::VectorXd weights_;
  double mu_ = 0.0, delta_ = 0.0, last_delta_ = 0.0;
  double scale_ = 1.0, unit_ = 1.0;  ///< of the cost, and of its part in a step
  double smallest_theta_ = 0.0, first_cost_ = 0.0, hessian_size_ = 1.0;
  int iteration_ = 0, shaken_ = 0;
  std::vector<OptimiserProgress> history_;
  std::function<bool(const ChainPoint&)> enough_;  ///< ends a restoration
  bool enough_reached_ = false;
};

}  // namespace varia::detail
