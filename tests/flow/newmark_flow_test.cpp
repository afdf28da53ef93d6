// SPDX-License-Identifier: BSD-3-Clause
// Newmark's method: its equations, its special cases, forces, structure of the solves, refusals.
#include "varia/flow/newmark_flow.hpp"

#include <gtest/gtest.h>

#include "problems.hpp"
#include "refusal.hpp"
#include "varia/flow/integrate.hpp"
#include "varia/flow/legendre_transform.hpp"
#include "varia/methods/methods.hpp"

namespace varia::newmark_flow_test {
namespace {

using namespace problems;

double apart(const VectorState& a, const VectorState& b) {
  return std::max((a.q - b.q).cwiseAbs().maxCoeff(), (a.p - b.p).cwiseAbs().maxCoeff());
}

/// M⁻¹(-∂V/∂q + f)
Vn acceleration(const KernelSystem& f, const VectorState& s) {
  LegendreTransform legendre(f);
  Vn v(f.n);
  Vn a(f.n);
  legendre.velocity(s.t, s.q.data(), s.p.data(), v.data());
  EXPECT_TRUE(legendre.acceleration(s.t, s.q.data(), v.data(), a.data()));
  return a;
}

Vn velocity(const KernelSystem& f, const VectorState& s) {
  Vn v(f.n);
  LegendreTransform(f).velocity(s.t, s.q.data(), s.p.data(), v.data());
  return v;
}

/// Both rows of (Newmark), with accelerations from the Lagrangian itself.
TEST(NewmarkFlow, StepsSatisfyTheEquations) {
  const std::vector<std::string> drag{"-0.3*x_dot + 0.2*sin(t)", "-0.1*y_dot^3 - 0.2*x*x_dot"};
  for (const auto& f : {system_of(texts::coupled()), system_of(texts::coupled().with_force(drag))})
    for (const double h : {0.2, -0.2})
      for (const auto& [beta, gamma] :
           {std::pair(0.0, 0.5), std::pair(0.25, 0.5), std::pair(1.0 / 12, 0.5),
            std::pair(0.3, 0.6), std::pair(0.0, 0.0), std::pair(0.5, 1.0)}) {
        const NewmarkFlow flow(newmark(beta, gamma), f);
        const VectorState s0 = start_of(*f, texts::coupled());
        const VectorState s1 = flow(s0, h);
        const Vn v0 = velocity(*f, s0);
        const Vn a0 = acceleration(*f, s0);
        const Vn a1 = acceleration(*f, s1);
        const Vn q1 = s0.q + h * v0 + 0.5 * h * h * ((1.0 - 2.0 * beta) * a0 + 2.0 * beta * a1);
        const Vn v1 = v0 + h * ((1.0 - gamma) * a0 + gamma * a1);
        EXPECT_LT((s1.q - q1).cwiseAbs().maxCoeff(), 4e-15) << flow.method().name();
        EXPECT_LT((velocity(*f, s1) - v1).cwiseAbs().maxCoeff(), 4e-15) << flow.method().name();
        EXPECT_EQ(s1.t, h);
      }
}

TEST(NewmarkFlow, BetaZeroGammaHalfIsVerlet) {
  for (const auto& f : {system_of(texts::ring()), system_of(texts::coupled())}) {
    const VectorState s = start_of(*f, texts::ring());
    const StageFlow reference(verlet(), f);
    const VectorState end = advance(reference, s, 0.1, 200);
    EXPECT_LT(apart(advance(NewmarkFlow(newmark(0.0, 0.5), f), s, 0.1, 200), end), 2e-12);
    // the same by Newton's method, which has nothing to solve but M a = F
    const NewmarkFlow solved(newmark(0.0, 0.5), f, {.prefer_explicit = false});
    EXPECT_LT(apart(advance(solved, s, 0.1, 200), end), 2e-12);
    EXPECT_GT(apart(advance(NewmarkFlow(newmark(1e-3, 0.5), f), s, 0.1, 200), end), 1e-4);
  }
}

/// Equal to the midpoint rule for linear forces, and for those alone.
TEST(NewmarkFlow, TrapezoidalRuleIsMidpointForLinearForcesOnly) {
  const auto linear =
      system_of({{"x", "y"}, "(x_dot^2 + y_dot^2)/2 - (x^2 + 0.4*x*y + 0.7*y^2 - x)"});
  const auto compare = [](const std::shared_ptr<KernelSystem>& f) {
    const VectorState s = start_of(*f, texts::ring());
    return apart(advance(NewmarkFlow(newmark(0.25, 0.5), f), s, 0.1, 100),
                 advance(StageFlow(midpoint(), f), s, 0.1, 100));
  };
  EXPECT_LT(compare(linear), 1e-13);
  EXPECT_GT(compare(system_of(texts::ring())), 1e-3);
}

TEST(NewmarkFlow, ManyStepsAreSingleSteps) {
  for (const auto& f : {system_of(texts::coupled()),
                        system_of(texts::coupled().with_force({"-0.3*x_dot", "-0.1*y_dot"}))})
    for (const bool compensated : {true, false})
      for (const double beta : {0.0, 0.25}) {
        const NewmarkFlow flow(newmark(beta), f, {.compensated = compensated});
        const VectorState s = start_of(*f, texts::coupled());
        auto memory = flow.memory(s);
        auto apart_memory = flow.memory(s);
        const VectorState together = flow.steps(s, 0.1, 20, memory);
        VectorState single = s;
        for (int k = 0; k < 20; ++k) single = flow.step(single, 0.1, apart_memory);
        EXPECT_EQ(together.q, single.q);
        EXPECT_EQ(together.p, single.p);
        EXPECT_EQ(together.t, single.t);
        EXPECT_EQ(memory.statistics.steps, 20);
        EXPECT_EQ(memory.statistics.iterations, apart_memory.statistics.iterations);
      }
}

/// A checkpoint goes on to the bit.
TEST(NewmarkFlow, MemoryIsSavedAndLoaded) {
  const auto f = system_of(texts::coupled());
  const NewmarkFlow flow(newmark(), f);
  auto memory = flow.memory(start_of(*f, texts::coupled()));
  const VectorState s = flow.steps(start_of(*f, texts::coupled()), 0.1, 10, memory);
  auto other = flow.memory(s);
  other.load(memory.save());
  const VectorState a = flow.steps(s, 0.1, 10, memory);
  const VectorState b = flow.steps(s, 0.1, 10, other);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.p, b.p);
  EXPECT_EQ(other.statistics.iterations, memory.statistics.iterations);
  EXPECT_THROW(other.load({1.0, 2.0}), InvalidArgument);
  const NewmarkFlow explicit_flow(newmark(0.0), f);
  auto none = explicit_flow.memory(s);
  EXPECT_THROW(none.load(memory.save()), InvalidArgument);
}

TEST(NewmarkFlow, KnowsWhenItIsExplicit) {
  const auto free = system_of(texts::ring());
  const auto drag = system_of(texts::ring().with_force({"-0.1*x_dot", "-0.1*y_dot"}));
  const auto push = system_of(texts::ring().with_force({"sin(t)", "-x"}));
  EXPECT_TRUE(NewmarkFlow(newmark(0.0), free).is_explicit());
  EXPECT_TRUE(NewmarkFlow(newmark(0.0), push).is_explicit());
  EXPECT_TRUE(NewmarkFlow(newmark(0.0, 0.0), drag).is_explicit());
  EXPECT_FALSE(NewmarkFlow(newmark(0.0), drag).is_explicit());
  EXPECT_FALSE(NewmarkFlow(newmark(), free).is_explicit());
  EXPECT_EQ(NewmarkFlow(newmark(0.0), free).unknowns(), 0);
  EXPECT_EQ(NewmarkFlow(newmark(), free).unknowns(), 2);
}

/// A chain is solved with a band, and the band changes nothing.
TEST(NewmarkFlow, ChainsAreSolvedInABand) {
  constexpr int n = 60;
  const auto f = system_of({{"q[1..60]"},
                            "sum(i, 1, 60, q_dot[i]^2)/2 - (sum(i, 1, 59, 0.5*(q[i+1] - q[i])^2 + "
                            "0.25*(q[i+1] - q[i])^4)"
                            " + 0.5*q[1]^2 + 0.5*q[60]^2)"});
  const NewmarkFlow flow(newmark(), f);
  EXPECT_TRUE(flow.banded());
  EXPECT_FALSE(NewmarkFlow(newmark(), system_of(texts::ring())).banded());
  EXPECT_FALSE(NewmarkFlow(newmark(0.0), f).banded());
  Vn q(n);
  for (int i = 0; i < n; ++i) q[i] = 0.5 * std::sin(0.4 * i);
  const VectorState s0 = initial(*f, q, Vn::Zero(n));
  const VectorState s1 = flow(s0, 0.5);
  const Vn a = 0.5 * acceleration(*f, s0) + 0.5 * acceleration(*f, s1);  // (1-2β)a₀ + 2βa₁
  EXPECT_LT((s1.q - s0.q - 0.5 * 0.25 * a).cwiseAbs().maxCoeff(), 1e-15);
}

/// At an equilibrium the acceleration vanishes and has no relative precision.
TEST(NewmarkFlow, PassesEquilibriaAndRestsThere) {
  const auto f = system_of({{"x"}, "x_dot^2/2 - (1 - cos(x))"});
  const NewmarkFlow flow(newmark(), f);
  const VectorState rest = initial(*f, Vn::Zero(1), Vn::Zero(1));
  EXPECT_EQ(advance(flow, rest, 0.1, 10).q[0], 0.0);
  for (const double q : {1e-13, 1e-16, 1e-300, 3.0e-14})
    for (const double v : {0.0, 1.0, -q / 0.1}) {
      const VectorState s = initial(*f, Vn::Constant(1, q), Vn::Constant(1, v));
      EXPECT_NO_THROW(advance(flow, s, 0.1, 40));
    }
}

/// A step of such a length that it ends there, found by bisection: q₁ is round-off of q₀ + h v.
TEST(NewmarkFlow, EndsStepsAtAnEquilibrium) {
  const auto f = system_of({{"x"}, "x_dot^2/2 - (1 - cos(x))"});
  const NewmarkFlow flow(newmark(), f);
  for (const double q : {0.067, 0.31, 1.0}) {
    const VectorState s = initial(*f, Vn::Constant(1, q), Vn::Constant(1, -1.1));
    double before = 0.0;
    double beyond = 2.0;
    for (int i = 0; i < 60; ++i) {
      const double middle = 0.5 * (before + beyond);
      (flow(s, middle).q[0] > 0.0 ? before : beyond) = middle;
    }
    EXPECT_LT(std::abs(flow(s, beyond).q[0]), 1e-15);
  }
}

/// A hanging chain: large forces that cancel, accelerations of the size of their round-off.
TEST(NewmarkFlow, RestsWhereForcesCancel) {
  constexpr int n = 6;
  constexpr double k = 1e3;
  const auto f = system_of(
      {{"q[1..6]"},
       "sum(i, 1, 6, q_dot[i]^2)/2 - (500*(q[1] + 1)^2 + sum(i, 1, 5, 500*(q[i+1] - q[i] + 1)^2)"
       " + 9.81*sum(i, 1, 6, q[i]))"});
  Vn q(n);
  double above = 0.0;
  for (int i = 0; i < n; ++i) q[i] = above = above - 1.0 - 9.81 * (n - i) / k;
  for (const double beta : {0.25, 0.5}) {
    const NewmarkFlow flow(newmark(beta), f);
    const VectorState s = initial(*f, q, Vn::Zero(n));
    const VectorState end = advance(flow, s, 0.3, 200);
    EXPECT_LT((end.q - q).cwiseAbs().maxCoeff(), 1e-13);
  }
}

/// Strong drag: without the derivative of the force Newton's method would not come near.
TEST(NewmarkFlow, JacobianHasTheForce) {
  const auto f = system_of(texts::ring().with_force({"-8*x_dot - 30*x", "-8*y_dot - 30*y^3"}));
  const NewmarkFlow flow(newmark(), f);
  const VectorState s = start_of(*f, texts::ring());
  auto memory = flow.memory(s);
  flow.step(s, 0.5, memory);
  EXPECT_LE(memory.statistics.max_iterations, 9);
}

TEST(NewmarkFlow, TimeDependentPotentialIsSeenAtTheEnds) {
  const auto f = system_of({{"x"}, "x_dot^2/2 + sin(t)*x"});  // a = sin t
  const double h = 0.25;
  const VectorState s = initial(*f, Vn::Zero(1), Vn::Zero(1));
  const VectorState end = advance(NewmarkFlow(newmark(0.25, 0.5), f), s, h, 2);
  EXPECT_NEAR(end.p[0], h * (std::sin(h) + 0.5 * std::sin(2 * h)), 1e-16);
}

TEST(NewmarkFlow, RefusesWhatDoesNotFit) {
  const auto other = system_of({{"x", "y"}, "(x_dot^2 + y_dot^2)/2 - x^2 + 0.1*x*y_dot"});
  expect_words(refusal([&] { NewmarkFlow(newmark(), other); }),
               {"newmark(0.25, 0.5)", "another form", "Use midpoint"});
  auto constrained = system_of(texts::ring());
  constrained->d = 1;
  expect_words(refusal([&] { NewmarkFlow(newmark(), constrained); }), {"constraints", "verlet"});
  auto curved = system_of(texts::ring());
  curved->space = ProductSpace({rotations()});
  expect_words(refusal([&] { NewmarkFlow(newmark(), curved); }), {"Lie group", "midpoint"});
  expect_words(refusal([&] { NewmarkFlow(verlet(), system_of(texts::ring())); }),
               {"verlet", "StageFlow"});
  const auto f = system_of(texts::ring());
  const NewmarkFlow flow(newmark(), f);
  const VectorState s = start_of(*f, texts::ring());
  refusal([&] { flow(s, 0.0); });
  refusal([&] {
    flow(initial(*system_of({{"x"}, "x_dot^2/2 - x"}), Vn::Zero(1), Vn::Zero(1)), 0.1);
  });
  VectorState bad = s;
  bad.p[0] = std::nan("");
  refusal([&] { flow(bad, 0.1); });
  refusal<InvalidArgument>([&] { NewmarkFlow(newmark(), f, {.newton = {.max_iterations = 0}}); });
  for (const int most : {1, 2, 3})
    expect_words(refusal<NoConvergence>([&] {
                   const NewmarkFlow few(newmark(), f, {.newton = {.max_iterations = most}});
                   few(s, 0.5);
                 }),
                 {"newmark(0.25, 0.5)", "did not converge"});
  expect_words(refusal<NoConvergence>([&] {
                 const NewmarkFlow fast(newmark(0.0), f);
                 advance(fast, s, 10.0, 50);
               }),
               {"not finite"});
}

}  // namespace
}  // namespace varia::newmark_flow_test
