// SPDX-License-Identifier: BSD-3-Clause
// A control is a free parameter of the force: the derivative of a step in it, and in the free parameters
// of the Lagrangian and of the constraints.
#include <gtest/gtest.h>

#include "flow/derivative_laws.hpp"
#include "varia/flow/stage_flow.hpp"
#include "varia/methods/composition.hpp"
#include "varia/methods/methods.hpp"

namespace varia::control_derivative_test {
namespace {

using derivative_laws::expect_derivative;
using derivative_laws::Formulas;

void expect_methods(const Formulas& formulas, const std::vector<Method>& methods,
                    const Eigen::VectorXd& q, const Eigen::VectorXd& p) {
  for (const Method& method : methods)
    for (const double h : {0.2, -0.15})
      expect_derivative(
          formulas, [&](const auto& made) { return StageFlow(method, made.system); }, q, p, h,
          method.name());
}

TEST(ControlDerivative, OfTheForce) {
  const Formulas arm{{"x", "y"},
                     "(1 + x^2)*x_dot^2/2 + y_dot^2/2 + 0.2*x_dot*y_dot - cos(x - y)",
                     {"u - 0.3*x_dot", "w*cos(x)*sin(t) - u*w*y_dot"},
                     {},
                     {{"u", 0.8}, {"w", -0.5}}};
  expect_methods(arm, {gauss(2), lobatto(3), midpoint(0.3), verlet(), triple_jump(gauss(1))},
                 Eigen::Vector2d(0.5, -0.4), Eigen::Vector2d(0.3, 0.6));
}

TEST(ControlDerivative, OfTheLagrangian) {
  const Formulas coupled{{"x", "y"},
                         "m*x_dot^2/2 + y_dot^2*(1 + k*x^2)/2 + k*x*y_dot*sin(t) - k*x^4/4 - y^2/2",
                         {},
                         {},
                         {{"k", 0.8}, {"m", 1.5}}};
  expect_methods(coupled, {gauss(2), lobatto(3), trapezoid(0.3)}, Eigen::Vector2d(0.5, -0.4),
                 Eigen::Vector2d(0.3, 0.6));
  const Formulas masses{{"x", "y"},
                        "m*x_dot^2/2 + y_dot^2/2 + x_dot*y_dot/5 - k*x^4/4 - y^2*cos(k*t)",
                        {},
                        {},
                        {{"k", 0.8}, {"m", 1.5}}};
  expect_methods(masses, {verlet(), yoshida(4), euler_a()}, Eigen::Vector2d(0.5, -0.4),
                 Eigen::Vector2d(0.3, 0.6));
}

/// A pendulum on a driven pivot, with a control that pulls it: length, drive and pull are free.
TEST(ControlDerivative, OfConstraints) {
  const Formulas pendulum{{"x", "y"},
                          "m*(x_dot^2 + y_dot^2)/2 - m*y",
                          {"u*y", "-0.2*u*x - 0.1*y_dot"},
                          {"((x - a*sin(2*t))^2 + y^2 - l^2)/2"},
                          {{"l", 1.0}, {"a", 0.1}, {"u", 0.4}, {"m", 1.2}}};
  const Eigen::Vector2d q(0.6 + 0.1 * std::sin(0.8), -0.8);
  expect_methods(pendulum, {lobatto(2), lobatto(3), midpoint()}, q, Eigen::Vector2d(0.5, 0.3));
}

}  // namespace
}  // namespace varia::control_derivative_test
