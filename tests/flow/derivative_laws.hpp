// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the derivative of a step must be, for any flow on arrays.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "varia/core/index.hpp"
#include "varia/expr/parse.hpp"
#include "varia/flow/kernel_start.hpp"
#include "varia/flow/step_derivative.hpp"
#include "varia/mechanics/make_kernel_system.hpp"
#include "varia/mechanics/time_transform.hpp"
#include "varia/verify/differences.hpp"

namespace varia::derivative_laws {

/// Along z it is that of differences, over so many steps, and in each the transposed map pairs alike, to
/// round-off. near(e) is the start moved along e z, flow_at(e) the flow with parameters
/// moved along it; on ℝⁿ.
template <class FlowAt, class Near>
void expect_derivative_of(const FlowAt& flow_at, const Near& near, const PhaseVector& z, double h,
                          const std::string& what, int steps = 1, double round_off = 1e-13) {
  const auto flow = flow_at(0.0);
  const auto n = z.nu.size();
  const auto moved = [&](double e) {
    const auto moved_flow = flow_at(e);
    const VectorState from = near(e);
    auto memory = moved_flow.memory(from);
    const VectorState to = moved_flow.steps(from, h + e * z.h, steps, memory);
    Eigen::VectorXd all(2 * n + 1);
    all << to.q, to.p, to.t;
    return all;
  };
  VectorState end = near(0.0);
  auto memory = flow.memory(end);
  PhaseVector image = z;
  PhaseVector w{Eigen::VectorXd::LinSpaced(n, 0.3, 0.9), Eigen::VectorXd::LinSpaced(n, 0.2, -0.5),
                0.8, 0.4, Eigen::VectorXd::LinSpaced(z.free.size(), 0.6, -0.7)};
  w.memory = 0.9;
  for (int k = 0; k < steps; ++k) {
    const StepDerivative& derivative = flow.differentiate(end, h, memory);
    const PhaseVector before = image;
    derivative.forward(image);
    PhaseVector back = w;
    derivative.transposed(back);
    EXPECT_NEAR(w.dot(image), back.dot(before), round_off) << what << ", step " << k;
  }
  EXPECT_LT((end.q - moved(0.0).head(n)).norm(), 1e-15) << what;
  const Eigen::VectorXd expected = derivative_at_zero(moved, 0.1);
  EXPECT_LT((image.delta - expected.head(n)).norm(), 1e-9) << what;
  EXPECT_LT((image.nu - expected.segment(n, n)).norm(), 1e-9) << what;
  EXPECT_NEAR(image.t, expected[2 * n], 1e-9) << what;
}

template <class F, class Near>
void expect_derivative(const F& flow, const Near& near, const PhaseVector& z, double h,
                       const std::string& what) {
  expect_derivative_of([&](double) -> const F& { return flow; }, near, z, h, what);
}

/// A covector in no special direction.
inline PhaseVector covector(Eigen::Index n, Eigen::Index free, Eigen::Index multipliers) {
  PhaseVector w{Eigen::VectorXd::LinSpaced(n, 0.3, 0.9), Eigen::VectorXd::LinSpaced(n, 0.2, -0.5),
                0.8, 0.4, Eigen::VectorXd::LinSpaced(free, 0.6, -0.7)};
  w.memory = 0.9;
  w.lambda = Eigen::VectorXd::LinSpaced(multipliers, 0.5, -0.4);
  return w;
}

/// The same law on any space, for so many steps from a start that moves along z, with the multipliers
/// of nonholonomic constraints where there are some.
template <class FlowAt>
void expect_derivative_on_groups(const FlowAt& flow_at, const VectorState& start,
                                 const PhaseVector& z, double h, const std::string& what,
                                 int steps = 1) {
  const auto flow = flow_at(0.0);
  const KernelSystem& f = flow.system();
  const int n = f.n;
  VectorState end = start;
  auto memory = flow.memory(end);
  PhaseVector image = z;
  const PhaseVector w = covector(n, z.free.size(), f.e);
  for (int k = 0; k < steps; ++k) {
    const StepDerivative& derivative = flow.differentiate(end, h, memory);
    const PhaseVector before = image;
    derivative.forward(image);
    PhaseVector back = w;
    derivative.transposed(back);
    const double size = std::max(1.0, std::abs(w.dot(image)));
    EXPECT_NEAR(w.dot(image), back.dot(before), 1e-13 * size) << what << ", step " << k;
  }
  const auto moved = [&](double e) {
    VectorState s = start;
    const Eigen::VectorXd delta = e * z.delta;
    f.space.retract(start.q.data(), delta.data(), Retraction::exponential, s.q.data());
    s.p += e * z.nu;
    s.t += e * z.t;
    if (z.lambda.size() > 0) s.lambda.tail(f.e) += e * z.lambda;
    const auto other = flow_at(e);
    auto own = other.memory(s);
    const VectorState to = other.steps(s, h + e * z.h, steps, own);
    Eigen::VectorXd all(2 * n + 1 + f.e);
    f.space.difference(end.q.data(), to.q.data(), Retraction::exponential, all.data());
    all.segment(n, n) = to.p - end.p;
    all[2 * n] = to.t - end.t;
    all.tail(f.e) = (to.lambda - end.lambda).tail(f.e);
    return all;
  };
  EXPECT_LT(moved(0.0).norm(), 1e-14) << what;
  const Eigen::VectorXd expected = derivative_at_zero(moved, 0.1);
  Eigen::VectorXd found(2 * n + 1 + f.e);
  found << image.delta, image.nu, image.t, image.lambda;
  EXPECT_LT((found - expected).cwiseAbs().maxCoeff(),
            1e-8 * std::max(1.0, expected.cwiseAbs().maxCoeff()))
      << what;
}

/// A system of formulas in coordinates and free parameters, as a scenario would state it.
struct Formulas {
  std::vector<std::string> coordinates;
  std::string lagrangian;
  std::vector<std::string> force, constraints;
  std::vector<std::pair<std::string, double>> free;
  std::string pace = "";

