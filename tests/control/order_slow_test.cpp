// SPDX-License-Identifier: BSD-3-Clause
// Optima have the order of their method: cost, state, co-state, and the input at nodes, which follows from the co-state.
// The inputs that are held, at the points of the method, have the order of its stages, and those of nodes where a point
// is one.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "problems/optima.hpp"

namespace varia::control_order_test {
namespace {

using namespace problems;
using Eigen::VectorXd;
using optima::Known;

/// With what is compared at a node.
struct Law {
  Known known;
  Retraction tau = default_retraction;
  /// 0 = ∂ᵤ(C + ⟨s, f⟩), for C = |u|²/2.
  std::function<VectorXd(const ControlMotion&, std::size_t k)> input = {};
  /// The co-state but for multiples of dΦ, which change nothing [Sato19, section 5.7.3].
  std::function<VectorXd(const ControlMotion&, std::size_t k)> costate = {};
};

constexpr int fine_steps = 160;
constexpr int window = 10;  ///< nodes between which inputs are interpolated

Known with_steps(Known k, int steps) {
  k.texts.time.steps = steps;
  return k;
}

struct Solution {
  double cost = 0.0;
  ControlMotion motion;
};

Solution solve(const Known& known, const Method& method, const ControlGuess& guess,
               Retraction tau) {
  const ControlProblem problem = optima::problem_of(known, method, tau);
  OptimiserOptions options;
  options.tolerance = 1e-11;
  const Optimum o = optimise(problem, problem.guess(guess), options);
  EXPECT_EQ(o.status, OptimumStatus::solved) << o.message;
  return {o.cost, problem.motion(o)};
}

/// The optimum that others are held against, with its inputs between nodes.
class Fine {
 public:
  Fine(const Law& law, const Method& method)
      : law_(law),
        known_(with_steps(law.known, fine_steps)),
        solution_(solve(known_, method, optima::line_of(known_), law.tau)) {}

  const Solution& solution() const { return solution_; }
  VectorXd input(double t) const {
    const std::vector<double>& times = solution_.motion.t;
    const double h = times[1] - times[0];
    const auto first = static_cast<std::size_t>(
        std::clamp(static_cast<int>(t / h) - window / 2 + 1, 0, fine_steps + 1 - window));
    VectorXd sum = VectorXd::Zero(law_.input(solution_.motion, 0).size());
    for (std::size_t i = first; i < first + window; ++i) {
      double weight = 1.0;
      for (std::size_t j = first; j < first + window; ++j)
        if (j != i) weight *= (t - times[j]) / (times[i] - times[j]);
      sum += weight * law_.input(solution_.motion, i);
    }
    return sum;
  }
  /// Leads to the same one of several optima.
  ControlGuess guess() const {
    ControlGuess guess;
    guess.q = [this](double t, double* q) {
      const ControlMotion& m = solution_.motion;
      const Vn& at = m.q[static_cast<std::size_t>(std::lround(t / (m.t[1] - m.t[0])))];
      std::copy(at.begin(), at.end(), q);
    };
    guess.u = [this](double t, double* u) {
      const VectorXd at = input(t);
      std::copy(at.begin(), at.end(), u);
    };
    return guess;
  }

