// SPDX-License-Identifier: BSD-3-Clause
// The energies E⁻ = D₁L_d and E⁺ = -D₃L_d of one step, (Ed): against derivatives of L_d as a whole,
// against closed forms, and their distance from the energy itself.
#include <gtest/gtest.h>

#include "problems.hpp"
#include "varia/flow/energy_momentum.hpp"
#include "varia/verify/differences.hpp"

namespace varia::discrete_energy_test {
namespace {

using namespace problems;

/// L̄^{sym,α} = ½(L̄^α + L̄^{1-α}): one velocity, two points.
Method symmetrised(double alpha) {
  return galerkin(1, Quadrature{"symmetrised", {alpha, 1.0 - alpha}, {0.5, 0.5}, 2});
}

ExtendedStep one(const Method& method, const SystemPtr& system, const VectorState& s, double h) {
  const EnergyMomentumFlow flow(method, system);
  auto memory = flow.memory(s);
  const auto step = flow.extended_step(s, h, memory);
  EXPECT_TRUE(step.has_value());
  return step.value_or(ExtendedStep{});
}

/// dL_d = p₁dq₁ - p₀dq₀ - E⁺dt₁ + E⁻dt₀ along any curve of starts and step sizes.
TEST(DiscreteEnergy, IsTheDerivativeOfTheActionInTime) {
  const SystemPtr system = system_of(texts::driven_quadratic());
  const VectorState start = start_of(texts::driven_quadratic());
  for (const Method& method : {midpoint(0.5), midpoint(0.2), trapezoid(0.3), symmetrised(0.2),
                               gauss(2), gauss(3), lobatto(3), galerkin(2, gauss_quadrature(4))}) {
    const auto curve = [&](double e) {
      VectorState s = start;
      s.t += 0.7 * e;
      s.q += e * Eigen::Vector2d(0.3, -0.5);
      s.p += e * Eigen::Vector2d(0.2, 0.9);
      const ExtendedStep step = one(method, system, s, 0.2 - 0.4 * e);
      Eigen::VectorXd out(4);
      out << step.end.q, step.end.t, step.action;
      return out;
    };
    const ExtendedStep step = one(method, system, start, 0.2);
    const Eigen::VectorXd d = derivative_at_zero(curve, 0.1);
    const double expected = step.end.p.dot(d.head(2)) - start.p.dot(Eigen::Vector2d(0.3, -0.5)) -
                            step.energy_end * d[2] + step.energy_start * 0.7;
    EXPECT_NEAR(d[3], expected, 1e-11) << method.name();
    EXPECT_NEAR(d[2], 0.3, 1e-11);
    // L depends on t: the two energies differ
    EXPECT_GT(std::abs(step.energy_start - step.energy_end), 1e-3);
  }
}

/// Separable and autonomous: E± = ½vᵀMv + V(q_α), and with the trapezoid the mean of V.
TEST(DiscreteEnergy, ClosedFormsOfTheAlphaRules) {
  const SystemPtr system = system_of({{"x", "y"}, "x_dot^2 + y_dot^2/2 - x^4 - x*y - y^2"});
  const VectorState start = initial(*system, vector({0.4, -0.7}), vector({0.8, 0.3}));
  const auto potential = [](const Eigen::VectorXd& q) {
    return std::pow(q[0], 4) + q[0] * q[1] + q[1] * q[1];
  };
  const double h = 0.3;
  for (const double alpha : {0.0, 0.3, 0.5, 1.0}) {
    const auto kinetic = [&](const ExtendedStep& step) {
      const Eigen::VectorXd v = (step.end.q - start.q) / h;
      return v[0] * v[0] + 0.5 * v[1] * v[1];
    };
    const auto between = [&](const ExtendedStep& step, double a) {
      return potential((1.0 - a) * start.q + a * step.end.q);
    };
    const ExtendedStep m = one(midpoint(alpha), system, start, h);
    EXPECT_NEAR(m.energy_start, kinetic(m) + between(m, alpha), 1e-14);
    EXPECT_EQ(m.energy_start, m.energy_end);
    const ExtendedStep t = one(trapezoid(alpha), system, start, h);
    EXPECT_NEAR(t.energy_start,
                kinetic(t) + (1.0 - alpha) * potential(start.q) + alpha * potential(t.end.q),
                1e-14);
    const ExtendedStep s = one(symmetrised(alpha), system, start, h);
    EXPECT_NEAR(s.energy_start, kinetic(s) + 0.5 * (between(s, alpha) + between(s, 1.0 - alpha)),
                1e-14);
  }
}

/// With time: p∓ and E∓ of L̄^α by the formulas at the point α.
TEST(DiscreteEnergy, AlphaRuleWithTime) {
  const SystemPtr system = system_of({{"x"}, "(1 + t)*x_dot^2/2 - cos(t)*x^3"});
  const VectorState start = initial(*system, vector({0.6}), vector({0.8}), 0.5);
  const double h = 0.2;
  const double alpha = 0.3;
  const ExtendedStep step = one(midpoint(alpha), system, start, h);
  const double t = 0.5 + alpha * h;
  const double q = (1 - alpha) * start.q[0] + alpha * step.end.q[0];
  const double v = (step.end.q[0] - start.q[0]) / h;
  const double e = (1 + t) * v * v / 2 + std::cos(t) * q * q * q;
  const double rate = v * v / 2 + std::sin(t) * q * q * q;
  const double force = -3 * std::cos(t) * q * q;
  EXPECT_NEAR(step.energy_start, e + (1 - alpha) * h * rate, 1e-14);
  EXPECT_NEAR(step.energy_end, e - alpha * h * rate, 1e-14);
  EXPECT_NEAR(start.p[0], (1 + t) * v - (1 - alpha) * h * force, 1e-14);
  EXPECT_NEAR(step.end.p[0], (1 + t) * v + alpha * h * force, 1e-14);
}

/// |E⁻ - E| is O(hʳ) for a method of order r; the sources print O(h^{r+1}).
TEST(DiscreteEnergy, DiffersFromTheEnergyByTheOrderOfTheMethod) {
  const SystemPtr system = system_of(texts::driven_quadratic());
  const VectorState start = start_of(texts::driven_quadratic());
  const double exact = energy_of(system, start);
  for (const auto& [method, order] :
       {std::pair(midpoint(0.5), 2), std::pair(midpoint(0.0), 1), std::pair(midpoint(1.0), 1),
        std::pair(symmetrised(0.2), 2), std::pair(verlet(), 2), std::pair(gauss(2), 4),
        std::pair(gauss(3), 6), std::pair(lobatto(3), 4)}) {
    const double h = order == 6 ? 0.04 : 0.01;
    const double coarse = std::abs(one(method, system, start, h).energy_start - exact);
    const double fine = std::abs(one(method, system, start, h / 2).energy_start - exact);
    EXPECT_NEAR(slope(coarse, fine, 2), order, 0.1) << method.name();
  }
}

/// The exact L_d satisfies the energy equation for any steps: with gauss(8) E⁺ of one step is E⁻ of
/// the next whatever their lengths; with the midpoint rule it is not.
TEST(DiscreteEnergy, IsRedundantForTheExactFlow) {
  const SystemPtr system = system_of(texts::driven_quadratic());
  const VectorState start = start_of(texts::driven_quadratic());
  const auto jump = [&](const Method& method) {
    const ExtendedStep first = one(method, system, start, 0.1);
    return std::abs(first.energy_end - one(method, system, first.end, 0.23).energy_start);
  };
  EXPECT_LT(jump(gauss(8)), 1e-13);
  EXPECT_GT(jump(midpoint(0.5)), 1e-3);
}

}  // namespace
}  // namespace varia::discrete_energy_test
