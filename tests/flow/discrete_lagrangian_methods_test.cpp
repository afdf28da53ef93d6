// SPDX-License-Identifier: BSD-3-Clause
// A discrete Lagrangian as text: the motion of the methods it spells out, and of the C++ template.
#include "problems.hpp"
#include "varia/flow/discrete_flow.hpp"

namespace varia::discrete_lagrangian_methods_test {
namespace {

using namespace problems;

TEST(DiscreteLagrangianFlow, TrapezoidIsVerletAndMidpointIsMidpoint) {
  const auto f = system_of(texts::ring());
  const VectorState s = start_of(*f, texts::ring());
  const auto trapezoid = discrete_flow(discrete::ring_trapezoid(), 2);
  const auto centred = discrete_flow(discrete::ring_midpoint(), 2);
  EXPECT_LT(distance(walk(trapezoid, s, 0.05, 40), walk(StageFlow(verlet(), f), s, 0.05, 40)),
            1e-13);
  EXPECT_LT(distance(walk(centred, s, 0.05, 40), walk(StageFlow(midpoint(), f), s, 0.05, 40)),
            1e-13);
  EXPECT_GT(distance(walk(centred, s, 0.05, 40), walk(trapezoid, s, 0.05, 40)), 1e-5);
}

TEST(DiscreteLagrangianFlow, MassThatDependsOnThePosition) {
  const auto f = system_of(texts::double_pendulum());
  const StageFlow other(midpoint(), f);
  const VectorState s = initial(other.system(), vector({0.7, -0.3}), vector({0.4, 0.2}));
  EXPECT_LT(distance(walk(discrete_flow(discrete::double_pendulum(), 2), s, 0.05, 40),
                     walk(other, s, 0.05, 40)),
            1e-13);
}

/// The callable of the same formula, differentiated automatically.
TEST(DiscreteLagrangianFlow, StepsAndDerivativesOfTheTemplate) {
  const auto ld = [](const auto& a, const auto& b, double h) {
    const auto x = (b[0] - a[0]) / h;
    const auto y = (b[1] - a[1]) / h;
    return h * (x * x + 0.5 * y * y + x * y * cos(0.5 * (a[0] + b[0] - a[1] - b[1])) +
                2.0 * cos(0.5 * (a[0] + b[0])) + cos(0.5 * (a[1] + b[1])));
  };
  const auto flow = discrete_flow(discrete::double_pendulum(), 2);
  const Vector<double, 2> q0(0.7, -0.3);
  const Vector<double, 2> q1(0.75, -0.21);
  const auto d = slot_derivatives(ld, q0, q1, 0.1);
  const auto e = flow.at(q0, q1, 0.1);
  EXPECT_NEAR(d.value, e.value, 1e-15);
  EXPECT_LT((d.d1 - e.d1).norm() + (d.d2 - e.d2).norm() + (d.d1d2 - e.d1d2).norm(), 1e-13);
  const double step = 1e-4;
  EXPECT_NEAR(flow.energy(q0, q1, 0.1),
              (ld(q0, q1, 0.1 - step) - ld(q0, q1, 0.1 + step)) / (2 * step), 1e-4);
  const DiscreteFlow plain(ld);
  auto a = make_state(q0, Vector<double, 2>(1.0, 0.4));
  VectorState b = flow.start(q0, Vector<double, 2>(1.0, 0.4));
  for (int k = 0; k < 30; ++k) {
    a = plain(a, 0.1);
    b = flow(b, 0.1);
  }
  EXPECT_LT((a.q - b.q).norm() + (a.p - b.p).norm(), 1e-12);
}

/// A chain far from the origin with a small step: the differences of positions keep their digits.
TEST(DiscreteLagrangianFlow, SmallStepsFarFromTheOrigin) {
  const std::string text = "(b[1] - a[1])^2/(2*h) + h*cos((a[1] + b[1])/2 - 4000)";
  const auto flow = discrete_flow(text, 1);
  const auto f = system_of({{"x"}, "x_dot^2/2 + cos(x - 4000)"});
  const StageFlow other(midpoint(), f);
  const VectorState s = initial(other.system(), vector({4000.5}), vector({0.3}));
  const double h = 1e-3;
  EXPECT_LT(distance(walk(flow, s, h, 2000), walk(other, s, h, 2000)), 1e-11);
}

}  // namespace
}  // namespace varia::discrete_lagrangian_methods_test
