// SPDX-License-Identifier: BSD-3-Clause
// All right orders of the updates give one motion: the queue of all terms, node clocks, local minima
// found at random [West04, 6.1.6], and sorted events that drift every node [West04, 6.4.2].
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <set>

#include "refusal.hpp"
#include "terms/samples.hpp"

namespace varia::terms::schedule_test {
namespace {

template <int D>
State<D> by_queue(const Sample<D>& s, double until, ScheduleOptions<D> options = {}) {
  State<D> state = s.begin();
  queue(s.system, state, options)->advance(until);
  return state;
}

template <int D>
State<D> by_clocks(const Sample<D>& s, double until, ScheduleOptions<D> options = {}) {
  State<D> state = s.begin();
  node_clocks(s.system, state, options)->advance(until);
  return state;
}

/// Terms that share any node.
template <int D> std::vector<std::set<int>> neighbours(const System<D>& system) {
  std::vector<std::vector<int>> at(static_cast<std::size_t>(system.node_count()));
  for (int K = 0; K < system.term_count(); ++K) {
    const auto [family, k] = system.place(K);
    for (int a = 0; a < family->nodes_per_term(); ++a)
      at[static_cast<std::size_t>(family->nodes(k)[a])].push_back(K);
  }
  std::vector<std::set<int>> sets(static_cast<std::size_t>(system.term_count()));
  for (const auto& terms : at)
    for (const int K : terms) sets[static_cast<std::size_t>(K)].insert(terms.begin(), terms.end());
  return sets;
}

/// W6-M9: pick a term at random, walk down to a local minimum of the times, update it.
State<2> by_local_minima(const Sample<2>& s, double until) {
  State<2> state = s.begin();
  const auto near = neighbours(s.system);
  std::mt19937 random(7);
  const auto before = [&](int K, int L) {
    const double tK = state.clocks[K].next, tL = state.clocks[L].next;
    return tK < tL || (tK == tL && K < L);
  };
  std::vector<int> open;
  for (int K = 0; K < s.system.term_count(); ++K)
    if (state.clocks[K].next <= until) open.push_back(K);
  while (!open.empty()) {
    int K = open[random() % open.size()];
    for (bool moved = true; moved;) {
      moved = false;
      for (const int L : near[static_cast<std::size_t>(K)])
        if (before(L, K)) K = L, moved = true;
    }
    Clock& clock = state.clocks[K];
    const auto [family, k] = s.system.place(K);
    family->act(k, clock.next, clock.next - clock.last, state.nodes.data(), state.supports);
    clock.last = clock.next;
    ++clock.count;
    clock.next = state.t0 + static_cast<double>(clock.count + 1) * s.steps[K];
    if (clock.next > until) open.erase(std::find(open.begin(), open.end(), K));
  }
  return state;
}

/// W6-M16: sorted events; every node drifts at each of them. Only the public gradient is used.
std::vector<double> by_sorted_events(const Sample<2>& s, double until) {
  struct Event {
    double t;
    int K;
  };
  std::vector<Event> events;
  for (int K = 0; K < s.system.term_count(); ++K)
    for (int j = 1; j * s.steps[K] <= until; ++j) events.push_back({j * s.steps[K], K});
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return a.t < b.t; });
  std::vector<double> x = s.x, v = s.v;
  std::array<double, 2 * max_nodes> at{}, g{};
  const auto kick = [&](int K, double t, double weight, const std::vector<double>& where,
                        std::vector<double>& what) {
    const auto [family, k] = s.system.place(K);
    const int* nodes = family->nodes(k);
    for (int i = 0; i < 2 * family->nodes_per_term(); ++i)
      at[i] = where[static_cast<std::size_t>(2 * nodes[i / 2] + i % 2)];
    family->gradient(k, at.data(), t, g.data());
    for (int i = 0; i < 2 * family->nodes_per_term(); ++i)
      what[static_cast<std::size_t>(2 * nodes[i / 2] + i % 2)] -=
          weight * g[i] / s.system.masses()[nodes[i / 2]];
  };
  for (int K = 0; K < s.system.term_count(); ++K) kick(K, 0.0, 0.5 * s.steps[K], s.x, v);
  double now = 0.0;
  for (const Event& e : events) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += v[i] * (e.t - now);
    now = e.t;
    kick(e.K, e.t, s.steps[e.K], x, v);
  }
  for (std::size_t i = 0; i < x.size(); ++i) x[i] += v[i] * (until - now);
  x.insert(x.end(), v.begin(), v.end());
  return x;
}

std::vector<double> at_time(const State<2>& state, double t) {
  std::vector<double> x, v;
  for (const Node<2>& node : state.nodes)
    for (int c = 0; c < 2; ++c) {
      x.push_back(node.x[c] + node.v[c] * (t - node.t));
      v.push_back(node.v[c]);
    }
  x.insert(x.end(), v.begin(), v.end());
  return x;
}

class Orders : public ::testing::TestWithParam<bool> {};

