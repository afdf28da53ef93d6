// SPDX-License-Identifier: BSD-3-Clause
// A user's own discrete Hamiltonian of type II or III.
#include "varia/flow/discrete_hamiltonian.hpp"

#include <gtest/gtest.h>

#include "problems.hpp"
#include "varia/flow/hamiltonian_flow.hpp"
#include "varia/verify/check_invariants.hpp"
#include "varia/verify/check_symplectic.hpp"

namespace varia::discrete_hamiltonian_test {
namespace {

using namespace problems;
using V1 = Vector<double, 1>;
using V2 = Vector<double, 2>;

/// Not separable, and degenerate: ∂²H/∂p² = 0 where q₁ = 0.
const auto energy = [](const auto& q, const auto& p) {
  return p[0] * sin(q[1]) + 0.5 * p[1] * p[1] * q[0] * q[0] + p[1] * q[0] + 0.25 * pow(q[0], 4);
};
const auto plus_euler = [](const auto& q0, const auto& p1, double h) {
  return p1.dot(q0) + h * energy(q0, p1);
};
const auto minus_euler = [](const auto& p0, const auto& q1, double h) {
  return -1.0 * p0.dot(q1) + h * energy(q1, p0);
};
const char* const energy_text = "p[1]*sin(q[2]) + p[2]^2*q[1]^2/2 + p[2]*q[1] + q[1]^4/4";

double distance(const State<V2>& a, const VectorState& b) {
  return (a.q - b.q).norm() + (a.p - b.p).norm() + std::abs(a.t - b.t);
}

TEST(DiscreteHamiltonian, TheEulerMethodsAreTypesTwoAndThree) {
  const auto system = hamiltonian_of(energy_text, 2);
  const auto start = make_state(V2(0.7, -0.4), V2(0.3, 0.8));
  const VectorState by_vectors = state_of(vector({0.7, -0.4}), vector({0.3, 0.8}));
  const auto two = advance(type_two_flow(plus_euler), start, 0.1, 20);
  const auto three = advance(type_three_flow(minus_euler), start, 0.1, 20);
  const VectorState a = advance(HamiltonianFlow(euler_a(), system), by_vectors, 0.1, 20);
  const VectorState b = advance(HamiltonianFlow(euler_b(), system), by_vectors, 0.1, 20);
  EXPECT_LT(distance(two, a), 1e-13);
  EXPECT_LT(distance(three, b), 1e-13);
  // the wrong types are other methods
  EXPECT_GT(distance(two, b), 1e-3);
  EXPECT_GT(distance(three, a), 1e-3);
}

TEST(DiscreteHamiltonian, TheAdjointIsOfTheOtherType) {
  const auto start = make_state(V2(0.7, -0.4), V2(0.3, 0.8));
  const auto two = type_two_flow(plus_euler);
  const auto dual = adjoint(two);
  static_assert(
      std::is_same_v<decltype(adjoint(dual)(start, 0.1)), State<V2>>);  // and back to type II
  const auto three = type_three_flow(minus_euler);
  EXPECT_LT(detail::distance(dual(start, 0.1), three(start, 0.1)), 1e-15);
  EXPECT_LT(detail::distance(adjoint(dual)(start, 0.1), two(start, 0.1)), 1e-15);
  EXPECT_LT(detail::distance(dual(two(start, 0.1), -0.1), start), 1e-14);
  EXPECT_GT(detail::distance(two(two(start, 0.1), -0.1), start), 1e-4);
}

TEST(DiscreteHamiltonian, ExactOscillator) {
  const auto plus = [](const auto& q, const auto& p, double h) {
    return p[0] * q[0] / std::cos(h) + 0.5 * (p[0] * p[0] + q[0] * q[0]) * std::tan(h);
  };
  const auto minus = [](const auto& p, const auto& q, double h) {
    return -1.0 * p[0] * q[0] / std::cos(h) + 0.5 * (p[0] * p[0] + q[0] * q[0]) * std::tan(h);
  };
  // through p = 0 and q = 0, many times
  const auto start = make_state(V1(1.0), V1(0.0));
  const double h = std::acos(-1.0) / 8;
  for (const long steps : {4L, 8L, 100L}) {
    const double t = h * static_cast<double>(steps);
    const auto two = advance(type_two_flow(plus), start, h, steps);
    const auto three = advance(type_three_flow(minus), start, h, steps);
    EXPECT_NEAR(two.q[0], std::cos(t), 1e-13);
    EXPECT_NEAR(two.p[0], -std::sin(t), 1e-13);
    EXPECT_NEAR(three.q[0], std::cos(t), 1e-13);
    EXPECT_NEAR(three.p[0], -std::sin(t), 1e-13);
    EXPECT_NEAR(two.t, t, 1e-13);
  }
}

/// H⁺ to second order in h: H_d⁺ = p₁q₀ + hH + ½h² ∂H/∂q ∂H/∂p, from Hamilton and Jacobi.
const auto second_order = [](const auto& q, const auto& p, double h) {
  return p[0] * q[0] + h * (0.5 * p[0] * p[0] - 1.0 * cos(q[0])) + 0.5 * h * h * sin(q[0]) * p[0];
};

TEST(DiscreteHamiltonian, OrderAndSymplecticity) {
  const auto start = make_state<Dynamic>(vector({1.0}), vector({0.4}), 0.0, 0);
  const HamiltonianFlow fine(gauss(7), hamiltonian_of("p[1]^2/2 - cos(q[1])", 1));
  const VectorState exact = detail::converged_state(fine, start, 7.0);
  const auto two = type_two_flow(second_order);
  EXPECT_NEAR(check_order(two, start, 7.0, exact, 2).measured, 2.0, 0.1);
  EXPECT_NEAR(check_order(adjoint(two), start, 7.0, exact, 2).measured, 2.0, 0.1);
  EXPECT_LT(check_symplectic(two, start, 0.2).defect, 1e-12);
  EXPECT_LT(
      check_symplectic(type_three_flow(minus_euler), make_state(V2(0.7, -0.4), V2(0.3, 0.8)), 0.1)
          .defect,
      1e-12);
  EXPECT_GT(check_reversible(two, start, 0.2).defect, 1e-6);  // not symmetric
  const auto first = [](const auto& q, const auto& p, double h) {
    return p[0] * q[0] + h * (0.5 * p[0] * p[0] - 1.0 * cos(q[0]));
  };
  EXPECT_NEAR(check_order(type_two_flow(first), start, 7.0, exact, 1).measured, 1.0, 0.1);
}

/// (discrete Noether) H_d⁺(Rq₀, Rp₁) = H_d⁺(q₀, p₁) for rotations conserves q × p to round-off; an
/// H_d⁺ that is not invariant does not, however near.
TEST(DiscreteHamiltonian, Noether) {
  const auto invariant = [](const auto& q, const auto& p, double h) {
    return p.dot(q) + h * (0.5 * p.dot(p) - 1.0 / sqrt(q.dot(q)) + 0.1 * pow(p.dot(q), 2));
  };
  const auto other = [&](const auto& q, const auto& p, double h) {
    return invariant(q, p, h) + 1e-3 * h * q[0] * p[0];
  };
  const auto drift = [](const auto& flow) {
    const auto start = make_state(V2(0.9, 0.1), V2(0.1, 1.0));
    double most = 0.0;
    advance(flow, start, 0.05, 200, [&](const State<V2>& s) {
      most = std::max(most, std::abs(s.q[0] * s.p[1] - s.q[1] * s.p[0] - 0.89));
    });
    return most;
  };
  EXPECT_LT(drift(type_two_flow(invariant)), 1e-13);
  EXPECT_LT(drift(adjoint(type_two_flow(invariant))), 1e-13);
  EXPECT_GT(drift(type_two_flow(other)), 1e-5);
}

TEST(DiscreteHamiltonian, DynamicSizeAndStatistics) {
  const auto flow = type_two_flow([](const auto& q, const auto& p, double h) {
    auto sum = p[0] * 0.0;
    for (int i = 0; i < q.size(); ++i)
      sum += p[i] * q[i] + h * (0.5 * p[i] * p[i] + 0.25 * pow(q[i], 4));
    return sum;
  });
  const auto one = advance(flow, make_state(V1(0.8), V1(0.1)), 0.1, 10);
  const VectorState start = state_of(Vn::Constant(9, 0.8), Vn::Constant(9, 0.1));
  auto memory = flow.memory(start);
  VectorState s = start;
  for (int k = 0; k < 10; ++k) s = flow.step(s, 0.1, memory);
  EXPECT_NEAR(s.q[8], one.q[0], 1e-14);
  EXPECT_EQ(memory.statistics.steps, 10);
  EXPECT_GE(memory.statistics.iterations, 10);
}

TEST(DiscreteHamiltonian, Refusals) {
  const auto start = make_state(V1(1.0), V1(0.2));
  const auto zero = [](const auto& q, const auto&, double) { return q[0] * 0.0; };
  EXPECT_THROW(type_two_flow(zero)(start, 0.1), NoConvergence);
  EXPECT_THROW(type_three_flow(zero)(start, 0.1), NoConvergence);
  // p₀ = p₁ + h(1 + p₁²) has no real solution
  const auto none = [](const auto& q, const auto& p, double h) {
    return p[0] * q[0] + h * q[0] * (1.0 + p[0] * p[0]);
  };
  EXPECT_THROW(type_two_flow(none)(start, 5.0), NoConvergence);
  EXPECT_THROW(type_two_flow(second_order)(start, 0.0), InvalidArgument);
  VectorState odd = state_of(vector({1.0}), vector({0.2}));
  odd.p = vector({1.0, 2.0});
  EXPECT_THROW(type_two_flow(second_order)(odd, 0.1), InvalidArgument);
}

}  // namespace
}  // namespace varia::discrete_hamiltonian_test
