// SPDX-License-Identifier: BSD-3-Clause
// The Legendre transform and its inverse; energy and Hamiltonian.
#include "varia/mechanics/legendre.hpp"

#include <gtest/gtest.h>

#include <string>

#include "problems.hpp"
#include "varia/space/euclidean.hpp"
#include "varia/space/so3.hpp"

namespace varia::legendre_test {
namespace {

using namespace problems;
using V1 = Vector<double, 1>;
using V2 = Vector<double, 2>;
using V3 = Vector<double, 3>;
/// A relativistic particle in a magnetic and an electric field.
constexpr auto relativistic = [](const auto& q, const auto& v) {
  using std::sqrt;
  return -sqrt(1.0 - v.squaredNorm()) + 0.5 * (q[0] * v[1] - q[1] * v[0]) - q[0] * q[0] * q[1];
};

template <class S, class Q>
void expect_legendre_facts(const S& system, const Q& q, const Tangent<Q>& v, double t) {
  const Tangent<Q> p = momentum(system, q, v, t);
  const Tangent<Q> back = velocity(system, q, p, t);
  EXPECT_LE((back - v).norm(), 4e-15 * (1.0 + v.norm()));
  EXPECT_NEAR(hamiltonian(system, q, p, t), energy(system, q, v, t), 1e-14);
  EXPECT_NEAR(energy(system, q, v, t), p.dot(v) - system.lagrangian()(t, q, v), 1e-15);
  // FH = (FL)⁻¹ and ∂H/∂q = -∂L/∂q, by central differences of H
  GradientOf<Q> g;
  system.lagrangian().gradient(t, q, v, g);
  const int n = Space<Q>::dim(q);
  const double e = 1e-5;
  for (int i = 0; i < n; ++i) {
    const Tangent<Q> step = e * Tangent<Q>::Unit(n, i);
    const double dp = hamiltonian(system, q, Tangent<Q>(p + step), t) -
                      hamiltonian(system, q, Tangent<Q>(p - step), t);
    EXPECT_NEAR(dp / (2 * e), v[i], 1e-8);
    const auto at = [&](double sign) {
      return hamiltonian(
          system, Space<Q>::retract(q, Tangent<Q>(sign * step), Retraction::exponential), p, t);
    };
    EXPECT_NEAR((at(1.0) - at(-1.0)) / (2 * e), -g.q[i], 1e-8);
  }
}

TEST(Legendre, FactsForANonlinearMomentum) {
  for (const V2& v : {V2(0.3, -0.4), V2(0.0, 0.0), V2(1e-9, 0.0), V2(0.5, 0.3)})
    expect_legendre_facts(System{relativistic}, V2(0.7, -0.2), v, 0.0);
}

/// Whatever the last Newton step was: the inverse is good to round-off for every speed.
TEST(Legendre, InverseIsGoodToRoundOffAtEverySpeed) {
  const System particle{relativistic};
  for (int k = 1; k <= 60; ++k) {
    const V2 q(0.0, 0.0), v = 0.01 * k * V2(0.6, -0.8);
    EXPECT_LE((velocity(particle, q, momentum(particle, q, v)) - v).norm(), 4e-16) << k;
  }
}

/// |p| > 1 here: the first Newton step from rest leaves |v| < 1, where L is defined.
TEST(Legendre, FactsForANonlinearMomentumFarFromRest) {
  for (const V2& v : {V2(0.6, 0.5), V2(0.9, -0.3)})
    expect_legendre_facts(System{relativistic}, V2(0.7, -0.2), v, 0.0);
}

/// |p| = 2ᵏ: halves of the first step come as near to |v| = 1 as rounding allows, where the mass is 1e24
/// and a step of 1e-16 is no sign of a solution.
TEST(Legendre, TheEdgeOfTheDomainIsNoSolution) {
  const System particle{relativistic};
  const V2 q(0.0, 0.0);
  for (const double size : {1.0, 2.0, 4.0, 16.0, 30.0})
    for (int k = 0; k < 64; ++k) {
      const V2 p = size * V2(std::cos(0.1 * k), std::sin(0.1 * k));
      EXPECT_LE((velocity(particle, q, p) - p / std::sqrt(1 + size * size)).norm(), 4e-16) << k;
    }
}

TEST(Legendre, FactsForAMassThatDependsOnThePoint) {
  expect_legendre_facts(System{double_pendulum_lagrangian}, V2(0.7, -0.9), V2(1.3, -0.4), 0.0);
  expect_legendre_facts(System{double_pendulum_lagrangian}, Vn(V2(0.7, -0.9)), Vn(V2(1.3, -0.4)),
                        0.0);
}

TEST(Legendre, FactsForDeclaredMassesAndTime) {
  const auto well = [](double t, const auto& q) { return q[0] * q[0] * (1.0 + t) + q[1]; };
  const Matrix<double, 2> m{{2.0, 0.5}, {0.5, 1.0}};
  expect_legendre_facts(System{Separable{2.0, well}}, V2(0.3, 1.0), V2(0.4, -0.6), 0.7);
  expect_legendre_facts(System{Separable{V2(1.0, 3.0), well}}, V2(0.3, 1.0), V2(0.4, -0.6), 0.7);
  expect_legendre_facts(System{Separable{m, well}}, V2(0.3, 1.0), V2(0.4, -0.6), 0.7);
  const System swinging{[](double t, const auto& q, const auto& v) {
    return 0.5 * v[0] * v[0] * (2.0 + t) - t * q[0] * v[0] - q[0] * q[0];
  }};
  expect_legendre_facts(swinging, V1(0.3), V1(0.8), 0.7);
}

TEST(Legendre, FactsOnRotations) {
  const System top{[](const auto& r, const auto& w) {
    return 0.5 * (w[0] * w[0] + 2.0 * w[1] * w[1] + 0.5 * w[2] * w[2]) +
           0.1 * w[0] * w[1] * r(0, 0) - 3.0 * r(2, 2);
  }};
  expect_legendre_facts(top, SO3<double>(rotation(V3(0.4, -1.2, 0.7), Retraction::exponential)),
                        V3(0.3, -0.5, 1.1), 0.0);
}

TEST(Legendre, RelativisticMomentumIsTheClosedForm) {
  const V2 q(0.7, -0.2), v(0.3, -0.4);
  const double gamma = 1.0 / std::sqrt(1.0 - v.squaredNorm());
  const V2 expected = gamma * v + 0.5 * V2(-q[1], q[0]);
  EXPECT_LE((momentum(System{relativistic}, q, v) - expected).norm(), 1e-15);
  EXPECT_NEAR(energy(System{relativistic}, q, v), gamma + q[0] * q[0] * q[1], 1e-15);
}

/// In a field p ≠ 0 at rest; Newton from a wrong guess must still end, at v = 0 to round-off.
TEST(Legendre, FindsRestFromAnyGuess) {
  const System charged{[](const auto& q, const auto& v) {
    using std::cos, std::sin;
    return 0.5 * v.squaredNorm() + 0.1 * v[0] * v[1] + sin(3.0 * q[0]) * v[0] + cos(q[1]) * v[1];
  }};
  for (int k = 0; k < 50; ++k) {
    const V2 q(0.1 * k, 1.0 - 0.07 * k);
    const V2 p = momentum(charged, q, V2(0.0, 0.0));
    const V2 v = velocity(charged, q, p, 0.0, V2(0.7, -1.3 - k));
    EXPECT_LE(v.norm(), 1e-14) << k;
  }
}

TEST(Legendre, MomentaOutOfRangeAreNotConvergence) {
  const System bounded{[](const auto&, const auto& v) {  // p = v/√(1+v²) lies in (-1, 1)
    using std::sqrt;
    return sqrt(1.0 + v[0] * v[0]);
  }};
  EXPECT_NEAR(velocity(bounded, V1(0.0), V1(0.6))[0], 0.75, 1e-15);
  try {
    velocity(bounded, V1(0.0), V1(1.5));
    FAIL() << "there is no such velocity";
  } catch (const NoConvergence& e) {
    EXPECT_NE(std::string(e.what()).find("range"), std::string::npos) << e.what();
  } catch (const SingularMass&) {  // the search ran to where ∂²L/∂v² vanishes
  }
}

TEST(Legendre, SingularLagrangianIsCalledSo) {
  const System flat{[](const auto& q, const auto& v) { return 0.5 * v[0] * v[0] + q[1] * v[0]; }};
  EXPECT_THROW(velocity(flat, V2(0.1, 0.2), V2(1.0, 1.0)), SingularMass);
}

}  // namespace
}  // namespace varia::legendre_test
