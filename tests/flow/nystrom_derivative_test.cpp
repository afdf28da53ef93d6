// SPDX-License-Identifier: BSD-3-Clause
// The derivative of steps that go by accelerations: baselines and Newmark's method.
#include <gtest/gtest.h>

#include "flow/derivative_laws.hpp"
#include "varia/flow/baseline.hpp"
#include "varia/flow/make_flow.hpp"
#include "varia/flow/newmark_flow.hpp"
#include "varia/flow/newmark_form.hpp"
#include "varia/methods/methods.hpp"

namespace varia::nystrom_derivative_test {
namespace {

using derivative_laws::Formulas;

/// A mass that depends on everything.
const Formulas general{{"x", "y"},
                       "(1 + k*x^2 + 0.2*y_dot^2)*x_dot^2/2 + m*y_dot^2*(1 + 0.3*cos(t))/2 "
                       "+ 0.3*x*y_dot*sin(t) - k*x*y^2*t",
                       {"-c*x_dot*y + sin(2*t)", "-0.1*y_dot^3 + c*x*y"},
                       {},
                       {{"k", 0.7}, {"m", 1.3}, {"c", 0.4}}};
/// A constant one, also in the parameters' way, with a force.
const Formulas separable{{"x", "y"},
                         "(m*x_dot^2 + y_dot^2 + 0.4*x_dot*y_dot)/2 - k*x^4/4 - x*y*cos(t)",
                         {"-c*x_dot*y", "-0.1*y_dot + c*sin(t)"},
                         {},
                         {{"k", 0.7}, {"m", 1.3}, {"c", 0.4}}};
const Formulas conservative{separable.coordinates, separable.lagrangian, {}, {}, separable.free};

const Eigen::Vector2d q(0.5, -0.4);
const Eigen::Vector2d p(0.3, 0.6);

TEST(BaselineDerivative, AgainstDifferences) {
  for (const Method& method : {explicit_euler(), rk4(), dopri5(1e-3)})
    for (const double h : {0.2, -0.15})
      for (const Formulas& formulas : {general, separable})
        derivative_laws::expect_derivative(
            formulas, [&](const auto& made) { return BaselineFlow(method, made.system); }, q, p, h,
            method.name());
}

/// Many inner steps: their lengths are held, which costs as much as the method errs.
TEST(BaselineDerivative, OfAdaptiveSteps) {
  derivative_laws::expect_derivative(
      general, [&](const auto& made) { return BaselineFlow(dopri5(1e-13), made.system); }, q, p,
      0.9, "dopri5");
}

TEST(NewmarkDerivative, AgainstDifferences) {
  for (const Method& method : {newmark(), newmark(0.0), newmark(0.3, 0.6), newmark(0.0, 0.5)})
    for (const double h : {0.2, -0.15})
      for (const Formulas& formulas : {conservative, separable})
        derivative_laws::expect_derivative(
            formulas, [&](const auto& made) { return NewmarkFlow(method, made.system); }, q, p, h,
            method.name());
}

/// Where β = 0 the step is Verlet's, and so is its derivative.
TEST(NewmarkDerivative, IsThatOfVerlet) {
  const auto system = conservative.system();
  const VectorState start = detail::make_state<Eigen::VectorXd, Dynamic>(0.4, q, p, 0);
  const auto matrix = [&](const AnyFlow& flow) {
    EXPECT_TRUE(flow.differentiable());
    VectorState s = start;
    auto memory = flow.memory(s);
    return flow.differentiate(s, 0.1, memory).matrix(2);
  };
  const Statement statement{.lagrangian = system};
  EXPECT_LT((matrix(make_flow(newmark(0.0), statement)) - matrix(make_flow(verlet(), statement)))
                .cwiseAbs()
                .maxCoeff(),
            1e-14);
}

/// In its own sense: the form that is canonical in (η(q), p).
TEST(NewmarkDerivative, KeepsItsForm) {
  const auto system = conservative.system();
  constexpr double h = 0.2;
  const NewmarkForm form(system, 0.3, h);
  const NewmarkFlow flow(newmark(0.3), system);
  const VectorState start = detail::make_state<Eigen::VectorXd, Dynamic>(0.4, q, p, 0);
  VectorState end = start;
  auto memory = flow.memory(start);
  const Eigen::MatrixXd after = flow.differentiate(end, h, memory).matrix(2);
  const Eigen::MatrixXd before = Eigen::MatrixXd::Identity(4, 4);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < i; ++j)
      EXPECT_NEAR(form.form(end, after.col(i), after.col(j)),
                  form.form(start, before.col(i), before.col(j)), 1e-13);
}

}  // namespace
}  // namespace varia::nystrom_derivative_test
