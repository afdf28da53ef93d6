// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Derivatives of what follows on a chain of steps, by the implicit function theorem and one sweep from its end. No
// multiplier of an optimiser's is used for the rows of the steps.
//
//   Rₖ = 0:   dyₖ = -(∂R/∂y)⁻¹(∂R/∂x dxₖ + ∂R/∂w dwₖ),   sₖ = ∂ₓf - (∂R/∂x)ᵀ(∂R/∂y)⁻ᵀ(∂_y f + (0, sₖ₊₁))
#include <Eigen/LU>
#include <algorithm>
#include <cstddef>
#include <vector>

#include "varia/control/chain_problem.hpp"

namespace varia::control_sweep {

using Eigen::VectorXd;

struct Slopes {
  std::vector<VectorXd> states;  ///< with respect to xₖ, k from 0 to the end
  std::vector<VectorXd> inputs;  ///< with respect to wₖ
};

class ReverseSweep {
 public:
  ReverseSweep(const ChainProblem& problem, const ChainPoint& at) : problem_(problem) {
    for (int k = 0; k < problem.steps(); ++k) {
      ChainStep step;
      problem.evaluate(k, at, {}, {}, ChainOrder::slopes, step);
      cost += step.cost;
      if (step.rows.size() > 0)
        largest_row = std::max(largest_row, step.rows.cwiseAbs().maxCoeff());
      factors_.emplace_back(step.jacobian.rightCols(problem.sizes(k).y));
      steps.push_back(std::move(step));
    }
    problem.evaluate_start(at, VectorXd::Zero(problem.start_rows()), ChainOrder::slopes, start);
    problem.evaluate_end(at, VectorXd::Zero(problem.end_rows()), ChainOrder::slopes, end);
    cost += end.cost;
  }

  /// Of a function of the end with this gradient; and of the cost, with these multipliers of inequalities.
  Slopes operator()(const VectorXd& at_end, bool with_cost,
                    const std::vector<VectorXd>& inequality = {}) const {
    const auto count = steps.size();
    Slopes s{std::vector<VectorXd>(count + 1), std::vector<VectorXd>(count)};
    s.states[count] = with_cost ? VectorXd(at_end + end.gradient) : at_end;
    for (std::size_t k = count; k-- > 0;) {
      const ChainStepSizes z = problem_.sizes(static_cast<int>(k));
      const Eigen::MatrixXd& J = steps[k].jacobian;
      VectorXd g = VectorXd::Zero(z.variables());
      if (with_cost) g += steps[k].gradient;
      if (!inequality.empty() && z.g > 0)
        g += steps[k].inequality_slopes.transpose() * inequality[k];
      g.tail(s.states[k + 1].size()) += s.states[k + 1];
      const VectorXd t = factors_[k].transpose().solve(VectorXd(g.tail(z.y)));
      s.states[k] = g.head(z.x) - J.leftCols(z.x).transpose() * t;
      s.inputs[k] = g.segment(z.x, z.w) - J.middleCols(z.x, z.w).transpose() * t;
    }
    return s;
  }

  /// What a change of the start makes of the states, with the same inputs.
  std::vector<VectorXd> forward(const VectorXd& dx0) const {
    std::vector<VectorXd> dx{dx0};
    for (std::size_t k = 0; k < steps.size(); ++k) {
      const VectorXd dy =
          -factors_[k].solve(VectorXd(steps[k].jacobian.leftCols(dx[k].size()) * dx[k]));
      const int next =
          k + 1 < steps.size() ? problem_.sizes(static_cast<int>(k) + 1).x : problem_.end_size();
      dx.emplace_back(dy.tail(next));
    }
    return dx;
  }

  double cost = 0.0, largest_row = 0.0;
  std::vector<ChainStep> steps;
  ChainEnd start, end;

 private:
  const ChainProblem& problem_;
  std::vector<Eigen::PartialPivLU<Eigen::MatrixXd>> factors_;
};

}  // namespace varia::control_sweep