TEST_P(Orders, AllGiveTheSameBits) {
  const Sample<2> s = mixture(5, 4, 0.06, GetParam());
  const State<2> reference = by_queue(s, 3.1);
  EXPECT_EQ(differences(reference, by_clocks(s, 3.1)), 0);
  EXPECT_EQ(differences(reference, by_local_minima(s, 3.1)), 0);
  EXPECT_GT(differences(reference, by_queue(s, 3.0)), 0);  // and the comparison sees something
}

TEST_P(Orders, AgreeWithSortedEventsThatDriftAllNodes) {
  const Sample<2> s = mixture(4, 4, 0.06, GetParam());
  EXPECT_LT(largest_difference(at_time(by_queue(s, 3.1), 3.1), by_sorted_events(s, 3.1)), 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Steps, Orders, ::testing::Values(false, true),
                         [](const auto& i) { return i.param ? "ties" : "incommensurate"; });

TEST(Orders, ManyBoundsAreOneBound) {
  const Sample<2> s = mixture(4, 3, 0.07, true);
  const State<2> reference = by_queue(s, 2.5);
  for (const bool clocks : {false, true}) {
    State<2> state = s.begin();
    const auto schedule = clocks ? node_clocks(s.system, state) : queue(s.system, state);
    for (const double until : {0.0, 0.07, 0.07, 0.0701, -1.0, 1.111111, 1.0, 2.5})
      schedule->advance(until);
    EXPECT_EQ(differences(reference, state), 0);
  }
}

TEST(Orders, ASavedStateGoesOnUnderAnyOrder) {
  const Sample<2> s = mixture(4, 4, 0.06, true);
  const State<2> reference = by_queue(s, 2.5);
  State<2> half = by_clocks(s, 1.21);
  State<2> copy = half;
  queue(s.system, half)->advance(2.5);
  node_clocks(s.system, copy)->advance(2.5);
  EXPECT_EQ(differences(reference, half), 0);
  EXPECT_EQ(differences(reference, copy), 0);
}

TEST(Orders, AnotherBeginOfTimeIsAShift) {
  Sample<2> binary = spring_net(3, 3, 0.0625);
  for (double& h : binary.steps) h = std::ldexp(std::round(std::ldexp(h, 12)), -12);
  State<2> a = binary.begin(true, 0.0), b = binary.begin(true, 8.0);
  queue(binary.system, a)->advance(2.0);
  queue(binary.system, b)->advance(10.0);
  for (std::size_t i = 0; i < a.nodes.size(); ++i) {
    EXPECT_EQ(a.nodes[i].x, b.nodes[i].x);
    EXPECT_EQ(a.nodes[i].t + 8.0, b.nodes[i].t);
  }
}

/// Steps that depend on where the nodes are, and on nothing else.
struct Wandering final : StepRule {
  double size;
  explicit Wandering(double h) : size(h) {}
  double step(int term, double, const double* x, const Clock& clock) override {
    return size * (1.0 + 0.5 * std::sin(40.0 * x[0] + term + static_cast<double>(clock.count)));
  }
};

/// Adds up the weights of a term: the sum must be the time it has seen.
struct Weights final : Observer<2> {
  std::vector<double> sum;
  std::vector<double> last;
  std::vector<int> before_count, after_count;
  double smallest = std::numeric_limits<double>::infinity(), largest = 0.0;
  explicit Weights(int terms)
      : sum(terms, 0.0), last(terms, 0.0), before_count(terms, 0), after_count(terms, 0) {}
  void before(int K, double t, double weight, const State<2>&) override {
    EXPECT_DOUBLE_EQ(weight, t - last[K]);
    EXPECT_GT(weight, 0.0);
    EXPECT_EQ(before_count[K], after_count[K]);
    sum[K] += weight;
    last[K] = t;
    ++before_count[K];
    smallest = std::min(smallest, weight);
    largest = std::max(largest, weight);
  }
  void after(int K, double t, double, const State<2>&) override {
    EXPECT_EQ(last[K], t);
    ++after_count[K];
  }
};

TEST(Orders, StepsThatChangeGiveTheSameBits) {
  const Sample<2> s = mixture(4, 4, 0.05, false);
  Wandering rule(0.05);
  Weights weights(s.system.term_count());
  const State<2> reference = by_queue(s, 2.0, {&rule, nullptr, 1});
  EXPECT_EQ(differences(reference, by_clocks(s, 2.0, {&rule, nullptr, 1})), 0);
  EXPECT_EQ(differences(reference, by_clocks(s, 2.0, {&rule, nullptr, 3})), 0);
  EXPECT_EQ(differences(reference, by_clocks(s, 2.0, {&rule, &weights, 1})), 0);
  EXPECT_GT(weights.largest, 1.5 * weights.smallest);
  for (int K = 0; K < s.system.term_count(); ++K)
    EXPECT_NEAR(weights.sum[K], reference.clocks[K].last, 1e-12);
}

TEST(Orders, ObserversSeeEveryUpdateOnceAndChangeNothing) {
  const Sample<2> s = mixture(4, 4, 0.05, true);
  const State<2> reference = by_queue(s, 1.5);
  for (const int way : {0, 1, 2, 4}) {
    Weights seen(s.system.term_count());
    const State<2> state =
        way == 0 ? by_queue(s, 1.5, {nullptr, &seen, 1}) : by_clocks(s, 1.5, {nullptr, &seen, way});
    EXPECT_EQ(differences(reference, state), 0) << way;
    for (int K = 0; K < s.system.term_count(); ++K) {
      EXPECT_EQ(seen.before_count[K], reference.clocks[K].count);
      EXPECT_EQ(seen.after_count[K], reference.clocks[K].count);
    }
  }
}

struct Stuck final : StepRule {
  double answer;
  explicit Stuck(double a) : answer(a) {}
  double step(int term, double, const double*, const Clock& clock) override {
    return term == 3 && clock.count == 2 ? answer : 0.05;
  }
};

TEST(Orders, ARuleThatDoesNotGoForwardIsRefused) {
  const Sample<2> s = spring_net(3, 3, 0.05);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const double bad : {0.0, -0.1, std::nan(""), infinity, -infinity, 1e-300})
    for (const int way : {0, 1, 2}) {
      Stuck rule(bad);
      const std::string text = refusal<NoConvergence>([&] {
        if (way == 0)
          by_queue(s, 2.0, {&rule, nullptr, 1});
        else
          by_clocks(s, 2.0, {&rule, nullptr, way});
      });
      expect_words(text, {"term 3", "step"});
    }
}