  struct Made {
    std::shared_ptr<KernelSystem> system;
    expr::Kernel pace;  ///< none where there is no text
  };

  /// With the parameters moved along e times the direction.
  Made made(const Eigen::VectorXd& direction, double e) const {
    expr::Graph g;
    expr::Scope scope;
    const auto n = static_cast<int>(coordinates.size());
    scope.add("t", g.variable(0));
    for (int i = 0; i < n; ++i) {
      scope.add(coordinates[detail::sz(i)], g.variable(1 + i));
      scope.add(coordinates[detail::sz(i)] + "_dot", g.variable(1 + n + i));
    }
    for (std::size_t k = 0; k < free.size(); ++k)
      scope.add(free[k].first,
                g.parameter(free[k].second + e * direction[static_cast<Eigen::Index>(k)]));
    const auto parsed = [&](const std::vector<std::string>& texts) {
      std::vector<expr::Id> ids;
      for (const auto& text : texts) ids.push_back(expr::parse(g, scope, text));
      return ids;
    };
    Made result;
    result.system =
        make_kernel_system(g, {ProductSpace({euclidean(n)}), expr::parse(g, scope, lagrangian),
                               parsed(force), parsed(constraints)});
    if (!pace.empty()) result.pace = step_function(g, expr::parse(g, scope, pace), n);
    return result;
  }
  std::shared_ptr<KernelSystem> system() const {
    return made(Eigen::VectorXd::Zero(std::ssize(free)), 0.0).system;
  }
};

/// The law for make(made), from (q, p) at the time t, along a direction in all that a step depends on.
template <class Make>
void expect_derivative(const Formulas& formulas, const Make& make, const Eigen::VectorXd& q,
                       const Eigen::VectorXd& p, double h, const std::string& what, int steps = 1,
                       double round_off = 1e-13) {
  const auto n = q.size();
  const PhaseVector z{Eigen::VectorXd::LinSpaced(n, 0.7, -0.2),
                      Eigen::VectorXd::LinSpaced(n, -0.3, 0.4), 0.6, -0.2,
                      Eigen::VectorXd::LinSpaced(std::ssize(formulas.free), 0.5, -0.4)};
  const auto near = [&](double e) {
    return detail::make_state<Eigen::VectorXd, Dynamic>(
        0.4 + e * z.t, q + e * z.delta, p + e * z.nu,
        static_cast<int>(formulas.constraints.size()));
  };
  expect_derivative_of([&](double e) { return make(formulas.made(z.free, e)); }, near, z, h, what,
                       steps, round_off);
}

}  // namespace varia::derivative_laws
