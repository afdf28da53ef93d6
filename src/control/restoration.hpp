// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The problem whose minimum is the motion that misses its conditions least:
//
//   ½|E(x_K)|² + (1/2K) Σ |what gₖ is outside its bounds|² + (ζ/2K) Σ |wₖ - wₖ°|²   along   Rₖ = 0,   S = 0,   l ≤ wₖ ≤ u
//
// wₖ° are the inputs it begins with. Motions exist for all inputs, so that this problem has no rows that could fail.
#include "varia/control/chain_problem.hpp"

namespace varia::detail {

class Restoration final : public ChainProblem {
 public:
  Restoration(const ChainProblem& problem, const ChainPoint& from, double zeta);

  int steps() const override { return problem_.steps(); }
  ChainStepSizes sizes(int k) const override;
  int end_size() const override { return problem_.end_size(); }
  int start_rows() const override { return problem_.start_rows(); }
  int end_rows() const override { return 0; }
  ChainBounds input_bounds(int k) const override { return problem_.input_bounds(k); }
  ChainBounds inequality_bounds(int k) const override;
  void evaluate(int k, const ChainPoint& at, const Eigen::VectorXd& rho, const Eigen::VectorXd& z,
                ChainOrder order, ChainStep& out) const override;
  void evaluate_start(const ChainPoint& at, const Eigen::VectorXd& nu, ChainOrder order,
                      ChainEnd& out) const override;
  void evaluate_end(const ChainPoint& at, const Eigen::VectorXd& nu, ChainOrder order,
                    ChainEnd& out) const override;
  void move_start(const Eigen::VectorXd& x0, const Eigen::VectorXd& d, double alpha,
                  Eigen::VectorXd& out) const override;
  void move_step(int k, const Eigen::VectorXd& y, const Eigen::VectorXd& d, double alpha,
                 Eigen::VectorXd& out) const override;
  std::string name_of_input(int k, int i) const override { return problem_.name_of_input(k, i); }
  std::string name_of_inequality(int k, int i) const override {
    return problem_.name_of_inequality(k, i);
  }
  std::string name_of_start_row(int i) const override { return problem_.name_of_start_row(i); }
  std::string name_of_end_row(int i) const override { return problem_.name_of_end_row(i); }

 private:
  const ChainProblem& problem_;
  std::vector<Eigen::VectorXd> inputs_;
  std::vector<ChainBounds> bounds_;
  double zeta_;
};

}  // namespace varia::detail
