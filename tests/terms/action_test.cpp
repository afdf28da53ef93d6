// SPDX-License-Identifier: BSD-3-Clause
// The discrete action of an asynchronous motion [LMOW03, (29)], written out over all space-time points
//
//   S_d = Σ_a Σ_i ½ m_a |x_a^(i+1) - x_a^i|² / (t_a^(i+1) - t_a^i) - Σ_K Σ_j (t_K^(j+1) - t_K^j) V_K(x_K^(j+1), t_K^(j+1))
//
// and differentiated as a whole, by jets: it is stationary in every x_a^i, its derivatives at the ends
// are the momenta there, and that by t_K^j is the residual of (AVI-energy), which vanishes where a
// step was solved for.
#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "terms/samples.hpp"
#include "varia/terms/energy.hpp"
#include "varia/terms/stationary.hpp"

namespace varia::terms::action_test {
namespace {

using J = Jet<double, 1>;

/// ½ k (|x_1 - x_0|² - 1)²
struct Bond {
  double stiffness;
  template <class X, class T> auto operator()(const X& x, const T&) const {
    const auto dx = x[2] - x[0], dy = x[3] - x[1];
    const auto d = dx * dx + dy * dy - 1.0;
    return 0.5 * stiffness * d * d;
  }
};

/// A system with the energies of its terms, for numbers that carry a derivative.
struct Body {
  Sample<2> sample;
  std::vector<std::function<J(const J* x, const J& t)>> energies;

  template <int N, class Energy>
  void add(std::vector<std::array<int, N>> nodes, std::vector<Energy> list) {
    for (const Energy& energy : list) energies.emplace_back(energy);
    sample.system.add(std::make_unique<Fields<2, N, Energy>>(std::move(nodes), std::move(list)));
  }
};

/// Four nodes with bonds, areas, and wells that change with time; steps without a common measure.
Body square(double size) {
  Body b;
  b.add<2, Bond>({{0, 1}, {1, 3}, {3, 2}, {2, 0}}, {{3.0}, {4.0}, {2.5}, {3.5}});
  b.add<3, AreaEnergy>({{0, 1, 3}, {0, 3, 2}}, {{2.0, 0.5}, {3.0, 0.4}});
  b.add<1, WellEnergy>({{0}, {3}}, {{2.0, 0.1, 0.0, 3.0}, {1.5, 0.9, 1.1, 2.0}});
  b.sample.system.set_masses({1.0, 1.3, 0.8, 1.1});
  b.sample.x = {0.0, 0.1, 1.1, 0.0, -0.1, 1.0, 1.0, 1.2};
  b.sample.v = {0.3, -0.2, 0.1, 0.4, -0.3, 0.1, 0.2, -0.4};
  b.sample.steps = incommensurate(b.sample.system.term_count(), size);
  return b;
}

/// Steps that change all the time.
struct Breathing final : StepRule {
  std::vector<double> steps;
  explicit Breathing(std::vector<double> nominal) : steps(std::move(nominal)) {}
  double step(int term, double t, const double*, const Clock&) override {
    return steps[static_cast<std::size_t>(term)] * (1.0 + 0.4 * std::sin(3.0 * t + term));
  }
};

struct Update {
  int term;
  double t;
  int last;                 ///< the update of the term before, or -1
  std::vector<int> points;  ///< of its nodes, by their numbers at the node
  bool followed = false;    ///< by another one of the term
  bool solved = false;      ///< the step to that one solves the balance
  double residual = 0.0;    ///< of the balance, where it is followed
  bool alone = true;        ///< no other update has its time and one of its nodes
};

struct Point {
  std::array<double, 2> x;
  int update;  ///< whose time it has; -1: the start
};

/// Every space-time point of the motion it observes.
struct Trace final : Observer<2> {
  const System<2>& system;
  LocalEnergy<2> local;
  const Stationary<2>* stationary = nullptr;
  std::vector<Update> updates;
  std::vector<std::vector<Point>> points;
  std::vector<int> last;  ///< update of each term

