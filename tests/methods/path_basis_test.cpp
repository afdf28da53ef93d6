// SPDX-License-Identifier: BSD-3-Clause
// Galerkin methods with functions of one's own: polynomials give the known methods, sines and
// cosines follow an oscillation.
#include "varia/methods/path_basis.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "refusal.hpp"
#include "varia/flow/flow.hpp"
#include "varia/flow/integrate.hpp"
#include "varia/methods/methods.hpp"

namespace varia::path_basis_test {
namespace {

using V1 = Vector<double, 1>;

double farthest(const SplitArray& x, const SplitArray& y) {
  EXPECT_EQ(x.hi.size(), y.hi.size());
  double most = 0.0;
  for (std::size_t i = 0; i < x.hi.size(); ++i)
    most = std::max(most, std::abs((x.hi[i] - y.hi[i]) + (x.lo[i] - y.lo[i])));
  return most;
}

TEST(PathBasis, PolynomialsGiveTheKnownMethods) {
  for (const auto& rule : {gauss_quadrature(3), gauss_quadrature(5), lobatto_quadrature(3)}) {
    const Method ours = galerkin(polynomial_basis(3), rule, 2 * 3);
    const Method known = galerkin(3, rule);
    EXPECT_EQ(ours.order(), known.order());
    EXPECT_EQ(ours.symmetric(), known.symmetric());
    EXPECT_EQ(ours.stages()->nodal, known.stages()->nodal);
    EXPECT_LT(farthest(ours.stages()->A, known.stages()->A), 1e-28) << rule.name;
    EXPECT_LT(farthest(ours.stages()->B, known.stages()->B), 1e-28) << rule.name;
    EXPECT_LT(farthest(ours.stages()->beta, known.stages()->beta), 1e-28) << rule.name;
  }
}

/// cos kθτ = Σⱼ ψⱼ(τ) cos kθcⱼ at points that are not nodes: what the table says of values and integrals.
TEST(PathBasis, HoldsItsFunctions) {
  const double theta = 1.3;
  const Quadrature nodes = gauss_quadrature(5);
  const Quadrature rule = gauss_quadrature(8);
  const StageCoefficients k = *galerkin(trigonometric_basis(2, theta), rule).stages();
  for (int harmonic = 1; harmonic <= 2; ++harmonic)
    for (std::size_t i = 0; i < 8; ++i) {
      const double w = harmonic * theta;
      const double c = double(rule.c[i]);
      double value = 0.0;
      double integral = 0.0;
      for (std::size_t j = 0; j < 5; ++j) {
        const double at_node = std::sin(w * double(nodes.c[j]));
        value += k.B.hi[i * 5 + j] * at_node;
        integral += k.A.hi[i * 5 + j] * at_node;
      }
      EXPECT_NEAR(value, std::sin(w * c), 1e-13);
      EXPECT_NEAR(integral, (1.0 - std::cos(w * c)) / w, 1e-13);
    }
}

State<V1, 0> oscillator_after(const Method& method, double omega, double h, int steps) {
  const System system{[omega](const auto& q, const auto& v) {
    return 0.5 * v.dot(v) - 0.5 * omega * omega * q.dot(q);
  }};
  return advance(Flow(method, system), initial(system, V1(0.7), V1(-0.4)), h, steps);
}

/// Steps of half a period: no polynomial method comes near.
TEST(PathBasis, ExactOnTheOscillatorItIsMadeFor) {
  const double omega = 2.5;
  const double h = 1.2;
  const int steps = 100;
  const auto s = oscillator_after(trigonometric(1, omega * h), omega, h, steps);
  const double t = h * steps;
  const double exact = 0.7 * std::cos(omega * t) - 0.4 / omega * std::sin(omega * t);
  const auto polynomial = oscillator_after(galerkin(3, gauss_quadrature(5)), omega, h, steps);
  const auto more_points = oscillator_after(
      galerkin(trigonometric_basis(1, omega * h), gauss_quadrature(14)), omega, h, steps);
  EXPECT_LT(std::abs(more_points.q[0] - exact), 2e-13);
  EXPECT_LT(std::abs(s.q[0] - exact), 2e-3);
  EXPECT_GT(std::abs(polynomial.q[0] - exact), 1e-1);
}

State<V1, 0> pendulum_after(const Method& method, double h, int steps) {
  const System system{[](const auto& q, const auto& v) { return 0.5 * v.dot(v) + cos(q[0]); }};
  return advance(Flow(method, system), initial(system, V1(1.1), V1(0.3)), h, steps);
}

double pendulum_error(const Method& method, double h, const State<V1, 0>& exact) {
  const auto s = pendulum_after(method, h, static_cast<int>(std::lround(4 / h)));
  return std::max(std::abs(s.q[0] - exact.q[0]), std::abs(s.p[0] - exact.p[0]));
}

/// With θ = ωh the functions tend to polynomials of degree 2: order 6. With θ kept, only the
/// constants are held exactly: order 2.
TEST(PathBasis, OrderOnThePendulum) {
  const auto exact = pendulum_after(gauss(8), 0.1, 40);
  const auto slope = [&](double h, const auto& method_of) {
    return std::log2(pendulum_error(method_of(h), h, exact) /
                     pendulum_error(method_of(h / 2), h / 2, exact));
  };
  EXPECT_NEAR(slope(0.25, [](double h) { return trigonometric(1, h); }), 6.0, 0.1);
  EXPECT_NEAR(slope(0.03125, [](double) { return trigonometric(1, 2.0); }), 2.0, 0.1);
}

TEST(PathBasis, Refusals) {
  const auto says = [](const char* word, const auto& f) { expect_words(refusal(f), {word}); };
  says("harmonics", [] { trigonometric(0, 1.0); });
  says("theta", [] { trigonometric(1, 0.0); });
  says("theta", [] { trigonometric(3, 7.0); });
  says("at least as many points",
       [] { galerkin(trigonometric_basis(1, 1.0), gauss_quadrature(2)); });
  says("constants", [] { trigonometric(10, 1e-3); });
  PathBasis twice = polynomial_basis(2);
  const auto values = twice.values;
  twice.values = [values](const DoubleDouble& x) {
    return std::vector<DoubleDouble>{values(x)[0], values(x)[0]};
  };
  says("not independent", [&] { galerkin(twice, gauss_quadrature(2)); });
}

}  // namespace
}  // namespace varia::path_basis_test
