// SPDX-License-Identifier: BSD-3-Clause
// Order 2 with half a step of impulse in advance, 1 without and 1 where steps change; and convergence
// needs every step to go to zero: the largest step of any term bounds the asynchronicity [West04, 6.4].
#include <gtest/gtest.h>

#include "terms/samples.hpp"
#include "varia/terms/gradient.hpp"

namespace varia::terms::order_test {
namespace {

constexpr double end_time = 7.3;

struct Errors {
  double x, v, raw;  ///< raw: velocities that were not synchronised
};

/// Positions and velocities at end_time, by the classical Runge-Kutta method with very small steps.
std::vector<double> exact(const Sample<1>& s) {
  const std::size_t n = s.x.size();
  std::vector<double> y(s.x);
  y.insert(y.end(), s.v.begin(), s.v.end());
  const auto f = [&](const std::vector<double>& z) {
    std::vector<double> rate(2 * n, 0.0);
    std::copy(z.begin() + static_cast<long>(n), z.end(), rate.begin());
    for_gradients(s.system, z, 0.0,
                  [&](int, int a, const double* g) { rate[n + a] -= g[0] / s.system.masses()[a]; });
    return rate;
  };
  const auto shifted = [&](double h, const std::vector<double>& k) {
    std::vector<double> z(y);
    for (std::size_t i = 0; i < z.size(); ++i) z[i] += h * k[i];
    return z;
  };
  const int steps = 7300;
  const double h = end_time / steps;
  for (int i = 0; i < steps; ++i) {
    const auto k1 = f(y), k2 = f(shifted(h / 2, k1)), k3 = f(shifted(h / 2, k2)),
               k4 = f(shifted(h, k3));
    for (std::size_t j = 0; j < y.size(); ++j)
      y[j] += h / 6 * (k1[j] + 2 * k2[j] + 2 * k3[j] + k4[j]);
  }
  return y;
}

/// Steps that swing about those of a sample with time, smoothly: the same shape for every size.
struct Swinging final : StepRule {
  std::vector<double> steps;
  explicit Swinging(std::vector<double> nominal) : steps(std::move(nominal)) {}
  double step(int term, double t, const double*, const Clock&) override {
    return steps[static_cast<std::size_t>(term)] * (1.0 + 0.5 * std::sin(2.0 * t + term));
  }
};

Errors errors(const Sample<1>& s, const std::vector<double>& reference, bool half_kick,
              bool changing = false) {
  State<1> state = s.begin(half_kick);
  Swinging rule(s.steps);
  ScheduleOptions<1> options;
  if (changing) options.rule = &rule;
  node_clocks(s.system, state, options)->advance(end_time);
  const auto at = synchronise(s.system, state, end_time);
  Errors e{};
  const std::size_t n = at.x.size();
  for (std::size_t a = 0; a < n; ++a) {
    e.x = std::max(e.x, std::abs(at.x[a] - reference[a]));
    e.v = std::max(e.v, std::abs(at.v[a] - reference[n + a]));
    e.raw = std::max(e.raw, std::abs(state.nodes[a].v[0] - reference[n + a]));
  }
  return e;
}

/// Slope of a straight line through (log h, log e).
double slope(const std::vector<double>& h, const std::vector<double>& e) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0;
  const auto n = static_cast<double>(h.size());
  for (std::size_t i = 0; i < h.size(); ++i) {
    const double x = std::log(h[i]), y = std::log(e[i]);
    sx += x, sy += y, sxx += x * x, sxy += x * y;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

struct Slopes {
  double x, v, raw;
};

Slopes slopes(bool half_kick, bool changing = false) {
  const std::vector<double> reference = exact(nonlinear_chain(6, 0.1));
  std::vector<double> sizes, x, v, raw;
  for (double size = 0.1; size > 0.002; size /= 1.6) {
    const Errors e = errors(nonlinear_chain(6, size), reference, half_kick, changing);
    sizes.push_back(size);
    x.push_back(e.x);
    v.push_back(e.v);
    raw.push_back(e.raw);
  }
  return {slope(sizes, x), slope(sizes, v), slope(sizes, raw)};
}

TEST(Order, IsTwoWithTheHalfKick) {
  const Slopes s = slopes(true);
  EXPECT_NEAR(s.x, 2.0, 0.15);
  EXPECT_NEAR(s.v, 2.0, 0.25);
  EXPECT_NEAR(s.raw, 1.0, 0.35);  // each term still owes or lent part of its impulse
}

TEST(Order, IsOneWithout) {
  const Slopes s = slopes(false);
  EXPECT_NEAR(s.x, 1.0, 0.15);
  EXPECT_NEAR(s.v, 1.0, 0.2);
}

/// The impulse of a term is that of the interval before it: with h_j - h_(j-1) = O(h²) the sum of
/// impulses is off by O(h), half kick or not.
TEST(Order, IsOneWhereStepsChange) {
  const Slopes s = slopes(true, true);
  EXPECT_NEAR(s.x, 1.0, 0.15);
  EXPECT_NEAR(s.v, 1.0, 0.2);
}

TEST(Convergence, HoldsForStepsOverManyScales) {
  const std::vector<double> reference = exact(nonlinear_chain(6, 0.1));
  std::vector<double> sizes, e;
  for (double size = 0.2; size > 0.02; size /= 1.5) {
    Sample<1> s = nonlinear_chain(6, size);
    for (std::size_t K = 0; K < s.steps.size(); ++K)
      s.steps[K] *= std::pow(0.31, static_cast<double>(K));  // the largest is 100 times the least
    sizes.push_back(size);
    e.push_back(errors(s, reference, false).x);
    EXPECT_LT(e.back(), 2.0 * size);
  }
  EXPECT_GT(slope(sizes, e), 0.8);
}

TEST(Convergence, NeedsEveryStepToGoToZero) {
  const std::vector<double> reference = exact(nonlinear_chain(6, 0.1));
  std::vector<double> e;
  for (const double size : {0.1, 0.01, 0.001}) {
    Sample<1> s = nonlinear_chain(6, size);
    s.steps[2] = 0.3;
    e.push_back(errors(s, reference, true).x);
  }
  EXPECT_GT(e[2], 0.5 * e[1]);
  EXPECT_GT(e[2], 1e-3);
}

struct Parabola {
  template <class X, class T> auto operator()(const X& x, const T&) const {
    return 0.5 * x[0] * x[0];
  }
};

/// W6-T7: an oscillator from (1, 0.5) to t = 1 by the parts (v, 0) and (0, -x) of its equations in N
/// equal steps each. All steps go to zero; what counts is how far one part runs ahead of the other.
double split_error(int steps, bool alternating) {
  Fields<1, 1, Parabola> family({{0}}, {{}});
  Supports<1> none;
  Node<1> node{};
  node.x = {1.0};
  node.v = {0.5};
  node.inverse_mass = 1.0;
  const double h = 1.0 / steps;
  for (int i = 1; i <= steps; ++i) {
    family.drift(0, i * h, &node, none);
    if (alternating) family.kick(0, i * h, h, &node, none);
  }
  for (int i = 0; i < steps && !alternating; ++i) family.kick(0, 1.0, h, &node, none);
  const double c = std::cos(1.0), s = std::sin(1.0);
  return std::hypot(node.x[0] - (c + 0.5 * s), node.v[0] - (0.5 * c - s));
}

TEST(Convergence, NeedsTheAsynchronicityToGoToZero) {
  const double printed[] = {4.8e-2, 4.7e-3, 4.7e-4};
  for (int i = 0, steps = 10; i < 3; ++i, steps *= 10) {
    EXPECT_NEAR(split_error(steps, false), 0.6887, 5e-5) << steps;
    EXPECT_NEAR(split_error(steps, true), printed[i], 0.011 * printed[i]) << steps;
  }
}

}  // namespace
}  // namespace varia::terms::order_test