  Trace(const System<2>& s, const State<2>& start)
      : system(s), local(s, {}), last(static_cast<std::size_t>(s.term_count()), -1) {
    for (const Node<2>& node : start.nodes) points.push_back({{node.x, -1}});
  }
  void before(int term, double t, double weight, const State<2>& state) override {
    local.before(term, t, weight, state);
    const auto [family, k] = system.place(term);
    const int number = static_cast<int>(updates.size());
    Update u{term, t, last[static_cast<std::size_t>(term)], {}};
    for (int a = 0; a < family->nodes_per_term(); ++a) {
      auto& list = points[static_cast<std::size_t>(family->nodes(k)[a])];
      const int other = list.back().update;
      if (other >= 0 && updates[static_cast<std::size_t>(other)].t == t)
        u.alone = updates[static_cast<std::size_t>(other)].alone = false;
      else
        list.push_back({state.nodes[static_cast<std::size_t>(family->nodes(k)[a])].x, number});
      u.points.push_back(static_cast<int>(list.size()) - 1);
    }
    if (u.last >= 0) {
      Update& before = updates[static_cast<std::size_t>(u.last)];
      before.followed = true;
      before.solved = stationary != nullptr && stationary->solved(term);
      before.residual = local.balance(term).residual;
    }
    last[static_cast<std::size_t>(term)] = number;
    updates.push_back(std::move(u));
  }
  void after(int term, double t, double weight, const State<2>& state) override {
    local.after(term, t, weight, state);
  }
};

/// What S_d is differentiated by: component c of x_a^i, or the time of an update.
struct Direction {
  int node = -1, i = 0, c = 0;
  int update = -1;
};

/// Where the potential is taken in the interval of a term.
enum class End { right, left };

class Action {
 public:
  Action(const Body& body, const Trace& trace, End end = End::right)
      : body_(body), trace_(trace), end_(end) {}

  double derivative(const Direction& by) const {
    J sum(0.0);
    for (int a = 0; a < body_.sample.system.node_count(); ++a)
      for (int i = 0; i + 1 < static_cast<int>(list(a).size()); ++i) {
        const J dx = x(by, a, i + 1, 0) - x(by, a, i, 0), dy = x(by, a, i + 1, 1) - x(by, a, i, 1);
        const J dt = time(by, list(a)[i + 1].update) - time(by, list(a)[i].update);
        sum = sum + 0.5 * body_.sample.system.masses()[a] * (dx * dx + dy * dy) / dt;
      }
    for (int n = 0; n < static_cast<int>(trace_.updates.size()); ++n) {
      const Update& u = trace_.updates[n];
      if (end_ == End::right) sum = sum - (time(by, n) - time(by, u.last)) * potential(by, n);
      if (end_ == End::left && u.last >= 0)
        sum = sum - (time(by, n) - time(by, u.last)) * potential(by, u.last);
    }
    return sum.d[0];
  }

 private:
  const std::vector<Point>& list(int a) const { return trace_.points[a]; }
  J x(const Direction& by, int a, int i, int c) const {
    const double value = list(a)[i].x[c];
    return by.node == a && by.i == i && by.c == c ? J::variable(value, 0) : J(value);
  }
  J time(const Direction& by, int update) const {
    if (update < 0) return J(0.0);
    return by.update == update ? J::variable(trace_.updates[update].t, 0)
                               : J(trace_.updates[update].t);
  }
  J potential(const Direction& by, int update) const {
    const Update& u = trace_.updates[update];
    const auto [family, k] = body_.sample.system.place(u.term);
    std::vector<J> at;
    for (std::size_t a = 0; a < u.points.size(); ++a)
      for (int c = 0; c < 2; ++c) at.push_back(x(by, family->nodes(k)[a], u.points[a], c));
    return body_.energies[u.term](at.data(), time(by, update));
  }

