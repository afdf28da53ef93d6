// SPDX-License-Identifier: BSD-3-Clause
// Shooting at run time: the same flow as by templates, time, checkpoints, refusals.
#include "varia/flow/shooting_flow.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "problems.hpp"
#include "refusal.hpp"
#include "varia/verify/differences.hpp"

namespace varia::shooting_flow_test {
namespace {

using namespace problems;

/// D₁L_d and D₂L_d are the derivatives of the value, whatever L is.
TEST(ShootingFlow, SlotDerivativesAreThoseOfTheValue) {
  const Shooting f(texts::driven());
  const Vn q0 = vector({0.5, -0.4});
  const Vn q1 = vector({0.6, -0.15});
  const double t = 0.7;
  const double h = 0.3;
  for (const ShootingFlow& flow :
       {f.shooting(4, "lobatto:3"), f.shooting(2, "gauss:2"), f.shooting(1, "radau:2"),
        f.taylor(5, "lobatto:3"), f.taylor(3, "gauss:1")}) {
    const ShootingAction at = flow.discrete_lagrangian(t, q0, q1, h);
    for (int i = 0; i < 2; ++i) {
      const auto by = [&](double e, bool first) {
        Vn a = q0;
        Vn b = q1;
        (first ? a : b)[i] += e;
        return Eigen::VectorXd::Constant(1, flow.discrete_lagrangian(t, a, b, h).value);
      };
      EXPECT_NEAR(at.d1[i], derivative_at_zero([&](double e) { return by(e, true); }, 0.2)[0],
                  1e-10)
          << flow.method().name();
      EXPECT_NEAR(at.d2[i], derivative_at_zero([&](double e) { return by(e, false); }, 0.2)[0],
                  1e-10)
          << flow.method().name();
    }
  }
}

/// p₀ = -D₁L_d, p₁ = D₂L_d between the states of a step, by the boundary-value problem.
TEST(ShootingFlow, StepsAreThoseOfTheDiscreteLagrangian) {
  const Shooting f(texts::driven());
  const VectorState s0 = start_of(texts::driven());
  for (const double h : {0.2, -0.2})
    for (const ShootingFlow& flow :
         {f.shooting(4, "lobatto:3"), f.shooting(1, "trapezoid"), f.shooting(3, "radau_left:2"),
          f.taylor(6, "gauss:3"), f.taylor(1, "lobatto:3")}) {
      const VectorState s1 = flow(s0, h);
      const ShootingAction at = flow.discrete_lagrangian(s0.t, s0.q, s1.q, h);
      EXPECT_LT((at.d1 + s0.p).cwiseAbs().maxCoeff(), 1e-14) << flow.method().name();
      EXPECT_LT((at.d2 - s1.p).cwiseAbs().maxCoeff(), 1e-14) << flow.method().name();
      EXPECT_EQ(s1.t, s0.t + h);
    }
}

TEST(ShootingFlow, ManyStepsAreSingleStepsAndCheckpointsGoOn) {
  const Shooting f(texts::driven());
  for (const bool compensated : {true, false}) {
    const ShootingFlow flow =
        f.flow(varia::shooting(4, lobatto_quadrature(3)), {.compensated = compensated});
    const VectorState s = start_of(texts::driven());
    auto memory = flow.memory(s);
    auto singly = flow.memory(s);
    const VectorState together = flow.steps(s, 0.1, 20, memory);
    VectorState single = s;
    std::vector<double> saved;
    VectorState half;
    for (int k = 0; k < 20; ++k) {
      if (k == 11) {
        saved = singly.save();
        half = single;
      }
      single = flow.step(single, 0.1, singly);
    }
    EXPECT_EQ(together.q, single.q);
    EXPECT_EQ(together.p, single.p);
    EXPECT_EQ(together.q_rest, single.q_rest);
    EXPECT_EQ(together.t, single.t);
    EXPECT_EQ(memory.statistics.steps, 20);
    EXPECT_EQ(memory.statistics.iterations, singly.statistics.iterations);
    EXPECT_LE(memory.statistics.iterations, 20 * 4);

    auto later = flow.memory(half);
    later.load(saved);
    const VectorState continued = flow.steps(half, 0.1, 9, later);
    EXPECT_EQ(continued.q, single.q);
    EXPECT_EQ(continued.p, single.p);
    EXPECT_EQ(continued.p_rest, single.p_rest);
    EXPECT_EQ(later.statistics.iterations, singly.statistics.iterations);
    saved.pop_back();
    expect_words(refusal([&] { later.load(saved); }), {"another method or system"});
  }
}

/// Long steps, where d2L/dv2 is no longer close to the slope of p₀: differences take over.
TEST(ShootingFlow, LongStepsAreSolved) {
  const Shooting f(texts::double_pendulum());
  const VectorState s = start_of(texts::double_pendulum());
  const ShootingFlow flow = f.shooting(2, "trapezoid");
  auto memory = flow.memory(s);
  const VectorState end = flow.step(s, 0.9, memory);
  EXPECT_GT(memory.statistics.max_iterations, 4);
  const ShootingAction at = flow.discrete_lagrangian(s.t, s.q, end.q, 0.9);
  EXPECT_LT((at.d1 + s.p).cwiseAbs().maxCoeff(), 1e-13);
  EXPECT_LT((at.d2 - end.p).cwiseAbs().maxCoeff(), 1e-13);
}

/// A hanging chain of springs at rest: forces cancel, and velocities have no relative precision.
TEST(ShootingFlow, RestIsKept) {
  const Shooting f({{"x", "y", "z"},
                    "(x_dot^2 + 0.3*y_dot^2 + 1.7*z_dot^2)/2 - 9.81*(x + 0.3*y + 1.7*z)"
                    " - 37*((x + 1)^2 + (y - x + 1)^2 + (z - y + 1)^2)/2"});
  const double w = 9.81 / 37.0;
  const double x = -1.0 - 3.0 * w;
  const double y = x - 1.0 - 2.0 * w;
  const VectorState s = f.start(vector({x, y, y - 1.0 - 1.7 * w}), Vn::Zero(3));
  for (const ShootingFlow& flow : {f.shooting(4, "lobatto:3"), f.taylor(4, "gauss:2")}) {
    const VectorState end = walk(flow, s, 0.05, 500);
    EXPECT_LT(distance(end, s), 1e-12);
  }
  const Shooting free({{"x"}, "x_dot^2/2"});
  const VectorState still = free.start(vector({0.0}), vector({0.0}));
  EXPECT_EQ(free.shooting(4, "lobatto:3")(still, 0.1).q[0], 0.0);
}

/// A rest in a magnetic field has p = A(q): steps are solved there though v is only what is left of
/// p. Adding dF/dt to L changes L_d by the error of the rule, so rest is kept to the order only.
TEST(ShootingFlow, RestInAMagneticFieldIsKeptToTheOrder) {
  const Shooting f({{"x", "y"},
                    "(x_dot^2 + y_dot^2)/2 + 0.37*(x*y_dot - y*x_dot) - (x - 0.3)^2"
                    " - 2*(y - 0.7)^2"});
  const VectorState s = f.start(vector({0.3, 0.7}), Vn::Zero(2));
  const double third = distance(walk(f.shooting(3, "gauss:2"), s, 0.1, 100), s);
  const double halved = distance(walk(f.shooting(3, "gauss:2"), s, 0.05, 200), s);
  const double sixth = distance(walk(f.taylor(6, "lobatto:4"), s, 0.1, 100), s);
  EXPECT_LT(third, 1e-4);
  EXPECT_NEAR(std::log2(third / halved), 3.0, 0.3);
  EXPECT_LT(sixth, 1e-9);
}

TEST(ShootingFlow, NamesAndOrders) {
  const Shooting f(texts::pendulum());
  EXPECT_EQ(f.shooting(4, "lobatto:3").method().name(), "shooting(4, lobatto:3)");
  EXPECT_EQ(f.taylor(5, "gauss:2").method().name(), "taylor(5, gauss:2)");
  EXPECT_EQ(f.taylor(5, "gauss:2").method().order(), 4);
  EXPECT_EQ(f.taylor(3, "gauss:2").method().order(), 3);
  EXPECT_EQ(f.taylor(3, "gauss:2").unknowns(), 1);
}

TEST(ShootingFlow, RefusesWhatItIsNotFor) {
  const Shooting f(texts::pendulum());
  expect_words(refusal([&] { f.shooting(5, "lobatto:3"); }), {"1 ... 4", "got 5"});
  expect_words(refusal([&] { f.taylor(0, "lobatto:3"); }), {"1 ... 20", "got 0"});
  expect_words(refusal([&] { f.taylor(21, "lobatto:3"); }), {"1 ... 20", "got 21"});
  Quadrature turned = gauss_quadrature(2);
  std::swap(turned.c[0], turned.c[1]);
  expect_words(refusal([&] { f.flow(varia::shooting(2, turned)); }), {"must increase"});
  expect_words(refusal([&] { f.flow(varia::taylor(40, gauss_quadrature(2))); }), {"got 40"});

  const auto scheme = varia::shooting(4, lobatto_quadrature(3));
  const auto forced = system_of(texts::pendulum().with_force({"-x_dot"}));
  expect_words(refusal([&] { ShootingFlow(scheme, forced, f.acceleration); }),
               {"shooting(4, lobatto:3)", "without force", "a force acts", "gauss(s)"});
  const auto held = system_of({{"x", "y"}, "(x_dot^2 + y_dot^2)/2 - y", {}, {"x^2+y^2-1"}});
  expect_words(refusal([&] { ShootingFlow(scheme, held, f.acceleration); }),
               {"without constraints", "this system has constraints", "lobatto(s)"});
  expect_words(
      refusal([&] { ShootingFlow(scheme, Shooting(texts::kepler()).system, f.acceleration); }),
      {"of 1 coordinates", "has 2"});
  expect_words(refusal([&] { ShootingFlow(scheme, nullptr, f.acceleration); }), {"no system"});
  expect_words(refusal([&] { ShootingFlow(scheme, f.system, nullptr); }), {"no accelerations"});
  expect_words(refusal([&] { f.flow(scheme, {.newton = {.max_iterations = 0}}); }),
               {"max_iterations"});
  expr::Graph g;
  const expr::Id other = g.variable(3);
  expect_words(refusal([&] { make_acceleration_system(g, other, 1); }),
               {"variable 3", "2 to 2 (v)"});
  expect_words(refusal([&] { make_acceleration_system(g, other, 0); }),
               {"at least 1 coordinate", "got 0"});
}

TEST(ShootingFlow, RefusesStatesAndSteps) {
  const Shooting f(texts::pendulum());
  const ShootingFlow flow = f.shooting(4, "lobatto:3");
  const VectorState s = f.start(vector({1.0}), vector({0.4}));
  expect_words(refusal([&] {
                 flow(Shooting(texts::kepler()).start(vector({1.0, 0.0}), vector({0.0, 1.0})), 0.1);
               }),
               {"has 2 coordinates", "has 1"});
  VectorState bad = s;
  bad.p[0] = std::numeric_limits<double>::quiet_NaN();
  expect_words(refusal([&] { flow(bad, 0.1); }), {"not finite"});
  expect_words(refusal([&] { flow(s, 0.0); }), {"step size"});
  expect_words(refusal([&] {
                 flow.discrete_lagrangian(0.0, vector({1.0, 2.0}), s.q, 0.1);
               }),
               {"2 and 1 coordinates", "has 1"});
  // massless: no acceleration
  const Shooting degenerate({{"x"}, "x*x_dot - x^2"});
  const Vn at = vector({0.1});
  expect_words(refusal<SingularMass>([&] {
                 degenerate.shooting(2, "gauss:2").discrete_lagrangian(0.0, at, vector({0.2}), 0.1);
               }),
               {"d2L/dv2", "regular"});
  VectorState massless = s;
  massless.p = at;
  EXPECT_THROW(degenerate.shooting(2, "gauss:2")(massless, 0.1), SingularMass);
}

/// No step is accepted that is not solved.
TEST(ShootingFlow, UnsolvableStepsAreErrors) {
  // q₁ ≥ -0.03 whatever v₀ is
  const Shooting pushed({{"x"}, "x_dot^2/2 + 100/3*x^3"});
  expect_words(refusal<NoConvergence>([&] {
                 pushed.shooting(4, "trapezoid")
                     .discrete_lagrangian(0.5, vector({0.0}), vector({-1.0}), 1.0);
               }),
               {"shooting(4", "t = 0.5", "h = 1", "smaller step"});
  const Shooting f(texts::kepler());
  const VectorState s = f.start(vector({0.4, 0.0}), vector({0.0, 2.0}), 3.0);
  const Method scheme = varia::shooting(4, lobatto_quadrature(3));
  try {
    pushed.flow(scheme, {.newton = {.max_iterations = 3}})
        .discrete_lagrangian(0.5, vector({0.0}), vector({-1.0}), 1.0);
    ADD_FAILURE() << "accepted";
  } catch (const NoConvergence& error) {
    EXPECT_EQ(error.iterations, 3);
  }
  for (const ShootingFlow& flow :
       {f.flow(scheme, {.newton = {.max_iterations = 3}}), f.taylor(8, "lobatto:4")})
    try {
      flow(s, 40.0);
      ADD_FAILURE() << "accepted " << flow.method().name();
    } catch (const NoConvergence& error) {
      EXPECT_EQ(error.t, 3.0);
      EXPECT_EQ(error.h, 40.0);
      expect_words(error.what(), {"t = 3", "h = 40", flow.method().name().c_str()});
    }
  // |x| has no Taylor polynomial at 0
  const Shooting kink({{"x"}, "x_dot^2/2 - abs(x)^3/3 - abs(x)"});
  const VectorState on = kink.start(vector({0.0}), vector({1.0}));
  EXPECT_THROW(kink.taylor(4, "lobatto:3")(on, 0.1), NoConvergence);
}

}  // namespace
}  // namespace varia::shooting_flow_test
