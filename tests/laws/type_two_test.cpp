// SPDX-License-Identifier: BSD-3-Clause
// Generating functions of types II and III: closed forms, the discrete Hamilton equations, and the
// order of H_d⁺ against the exact one, without any Lagrangian.
// Of exact_hamiltonian.hpp.
#include <gtest/gtest.h>

#include "problems.hpp"
#include "varia/flow/exact_hamiltonian.hpp"
#include "varia/verify/differences.hpp"

namespace varia::type_two_test {
namespace {

using namespace problems;

TEST(TypeTwo, ExactOscillator) {
  const double w = 1.3;
  const auto system = hamiltonian_of("p[1]^2/2 + 1.3^2*q[1]^2/2", 1);
  for (const double h : {0.01, 0.4, 1.0, -0.7}) {
    const double q = 0.8;
    const double p = -0.6;
    const auto plus = exact_type_two(system, 0.0, vector({q}), vector({p}), h);
    EXPECT_NEAR(plus.value,
                p * q / std::cos(w * h) + 0.5 * (p * p / w + w * q * q) * std::tan(w * h), 2e-14);
    EXPECT_NEAR(plus.end.q[0], q / std::cos(w * h) + p / w * std::tan(w * h), 1e-13);
    EXPECT_NEAR(plus.start.p[0], p / std::cos(w * h) + w * q * std::tan(w * h), 1e-13);
    const auto minus = exact_type_three(system, 0.0, vector({p}), vector({q}), h);
    EXPECT_NEAR(minus.value,
                -p * q / std::cos(w * h) + 0.5 * (p * p / w + w * q * q) * std::tan(w * h), 2e-14);
  }
}

TEST(TypeTwo, ExactFallAndExactDegenerate) {
  const double g = 0.9;
  const double q = 0.3;
  const double p = 0.7;
  const double h = 0.8;
  const auto fall =
      exact_type_two(hamiltonian_of("p[1]^2/2 + 0.9*q[1]", 1), 0.0, vector({q}), vector({p}), h);
  EXPECT_NEAR(fall.value,
              p * q + h * (p * p / 2 + g * q) + h * h * p * g / 2 + h * h * h * g * g / 6, 1e-14);
  // H = p f(q): the action vanishes, and H⁺ = p₁ φ_h(q₀), for f = 1 + q² with the tangent
  const auto linear =
      exact_type_two(hamiltonian_of("p[1]*(1 + q[1]^2)", 1), 0.0, vector({q}), vector({p}), h);
  EXPECT_NEAR(linear.value, p * std::tan(std::atan(q) + h), 1e-13);
  EXPECT_NEAR(linear.start.p[0],
              p * std::pow(std::cos(std::atan(q)), 2) / std::pow(std::cos(std::atan(q) + h), 2),
              1e-12);
}

/// q₁ = D₂H_d⁺, p₀ = D₁H_d⁺, q₀ = -D₁H_d⁻, p₁ = -D₂H_d⁻; both types are one map.
TEST(TypeTwo, DiscreteHamiltonEquations) {
  for (const HamiltonianProblem& p :
       {hamiltonians::double_pendulum(), hamiltonians::linear_in_p(), hamiltonians::driven()})
    for (const Method& method :
         {midpoint(0.3), lobatto(3), compose({{euler_a(), 0.4}, {gauss(1), 0.6}})}) {
      const HamiltonianFlow flow(method, p.system);
      const double t = p.start.t;
      const VectorState end = flow(p.start, p.h);
      const auto plus = type_two(flow, t, p.start.q, end.p, p.h);
      const auto minus = type_three(flow, t, p.start.p, end.q, p.h);
      EXPECT_LT((plus.start.p - p.start.p).norm() + (plus.end.q - end.q).norm(), 1e-12);
      EXPECT_LT((minus.start.q - p.start.q).norm() + (minus.end.p - end.p).norm(), 1e-12);
      EXPECT_NEAR(plus.value - minus.value, end.p.dot(end.q) + p.start.p.dot(p.start.q), 1e-12);
      for (Eigen::Index a = 0; a < end.q.size(); ++a) {
        const Vn unit = Vn::Unit(end.q.size(), a);
        const auto slope = [&](const auto& value) {
          return derivative_at_zero([&](double e) { return vector({value(Vn(e * unit))}); },
                                    0.05)[0];
        };
        const auto shift_p1 = [&](const Vn& d) {
          return type_two(flow, t, p.start.q, end.p + d, p.h).value;
        };
        const auto shift_q0 = [&](const Vn& d) {
          return type_two(flow, t, p.start.q + d, end.p, p.h).value;
        };
        const auto shift_p0 = [&](const Vn& d) {
          return type_three(flow, t, p.start.p + d, end.q, p.h).value;
        };
        const auto shift_q1 = [&](const Vn& d) {
          return type_three(flow, t, p.start.p, end.q + d, p.h).value;
        };
        EXPECT_NEAR(slope(shift_p1), end.q[a], 1e-10) << method.name();
        EXPECT_NEAR(slope(shift_q0), p.start.p[a], 1e-10) << method.name();
        EXPECT_NEAR(slope(shift_p0), -p.start.q[a], 1e-10) << method.name();
        EXPECT_NEAR(slope(shift_q1), -end.p[a], 1e-10) << method.name();
      }
    }
}

/// H_d⁺ - H⁺ = O(h^{r+1}) with the declared r, above and below: the slope between the two smallest
/// steps whose errors are clear of round-off. The ends lie on one motion, symmetric about its start:
/// errors of symmetric methods then have odd powers of h only.
double measured_order(const HamiltonianFlow& flow, const HamiltonianProblem& p) {
  const HamiltonianFlow fine(gauss(8), p.system);
  double slope = 0.0;
  double last = 0.0;
  double h = 0.5;
  for (int order = flow.method().order(); order < 6; ++order) h *= 0.6;
  for (int k = 0; k < 8; ++k, h /= 1.5) {
    const VectorState begin = fine(p.start, -0.5 * h);
    const VectorState end = fine(p.start, 0.5 * h);
    const double error = std::abs(type_two(flow, begin.t, begin.q, end.p, h).value -
                                  exact_type_two(p.system, begin.t, begin.q, end.p, h).value);
    if (error < 1e-13) break;
    if (last > 0.0) slope = std::log(last / error) / std::log(1.5);
    last = error;
  }
  return slope - 1.0;
}

TEST(TypeTwo, OrderOfTheDiscreteHamiltonian) {
  for (const HamiltonianProblem& p : {hamiltonians::double_pendulum(), hamiltonians::vortices(),
                                      hamiltonians::linear_in_p(), hamiltonians::driven()})
    for (const Method& method :
         {euler_a(), euler_b(), midpoint(0.3), adjoint(midpoint(0.3)), midpoint(), lobatto(2),
          gauss(2), lobatto(3), triple_jump(midpoint()), gauss(3), lobatto(4)}) {
      const HamiltonianFlow flow(method, p.system);
      const double order = measured_order(flow, p);
      EXPECT_NEAR(order, method.order(), 0.1) << method.name();
      std::printf("%-24s order %d, measured %.3f\n", method.name().c_str(), method.order(), order);
    }
}

TEST(TypeTwo, Refusals) {
  const HamiltonianProblem p = hamiltonians::double_pendulum();
  const HamiltonianFlow flow(gauss(2), p.system);
  EXPECT_THROW(type_two(flow, 0.0, vector({1.0}), p.start.p, 0.1), InvalidArgument);
  EXPECT_THROW(type_two(flow, 0.0, p.start.q, vector({1.0, NAN}), 0.1), InvalidArgument);
  EXPECT_THROW(type_two(flow, 0.0, p.start.q, p.start.p, 0.0), InvalidArgument);
  EXPECT_THROW(type_two(flow, 0.0, p.start.q, p.start.p, 0.1, 0), InvalidArgument);
  // q(0) and p(π/2) of the oscillator do not determine the motion: p₁ = -q₀ for all p₀
  EXPECT_THROW(exact_type_two(hamiltonian_of("(p[1]^2 + q[1]^2)/2", 1), 0.0, vector({1.0}),
                              vector({0.5}), std::acos(0.0)),
               NoConvergence);
}

}  // namespace
}  // namespace varia::type_two_test
