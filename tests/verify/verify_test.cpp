// SPDX-License-Identifier: BSD-3-Clause
// The checks find what they look for: each passes on a flow that has the law, and fails on one that
// breaks it.
// Of check_order.hpp, check_symplectic.hpp, check_invariants.hpp and check_action.hpp.
#include "varia/verify/verify.hpp"

#include <gtest/gtest.h>

#include "problems.hpp"

namespace varia::verify_test {
namespace {

using V = Vector<double, 1>;

/// The classical Runge-Kutta method for the pendulum: order 4, not symplectic, not symmetric.
struct RungeKutta4 {
  struct Memory {};
  template <class StateT> Memory memory(const StateT&) const { return {}; }
  template <class StateT> StateT step(const StateT& s, double h, Memory&) const {
    return (*this)(s, h);
  }
  template <class StateT> StateT operator()(const StateT& s, double h) const {
    const auto rate = [](const Vector<double, 2>& z) {
      return Vector<double, 2>(z[1], -std::sin(z[0]));
    };
    const Vector<double, 2> z(s.q[0], s.p[0]);
    const Vector<double, 2> k1 = rate(z);
    const Vector<double, 2> k2 = rate(z + 0.5 * h * k1);
    const Vector<double, 2> k3 = rate(z + 0.5 * h * k2);
    const Vector<double, 2> k4 = rate(z + h * k3);
    const Vector<double, 2> next = z + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    return make_state(V(next[0]), V(next[1]), s.t + h);
  }
};

TEST(Verify, SymplecticCheckTellsRungeKuttaFromGauss) {
  const auto p = problems::pendulum();
  EXPECT_TRUE(check_symplectic(Flow(gauss(2), p.system), p.start, 0.3).passes());
  const SymplecticReport report = check_symplectic(RungeKutta4{}, p.start, 0.3);
  EXPECT_FALSE(report.passes());
  EXPECT_GT(report.defect, 1e-7);
}

TEST(Verify, SymplecticCheckSeesSmallDefects) {
  const auto p = problems::pendulum();
  const Flow flow(verlet(), p.system);
  const auto damped = [&](const auto& s, double h) {
    auto next = flow(s, h);
    next.p *= 1.0 - 1e-10;
    return next;
  };
  EXPECT_NEAR(check_symplectic(damped, p.start, 0.1).defect, 1e-10, 1e-12);
}

TEST(Verify, OrderCheckMeasuresWhatIsThere) {
  const auto p = problems::pendulum();
  const auto exact = reference_state(p.system, p.start, 5.0);
  EXPECT_TRUE(check_order(RungeKutta4{}, p.start, 5.0, exact, 4).passes());
  EXPECT_FALSE(check_order(RungeKutta4{}, p.start, 5.0, exact, 5).passes());
  EXPECT_FALSE(check_order(RungeKutta4{}, p.start, 5.0, exact, 3).passes());
  // a composition that claims too much
  const Flow flow(compose({{euler_a(), 0.5}, {euler_a(), 0.5}}, 2), p.system);
  EXPECT_FALSE(check_order(flow, p.start, 5.0).passes());
}

TEST(Verify, ReferenceStateIsTheSolution) {
  // oscillator, closed form
  const System oscillator{
      [](const auto& q, const auto& v) { return 0.5 * v.dot(v) - 0.5 * q.dot(q); }};
  const auto end = reference_state(oscillator, initial(oscillator, V(1.0), V(0.5)), 3.0);
  EXPECT_NEAR(end.q[0], std::cos(3.0) + 0.5 * std::sin(3.0), 1e-14);
  EXPECT_NEAR(end.p[0], -std::sin(3.0) + 0.5 * std::cos(3.0), 1e-14);
}

TEST(Verify, ReversibleCheckTellsSymmetricFromNot) {
  const auto p = problems::pendulum();
  EXPECT_TRUE(check_reversible(Flow(midpoint(), p.system), p.start, 0.2, 20).passes());
  EXPECT_FALSE(check_reversible(Flow(midpoint(0.4), p.system), p.start, 0.2, 20).passes());
  EXPECT_FALSE(check_reversible(RungeKutta4{}, p.start, 0.2, 20).passes());
}

TEST(Verify, NoetherCheckTellsSymmetryFromNone) {
  const auto potential = [](const auto& q) { return 0.5 * q.dot(q) + 0.1 * q[0]; };
  const auto turn = [](const auto& q) {
    using S = std::decay_t<decltype(q[0])>;
    return Vector<S, 2>(-q[1], q[0]);
  };
  const System tilted{Separable{1.0, potential}, Symmetry{"not a symmetry", turn}};
  const auto start = initial(tilted, Vector<double, 2>(1.0, 0.2), Vector<double, 2>(0.0, 0.5));
  EXPECT_FALSE(check_noether(Flow(verlet(), tilted), start, 0.1, 100).passes());
  const auto p = problems::kepler();
  EXPECT_TRUE(check_noether(Flow(verlet(), p.system), p.start, 0.05, 100).passes());
}

TEST(Verify, ConstraintCheckSeesTheDefectOfAState) {
  const auto p = problems::spherical_pendulum();
  const Flow flow(lobatto(3), p.system);
  EXPECT_TRUE(check_constraints(flow, p.start, 0.1, 50).passes(1e-13));
  auto off = p.start;
  off.q *= 1.0 + 2e-11;  // within what a start may be off, but visible
  EXPECT_FALSE(check_constraints(flow, off, 0.1, 0).passes(1e-13));
}

TEST(Verify, ActionCheckTellsTheRightDiscreteLagrangian) {
  const auto p = problems::pendulum();
  const Flow flow(gauss(2), p.system);
  EXPECT_TRUE(check_action(flow, p.start, 0.2).passes());
  // the momenta of one method are not the slot derivatives of another's L_d
  const auto end = flow(p.start, 0.2);
  const auto other = Certificate(midpoint(), p.system).at(p.start.q, end.q, 0.0, 0.2);
  EXPECT_GT((p.start.p + other.d1).norm(), 1e-6);
}

TEST(Verify, ActionOrderOfACallable) {
  const auto p = problems::pendulum();
  const auto ld = [](const V& q0, const V& q1, double, double h) {
    const double v = (q1[0] - q0[0]) / h;
    return h * (0.5 * v * v + std::cos(q0[0]));  // rectangle rule: order 1
  };
  EXPECT_NEAR(check_action_order(p.system, ld, p.start, 0.4, 1).measured, 1.0, 0.1);
}

TEST(Verify, DerivativesByExtrapolationAreNearlyExact) {
  const auto curve = [](double e) {
    return Eigen::VectorXd::Constant(1, std::exp(std::sin(1.0 + e)));
  };
  EXPECT_NEAR(derivative_at_zero(curve, 0.5)[0], std::cos(1.0) * std::exp(std::sin(1.0)), 1e-13);
}

}  // namespace
}  // namespace varia::verify_test