 private:
  Law law_;
  Known known_;
  Solution solution_;
};

enum Quantity { cost, q, p, costate, node_input, point_input, quantities };
using Numbers = std::array<double, quantities>;
const char* const names[] = {"cost", "q", "p", "co-state", "input at nodes", "input at points"};

Numbers errors(const Law& law, const Fine& fine, const Method& method, int steps) {
  const Known known = with_steps(law.known, steps);
  const Solution found = solve(known, method, fine.guess(), law.tau);
  const ControlMotion &m = found.motion, &exact = fine.solution().motion;
  Numbers e{};
  const auto add = [&](Quantity i, const VectorXd& a, const VectorXd& b) {
    e[i] = std::max(e[i], (a - b).cwiseAbs().maxCoeff());
  };
  e[cost] = std::abs(found.cost - fine.solution().cost);
  for (std::size_t k = 0; k < m.q.size(); ++k) {
    const std::size_t there = k * static_cast<std::size_t>(fine_steps / steps);
    add(q, m.q[k], exact.q[there]);
    add(p, m.p[k], exact.p[there]);
    add(costate, law.costate(m, k), law.costate(exact, there));
    add(node_input, law.input(m, k), law.input(exact, there));
  }
  for (std::size_t k = 0; k < m.u.size(); ++k)
    for (std::size_t i = 0; i < m.c.size(); ++i)
      add(point_input, m.u[k][i], fine.input(m.t[k] + m.c[i] * (m.t[1] - m.t[0])));
  return e;
}

struct Expected {
  Method method;
  int steps;  ///< and twice as many
  double costate, point_input;
};

void expect_orders(const Law& law, const Method& best, const std::vector<Expected>& list) {
  const Fine fine(law, best);
  for (const Expected& x : list) {
    SCOPED_TRACE(law.known.texts.name + ", " + x.method.name());
    const Numbers coarse = errors(law, fine, x.method, x.steps),
                  half = errors(law, fine, x.method, 2 * x.steps);
    const double whole = x.method.order();
    const Numbers expected = {whole, whole, whole, x.costate, x.costate, x.point_input};
    for (std::size_t i = 0; i < quantities; ++i)
      EXPECT_NEAR(std::log2(coarse[i] / half[i]), expected[i], 0.25)
          << names[i] << ": " << coarse[i] << " and " << half[i];
  }
}

Law turning(Retraction tau) {
  Law law{optima::turn_of_a_body(), tau};
  law.input = [](const ControlMotion& m, std::size_t k) { return VectorXd(-m.costate_p[k]); };
  law.costate = [](const ControlMotion& m, std::size_t k) {
    VectorXd s(6);
    s << m.costate_q[k], m.costate_p[k];
    return s;
  };
  return law;
}

/// Φ = ż - y ẋ: what (dq, dp) with dΦ = 0 see of the co-state.
Law rolling(Multipliers multipliers) {
  Law law{optima::sato()};
  law.known.texts.multipliers = multipliers;
  law.input = [](const ControlMotion& m, std::size_t k) {
    const Vn& s = m.costate_p[k];
    return VectorXd(vector({-(s[0] + m.q[k][1] * s[2]), -s[1]}));
  };
  law.costate = [](const ControlMotion& m, std::size_t k) {
    const Vn &r = m.costate_q[k], &s = m.costate_p[k];
    return VectorXd(vector({r[0], r[1] + m.v[k][0] * s[2], r[2], s[0] + m.q[k][1] * s[2], s[1]}));
  };
  return law;
}

Law unicycle(Multipliers multipliers, Retraction tau) {
  Law law{optima::parking(), tau};
  law.known.texts.multipliers = multipliers;
  law.input = [](const ControlMotion& m, std::size_t k) {
    return VectorXd(vector({-m.costate_p[k][0], -m.costate_p[k][2]}));
  };
  law.costate = [](const ControlMotion& m, std::size_t k) {
    const Vn &r = m.costate_q[k], &s = m.costate_p[k];
    return VectorXd(vector({r[0], r[1], r[2], s[0], s[2]}));
  };
  return law;
}

TEST(OrderOfOptima, OnRotations) {
  std::vector<Expected> list = {{lobatto(2), 20, 2, 2}, {lobatto(3), 20, 4, 4},
                                {gauss(1), 40, 2, 2},   {gauss(2), 20, 4, 3},
                                {gauss(3), 10, 6, 4},   {lobatto(4), 10, 6, 5}};
  expect_orders(turning(Retraction::exponential), gauss(4), list);
  list.back().steps = 20;  // larger errors
  expect_orders(turning(Retraction::cayley), gauss(4), list);
}

/// Where λ is found anew at each step, co-states have the whole order.
TEST(OrderOfOptima, WithNonholonomicConstraints) {
  const std::vector<Expected> list = {
      {nh_lobatto(2), 40, 2, 2}, {nh_lobatto(3), 20, 4, 2}, {nh_lobatto(4), 20, 6, 3}};
  expect_orders(rolling(Multipliers::recompute), nh_lobatto(5), list);
  expect_orders(unicycle(Multipliers::recompute, Retraction::cayley), nh_lobatto(5), list);
}

/// Where λ belongs to the state, the cost to go depends on it, and the co-state of q and p alone has its order.
TEST(OrderOfOptima, WithPropagatedMultipliers) {
  std::vector<Expected> list;
  for (const int s : {2, 3, 4}) {
    const Method method = nh_lobatto(s);
    list.push_back({method, s == 2 ? 40 : 20, static_cast<double>(method.propagated_order()),
                    s == 2 ? 2.0 : s - 1.0});
  }
  expect_orders(rolling(Multipliers::propagate), nh_lobatto(5), list);
  expect_orders(unicycle(Multipliers::propagate, Retraction::cayley), nh_lobatto(5), list);
  expect_orders(unicycle(Multipliers::propagate, Retraction::exponential), nh_lobatto(5), list);
}

}  // namespace
}  // namespace varia::control_order_test
