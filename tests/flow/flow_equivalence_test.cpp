// SPDX-License-Identifier: BSD-3-Clause
// Two ways of computing the same thing give the same thing: the equivalences of [MW01] and [West04].
#include <gtest/gtest.h>

#include "problems.hpp"
#include "varia/varia.hpp"

namespace varia::flow_equivalence_test {
namespace {

constexpr double round_off = 1e-13;

/// Largest distance of two flows along 20 steps.
template <class F, class G, class StateT>
double apart(const F& f, const G& g, const StateT& start, double h) {
  StateT a = start;
  StateT b = start;
  double most = 0.0;
  for (int k = 0; k < 20; ++k) {
    a = f(a, h);
    b = g(b, h);
    most = std::max(most, detail::distance(a, b));
  }
  return most;
}

TEST(Equivalence, VerletIsTrapezoidIsLobatto2OnSeparableSystems) {
  const auto p = problems::separable_kepler();
  const Flow verlet_explicit(verlet(), p.system);
  const Flow verlet_stage(verlet(), p.system, {.prefer_explicit = false});
  ASSERT_TRUE(verlet_explicit.is_explicit<decltype(p.start.q)>());
  ASSERT_FALSE(verlet_stage.is_explicit<decltype(p.start.q)>());
  EXPECT_LT(apart(verlet_explicit, verlet_stage, p.start, p.h), round_off);
  EXPECT_LT(apart(verlet_explicit, Flow(trapezoid(), p.system), p.start, p.h), round_off);
  EXPECT_LT(apart(verlet_explicit, Flow(lobatto(2), p.system), p.start, p.h), round_off);
  // they differ when the mass depends on q
  const auto d = problems::double_pendulum();
  EXPECT_GT(apart(Flow(verlet(), d.system), Flow(lobatto(2), d.system), d.start, d.h), 1e-6);
}

TEST(Equivalence, VerletIsThePositionFormula) {
  const auto p = problems::separable_kepler();
  const auto path = integrate(Flow(verlet(), p.system), p.start, {.h = p.h, .steps = 50});
  for (std::size_t k = 1; k + 1 < path.size(); ++k) {
    const Vector<double, 2>& q = path[k].q;
    const Vector<double, 2> a = -q / std::pow(q.norm(), 3);
    const Vector<double, 2> residual = path[k + 1].q - 2.0 * q + path[k - 1].q - p.h * p.h * a;
    EXPECT_LT(residual.norm(), 1e-14);
  }
}

TEST(Equivalence, Gauss1IsMidpointIsTheImplicitMidpointRule) {
  const auto p = problems::double_pendulum();
  EXPECT_LT(apart(Flow(gauss(1), p.system), Flow(midpoint(), p.system), p.start, p.h), round_off);
  // (z₁-z₀)/h = X_H((z₀+z₁)/2) with ∂H/∂p = v, ∂H/∂q = -∂L/∂q at the midpoint
  const auto z = Flow(midpoint(), p.system)(p.start, p.h);
  const Vector<double, 2> q = 0.5 * (p.start.q + z.q);
  const Vector<double, 2> m = 0.5 * (p.start.p + z.p);
  const Vector<double, 2> v = velocity(p.system, q, m);
  Gradient<2> g;
  p.system.lagrangian().gradient(0.0, q, v, g);
  EXPECT_LT(((z.q - p.start.q) / p.h - v).norm(), 1e-13);
  EXPECT_LT(((z.p - p.start.p) / p.h - g.q).norm(), 1e-13);
}

TEST(Equivalence, EulerPairIsMidpointAtTheEnds) {
  const auto p = problems::separable_kepler();
  EXPECT_LT(apart(Flow(euler_a(), p.system),
                  Flow(midpoint(0.0), p.system, {.prefer_explicit = false}), p.start, p.h),
            round_off);
  EXPECT_LT(apart(Flow(euler_b(), p.system),
                  Flow(trapezoid(1.0), p.system, {.prefer_explicit = false}), p.start, p.h),
            round_off);
  // A: p₁ = p₀ - h∇V(q₀), q₁ = q₀ + h p₁;  B: q₁ = q₀ + h p₀, p₁ = p₀ - h∇V(q₁)
  const auto a = Flow(euler_a(), p.system)(p.start, p.h);
  const auto b = Flow(euler_b(), p.system)(p.start, p.h);
  const auto gradient = [](const Vector<double, 2>& q) {
    return Vector<double, 2>(q / std::pow(q.norm(), 3));
  };
  EXPECT_LT((a.p - (p.start.p - p.h * gradient(p.start.q))).norm(), 1e-15);
  EXPECT_LT((a.q - (p.start.q + p.h * a.p)).norm(), 1e-15);
  EXPECT_LT((b.q - (p.start.q + p.h * p.start.p)).norm(), 1e-15);
  EXPECT_LT((b.p - (p.start.p - p.h * gradient(b.q))).norm(), 1e-15);
}

TEST(Equivalence, TrapezoidPositionsDoNotDependOnAlpha) {
  const auto p = problems::separable_kepler();
  const Vector<double, 2> q0 = p.start.q;
  const Vector<double, 2> q1 = Flow(verlet(), p.system)(p.start, p.h).q;
  std::vector<Vector<double, 2>> positions;
  for (const double alpha : {0.2, 0.5, 0.9}) {
    const Vector<double, 2> force = q0 / std::pow(q0.norm(), 3);
    const auto start = initial_momentum(
        p.system, q0, Vector<double, 2>((q1 - q0) / p.h + p.h * (1 - alpha) * force));
    positions.push_back(advance(Flow(trapezoid(alpha), p.system), start, p.h, 30).q);
  }
  EXPECT_LT((positions[0] - positions[1]).norm(), round_off);
  EXPECT_LT((positions[2] - positions[1]).norm(), round_off);
}

TEST(Equivalence, AdjointUndoesTheReversedStep) {
  const auto check = [](const auto& p, FlowOptions options) {
    for (const char* name :
         {"euler_a", "midpoint(0.3)", "trapezoid(0.7)", "galerkin(2, radau:2)", "lobatto(3)"}) {
      const Method method = parse_method(name);
      const Flow flow(method, p.system, options);
      const Flow reversed(adjoint(method), p.system, options);
      const auto back = reversed(flow(p.start, -p.h), p.h);  // (F*)ʰ ∘ F⁻ʰ = id
      EXPECT_LT(detail::distance(back, p.start), round_off) << name;
      EXPECT_LT(apart(Flow(adjoint(adjoint(method)), p.system, options), flow, p.start, p.h),
                round_off)
          << name;
    }
  };
  check(problems::double_pendulum(), {});
  check(problems::van_der_pol(), {});
  check(problems::heavy_top(), {.retraction = Retraction::exponential});
  check(problems::heavy_top(), {.retraction = Retraction::cayley});
}

TEST(Equivalence, AdjointOfAlphaIsOneMinusAlpha) {
  const auto p = problems::van_der_pol();  // with force: f*± = -f∓(q₁, q₀, -h)
  EXPECT_LT(
      apart(Flow(adjoint(midpoint(0.3)), p.system), Flow(midpoint(0.7), p.system), p.start, p.h),
      round_off);
  EXPECT_LT(apart(Flow(adjoint(euler_a()), p.system), Flow(euler_b(), p.system), p.start, p.h),
            round_off);
  EXPECT_LT(apart(Flow(adjoint(gauss(3)), p.system), Flow(gauss(3), p.system), p.start, p.h),
            round_off);
  const auto c = problems::spherical_pendulum();  // and with a constraint
  EXPECT_LT(apart(Flow(adjoint(euler_a()), c.system), Flow(euler_b(), c.system), c.start, c.h),
            round_off);
}

TEST(Equivalence, CompositionIsStepsOneAfterTheOther) {
  const auto p = problems::double_pendulum();
  const Flow whole(compose({{euler_b(), 0.3}, {gauss(2), 0.9}, {midpoint(), -0.2}}), p.system);
  const auto apply = [&](const Method& m, auto z, double h) { return Flow(m, p.system)(z, h); };
  const auto z = apply(midpoint(), apply(gauss(2), apply(euler_b(), p.start, 0.3 * p.h), 0.9 * p.h),
                       -0.2 * p.h);
  EXPECT_LT(detail::distance(whole(p.start, p.h), z), 1e-15);
}

TEST(Equivalence, VerletIsEulerComposedWithItsAdjoint) {
  const auto p = problems::separable_kepler();
  // kick-drift-kick: A over h/2 first, then B
  const Flow composed(compose({{euler_a(), 0.5}, {euler_b(), 0.5}}, 2), p.system);
  EXPECT_LT(apart(composed, Flow(verlet(), p.system), p.start, p.h), round_off);
  EXPECT_TRUE(composed.method().symmetric());
}

/// -D₁, D₂ of the composed discrete Lagrangian, by stationarity at the inner point.
TEST(Equivalence, ComposedDiscreteLagrangianIsExtremalOverTheInnerPoint) {
  const auto p = problems::pendulum();
  const Flow flow(compose({{midpoint(0.3), 0.4}, {midpoint(), 0.6}}), p.system);
  const auto z = flow(p.start, p.h);
  const auto half = Flow(midpoint(0.3), p.system)(p.start, 0.4 * p.h);
  const auto first = Certificate(midpoint(0.3), p.system).at(p.start.q, half.q, 0.0, 0.4 * p.h);
  const auto second = Certificate(midpoint(), p.system).at(half.q, z.q, 0.4 * p.h, 0.6 * p.h);
  EXPECT_LT((first.d2 + second.d1).norm(), 1e-14);
  EXPECT_LT((first.d1 + p.start.p).norm(), 1e-14);
  EXPECT_LT((second.d2 - z.p).norm(), 1e-14);
}

TEST(Equivalence, ConstrainedMotionIsMotionInTheAngle) {  // also with drag
  const double c = 0.2;
  const System angle{problems::pendulum_lagrangian,
                     Force{[c](const auto&, const auto& v) { return (-c * v).eval(); }}};
  const System circle{[](const auto& q, const auto& v) { return 0.5 * v.dot(v) - q[1]; },
                      Force{[c](const auto&, const auto& v) { return (-c * v).eval(); }},
                      Holonomic{[](const auto& q) { return 0.5 * (q.dot(q) - 1.0); }}};
  const auto a =
      reference_state(angle, initial(angle, Vector<double, 1>(1.2), Vector<double, 1>(0.3)), 1.0);
  const Vector<double, 2> q(std::sin(1.2), -std::cos(1.2));
  const auto b = reference_state(
      circle, initial(circle, q, Vector<double, 2>(0.3 * std::cos(1.2), 0.3 * std::sin(1.2))), 1.0);
  EXPECT_NEAR(b.q[0], std::sin(a.q[0]), 1e-13);
  EXPECT_NEAR(b.q[1], -std::cos(a.q[0]), 1e-13);
  EXPECT_NEAR(b.p[0], a.p[0] * std::cos(a.q[0]), 1e-13);
}

TEST(Equivalence, FrozenJacobianFindsTheSameSteps) {
  const auto p = problems::double_pendulum();
  EXPECT_LT(apart(Flow(gauss(3), p.system),
                  Flow(gauss(3), p.system, {.newton = {.freeze_jacobian = true}}), p.start, p.h),
            round_off);
}

TEST(Equivalence, TimeDependentLagrangianAgainstClosedForm) {
  // Caldirola-Kanai: L = e^{ct}(v² - q²)/2 is the damped oscillator; p = e^{ct} v
  const double c = 0.3;
  const System damped{[c](double t, const auto& q, const auto& v) {
    return std::exp(c * t) * (0.5 * v.dot(v) - 0.5 * q.dot(q));
  }};
  const auto start = initial(damped, Vector<double, 1>(1.0), Vector<double, 1>(0.0), 0.5);
  const double omega = std::sqrt(1 - c * c / 4);
  const double exact =
      std::exp(-c * 2 / 2) * (std::cos(omega * 2) + c / (2 * omega) * std::sin(omega * 2));
  for (const Method& method : {gauss(2), lobatto(3), gauss(3)}) {
    const double coarse = std::abs(advance(Flow(method, damped), start, 2.0 / 10, 10).q[0] - exact);
    const double fine = std::abs(advance(Flow(method, damped), start, 2.0 / 20, 20).q[0] - exact);
    EXPECT_NEAR(std::log2(coarse / fine), method.order(), 0.1) << method.name();
  }
}

}  // namespace
}  // namespace varia::flow_equivalence_test
