// SPDX-License-Identifier: BSD-3-Clause
// (dla): the discrete Lagrange-d'Alembert principle in a step.
#include <gtest/gtest.h>

#include <cmath>

#include "problems/rolling.hpp"
#include "varia/methods/composition.hpp"

namespace varia::stage_middle_test {
namespace {

using namespace problems;
using rolling::Rolling;

/// The principle as [CM01] states it, for L = |v|²/2 - (x² + y²)/2 and Phi = z' - y x': from two places to
/// the third, D₂L_d(q₀, q₁) + D₁L_d(q₁, q₂) + h λ₁ R(q₁) = 0 and Phi in the middle.
struct TwoSteps {
  double h;

  static Vn slope(const Vn& q) { return vector({-q[0], -q[1], 0.0}); }
  static Vn reaction(const Vn& q) { return vector({-q[1], 0.0, 1.0}); }
  Vn middle_force(const Vn& a, const Vn& b) const { return h / 2 * slope((a + b) / 2); }

  /// (q₂, λ₁)
  Vn next(const Vn& q0, const Vn& q1) const {
    const auto equations = [&](const Vn& x) {
      const Vn q2 = x.head(3);
      Vn out(4);
      out << (q1 - q0) / h + middle_force(q0, q1) - (q2 - q1) / h + middle_force(q1, q2) +
                 h * x[3] * reaction(q1),
          reaction((q1 + q2) / 2).dot(q2 - q1) / h;
      return out;
    };
    Vn guess(4);
    guess << 2 * q1 - q0, 0.0;
    return root(equations, guess);
  }
};

TEST(StageMiddle, PlacesAreThoseOfTheTwoStepEquations) {
  const auto system = system_of(rolling::particle().texts);
  const VectorState start = start_of(system, rolling::particle().xi, rolling::particle().v);
  const StageFlow flow(dla(), system);
  const TwoSteps oracle{0.1};
  Vn before = start.q;
  VectorState s = flow(start, oracle.h);
  for (int k = 0; k < 10; ++k) {
    const VectorState next = flow(s, oracle.h);
    EXPECT_LT((next.q - oracle.next(before, s.q).head(3)).cwiseAbs().maxCoeff(), 1e-14) << k;
    before = s.q;
    s = next;
  }
}

/// The multipliers of the two-step equations are those at the nodes, up to the square of the step.
TEST(StageMiddle, MultipliersAreThoseOfTheTwoStepEquations) {
  const auto system = system_of(rolling::particle().texts);
  const VectorState start = start_of(system, rolling::particle().xi, rolling::particle().v);
  const StageFlow flow(dla(), system);
  const auto error = [&](int n) {
    const double h = 2.0 / n;
    const VectorState last = walk(flow, start, h, n);
    const VectorState before = walk(flow, start, h, n - 1);
    return std::abs(last.lambda[0] - TwoSteps{h}.next(before.q, last.q)[3]);
  };
  EXPECT_NEAR(measured_order(error, 64), 2.0, 0.1);
}

/// Φ at q₀ ⊕ ξ/2 with the velocity of the chart there, and at the nodes.
TEST(StageMiddle, ConstraintsHoldInTheMiddleAndAtTheNodes) {
  for (const Rolling& p : rolling::all())
    for (const Retraction tau : {Retraction::exponential, Retraction::cayley})
      for (const double h : {0.05, 0.2}) {
        const auto system = system_of(p.texts, tau);
        FlowOptions options;
        options.retraction = tau;
        const StageFlow flow(dla(), system, options);
        VectorState s = start_of(system, p.xi, p.v);
        auto memory = flow.memory(s);
        for (int k = 0; k < 15; ++k) {
          const VectorState before = s;
          flow.move(s, h, 1, memory);
          const ConstraintDefect defect = constraint_defect(*system, s);
          EXPECT_LT(defect.position, 1e-13) << p.name;
          EXPECT_LT(defect.velocity, 2e-13) << p.name;
          const auto at = [&](double c) {
            Vn xi(system->n);
            system->space.difference(before.q.data(), s.q.data(), tau, xi.data());
            Vn q(system->entries);
            xi *= c;
            system->space.retract(before.q.data(), xi.data(), tau, q.data());
            return q;
          };
          constexpr double d = 1e-3;  // of the fraction c of the step
          const auto moved = [&](double c) {
            Vn delta(system->n);
            const Vn to = at(0.5 + c);
            const Vn middle = at(0.5);
            system->space.difference(middle.data(), to.data(), Retraction::exponential,
                                     delta.data());
            return delta;
          };
          // the chart moves along a line: its velocity by differences of order 6
          const Vn v = (45 * (moved(d) - moved(-d)) - 9 * (moved(2 * d) - moved(-2 * d)) +
                        (moved(3 * d) - moved(-3 * d))) /
                       (60 * d * h);
          std::vector<double> phi(
              static_cast<std::size_t>(system->e + system->nonholonomic_pattern.size()));
          const Vn middle = at(0.5);
          system->nonholonomic(system->point(before.t + h / 2, middle.data(), v.data()).data(),
                               phi.data());
          for (int a = 0; a < system->e; ++a)
            EXPECT_NEAR(phi[std::size_t(a)], 0.0, 1e-10) << p.name;
        }
      }
}

/// On groups too, with the exponential; the multipliers included, propagated or computed anew.
TEST(StageMiddle, AStepReturns) {
  for (const Rolling& p : rolling::all())
    for (const Multipliers multipliers : {Multipliers::propagate, Multipliers::recompute}) {
      const auto system = system_of(p.texts);
      const VectorState start = start_of(system, p.xi, p.v);
      FlowOptions options;
      options.multipliers = multipliers;
      const StageFlow flow(dla(), system, options);
      EXPECT_TRUE(flow.laws().reversible) << p.name;
      const VectorState end = flow(start, 0.1);
      const VectorState back = flow(end, -0.1);
      EXPECT_LT(distance(back, start), 2e-14) << p.name;
      EXPECT_LT((back.lambda - start.lambda).tail(system->e).cwiseAbs().maxCoeff(), 1e-12)
          << p.name;
      EXPECT_GT((end.p - start.p).cwiseAbs().maxCoeff(), 1e-3);
    }
}

/// With the Cayley map ξ/2 is not the middle of ξ: the step is not symmetric, and does not say so.
TEST(StageMiddle, WithCayleyNoSymmetryIsPromised) {
  const Rolling p = rolling::unicycle();
  const auto system = system_of(p.texts, Retraction::cayley);
  FlowOptions options;
  options.retraction = Retraction::cayley;
  const StageFlow flow(dla(), system, options);
  EXPECT_FALSE(flow.laws().reversible);
  const VectorState start = start_of(system, p.xi, p.v);
  EXPECT_GT(distance(flow(flow(start, 0.1), -0.1), start), 1e-9);
}

TEST(StageMiddle, MidpointIsTheSameMap) {
  const auto system = system_of(rolling::affine().texts);
  const VectorState start = start_of(system, rolling::affine().xi, rolling::affine().v);
  const VectorState end = walk(StageFlow(dla(), system), start, 0.1, 10);
  for (const Method& method : {midpoint(), gauss(1), adjoint(dla())}) {
    const VectorState same = walk(StageFlow(method, system), start, 0.1, 10);
    EXPECT_EQ(same.q, end.q) << method.name();
    EXPECT_EQ(same.p, end.p) << method.name();
  }
}

/// The derivative of the potential along a symmetry along which no reaction acts is all that changes its
/// momentum.
TEST(StageMiddle, AMomentumWithAHorizontalGeneratorIsKept) {
  const auto system =
      system_of(rolling::with({{"x", "y", "z"}, "(x_dot^2 + y_dot^2 + z_dot^2)/2 - x^2"},
                              {"z_dot - x*x_dot^3 - 0.2*x_dot"}));
  const VectorState s = start_of(system, vector({0.5, 0.2, 0.1}), vector({0.3, 0.7, 0.1}));
  EXPECT_NEAR(walk(StageFlow(dla(), system), s, 0.1, 100).p[1], s.p[1], 1e-14);
}

/// A restart continues to the bit.
TEST(StageMiddle, AMemoryIsSavedAndLoaded) {
  const Rolling p = rolling::guided();
  const auto system = system_of(p.texts);
  const StageFlow flow(dla(), system);
  VectorState s = start_of(system, p.xi, p.v);
  auto memory = flow.memory(s);
  flow.move(s, 0.05, 10, memory);
  auto other = flow.memory(s);
  other.load(memory.save());
  const VectorState a = flow.steps(s, 0.05, 10, memory);
  const VectorState b = flow.steps(s, 0.05, 10, other);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.p, b.p);
  EXPECT_EQ(a.lambda, b.lambda);
}

}  // namespace
}  // namespace varia::stage_middle_test
