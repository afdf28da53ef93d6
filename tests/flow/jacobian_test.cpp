// SPDX-License-Identifier: BSD-3-Clause
// (chart)  The Jacobian of the stage equations is the derivative of their residual.
#include <gtest/gtest.h>

#include "varia/varia.hpp"

namespace varia::jacobian_test {
namespace {

/// Largest difference of the Jacobian and extrapolated differences, at a point off the solution.
template <class S, Point Q, int M>
double jacobian_error(const S& system, const State<Q, M>& s, const char* name, Retraction tau) {
  const Method method = parse_method(name);
  const Flow flow(method, system, {.retraction = tau});
  auto memory = flow.memory(s);
  detail::StageEquations<S, Q> equations(system, *method.stages(), tau, s, 0.3, memory.stages);
  equations.guess(velocity(system, s));
  NewtonWorkspace& w = memory.stages.newton;
  for (std::size_t i = 0; i < w.x.size(); ++i) w.x[i] += 0.3 * std::sin(1.0 + 3.0 * double(i));
  const std::vector<double> x = w.x;
  equations(w, true);
  double worst = 0.0;
  for (int k = 0; k < w.size; ++k) {
    const auto along = [&](double e) {
      w.x = x;
      w.x[static_cast<std::size_t>(k)] += e;
      equations(w, false);
      return Eigen::VectorXd(Eigen::Map<Eigen::VectorXd>(w.residual.data(), w.size));
    };
    const Eigen::VectorXd column = derivative_at_zero(along, 0.1);
    for (int i = 0; i < w.size; ++i)
      worst = std::max(worst, std::abs(column[i] - w.jacobian(i, k)));
  }
  return worst;
}

TEST(Jacobian, IsTheDerivativeOfTheResidual) {
  const auto l = [](double t, const auto& R,
                    const auto& w) {  // mass and gyroscopic terms depend on R
    const Vector<double, 3> inertia(1.0, 1.4, 0.6);
    return 0.5 * w.dot(inertia.cwiseProduct(w)) * (1.0 + 0.3 * R(0, 1) * R(2, 2)) +
           0.1 * w[1] * w[1] * w[1] + w[0] * R(1, 2) -
           (1.3 + std::sin(t)) * (R(2, 2) + 0.3 * R(2, 0) * R(1, 1));
  };
  const Force force{[](const auto& R, const auto& w) {
    using S = std::decay_t<decltype(w[0])>;
    return Vector<S, 3>(-0.3 * w[0] + R(0, 1) * R(1, 2), w[1] * R(0, 0), R(2, 1) * w[0]);
  }};
  const Holonomic tilt{[](const auto& R) { return R(2, 2) - 0.6; }};
  const System free{l};
  const System held{l, force, tilt};
  const SO3<double> q(rotation(Vector<double, 3>(0.3, -0.8, 0.5), Retraction::cayley));
  const Vector<double, 3> v(0.4, 0.9, 2.0);
  const auto [on, tangent] = project(held, q, v);
  for (const Retraction tau : {Retraction::cayley, Retraction::exponential}) {
    for (const char* name : {"trapezoid(0.3)", "gauss(2)", "lobatto(3)", "galerkin(2, lobatto:3)"})
      EXPECT_LT(jacobian_error(free, initial(free, q, v), name, tau), 1e-10) << name;
    for (const char* name : {"midpoint", "trapezoid(0.3)", "lobatto(3)"})
      EXPECT_LT(jacobian_error(held, initial(held, on, tangent), name, tau), 1e-10) << name;
  }
}

}  // namespace
}  // namespace varia::jacobian_test
