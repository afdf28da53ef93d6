// SPDX-License-Identifier: BSD-3-Clause
// The asynchronous map, each node at its own time, is symplectic; forces that are no gradients are seen.
// Of tangent.hpp.
#include <gtest/gtest.h>

#include "refusal.hpp"
#include "terms/samples.hpp"
#include "varia/terms/tangent.hpp"

namespace varia::terms::symplectic_test {
namespace {

/// Second derivative of a link.
void link_hessian(const Family<1>& family, int k, const double* x, double, double* h) {
  // of nonlinear_chain: stiffness 1 + k/5, rest 1, α = 0.3, β = 0.5
  ASSERT_STREQ(family.kind(), "link");
  const double s = x[1] - x[0] - 1.0, second = 1.0 + 0.2 * k + s * (0.6 + 1.5 * s);
  h[0] = h[3] = second;
  h[1] = h[2] = -second;
}

/// JᵀΩJ - Ω with matrices written out: the Jacobian of all drifts and kicks in (x, p), in the order of time.
double written_out_defect(const Sample<1>& s, double until) {
  struct Event {
    double t;
    int K;
  };
  std::vector<Event> events;
  for (int K = 0; K < s.system.term_count(); ++K)
    for (int j = 1; j * s.steps[K] <= until; ++j) events.push_back({j * s.steps[K], K});
  std::stable_sort(events.begin(), events.end(),
                   [](const Event& a, const Event& b) { return a.t < b.t; });
  const auto n = s.x.size();
  State<1> state = s.begin();
  std::vector<std::vector<double>> J(2 * n, std::vector<double>(2 * n, 0.0));
  for (std::size_t i = 0; i < 2 * n; ++i) J[i][i] = 1.0;
  for (const auto& [t, K] : events) {
    const auto a = static_cast<std::size_t>(K), b = a + 1;
    for (const std::size_t i : {a, b})
      for (std::size_t j = 0; j < 2 * n; ++j)
        J[i][j] += (t - state.nodes[i].t) / s.system.masses()[i] * J[n + i][j];
    const auto [family, k] = s.system.place(K);
    family->drift(k, t, state.nodes.data(), state.supports);
    const double x[2] = {state.nodes[a].x[0], state.nodes[b].x[0]};
    double h[4];
    link_hessian(*family, k, x, t, h);
    for (std::size_t j = 0; j < 2 * n; ++j) {
      const double xa = J[a][j], xb = J[b][j];
      J[n + a][j] -= s.steps[K] * (h[0] * xa + h[1] * xb);
      J[n + b][j] -= s.steps[K] * (h[2] * xa + h[3] * xb);
    }
    family->kick(k, t, s.steps[K], state.nodes.data(), state.supports);
  }
  double worst = 0.0;
  for (std::size_t i = 0; i < 2 * n; ++i)
    for (std::size_t j = 0; j < 2 * n; ++j) {
      double sum = j == i + n ? -1.0 : i == j + n ? 1.0 : 0.0;
      for (std::size_t l = 0; l < n; ++l) sum += J[l][i] * J[n + l][j] - J[n + l][i] * J[l][j];
      worst = std::max(worst, std::abs(sum));
    }
  // the last events must be those of the library
  State<1> other = s.begin();
  queue(s.system, other)->advance(until);
  for (std::size_t a = 0; a < n; ++a) EXPECT_NEAR(state.nodes[a].x[0], other.nodes[a].x[0], 1e-10);
  return worst;
}

TEST(Symplectic, TheMapOfAChainIs) {
  const Sample<1> s = nonlinear_chain(5, 0.1);
  EXPECT_LT(written_out_defect(s, 50.0), 1e-11);
  EXPECT_LT(symplectic_defect<1>(s.system, s.begin(), 50.0, link_hessian), 1e-12);
  EXPECT_LT(symplectic_defect(s.system, s.begin(), 50.0), 1e-11);
}

TEST(Symplectic, TheMapOfMixedKindsIs) {
  for (const bool ties : {false, true}) {
    const Sample<2> s = mixture(3, 3, 0.05, ties);
    EXPECT_LT(symplectic_defect(s.system, s.begin(), 4.0), 1e-11);
  }
}

TEST(Symplectic, WithSupportsTheFreePartIs) {
  Sample<2> s = mixture(3, 3, 0.05, false);
  const int n = s.system.node_count();
  s.supports.add(n, {0, {true, true}, {}, [](int, double t) { return Motion{0.1 * t, 0.1}; }, {}});
  s.supports.add(n, {4, {false, true}, {0.0, 1.0}, {}, {}});
  EXPECT_LT(symplectic_defect(s.system, s.begin(), 4.0), 1e-11);
}

TEST(Symplectic, AStateInTheMiddleIsGoodEnough) {
  const Sample<1> s = nonlinear_chain(5, 0.1);
  State<1> state = s.begin();
  queue(s.system, state)->advance(3.3);
  EXPECT_LT(symplectic_defect(s.system, state, 20.0), 1e-11);
}

/// A force that is no gradient: it turns.
class Whirl final : public FamilyOf<Whirl, 2, 1> {
 public:
  Whirl() : FamilyOf<Whirl, 2, 1>({{0}}) {}
  const char* kind() const override { return "whirl"; }
  double energy_of(int, const double*, double) const { return 0.0; }
  void gradient_of(int, const double* x, double, double* g) const {
    g[0] = x[0] + 0.01 * x[1];
    g[1] = x[1] - 0.01 * x[0];
  }
};

TEST(Symplectic, AForceWithoutEnergyIsSeen) {
  System<2> system;
  system.add(std::make_unique<Whirl>());
  system.set_masses({1.0});
  const State<2> state = start<2>(system, {1.0, 0.0}, {0.0, 1.0}, {0.1});
  EXPECT_GT(symplectic_defect(system, state, 5.0), 1e-3);
}

TEST(Tangents, AreTheLimitOfNeighbouringMotions) {
  const Sample<1> s = nonlinear_chain(5, 0.1);
  const std::size_t n = s.x.size();
  Variation variation{std::vector<double>(n), std::vector<double>(n)};
  for (std::size_t a = 0; a < n; ++a) {
    variation.x[a] = std::sin(2.0 * static_cast<double>(a));
    variation.v[a] = std::cos(3.0 * static_cast<double>(a));
  }
  State<1> state = s.begin();
  Tangents<1> tangents(s.system, state, {variation});
  queue(s.system, state, {nullptr, &tangents, 1})->advance(5.0);
  const auto moved = [&](double e) {
    State<1> other = s.begin();
    for (std::size_t a = 0; a < n; ++a) {
      other.nodes[a].x[0] += e * variation.x[a];
      other.nodes[a].v[0] += e * variation.v[a];
    }
    queue(s.system, other)->advance(5.0);
    return other;
  };
  const double e = 1e-4;
  const State<1> plus = moved(e), minus = moved(-e);
  for (std::size_t a = 0; a < n; ++a) {
    EXPECT_NEAR(tangents.x(0, static_cast<int>(a), 0),
                (plus.nodes[a].x[0] - minus.nodes[a].x[0]) / (2.0 * e), 1e-6);
    EXPECT_NEAR(tangents.v(0, static_cast<int>(a), 0),
                (plus.nodes[a].v[0] - minus.nodes[a].v[0]) / (2.0 * e), 1e-6);
  }
}

TEST(Tangents, PrescribedComponentsDoNotVary) {
  Sample<2> s = spring_net(3, 3, 0.05);
  s.supports.add(9, {0, {true, true}, {0.0, 0.0}, {}, {}});
  s.supports.add(9, {4, {false, true}, {0.0, 1.0}, {}, {}});
  const Variation variation{std::vector<double>(18, 1.0), std::vector<double>(18, -0.5)};
  State<2> state = s.begin();
  Tangents<2> tangents(s.system, state, {variation});
  queue(s.system, state, {nullptr, &tangents, 1})->advance(2.0);
  for (int c = 0; c < 2; ++c) {
    EXPECT_EQ(tangents.x(0, 0, c), 0.0);
    EXPECT_EQ(tangents.v(0, 0, c), 0.0);
  }
  EXPECT_EQ(tangents.x(0, 4, 1), 0.0);
  EXPECT_NE(tangents.x(0, 4, 0), 0.0);
}

TEST(Tangents, SecondDerivativesByDifferencesHaveTwelveDigits) {
  const Pairs<2, LennardJones> pairs({{0, 1}}, {{1.0, 1.0}});
  const std::array<double, 4> x{0.3, 0.2, 1.2, 0.9};
  std::array<double, 16> h{};
  difference_hessian(pairs, 0, x.data(), 0.0, h.data());
  const double dx = 0.9, dy = 0.7, r2 = dx * dx + dy * dy, r = std::sqrt(r2);
  const double slope = LennardJones{}.slope(r), i6 = 1.0 / (r2 * r2 * r2);
  const double second = 4.0 * (156.0 * i6 * i6 - 42.0 * i6) / r2;
  const double exact[3] = {second * dx * dx / r2 + slope / r * (1.0 - dx * dx / r2),
                           second * dx * dy / r2 - slope / r * dx * dy / r2,
                           second * dy * dy / r2 + slope / r * (1.0 - dy * dy / r2)};
  const double size = std::abs(exact[0]) + std::abs(exact[1]) + std::abs(exact[2]);
  EXPECT_NEAR(h[0], exact[0], 1e-11 * size);
  EXPECT_NEAR(h[1], exact[1], 1e-11 * size);
  EXPECT_NEAR(h[5], exact[2], 1e-11 * size);
  EXPECT_NEAR(h[2], -exact[0], 1e-11 * size);
  EXPECT_NEAR(h[10], exact[0], 1e-11 * size);
}

TEST(Tangents, WrongSizesAreRefused) {
  const Sample<1> s = nonlinear_chain(5, 0.1);
  expect_words(refusal([&] {
                 Tangents<1>(s.system, s.begin(), {{{1.0}, {}}});
               }),
               {"variation 0", "1 positions", "5"});
}

}  // namespace
}  // namespace varia::terms::symplectic_test
