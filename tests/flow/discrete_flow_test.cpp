// SPDX-License-Identifier: BSD-3-Clause
// Flows made from a discrete Lagrangian alone.
#include "varia/flow/discrete_flow.hpp"

#include <gtest/gtest.h>

#include "problems.hpp"
#include "varia/varia.hpp"

namespace varia::discrete_flow_test {
namespace {

/// L_d of the exact oscillator, m = 1.
auto exact_oscillator(double omega) {
  return [omega](const auto& a, const auto& b, double h) {
    return omega / (2 * std::sin(omega * h)) *
           ((a[0] * a[0] + b[0] * b[0]) * std::cos(omega * h) - 2.0 * a[0] * b[0]);
  };
}

TEST(DiscreteFlow, ExactDiscreteLagrangianGivesTheExactFlow) {
  const double omega = 1.3;
  const double h = 0.7;
  const DiscreteFlow flow(exact_oscillator(omega));
  auto z = make_state(Vector<double, 1>(1.0), Vector<double, 1>(0.5));
  for (int k = 1; k <= 100; ++k) {
    z = flow(z, h);
    const double t = omega * h * k;
    EXPECT_NEAR(z.q[0], std::cos(t) + 0.5 / omega * std::sin(t), 1e-13);
    EXPECT_NEAR(z.p[0], -omega * std::sin(t) + 0.5 * std::cos(t), 1e-13);
  }
}

TEST(DiscreteFlow, ExactUniformGravity) {
  const double g = 9.81;
  const auto ld = [g](const auto& a, const auto& b, double h) {
    const auto d = b[0] - a[0];
    return d * d / (2 * h) - 0.5 * g * h * (a[0] + b[0]) - g * g * h * h * h / 24;
  };
  const auto z = advance(DiscreteFlow(ld),
                         make_state(Vector<double, 1>(2.0), Vector<double, 1>(3.0)), 0.1, 20);
  EXPECT_NEAR(z.q[0], 2.0 + 3.0 * 2 - 0.5 * g * 4, 1e-13);
  EXPECT_NEAR(z.p[0], 3.0 - g * 2, 1e-13);
}

TEST(DiscreteFlow, HamiltonJacobi) {  // -∂S/∂h = H; the sign is often misprinted
  const double omega = 1.3;
  const auto s = exact_oscillator(omega);
  const Vector<double, 1> a(0.7);
  const Vector<double, 1> b(-0.2);
  const double h = 0.9;
  const double ds = derivative_at_zero(
      [&](double e) { return Eigen::VectorXd::Constant(1, s(a, b, h + e)); }, 0.2)[0];
  const auto d = slot_derivatives(s, a, b, h);
  const auto hamiltonian_at = [&](double q, double p) {
    return 0.5 * p * p + 0.5 * omega * omega * q * q;
  };
  EXPECT_NEAR(-ds, hamiltonian_at(b[0], d.d2[0]), 1e-12);
  EXPECT_NEAR(-ds, hamiltonian_at(a[0], -d.d1[0]), 1e-12);
}

TEST(DiscreteFlow, AgreesWithTheMethodItWritesOut) {
  const auto p = problems::double_pendulum();
  const auto ld = [&](const auto& a, const auto& b, double h) {
    using V = std::decay_t<decltype(a)>;
    const V mean = (a + b) * 0.5;
    const V v = (b - a) * (1.0 / h);
    return p.system.lagrangian()(0.0, mean, v) * h;
  };
  const auto mine = advance(DiscreteFlow(ld), p.start, p.h, 20);
  EXPECT_LT(detail::distance(mine, advance(Flow(midpoint(), p.system), p.start, p.h, 20)), 1e-13);
}

TEST(DiscreteFlow, OnSO3) {
  const auto p = problems::heavy_top();
  const auto ld = [&](const auto& a, const auto& b, double h) {  // trapezoid on the geodesic
    using R = std::decay_t<decltype(a)>;
    using V = Tangent<R>;
    const V v = Space<R>::difference(a, b, Retraction::exponential) * (1.0 / h);
    return (p.system.lagrangian()(0.0, a, v) + p.system.lagrangian()(0.0, b, v)) * (0.5 * h);
  };
  const DiscreteFlow mine(ld);
  const Flow theirs(trapezoid(), p.system, {.retraction = Retraction::exponential});
  EXPECT_LT(detail::distance(advance(mine, p.start, p.h, 20), advance(theirs, p.start, p.h, 20)),
            1e-12);
  EXPECT_LT(check_symplectic(mine, p.start, p.h).defect, 1e-12);
}

TEST(DiscreteFlow, DynamicSize) {
  const auto ld = [](const auto& a, const auto& b, double h) {
    auto sum = a[0] * 0.0;
    for (int i = 0; i < a.size(); ++i) {
      const auto v = (b[i] - a[i]) / h;
      sum += 0.5 * v * v - 0.25 * (pow(a[i], 4) + pow(b[i], 4)) * 0.5;
    }
    return sum * h;
  };
  const DiscreteFlow flow(ld);
  const auto one =
      advance(flow, make_state(Vector<double, 1>(0.8), Vector<double, 1>(0.1)), 0.1, 10);
  const auto many =
      advance(flow,
              make_state(Vector<double, Dynamic>(Vector<double, Dynamic>::Constant(9, 0.8)),
                         Vector<double, Dynamic>(Vector<double, Dynamic>::Constant(9, 0.1))),
              0.1, 10);
  EXPECT_NEAR(many.q[8], one.q[0], 1e-14);
}

TEST(DiscreteFlow, ForcesAreThoseOfTheMidpointRule) {
  const auto p = problems::van_der_pol();
  const auto ld = [&](const auto& a, const auto& b, double h) {
    using V = std::decay_t<decltype(a)>;
    return p.system.lagrangian()(0.0, V((a + b) * 0.5), V((b - a) * (1.0 / h))) * h;
  };
  const auto half = [](const auto& a, const auto& b, double h) {
    using V = std::decay_t<decltype(b)>;
    const V q = (a + b) * 0.5;
    const V v = (b - a) * (1.0 / h);
    return V((0.5 * h) * V((0.5 - q[0] * q[0]) * v[0], (0.5 - q[1] * q[1]) * v[1]));
  };
  const DiscreteFlow mine(ld, DiscreteForce{half, half});
  EXPECT_LT(detail::distance(advance(mine, p.start, p.h, 16),
                             advance(Flow(midpoint(), p.system), p.start, p.h, 16)),
            1e-13);
}

TEST(DiscreteFlow, ShakeHasThePositionsOfRattle) {
  const auto p = problems::spherical_pendulum();
  const auto ld = [](const auto& a, const auto& b, double h) {
    const auto v = ((b - a) * (1.0 / h)).eval();
    return h * (0.5 * v.dot(v) - 0.5 * (a[2] + b[2]));
  };
  const DiscreteFlow shake(ld, Holonomic{[](const auto& q) { return q.dot(q) - 1.0; }});
  const Flow rattle(verlet(), p.system);
  auto a = make_state<1>(p.start.q, p.start.p);
  auto b = p.start;
  for (int k = 0; k < 50; ++k) {
    a = shake(a, p.h);
    b = rattle(b, p.h);
    ASSERT_LT((a.q - b.q).norm(), 1e-13);
  }
}

TEST(DiscreteFlow, AddedFunctionsOfTheEndsShiftMomentaOnly) {  // null Lagrangians
  const auto base = [](const auto& a, const auto& b, double h) {
    const auto v = (b[0] - a[0]) / h;
    return h * (0.5 * v * v + cos(0.5 * (a[0] + b[0])));
  };
  const auto shifted = [base](const auto& a, const auto& b, double h) {
    return base(a, b, h) + sin(b[0]) - sin(a[0]) + 7.0 * h * h;
  };
  auto z = make_state(Vector<double, 1>(1.0), Vector<double, 1>(0.2));
  auto w = make_state(Vector<double, 1>(1.0), Vector<double, 1>(0.2 + std::cos(1.0)));
  for (int k = 0; k < 30; ++k) {
    z = DiscreteFlow(base)(z, 0.1);
    w = DiscreteFlow(shifted)(w, 0.1);
    ASSERT_NEAR(z.q[0], w.q[0], 1e-13);
    ASSERT_NEAR(w.p[0], z.p[0] + std::cos(z.q[0]), 1e-13);
  }
}

TEST(DiscreteFlow, ZeroIsNoDiscreteLagrangian) {
  const auto zero = [](const auto& a, const auto&, double) { return a[0] * 0.0; };
  const DiscreteFlow flow(zero);
  EXPECT_THROW(flow(make_state(Vector<double, 1>(1.0), Vector<double, 1>(0.2)), 0.1),
               NoConvergence);
}

}  // namespace
}  // namespace varia::discrete_flow_test
