// SPDX-License-Identifier: BSD-3-Clause
// Lagrangians linear in the velocities: orders, energy over long times, parasitic modes.
#include "problems.hpp"
#include "varia/varia.hpp"

namespace varia::degenerate_test {
namespace {

using namespace problems;
using enum OneFormProjection;
using V2 = Vector<double, 2>;

double order_of(int s, OneFormProjection projection, long coarse) {
  const V2 q(1.0, 1.0);
  const auto fine = one_form_flow(6, population_form, population_energy, symmetric);
  const V2 exact = advance(fine, fine.start(q), 0.02, 100).q;
  const auto flow = one_form_flow(s, population_form, population_energy, projection);
  const auto error = [&](long n) {
    return (advance(flow, flow.start(q), 2.0 / static_cast<double>(n), n).q - exact).norm();
  };
  return std::log2(error(coarse) / error(2 * coarse));
}

template <class H>
double worst_energy(const OneFormFlow& flow, const H& energy, const V2& q, double h, long steps) {
  double most = 0.0;
  advance(flow, flow.start(q), h, steps, [&](const VectorState& s) {
    most = std::max(most, std::abs(energy(V2(s.q)) - energy(q)));
  });
  return most;
}

/// The motion is that of the first-order equations.
TEST(Degenerate, TheEquationsOfMotion) {
  const auto flow = one_form_flow(4, population_form, population_energy, symmetric);
  const V2 q(1.3, 0.8);
  const double h = 1e-3;
  const V2 v = (flow(flow.start(q), h).q - flow(flow.start(q), -h).q) / (2.0 * h);
  EXPECT_NEAR(v[0], 1.3 * (0.8 - 2.0), 1e-5);
  EXPECT_NEAR(v[1], 0.8 * (1.0 - 1.3), 1e-5);
}

/// Order 2s with the projection; without it s for even s, s + 1 for odd s; s with the half projection.
TEST(Degenerate, Orders) {
  EXPECT_NEAR(order_of(1, symmetric, 40), 2.0, 0.1);
  EXPECT_NEAR(order_of(2, symmetric, 20), 4.0, 0.1);
  EXPECT_NEAR(order_of(3, symmetric, 15), 6.0, 0.1);
  EXPECT_NEAR(order_of(1, none, 60), 2.0, 0.1);
  EXPECT_NEAR(order_of(2, none, 60), 2.0, 0.1);
  EXPECT_NEAR(order_of(3, none, 60), 4.0, 0.1);
  EXPECT_NEAR(order_of(4, none, 20), 4.0, 0.1);
  EXPECT_NEAR(order_of(1, each_step, 400), 1.0, 0.1);
  EXPECT_NEAR(order_of(2, each_step, 60), 2.0, 0.1);
  EXPECT_NEAR(order_of(3, each_step, 60), 3.0, 0.1);
}

/// Energy over 2000 periods' worth of steps: bounded with the projection, and small as h^{2s}.
TEST(Degenerate, EnergyIsBounded) {
  const V2 q(1.0, 1.0);
  for (const int s : {1, 2, 3}) {
    const auto flow = one_form_flow(s, population_form, population_energy, symmetric);
    const double early = worst_energy(flow, population_energy, q, 0.1, 500);
    EXPECT_LT(worst_energy(flow, population_energy, q, 0.1, 10000), 1.05 * early) << s;
    EXPECT_NEAR(std::log2(early / worst_energy(flow, population_energy, q, 0.05, 1000)), 2.0 * s,
                0.2)
        << s;
  }
  const auto centre = one_form_flow(1, guiding_form, guiding_energy, symmetric);
  const double early = worst_energy(centre, guiding_energy, V2(1.0, 0.3), 0.25, 1000);
  EXPECT_LT(worst_energy(centre, guiding_energy, V2(1.0, 0.3), 0.25, 10000), 1.1 * early);
}

/// Without it, and with half of it, energy goes away in proportion to time (s even).
TEST(Degenerate, EnergyDriftsWithoutTheProjection) {
  const V2 q(1.0, 1.0);
  for (const auto projection : {none, each_step}) {
    const auto flow = one_form_flow(2, population_form, population_energy, projection);
    const double early = worst_energy(flow, population_energy, q, 0.1, 1000);
    EXPECT_GT(worst_energy(flow, population_energy, q, 0.1, 10000), 4.0 * early);
  }
}

/// F⁻ʰFʰ = id with the symmetric projection and without any, not with half of it.
TEST(Degenerate, Reversible) {
  for (const int s : {1, 2}) {
    const auto full = one_form_flow(s, population_form, population_energy, symmetric);
    const auto plain = one_form_flow(s, population_form, population_energy, none);
    const auto half = one_form_flow(s, population_form, population_energy, each_step);
    const auto start = full.start(V2(1.0, 1.0));
    EXPECT_LT(check_reversible(full, start, 0.1, 10).defect, 1e-12);
    EXPECT_LT(check_reversible(plain, start, 0.1, 10).defect, 1e-12);
    EXPECT_GT(check_reversible(half, start, 0.1, 10).defect, 1e-5);
  }
}

/// The naive ways to the same discrete Lagrangians: two positions as a start, or the trapezoid rule.
/// Both contain the parasitic mode, and it grows until the populations are negative.
TEST(Degenerate, ParasiticModesOfTheTwoStepEquations) {
  const auto lagrangian = [](const auto& q, const auto& v) {
    return population_form(q).dot(v) - population_energy(q);
  };
  const auto midpoint_rule = [&](const auto& a, const auto& b, double h) {
    using V = std::decay_t<decltype(a)>;
    return h * lagrangian(V((a + b) * 0.5), V((b - a) * (1.0 / h)));
  };
  const auto trapezoid_rule = [&](const auto& a, const auto& b, double h) {
    using V = std::decay_t<decltype(a)>;
    const V v = (b - a) * (1.0 / h);
    return (lagrangian(a, v) + lagrangian(b, v)) * (0.5 * h);
  };
  const double h = 0.1;
  const V2 q0(1.0, 1.0);
  const auto plain = one_form_flow(1, population_form, population_energy, none);
  const VectorState by_vectors = plain.start(q0);
  const State<V2> start = make_state(V2(by_vectors.q), V2(by_vectors.p));
  // the consistent start, p = θ(q): the midpoint rule is the one of OneFormFlow, and it lasts
  const DiscreteFlow two_step(midpoint_rule);
  EXPECT_LT((advance(two_step, start, h, 100).q - advance(plain, by_vectors, h, 100).q).norm(),
            1e-10);
  EXPECT_LT(worst_energy(plain, population_energy, q0, h, 5000), 1e-2);
  // a second position from the explicit Euler method, off by O(h²)
  const V2 q1 = q0 + h * V2(1.0 * (1.0 - 2.0), 0.0);
  auto naive = start;
  naive.p = -slot_derivatives(midpoint_rule, q0, q1, h).d1;
  EXPECT_LT((naive.p - start.p).norm(), 5e-3);
  EXPECT_THROW(advance(two_step, naive, h, 1000), Error);
  // the trapezoid rule amplifies it even from the consistent start
  EXPECT_THROW(advance(DiscreteFlow(trapezoid_rule), start, h, 1000), Error);
}

}  // namespace
}  // namespace varia::degenerate_test
