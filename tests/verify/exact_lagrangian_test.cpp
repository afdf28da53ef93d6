// SPDX-License-Identifier: BSD-3-Clause
// The exact discrete Lagrangian: closed forms, the equation of Hamilton and Jacobi, self-adjointness,
// the exact flow as its flow, extended mechanics, and what cannot be solved.
#include "varia/verify/exact_lagrangian.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "problems.hpp"
#include "refusal.hpp"
#include "varia/flow/discrete_flow.hpp"
#include "varia/verify/differences.hpp"

namespace varia::exact_lagrangian_test {
namespace {

using namespace problems;
using V1 = Vector<double, 1>;
using V2 = Vector<double, 2>;

auto oscillator(double m, double omega) {
  return System{[m, omega](const auto& q, const auto& v) {
    return 0.5 * m * (v.dot(v) - omega * omega * q.dot(q));
  }};
}

TEST(ExactLagrangian, FreeParticle) {
  const System free{[](const auto& q, const auto& v) {
    return 0.5 * (2.0 * v[0] * v[0] + 3.0 * v[1] * v[1]) + 0.0 * q[0];
  }};
  const V2 q0(0.3, -1.0);
  const V2 q1(1.7, 0.4);
  const double h = 0.8;
  const auto a = ExactLagrangian(free).at(q0, q1, h);
  const V2 mass(2.0, 3.0);
  const V2 d = q1 - q0;
  EXPECT_NEAR(a.value, d.dot(mass.cwiseProduct(d)) / (2 * h), 1e-14);
  EXPECT_LT((a.start.p - mass.cwiseProduct(d) / h).norm(), 1e-14);
  EXPECT_LT((a.end.p - mass.cwiseProduct(d) / h).norm(), 1e-14);
}

/// mω/(2 sin ωh) [(q₀² + q₁²) cos ωh - 2q₀q₁] up to the first conjugate point, for h of both signs.
TEST(ExactLagrangian, Oscillator) {
  const double m = 1.7;
  const double omega = 1.3;
  const ExactLagrangian exact(oscillator(m, omega));
  const double a = 0.7;
  const double b = -0.2;
  for (const double h : {1e-2, 0.1, 0.9, 2.0, 2.35, -0.5}) {
    const double s = std::sin(omega * h);
    const double c = std::cos(omega * h);
    const auto x = exact.at(V1(a), V1(b), h);
    const double value = m * omega / (2 * s) * ((a * a + b * b) * c - 2 * a * b);
    EXPECT_NEAR(x.value, value, 1e-12 * std::max(1.0, std::abs(value))) << h;
    EXPECT_NEAR(x.start.p[0], -m * omega / s * (a * c - b), 1e-12 * (1.0 + 1.0 / std::abs(s))) << h;
    EXPECT_NEAR(x.end.p[0], m * omega / s * (b * c - a), 1e-12 * (1.0 + 1.0 / std::abs(s))) << h;
  }
}

/// m(Δq)²/(2h) - mgh(q₀ + q₁)/2 - mg²h³/24: no straight line, and a throw that comes back.
TEST(ExactLagrangian, UniformGravity) {
  const double m = 0.6;
  const double g = 9.81;
  const ExactLagrangian exact(
      System{[=](const auto& q, const auto& v) { return 0.5 * m * v.dot(v) - m * g * q[0]; }});
  for (const double b : {2.0, 0.0, -5.0}) {
    const double h = 1.4;
    const auto x = exact.at(V1(0.0), V1(b), h);
    EXPECT_NEAR(x.value, m * b * b / (2 * h) - 0.5 * m * g * h * b - m * g * g * h * h * h / 24,
                1e-12);
    EXPECT_NEAR(x.start.p[0], m * (b / h + g * h / 2), 1e-13);
  }
}

/// (HJ) -∂S/∂h = H(q₁, ∂S/∂q₁) = H(q₀, -∂S/∂q₀); with the printed sign it fails by twice the energy.
TEST(ExactLagrangian, HamiltonJacobi) {
  const auto system = System{double_pendulum_lagrangian};
  const ExactLagrangian exact(system);
  const V2 q0(0.7, -0.3);
  const V2 q1(0.6, 0.1);
  const double h = 0.4;
  const double ds = derivative_at_zero(
      [&](double e) { return Eigen::VectorXd::Constant(1, exact(q0, q1, h + e)); }, 0.2)[0];
  const auto a = exact.at(q0, q1, h);
  EXPECT_NEAR(-ds, energy(system, a.end), 1e-11);
  EXPECT_NEAR(-ds, energy(system, a.start), 1e-11);
  EXPECT_GT(std::abs(ds - energy(system, a.end)), 0.1);
}

/// (LdE±): the momenta of the motion are the slot derivatives of the value.
TEST(ExactLagrangian, MomentaAreSlotDerivatives) {
  const ExactLagrangian exact(System{double_pendulum_lagrangian});
  const V2 q0(0.7, -0.3);
  const V2 q1(0.6, 0.1);
  const double h = 0.4;
  const auto a = exact.at(q0, q1, h);
  for (int k = 0; k < 2; ++k) {
    const V2 unit = V2::Unit(k);
    const double d1 = derivative_at_zero(
        [&](double e) { return Eigen::VectorXd::Constant(1, exact(V2(q0 + e * unit), q1, h)); },
        0.5)[0];
    const double d2 = derivative_at_zero(
        [&](double e) { return Eigen::VectorXd::Constant(1, exact(q0, V2(q1 + e * unit), h)); },
        0.5)[0];
    EXPECT_NEAR(a.start.p[k], -d1, 1e-11);
    EXPECT_NEAR(a.end.p[k], d2, 1e-11);
  }
}

TEST(ExactLagrangian, IsSelfAdjoint) {
  const ExactLagrangian exact(System{double_pendulum_lagrangian});
  const V2 q0(0.7, -0.3);
  const V2 q1(0.9, 0.2);
  EXPECT_NEAR(exact(q0, q1, 0.5), -exact(q1, q0, -0.5), 1e-13);
  // a magnetic field tells forth from back
  const ExactLagrangian charged(System{[](const auto& q, const auto& v) {
    return 0.5 * v.dot(v) + q[0] * v[1] * (1.0 + q[1]) - 0.5 * q.dot(q);
  }});
  EXPECT_NEAR(charged(q0, q1, 0.5), -charged(q1, q0, -0.5), 1e-13);
  EXPECT_GT(std::abs(charged(q0, q1, 0.5) - charged(q1, q0, 0.5)), 1e-3);
}

/// The boundary-value problem gives back the start of a motion, and the motion is that of the
/// reference solution: F_{L^E} is the exact flow.
TEST(ExactLagrangian, FlowIsTheExactFlow) {
  const auto system = System{double_pendulum_lagrangian};
  const auto start = initial(system, V2(0.7, -0.3), V2(0.2, 0.3));
  const ExactLagrangian exact(system);
  const double h = 0.6;
  const auto end = reference_state(system, start, h);
  const auto along = exact.along(start, h);
  const auto at = exact.at(start.q, end.q, h);
  EXPECT_LT((along.end.q - end.q).norm(), 1e-13);
  EXPECT_LT((along.end.p - end.p).norm(), 1e-13);
  EXPECT_NEAR(along.value, at.value, 1e-13);
  EXPECT_LT((at.start.p - start.p).norm(), 2e-13);
  EXPECT_LT((at.end.p - end.p).norm(), 2e-13);
}

/// Extended mechanics: for any step sequence momenta and energies match at the seams of a motion,
/// although the Lagrangian depends on time and no energy is conserved.
TEST(ExactLagrangian, ExtendedEquationsHoldForAnySteps) {
  const System driven{[](double t, const auto& q, const auto& v) {
    return std::exp(0.2 * t) * (0.5 * v.dot(v) + cos(q[0]) + q[0] * std::sin(2.0 * t));
  }};
  const ExactLagrangian exact(driven);
  const double t0 = 0.3;
  const auto first = exact.along(initial(driven, V1(1.0), V1(0.4), t0), 0.37);
  const auto second = exact.along(first.end, 0.91);
  const double t1 = first.end.t;
  const auto before = exact.at(first.start.q, first.end.q, 0.37, t0);
  const auto after = exact.at(second.start.q, second.end.q, 0.91, t1);
  EXPECT_NEAR(before.end.p[0], after.start.p[0], 1e-12);
  EXPECT_NEAR(energy(driven, before.end), energy(driven, after.start), 1e-12);
  EXPECT_GT(std::abs(energy(driven, before.start) - energy(driven, after.start)), 1e-2);
  // ∂S/∂t₀ = H(t₀, q₀, p₀) and -∂S/∂t₁ = H(t₁, q₁, p₁)
  const auto by_t0 = [&](double e) {
    return Eigen::VectorXd::Constant(1, exact(first.start.q, first.end.q, 0.37 - e, t0 + e));
  };
  const auto by_t1 = [&](double e) {
    return Eigen::VectorXd::Constant(1, exact(first.start.q, first.end.q, 0.37 + e, t0));
  };
  EXPECT_NEAR(derivative_at_zero(by_t0, 0.2)[0], energy(driven, before.start), 1e-11);
  EXPECT_NEAR(-derivative_at_zero(by_t1, 0.2)[0], energy(driven, before.end), 1e-11);
}

TEST(ExactLagrangian, RefusesWhatHasNoMotion) {
  const ExactLagrangian exact(oscillator(1.0, 1.0));
  // after half a period every motion from q₀ is at -q₀
  expect_words(refusal<NoConvergence>([&] { exact.at(V1(0.7), V1(0.2), std::numbers::pi); }),
               {"exact discrete Lagrangian", "h = 3.14", "shorter"});
  expect_words(refusal([&] { exact.at(V1(0.7), V1(0.2), 0.0); }), {"h must be", "got 0"});
  expect_words(refusal([&] { exact.at(V1(0.7), V1(NAN), 0.1); }), {"not a finite number"});
  const System kepler{kepler_lagrangian};
  // a fall into the centre
  const auto fall = initial(kepler, V2(1.0, 0.0), V2(0.0, 0.0));
  EXPECT_THROW(ExactLagrangian(kepler).along(fall, 2.0), Error);
}

}  // namespace
}  // namespace varia::exact_lagrangian_test
