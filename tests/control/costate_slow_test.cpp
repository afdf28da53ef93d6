// SPDX-License-Identifier: BSD-3-Clause
// Co-states of an optimum: the reverse sweep, the symplectic partner of the method, the slope of the least cost.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "control/reverse_sweep.hpp"
#include "problems/optima.hpp"

namespace varia::costate_test {
namespace {

using namespace problems;
using control_sweep::ReverseSweep;
using control_sweep::Slopes;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using optima::Known;

struct Case {
  Known known;
  Method method;
  Retraction tau = default_retraction;
};

/// A pendulum in Cartesian coordinates, pulled aside: a holonomic constraint.
Known pulled_rod() {
  return optima::known("rod",
                       {{"x", "y"},
                        "(x_dot^2 + y_dot^2)/2 - y",
                        {"u", "0"},
                        {"x^2 + y^2 - 1"},
                        vector({0, -1}),
                        vector({0, 0})},
                       {{"u"}}, "u^2/2 + x^2", {"x", "x_dot"}, {"x - 0.8", "x_dot"},
                       vector({0.8, -0.6}), 2.0, 0.0);
}

std::vector<Case> cases() {
  Known short_of_room = optima::cart_pole();
  short_of_room.texts.inputs = {{"u", -11.0, 11.0}};
  return {{optima::cart_pole(), gauss(2)},
          {short_of_room, lobatto(3)},
          {optima::orbit_raising(), gauss(3)},
          {optima::brachistochrone(), lobatto(3)},
          {optima::goddard(), gauss(2)},
          {optima::bryson_denham(), gauss(2)},
          {pulled_rod(), lobatto(3)},
          {optima::turn_of_a_body(), gauss(2)},
          {optima::turn_of_a_body(), lobatto(3), Retraction::cayley},
          {optima::sato(), nh_lobatto(3)},
          {optima::parking(), nh_lobatto(3), Retraction::cayley}};
}

std::string name_of(const Case& c) { return c.known.texts.name + ", " + c.method.name(); }

Optimum optimum_of(const ControlProblem& problem, const Known& known) {
  Optimum o = optimise(problem, problem.guess(optima::line_of(known)));
  EXPECT_EQ(o.status, OptimumStatus::solved) << o.message;
  return o;
}

VectorXd end_slope(const ReverseSweep& sweep, const Optimum& o) {
  return sweep.end.jacobian.transpose() * o.end;
}

double largest(const VectorXd& x) { return x.size() > 0 ? x.cwiseAbs().maxCoeff() : 0.0; }

/// (δ, p, a) of node k, which step k + 1 of the chain begins with.
VectorXd costate(const ControlMotion& m, int k) {
  const auto at = static_cast<std::size_t>(k);
  VectorXd x(m.costate_q[at].size() + m.costate_p[at].size() + m.costate_a[at].size());
  x << m.costate_q[at], m.costate_p[at], m.costate_a[at];
  return x;
}

TEST(Costates, AreThoseOfAReverseSweep) {
  for (const Case& c : cases()) {
    SCOPED_TRACE(name_of(c));
    const ControlProblem problem = optima::problem_of(c.known, c.method, c.tau);
    const Optimum o = optimum_of(problem, c.known);
    const ControlMotion m = problem.motion(o);
    const ReverseSweep sweep(problem, o.point);
    const Slopes slopes = sweep(end_slope(sweep, o), true, o.inequality);
    double size = 1.0;
    for (const VectorXd& s : slopes.states) size = std::max(size, largest(s));
    for (int k = 0; k <= c.known.texts.time.steps; ++k) {
      const VectorXd found = costate(m, k);
      const VectorXd& swept = slopes.states[static_cast<std::size_t>(k) + 1];
      EXPECT_LT(largest(found - swept.head(found.size())), 1e-10 * size) << "node " << k;
    }
    for (std::size_t k = 0; k < slopes.inputs.size(); ++k)
      EXPECT_LT(largest(slopes.inputs[k] + o.bound[k]), 1e-9 * size) << "inputs of step " << k;
    EXPECT_LT(largest(slopes.states[0] + sweep.start.jacobian.transpose() * o.start), 1e-9 * size);
    EXPECT_GT(size, 1e-2);
  }
}

/// Where the cost does not depend on the state, ⟨co-state, change⟩ is the same at all nodes.
TEST(Costates, ArePairedWithTheFlow) {
  for (const Case& c :
       {Case{optima::cart_pole(), gauss(2)}, Case{optima::cart_pole(), lobatto(3)},
        Case{optima::orbit_raising(), gauss(3)}, Case{optima::turn_of_a_body(), gauss(2)},
        Case{optima::turn_of_a_body(), lobatto(4), Retraction::cayley}}) {
    SCOPED_TRACE(name_of(c));
    const ControlProblem problem = optima::problem_of(c.known, c.method, c.tau);
    const Optimum o = optimum_of(problem, c.known);
    const ControlMotion m = problem.motion(o);
    const ReverseSweep sweep(problem, o.point);
    const VectorXd dx0 = random_direction(problem, 1.0, 3).x0;
    const std::vector<VectorXd> dx = sweep.forward(dx0);
    const double first = costate(m, 0).dot(dx[1]);
    EXPECT_GT(std::abs(first), 1e-3);
    for (int k = 1; k <= c.known.texts.time.steps; ++k) {
      const VectorXd s = costate(m, k), &change = dx[static_cast<std::size_t>(k) + 1];
      EXPECT_NEAR(s.dot(change), first, 1e-11 * (1.0 + s.norm() * change.norm())) << "node " << k;
    }
  }
}

// L = m(q) v²/2 - V(q), force u - d(q) v, cost u²/2 + q², written out.
struct Oscillator {
  static double m(double q) { return 1.0 + 0.3 * q * q; }
  static double dm(double q) { return 0.6 * q; }
  static double ddm() { return 0.6; }
  static double f(double q, double v, double u) {
    return 0.5 * dm(q) * v * v - std::sin(q) + u - 0.2 * q * v;
  }
  static double f_q(double q, double v) { return 0.5 * ddm() * v * v - std::cos(q) - 0.2 * v; }
  static double f_v(double q, double v) { return dm(q) * v - 0.2 * q; }
};

Known oscillator() {
  return optima::known("oscillator",
                       {{"x"},
                        "(1 + 0.3*x^2)*x_dot^2/2 + cos(x)",
                        {"u - 0.2*x*x_dot"},
                        {},
                        vector({0.5}),
                        vector({0.4})},
                       {{"u"}}, "u^2/2 + x^2", {}, {"x - 1.5", "x_dot - 0.3"}, vector({1.5}), 2.0,
                       0.0);
}

/// Weights and the collocation matrix of points: exact for the powers that they can be.
struct Tableau {
  explicit Tableau(const std::vector<double>& c) {
    const auto s = static_cast<int>(c.size());
    MatrixXd powers(s, s), integrals(s, s);
    VectorXd whole(s);
    for (int j = 0; j < s; ++j) {
      whole[j] = 1.0 / (j + 1);
      for (int i = 0; i < s; ++i) {
        powers(i, j) = std::pow(c[static_cast<std::size_t>(i)], j);
        integrals(i, j) = std::pow(c[static_cast<std::size_t>(i)], j + 1) / (j + 1);
      }
    }
    const MatrixXd inverse = powers.inverse();
    a = integrals * inverse;
    b = inverse.transpose() * whole;
    partner = MatrixXd(s, s);  // [Sato19, (5.10)]
    for (int i = 0; i < s; ++i)
      for (int j = 0; j < s; ++j) partner(i, j) = b[j] * (1.0 - a(j, i) / b[i]);
  }
  MatrixXd a, partner;
  VectorXd b;
};

/// [Sato19], section 5.7.2: with Q by a and P by its partner, the co-state of q goes by the partner and that of p by a.
///   ṡ_p = -(C_v + s_q + s_p f_v)/L_vv,   ṡ_q = -(C_q + s_p f_q) - ṡ_p L_vq
TEST(Costates, GoByTheSwappedTableaux) {
  for (const Method& method : {lobatto(2), lobatto(3), lobatto(4), gauss(1), gauss(2), gauss(3)}) {
    SCOPED_TRACE(method.name());
    using O = Oscillator;
    Known k = oscillator();
    k.texts.time.steps = 40;
    const double h = 2.0 / 40;
    const ControlProblem problem = optima::problem_of(k, method);
    const ControlMotion m = problem.motion(optimum_of(problem, k));
    const Tableau t(m.c);
    const Eigen::Index s = t.b.size();
    double change = 0.0;
    for (std::size_t n = 0; n < 40; ++n) {
      VectorXd u(s), q = VectorXd::Constant(s, m.q[n][0]), p = VectorXd::Constant(s, m.p[n][0]), v,
                     f = u, f_p = u, f_q = u;
      for (Eigen::Index i = 0; i < s; ++i) u[i] = m.u[n][static_cast<std::size_t>(i)][0];
      VectorXd sq = VectorXd::Constant(s, m.costate_q[n][0]),
               sp = VectorXd::Constant(s, m.costate_p[n][0]);
      for (int iteration = 0; iteration < 60; ++iteration) {
        v = p.array() / q.unaryExpr(&O::m).array();
        for (Eigen::Index i = 0; i < s; ++i) {
          f[i] = O::f(q[i], v[i], u[i]);
          f_p[i] = -(sq[i] + sp[i] * O::f_v(q[i], v[i])) / O::m(q[i]);
          f_q[i] = -(2.0 * q[i] + sp[i] * O::f_q(q[i], v[i])) - f_p[i] * O::dm(q[i]) * v[i];
        }
        q = VectorXd::Constant(s, m.q[n][0]) + h * t.a * v;
        p = VectorXd::Constant(s, m.p[n][0]) + h * t.partner * f;
        sq = VectorXd::Constant(s, m.costate_q[n][0]) + h * t.partner * f_q;
        sp = VectorXd::Constant(s, m.costate_p[n][0]) + h * t.a * f_p;
      }
      EXPECT_NEAR(m.q[n + 1][0], m.q[n][0] + h * t.b.dot(v), 1e-12);
      EXPECT_NEAR(m.p[n + 1][0], m.p[n][0] + h * t.b.dot(f), 1e-12);
      EXPECT_NEAR(m.costate_q[n + 1][0], m.costate_q[n][0] + h * t.b.dot(f_q), 1e-10);
      EXPECT_NEAR(m.costate_p[n + 1][0], m.costate_p[n][0] + h * t.b.dot(f_p), 1e-10);
      EXPECT_LT(largest(u + sp), 1e-9);  // C_u + s_p f_u = 0 at the points
      change = std::max(change, std::abs(m.costate_q[n + 1][0] - m.costate_q[n][0]));
    }
    EXPECT_GT(change, 1e-2);
  }
}

struct Moved {
  Case at;
  std::function<void(Known&, double epsilon)> move;  ///< the start
  VectorXd delta;                                    ///< of q
};

/// Another start: q₀ exp(ε δ), and v₀ + ε w.
Moved moved(const Known& known, const Method& method, const Vn& delta, const Vn& w,
            Retraction tau = default_retraction) {
  Known k = known;
  k.texts.start.clear();
  expr::Graph graph;
  expr::Scope scope;
  const ProductSpace space = declare(graph, scope, k.texts.system.coordinates);
  return {{k, method, tau},
          [=](Known& to, double epsilon) {
            const Vn d = epsilon * delta;
            space.retract(k.from.data(), d.data(), Retraction::exponential, to.from.data());
            to.texts.system.v = k.texts.system.v + epsilon * w;
          },
          delta};
}

/// dJ = ⟨co-state, (δ, dp)⟩ at the start; dp is seen on the motions.
TEST(Costates, AreTheSlopeOfTheLeastCost) {
  Moved rolling = moved(optima::sato(), nh_lobatto(3), vector({0.3, -0.4, 0.7}), vector({0, 0, 0}));
  rolling.move = [](Known& k, double e) {  // ż = y ẋ
    const double x_dot = 1.0 + 0.2 * e, y = 1.0 - 0.4 * e;
    k.from = vector({1.0 + 0.3 * e, y, 0.7 * e});
    k.texts.system.v = vector({x_dot, -0.5 + 0.5 * e, y * x_dot});
  };
  const std::vector<Moved> cases = {
      moved(oscillator(), lobatto(3), vector({0.7}), vector({-0.4})),
      moved(optima::cart_pole(), gauss(2), vector({0.3, -0.2}), vector({0.5, 0.4})),
      moved(optima::orbit_raising(), gauss(2), vector({0.1, 0.2}), vector({-0.1, 0.1})),
      moved(optima::turn_of_a_body(), gauss(2), vector({0.3, -0.5, 0.2}), vector({0.1, 0.2, -0.3})),
      moved(optima::turn_of_a_body(), lobatto(3), vector({0.3, -0.5, 0.2}),
            vector({0.1, 0.2, -0.3}), Retraction::cayley),
      moved(optima::parking(), nh_lobatto(3), vector({0.2, -0.3, 0.4}), vector({0.1, 0, -0.2})),
      rolling};
  for (const Moved& c : cases) {
    SCOPED_TRACE(name_of(c.at));
    const ControlProblem problem = optima::problem_of(c.at.known, c.at.method, c.at.tau);
    const Optimum base = optimum_of(problem, c.at.known);
    const ControlMotion m = problem.motion(base);
    const auto solve = [&](double epsilon, VectorXd& p) {
      Known k = c.at.known;
      c.move(k, epsilon);
      const ControlProblem other = optima::problem_of(k, c.at.method, c.at.tau);
      const Optimum o = optimise(other, base.point);  // the same one of several optima
      EXPECT_EQ(o.status, OptimumStatus::solved) << o.message;
      p = other.motion(o).p[0];
      return o.cost;
    };
    const double h = 2e-3;
    VectorXd p[4];
    const double j[4] = {solve(-2.0 * h, p[0]), solve(-h, p[1]), solve(h, p[2]),
                         solve(2.0 * h, p[3])};
    const double slope = (8.0 * (j[2] - j[1]) - (j[3] - j[0])) / (12.0 * h);
    const VectorXd dp = (8.0 * (p[2] - p[1]) - (p[3] - p[0])) / (12.0 * h);
    const double expected = m.costate_q[0].dot(c.delta) + m.costate_p[0].dot(dp);
    EXPECT_NEAR(slope, expected, 1e-6 * (1.0 + std::abs(expected)));
    EXPECT_GT(std::abs(expected), 1e-2);
  }
}

}  // namespace
}  // namespace varia::costate_test
