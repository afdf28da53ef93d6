// SPDX-License-Identifier: BSD-3-Clause
#include "varia/control/chain_problem.hpp"

namespace varia {

void ChainProblem::move(const ChainPoint& at, const ChainDirection& d, double alpha,
                        ChainPoint& out) const {
  const std::size_t count = at.y.size();
  out.w.resize(count);
  out.y.resize(count);
  move_start(at.x0, d.x0, alpha, out.x0);
  for (std::size_t k = 0; k < count; ++k) {
    out.w[k] = at.w[k] + alpha * d.w[k];
    move_step(static_cast<int>(k), at.y[k], d.y[k], alpha, out.y[k]);
  }
}

void ChainProblem::move_start(const Eigen::VectorXd& x0, const Eigen::VectorXd& d, double alpha,
                              Eigen::VectorXd& out) const {
  out = x0 + alpha * d;
}

void ChainProblem::move_step(int /*k*/, const Eigen::VectorXd& y, const Eigen::VectorXd& d,
                             double alpha, Eigen::VectorXd& out) const {
  out = y + alpha * d;
}

Eigen::VectorXd ChainProblem::difference(int /*k*/, const Eigen::VectorXd& from,
                                         const Eigen::VectorXd& to) const {
  return to - from;
}

}  // namespace varia
