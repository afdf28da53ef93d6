// SPDX-License-Identifier: BSD-3-Clause
// Taylor discrete Lagrangians: order min(R, q), exact coefficients, Noether's theorem.
#include "varia/flow/taylor.hpp"

#include <gtest/gtest.h>

#include "varia/flow/discrete_flow.hpp"
#include "varia/flow/integrate.hpp"
#include "varia/verify/certify_order.hpp"

namespace varia::taylor_test {
namespace {

using V1 = Vector<double, 1>;
using V2 = Vector<double, 2>;

struct Oscillator {
  template <class Q, class V> auto operator()(const Q& q, const V& v) const {
    return 0.5 * (v.dot(v) - q.dot(q));
  }
};

struct Pendulum {
  template <class Q, class V> auto operator()(const Q& q, const V& v) const {
    return 0.5 * v.dot(v) + cos(q[0]);
  }
};

/// A mass that depends on the configuration, and symmetric under rotation.
struct Bead {
  template <class Q, class V> auto operator()(const Q& q, const V& v) const {
    const auto r2 = q[0] * q[0] + q[1] * q[1];
    const auto rise = q[0] * v[0] + q[1] * v[1];
    return 0.5 * (v[0] * v[0] + v[1] * v[1] + rise * rise) - 0.5 * r2;  // on a paraboloid
  }
};

/// The step is the Taylor polynomial of cos and sin, and no more.
TEST(Taylor, CoefficientsAreThoseOfTheMotion) {
  const double h = 0.7;
  const auto z = TaylorStep<Oscillator, 5>(Oscillator{})(Motion<double, 1>{V1(1.0), V1(0.5)}, h);
  const double c = 1 - h * h / 2 + std::pow(h, 4) / 24;
  const double s = h - std::pow(h, 3) / 6 + std::pow(h, 5) / 120;
  EXPECT_NEAR(z.q[0], c + 0.5 * s, 1e-15);
  EXPECT_NEAR(z.v[0], -s + 0.5 * c, 1e-15);
}

template <int R> void expect_order(const char* name) {
  const System system{Pendulum{}};
  const auto start = initial(system, V1(1.0), V1(0.4));
  const Quadrature rule = parse_quadrature(name);
  const auto ld = taylor_lagrangian<R>(Pendulum{}, rule);
  EXPECT_EQ(ld.order(), std::min(R, rule.order));
  EXPECT_NEAR(certify_order(system, ld, start, 0.6, ld.order()).measured, ld.order(), 0.1)
      << R << " " << name;
}

TEST(Taylor, OrderIsTheSmallerOfBoth) {
  expect_order<1>("lobatto:3");
  expect_order<2>("lobatto:3");
  expect_order<3>("lobatto:3");
  expect_order<4>("lobatto:3");
  expect_order<5>("lobatto:3");
  expect_order<5>("lobatto:4");
  expect_order<6>("lobatto:4");
}

/// The flow has the order of its L_d and keeps the momentum of the rotation; energy it does not keep.
TEST(Taylor, FlowOnAParaboloid) {
  const System system{Bead{}};
  const auto start = initial(system, V2(0.8, 0.1), V2(0.2, 0.6));
  const DiscreteFlow flow(taylor_lagrangian<3>(Bead{}, lobatto_quadrature(3)));
  const auto momentum_of = [](const auto& s) { return s.q[0] * s.p[1] - s.q[1] * s.p[0]; };
  const auto exact = reference_state(system, start, 1.0);
  const auto coarse = advance(flow, start, 0.1, 10);
  const auto fine = advance(flow, start, 0.05, 20);
  EXPECT_NEAR(momentum_of(coarse), momentum_of(start), 1e-13);
  EXPECT_NEAR(momentum_of(fine), momentum_of(start), 1e-13);
  EXPECT_GT(std::abs(energy(system, coarse) - energy(system, start)), 1e-9);
  EXPECT_NEAR(std::log2(detail::distance(coarse, exact) / detail::distance(fine, exact)), 3.0, 0.2);
}

}  // namespace
}  // namespace varia::taylor_test