TEST(Orders, AStateOfARuleGoesOnForwardWithoutIt) {
  const Sample<2> s = spring_net(3, 3, 0.05);
  struct Shrinking final : StepRule {
    double step(int, double, const double*, const Clock& clock) override {
      return clock.count < 3 ? 0.2 : 0.01;
    }
  } rule;
  State<2> state = by_queue(s, 0.8, {&rule, nullptr, 1}), copy = state;
  const std::vector<Clock> old = state.clocks;
  queue(s.system, state)->advance(1.5);
  node_clocks(s.system, copy)->advance(1.5);
  EXPECT_EQ(differences(state, copy), 0);
  for (std::size_t K = 0; K < old.size(); ++K) {
    EXPECT_GE(state.clocks[K].last, old[K].next);
    EXPECT_NEAR(state.clocks[K].next - state.clocks[K].last, old[K].step, 1e-12);
  }
}

/// Node clocks look at corners only: terms that meet elsewhere would race.
TEST(Orders, TermsThatShareANodeButNoCornerAreRefused) {
  System<2> system;
  system.add(std::make_unique<Bubbles>(Bubbles::Terms{{0, 1, 2}, {3, 4, 2}}));
  system.set_masses({1.0, 1.0, 1.0, 1.0, 1.0});
  State<2> state = start<2>(system, {0.0, 0.0, 1.0, 0.0, 0.3, 0.4, 0.0, 1.0, 1.0, 1.0},
                            std::vector<double>(10, 0.0), {0.1, 0.07});
  for (const int threads : {1, 2})
    expect_words(refusal([&] {
                   node_clocks<2>(system, state, {nullptr, nullptr, threads});
                 }),
                 {"node 2", "corner"});
  EXPECT_NO_THROW(queue(system, state)->advance(1.0));
}

TEST(Orders, CountsOfUpdatesAreThoseOfTheSteps) {
  const Sample<2> s = spring_net(4, 4, 0.03);
  const State<2> state = by_clocks(s, 2.0);
  for (std::size_t K = 0; K < s.steps.size(); ++K) {
    EXPECT_EQ(state.clocks[K].count, static_cast<std::int64_t>(std::floor(2.0 / s.steps[K])));
    EXPECT_EQ(state.clocks[K].last, static_cast<double>(state.clocks[K].count) * s.steps[K]);
  }
}

TEST(Orders, NodesWithoutTermsAndFamiliesWithoutTermsAreHarmless) {
  Sample<2> s = spring_net(2, 2, 0.1);
  s.system.add(std::make_unique<Bubbles>(Bubbles::Terms{}));
  std::vector<double> masses = s.system.masses();
  masses.push_back(1.0);
  s.system.set_masses(masses);
  s.x.insert(s.x.end(), {5.0, 5.0});
  s.v.insert(s.v.end(), {1.0, -1.0});
  const State<2> reference = by_queue(s, 1.0);
  EXPECT_EQ(differences(reference, by_clocks(s, 1.0)), 0);
  const auto at = synchronise(s.system, reference, 1.0);
  EXPECT_EQ(at.x[8], 6.0);
  EXPECT_EQ(at.x[9], 4.0);
}

TEST(Orders, NoThreadsAreRefused) {
  const Sample<2> s = spring_net(2, 2, 0.1);
  State<2> state = s.begin();
  for (const int threads : {0, -3})
    expect_words(refusal([&] {
                   node_clocks(s.system, state, {nullptr, nullptr, threads});
                 }),
                 {"threads", std::to_string(threads).c_str()});
}

}  // namespace
}  // namespace varia::terms::schedule_test
