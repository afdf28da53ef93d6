// SPDX-License-Identifier: BSD-3-Clause
// Gradients of every kind of term against automatic differentiation; loads; what cannot be.
#include <gtest/gtest.h>

#include "refusal.hpp"
#include "terms/loads.hpp"

namespace varia::terms::pairs_test {
namespace {

using std::pow;
using std::sqrt;

/// The potentials once more, generic in the scalar.
template <class R> R written_out(const Spring& p, const R& r) {
  return 0.5 * p.stiffness * pow(r - p.rest, 2);
}
template <class R> R written_out(const NonlinearSpring& p, const R& r) {
  const R s = r - p.rest;
  return 0.5 * p.stiffness * pow(s, 2) + p.alpha / 3.0 * pow(s, 3) + p.beta / 4.0 * pow(s, 4);
}
template <class R> R written_out(const LennardJones& p, const R& r) {
  return 4.0 * p.epsilon * (pow(p.sigma / r, 12) - pow(p.sigma / r, 6));
}
template <class R> R written_out(const Gravity& p, const R& r) { return -p.strength / r; }

template <int D, class Potential> struct Written {
  Potential potential;
  template <class X, class T> auto operator()(const X& x, const T&) const {
    auto square = (x[D] - x[0]) * (x[D] - x[0]);
    for (int c = 1; c < D; ++c) square = square + (x[D + c] - x[c]) * (x[D + c] - x[c]);
    return written_out(potential, sqrt(square));
  }
};

template <int D, class Potential> void compare(const Potential& potential) {
  const std::vector<std::array<int, 2>> pair{{0, 1}};
  const Pairs<D, Potential> pairs(pair, {potential});
  const Fields<D, 2, Written<D, Potential>> fields(pair, {{potential}});
  for (int trial = 0; trial < 20; ++trial) {
    std::array<double, 2 * D> x{}, g{}, expected{};
    for (int i = 0; i < 2 * D; ++i) x[i] = (i < D ? 0.0 : 0.9) + 0.3 * std::sin(7.0 * trial + i);
    const double value = fields.energy(0, x.data(), 0.0);
    EXPECT_NEAR(pairs.energy(0, x.data(), 0.0), value, 1e-13 * (1.0 + std::abs(value)));
    pairs.gradient(0, x.data(), 0.0, g.data());
    fields.gradient(0, x.data(), 0.0, expected.data());
    double size = 1.0;
    for (int i = 0; i < 2 * D; ++i) size = std::max(size, std::abs(expected[i]));
    for (int i = 0; i < 2 * D; ++i) EXPECT_NEAR(g[i], expected[i], 1e-13 * size);
    for (int c = 0; c < D; ++c) EXPECT_EQ(g[c], -g[D + c]);
  }
}

template <class Potential> void compare_in_all_dimensions(const Potential& potential) {
  compare<1>(potential);
  compare<2>(potential);
  compare<3>(potential);
}

TEST(Pairs, HaveTheGradientsOfTheirEnergies) {
  compare_in_all_dimensions(Spring{3.0, 0.8});
  compare_in_all_dimensions(NonlinearSpring{3.0, 0.8, 1.5, -0.7});
  compare_in_all_dimensions(LennardJones{1.3, 0.9});
  compare_in_all_dimensions(Gravity{2.0});
}

TEST(Links, AreThePairsOfTheLineAndMayPass) {
  const NonlinearSpring spring{2.0, 1.0, 0.4, 0.3};
  const Links<NonlinearSpring> links({{0, 1}}, {spring});
  const Pairs<1, NonlinearSpring> pairs({{0, 1}}, {spring});
  std::array<double, 2> x{0.2, 1.5}, g{}, expected{};
  EXPECT_EQ(links.energy(0, x.data(), 0.0), pairs.energy(0, x.data(), 0.0));
  links.gradient(0, x.data(), 0.0, g.data());
  pairs.gradient(0, x.data(), 0.0, expected.data());
  EXPECT_NEAR(g[0], expected[0], 1e-15);
  EXPECT_NEAR(g[1], expected[1], 1e-15);
  x = {0.5, 0.5};
  links.gradient(0, x.data(), 0.0, g.data());
  EXPECT_DOUBLE_EQ(g[1], spring.slope(0.0));
  x = {0.7, 0.1};  // turned round
  const double h = 1e-5;
  std::array<double, 2> right{0.7, 0.1 + h}, left{0.7, 0.1 - h};
  links.gradient(0, x.data(), 0.0, g.data());
  EXPECT_NEAR(g[1],
              (links.energy(0, right.data(), 0.0) - links.energy(0, left.data(), 0.0)) / (2 * h),
              1e-8);
}

TEST(Pairs, ThatMeetAreAnError) {
  const Pairs<2, Spring> pairs({{0, 1}}, {{1.0, 1.0}});
  const std::array<double, 4> x{0.5, 0.25, 0.5, 0.25};
  std::array<double, 4> g{};
  expect_words(refusal<InvertedElement>([&] { pairs.gradient(0, x.data(), 1.5, g.data()); }),
               {"pair 0", "1.5"});
  try {
    pairs.energy(0, x.data(), 1.5);
    ADD_FAILURE();
  } catch (const InvertedElement& error) {
    EXPECT_EQ(error.element, 0);
    EXPECT_EQ(error.t, 1.5);
  }
}

TEST(Pairs, WrongRequestsAreRefused) {
  const auto two = [] { Pairs<2, Spring>({{0, 1}}, {{1.0, 1.0}, {1.0, 1.0}}); };
  expect_words(refusal(two), {"2 potentials", "1 pairs"});
  expect_has(refusal([] { Pairs<2, Spring>({{3, 3}}, {{1.0, 1.0}}); }), "node 3");
  expect_words(refusal([] { Links<Spring>({{0, 1}}, {}); }), {"0 potentials", "1 links"});
  expect_words(refusal([] {
                 Fields<2, 1, WellEnergy>({{0}, {1}}, {{1.0, 0.0, 0.0, 0.0}});
               }),
               {"1 energies", "2 terms"});
}

/// Families of the samples: V, its gradient and its rate in time by differences.
TEST(Family, GradientAndRateAreDerivativesOfTheEnergy) {
  const Sample<2> mixed = mixture(3, 3, 0.1, false), loaded = loaded_net(3, 3, 0.1);
  for (const Sample<2>* s : {&mixed, &loaded})
    for (const auto& family : s->system.families()) {
      const int n = 2 * family->nodes_per_term();
      std::vector<double> x(n), g(n);
      for (int i = 0; i < n; ++i) x[i] = 0.5 * i + 0.3 * std::sin(3.0 * i);
      family->gradient(0, x.data(), 0.7, g.data());
      const double h = 1e-4;
      const auto slope = [&](const auto& f) {
        return (8.0 * (f(h) - f(-h)) - (f(2 * h) - f(-2 * h))) / (12.0 * h);
      };
      for (int i = 0; i < n; ++i)
        EXPECT_NEAR(g[i], slope([&](double d) {
                      std::vector<double> y = x;
                      y[i] += d;
                      return family->energy(0, y.data(), 0.7);
                    }),
                    1e-9);
      EXPECT_NEAR(family->energy_rate(0, x.data(), 0.7),
                  slope([&](double d) { return family->energy(0, x.data(), 0.7 + d); }), 1e-9);
    }
}

TEST(Family, ActingIsDriftAndKick) {
  const Sample<2> s = mixture(3, 3, 0.1, false);
  State<2> a = s.begin(), b = s.begin();
  for (int K = 0; K < s.system.term_count(); ++K) {
    const auto [family, k] = s.system.place(K);
    family->act(k, 0.1 * (K + 1), 0.3, a.nodes.data(), a.supports);
    family->drift(k, 0.1 * (K + 1), b.nodes.data(), b.supports);
    family->kick(k, 0.1 * (K + 1), 0.3, b.nodes.data(), b.supports);
  }
  EXPECT_EQ(differences(a, b), 0);
}

}  // namespace
}  // namespace varia::terms::pairs_test
