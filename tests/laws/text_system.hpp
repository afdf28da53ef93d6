// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Systems as formulas for the run-time engine, and a solver for equations written straight from the
// specification: the oracles of the law tests share nothing with the flows they judge.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <string>
#include <vector>

#include "../problems.hpp"
#include "varia/expr/parse.hpp"
#include "varia/flow/stage_flow.hpp"
#include "varia/mechanics/make_kernel_system.hpp"
#include "varia/methods/methods.hpp"

namespace varia::laws {

inline Vn vector(std::initializer_list<double> values) {
  Vn x = Vn::Zero(static_cast<Eigen::Index>(values.size()));
  Eigen::Index i = 0;
  for (const double value : values) x[i++] = value;
  return x;
}

struct Texts {
  std::vector<std::string> names;  ///< coordinates; velocities are name_dot, time is t
  std::string lagrangian;
  std::vector<std::string> force = {};
  std::vector<std::string> constraints = {};
};

inline std::shared_ptr<KernelSystem> system_of(const Texts& texts) {
  std::vector<problems::Coordinate> coordinates;
  for (const std::string& name : texts.names) coordinates.push_back({name});
  return problems::system(coordinates, texts.lagrangian, texts.force, texts.constraints);
}

/// The state after n steps of h.
template <class F> VectorState walk(const F& flow, const VectorState& s, double h, long n) {
  auto memory = flow.memory(s);
  return flow.steps(s, h, n, memory);
}

inline double distance(const VectorState& a, const VectorState& b) {
  return std::max((a.q - b.q).cwiseAbs().maxCoeff(), (a.p - b.p).cwiseAbs().maxCoeff());
}

/// F(x) = 0 by Newton's method with differences for derivatives.
template <class F> Vn root(const F& f, Vn x) {
  for (int k = 0; k < 30; ++k) {
    const Vn y = f(x);
    Eigen::MatrixXd jacobian(y.size(), x.size());
    for (Eigen::Index j = 0; j < x.size(); ++j) {
      Vn up = x;
      Vn down = x;
      up[j] += 1e-5;
      down[j] -= 1e-5;
      jacobian.col(j) = (f(up) - f(down)) / 2e-5;
    }
    const Vn step = jacobian.fullPivLu().solve(y);
    x -= step;
    if (step.cwiseAbs().maxCoeff() < 1e-15) break;
  }
  EXPECT_LT(f(x).cwiseAbs().maxCoeff(), 1e-13) << "the oracle did not converge";
  return x;
}

/// log₂ of the ratio of the errors at n and 2n steps.
template <class E> double measured_order(const E& error, int n) {
  return std::log2(error(n) / error(2 * n));
}

}  // namespace varia::laws
