// SPDX-License-Identifier: BSD-3-Clause
// The derivative of steps by shooting: against differences, transposed, symplectic.
#include <gtest/gtest.h>

#include "flow/derivative_laws.hpp"
#include "problems.hpp"
#include "varia/flow/make_flow.hpp"
#include "varia/mechanics/symbolic.hpp"
#include "varia/methods/methods.hpp"
#include "varia/verify/check_points.hpp"

namespace varia::shooting_derivative_test {
namespace {

using derivative_laws::Formulas;

/// Not quadratic in v, gyroscopic, with time and free parameters everywhere.
const Formulas driven{{"x", "y"},
                      "(m + 0.3*sin(t))*(x_dot^2 + y_dot^2)/2 + 0.1*x_dot^4 + 0.2*x^2*y_dot^2"
                      " + 0.5*(x*y_dot - y*x_dot)*exp(-0.2*t) - k*x^4/4 - y^2/2 - x*cos(k*t)",
                      {},
                      {},
                      {{"k", 0.7}, {"m", 1.3}}};

std::vector<Method> methods() {
  return {shooting(4, parse_quadrature("lobatto:3")), shooting(2, parse_quadrature("gauss:2")),
          taylor(3, parse_quadrature("lobatto:3"))};
}

std::shared_ptr<const AccelerationSystem> accelerations(const KernelSystem& system) {
  expr::Graph g;
  return make_acceleration_system(g, symbolic_lagrangian(g, system), system.n);
}

TEST(ShootingDerivative, AgainstDifferences) {
  for (const Method& method : methods())
    for (const double h : {0.2, -0.15})
      derivative_laws::expect_derivative(
          driven,
          [&](const auto& made) {
            return ShootingFlow(method, made.system, accelerations(*made.system));
          },
          Eigen::Vector2d(0.5, -0.4), Eigen::Vector2d(0.3, 0.6), h, method.name());
}

TEST(ShootingDerivative, IsSymplectic) {
  const std::shared_ptr<const KernelSystem> system = driven.system();
  for (const Method& method : methods()) {
    const AnyFlow flow =
        make_flow(method, {.lagrangian = system, .acceleration = accelerations(*system)});
    EXPECT_TRUE(flow.differentiable());
    const VectorState s = detail::make_state<Eigen::VectorXd, Dynamic>(
        0.4, Eigen::Vector2d(0.5, -0.4), Eigen::Vector2d(0.3, 0.6), 0);
    EXPECT_LT(check_symplectic(flow, s, 0.2).defect, 1e-13) << method.name();
  }
}

}  // namespace
}  // namespace varia::shooting_derivative_test
