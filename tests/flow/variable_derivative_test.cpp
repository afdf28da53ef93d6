// SPDX-License-Identifier: BSD-3-Clause
// The derivative of steps of variable length, over several steps: what the memory keeps goes along.
#include <gtest/gtest.h>

#include "flow/derivative_laws.hpp"
#include "varia/flow/energy_momentum.hpp"
#include "varia/flow/make_flow.hpp"
#include "varia/flow/time_transformed.hpp"
#include "varia/methods/methods.hpp"
#include "varia/verify/check_points.hpp"

namespace varia::variable_derivative_test {
namespace {

using derivative_laws::expect_derivative;
using derivative_laws::Formulas;

const std::string pace = "(1 + c*x^2 + 0.3*y)/(1 + 0.2*k*y^2)";

/// A mass that depends on the configuration, for (poincare).
const Formulas conservative{
    {"x", "y"},
    "(1 + k*x^2)*x_dot^2/2 + m*y_dot^2/2 + 0.2*x*x_dot*y_dot - x^4/4 - k*x*y^2",
    {},
    {},
    {{"k", 0.7}, {"m", 1.3}, {"c", 0.4}},
    pace};
/// A constant one and a potential with time, for (density).
const Formulas separable{{"x", "y"},
                         "(m*x_dot^2 + y_dot^2 + 0.4*x_dot*y_dot)/2 - k*x^4/4 - x^2*cos(t) - y^2",
                         {},
                         {},
                         {{"k", 0.7}, {"m", 1.3}, {"c", 0.4}},
                         pace};
/// With time in everything, for (ext-DEL).
const Formulas driven{
    {"x", "y"},
    "(1 + k*x^2)*x_dot^2/2 + m*y_dot^2*(1 + 0.3*cos(t))/2 - x^4 - 2*y^2 - k*x*y*sin(t)",
    {},
    {},
    {{"k", 0.7}, {"m", 1.3}}};

const Formulas kepler{
    {"x", "y"}, "m*(x_dot^2 + y_dot^2)/2 + k/sqrt(x^2 + y^2)", {}, {}, {{"k", 0.7}, {"m", 1.3}}};

const Eigen::Vector2d q(0.5, -0.4);
const Eigen::Vector2d p(0.3, 0.6);

TEST(TimeTransformedDerivative, AgainstDifferences) {
  const auto flow = [](const Method& method) {
    return
        [method](const auto& made) { return TimeTransformedFlow(method, made.system, made.pace); };
  };
  for (const double h : {0.2, -0.15})
    for (const int steps : {1, 3}) {
      expect_derivative(separable, flow(verlet()), q, p, h, "density", steps);
      for (const Method& method : {gauss(2), lobatto(3), midpoint(0.3)})
        expect_derivative(conservative, flow(method), q, p, h, method.name(), steps);
    }
}

/// The local period, which depends on the parameters of the system.
TEST(TimeTransformedDerivative, OfTheLocalPeriod) {
  for (const Method& method : {verlet(), gauss(2)})
    expect_derivative(
        kepler, [&](const auto& made) { return TimeTransformedFlow(method, made.system); }, q, p,
        0.1, method.name(), 2);
}

/// What the derivative would leave out is refused.
TEST(TimeTransformedDerivative, OfTheLocalPeriodNeedsADiagonalMass) {
  Formulas coupled = kepler;
  coupled.lagrangian += " + m*x_dot*y_dot/5";
  const TimeTransformedFlow flow(verlet(), coupled.system());
  VectorState s = detail::make_state<Eigen::VectorXd, Dynamic>(0.0, q, p, 0);
  auto memory = flow.memory(s);
  EXPECT_THROW(flow.differentiate(s, 0.1, memory), InvalidArgument);
}

/// Symplectic at fixed E, which later steps have.
TEST(TimeTransformedDerivative, IsSymplecticAtFixedEnergy) {
  const auto made = conservative.made(Eigen::Vector3d::Zero(), 0.0);
  const TimeTransformedFlow flow(gauss(2), made.system, made.pace);
  VectorState s = detail::make_state<Eigen::VectorXd, Dynamic>(0.0, q, p, 0);
  auto memory = flow.memory(s);
  s = flow.step(s, 0.2, memory);
  const Eigen::MatrixXd d = flow.differentiate(s, 0.2, memory).matrix(2);
  Eigen::MatrixXd form = Eigen::MatrixXd::Zero(4, 4);
  form.topRightCorner(2, 2).setIdentity();
  form.bottomLeftCorner(2, 2) = -form.topRightCorner(2, 2);
  EXPECT_LT((d.transpose() * form * d - form).cwiseAbs().maxCoeff(), 1e-13);
}

/// E⁻ hardly depends on h, the less the better the method: dh is a small difference over a small slope.
TEST(EnergyMomentumDerivative, AgainstDifferences) {
  for (const Method& method : {gauss(2), midpoint(), verlet()})
    for (const double h : {0.2, -0.15})
      for (const int steps : {1, 3})
        expect_derivative(
            driven, [&](const auto& made) { return EnergyMomentumFlow(method, made.system); }, q, p,
            h, method.name(), steps, 1e-12);
}

TEST(VariableDerivative, IsOffered) {
  FlowKinds kinds;
  kinds.variable.emplace();
  const Statement statement{.lagrangian = kepler.system()};
  for (const bool keep_energy : {false, true}) {
    kinds.variable->keep_energy = keep_energy;
    EXPECT_TRUE(make_flow(verlet(), statement, {}, kinds).differentiable());
  }
}

}  // namespace
}  // namespace varia::variable_derivative_test