  const Body& body_;
  const Trace& trace_;
  End end_;
};

/// The largest |∂S_d/∂x_a^i| at points between the ends of a node, in units of the round-off of its
/// velocities, ε m |x| / Δt: two terms may act within a short time.
double largest_inside(const Body& body, const Trace& trace, End end) {
  const Action action(body, trace, end);
  double largest = 0.0;
  for (int a = 0; a < body.sample.system.node_count(); ++a)
    for (int i = 1; i + 1 < static_cast<int>(trace.points[a].size()); ++i) {
      const auto time = [&](int j) {
        const int update = trace.points[a][j].update;
        return update < 0 ? 0.0 : trace.updates[update].t;
      };
      if (!trace.updates[trace.points[a][i].update].followed) continue;
      const double x = std::max(1.0, std::hypot(trace.points[a][i].x[0], trace.points[a][i].x[1]));
      const double unit = std::numeric_limits<double>::epsilon() * body.sample.system.masses()[a] *
                          x * (1.0 / (time(i) - time(i - 1)) + 1.0 / (time(i + 1) - time(i)));
      for (int c = 0; c < 2; ++c)
        largest = std::max(largest, std::abs(action.derivative({a, i, c, -1})) / unit);
    }
  return largest;
}

class ActionOfAMotion : public testing::Test {
 protected:
  explicit ActionOfAMotion(double size = 0.05) : body(square(size)), state(body.sample.begin()) {
    initial = state;
  }
  const Body body;
  State<2> state, initial;
  Trace trace{body.sample.system, state};
};

TEST_F(ActionOfAMotion, IsStationaryInEveryPosition) {
  Breathing rule(body.sample.steps);
  queue(body.sample.system, state, {&rule, &trace, 1})->advance(1.0);
  ASSERT_GT(trace.updates.size(), 100U);
  EXPECT_LT(largest_inside(body, trace, End::right), 8.0);
  EXPECT_GT(largest_inside(body, trace, End::left), 1e9) << "another action";
}

TEST_F(ActionOfAMotion, HasTheMomentaAtItsEnds) {
  Breathing rule(body.sample.steps);
  queue(body.sample.system, state, {&rule, &trace, 1})->advance(1.0);
  const Action action(body, trace);
  for (int a = 0; a < 4; ++a)
    for (int c = 0; c < 2; ++c) {
      const double m = body.sample.system.masses()[a];
      const int end = static_cast<int>(trace.points[a].size()) - 1;
      EXPECT_NEAR(action.derivative({a, 0, c, -1}), -m * initial.nodes[a].v[c], 1e-13);
      EXPECT_NEAR(action.derivative({a, end, c, -1}), m * state.nodes[a].v[c], 1e-13);
    }
}

TEST_F(ActionOfAMotion, ChangesWithTheTimesByTheLocalEnergies) {
  Breathing rule(body.sample.steps);
  queue(body.sample.system, state, {&rule, &trace, 1})->advance(1.0);
  const Action action(body, trace);
  double largest = 0.0;
  for (int n = 0; n < static_cast<int>(trace.updates.size()); ++n) {
    const Update& u = trace.updates[n];
    if (!u.followed) continue;
    ASSERT_TRUE(u.alone);
    EXPECT_NEAR(action.derivative({-1, 0, 0, n}), -u.residual, 1e-12) << n;
    largest = std::max(largest, std::abs(u.residual));
  }
  EXPECT_GT(largest, 1e-3) << "given steps do not balance the energy";
}

TEST_F(ActionOfAMotion, IsStationaryInTheTimesThatWereSolvedFor) {
  Stationary<2> motion(body.sample.system, state, {}, &trace);
  trace.stationary = &motion;
  motion.advance(1.0);
  const Action action(body, trace);
  EXPECT_LT(largest_inside(body, trace, End::right), 8.0);
  int solved = 0;
  for (int n = 0; n < static_cast<int>(trace.updates.size()); ++n) {
    const Update& u = trace.updates[n];
    if (!u.followed || !u.solved || !u.alone) continue;
    EXPECT_LT(std::abs(action.derivative({-1, 0, 0, n})), 1e-11) << n;
    ++solved;
  }
  EXPECT_GT(solved, 50);
}

}  // namespace
}  // namespace varia::terms::action_test
