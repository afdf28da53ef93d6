// SPDX-License-Identifier: BSD-3-Clause
// Discrete Lagrangians as kernels of (h, q₀, q₁ - q₀): differences of positions lose no digits, in
// whichever order they are written.
#include "varia/mechanics/discrete_lagrangian_system.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "varia/expr/parse.hpp"

namespace varia::discrete_lagrangian_system_test {
namespace {

/// In h, a, c (q₀) and b, d (q₁).
DiscreteLagrangianSystem system_of(const std::string& text) {
  expr::Graph graph;
  expr::Scope scope;
  int variable = 0;
  for (const char* name : {"h", "a", "c", "b", "d"}) scope.add(name, graph.variable(variable++));
  return discrete_lagrangian_system(graph, expr::parse(graph, scope, text), 2);
}

std::vector<double> evaluate(const expr::Kernel& kernel, const std::vector<double>& x) {
  std::vector<double> out(static_cast<std::size_t>(kernel.tape().outputs()));
  kernel(x.data(), out.data());
  return out;
}

/// Far from the origin, at a distance that q₁ - q₀ of rounded positions could not resolve.
const double h = 0.1;
const std::vector<double> far = {h, 1e9, -3e8, 1e-9, 2e-9};

TEST(DiscreteLagrangianSystem, DifferencesLoseNoDigits) {
  const double u = far[3];
  const double v = far[4];
  for (const char* text : {"((b - a)^2 + 3*(d - c)^2)/(2*h)", "((a - b)^2 + 3*(c - d)^2)/(2*h)",
                           "((b - a)*(b - a) - 3*(c - d)*(d - c))/(2*h)"}) {
    const auto s = system_of(text);
    const double value = (u * u + 3 * v * v) / (2 * h);
    EXPECT_NEAR(evaluate(s.value, far)[0], value, 1e-15 * value) << text;
    EXPECT_NEAR(evaluate(s.energy, far)[0], value / h, 1e-15 * value / h) << text;
    const auto d = evaluate(s.first, far);
    EXPECT_NEAR(d[0], -u / h, 1e-15 * u / h) << text;
    EXPECT_NEAR(d[1], -3 * v / h, 3e-15 * v / h) << text;
    EXPECT_NEAR(d[2], u / h, 1e-15 * u / h) << text;
    EXPECT_NEAR(d[3], 3 * v / h, 3e-15 * v / h) << text;
  }
  // squares multiplied out do
  const auto s = system_of("((b^2 - 2*a*b + a^2) + (d - c)^2)/(2*h)");
  EXPECT_GT(std::abs(evaluate(s.first, far)[2] - u / h), 0.5 * u / h);
}

/// q₀ alone, q₁ alone, and differences of two coordinates of one end are what they are.
TEST(DiscreteLagrangianSystem, OtherDifferencesAreLeftAlone) {
  const auto s =
      system_of("((b - a)^2 + (d - c)^2)/(2*h) - h*((a - c)^2 + (b - d)^4 + (b - c)^2 + a*d)");
  const double a = 0.7, c = -0.4, b = 1.1, d = 0.3;
  const std::vector<double> x = {h, a, c, b - a, d - c};
  const double kinetic = ((b - a) * (b - a) + (d - c) * (d - c)) / 2;
  const double potential = std::pow(a - c, 2) + std::pow(b - d, 4) + std::pow(b - c, 2) + a * d;
  EXPECT_NEAR(evaluate(s.value, x)[0], kinetic / h - h * potential, 1e-14);
  EXPECT_NEAR(evaluate(s.energy, x)[0], kinetic / (h * h) + potential, 1e-13);
  const auto g = evaluate(s.first, x);
  EXPECT_NEAR(g[0], -(b - a) / h - h * (2 * (a - c) + d), 1e-14);
  EXPECT_NEAR(g[1], -(d - c) / h + h * (2 * (a - c) + 2 * (b - c)), 1e-14);
  EXPECT_NEAR(g[2], (b - a) / h - h * (4 * std::pow(b - d, 3) + 2 * (b - c)), 1e-14);
  EXPECT_NEAR(g[3], (d - c) / h + h * (4 * std::pow(b - d, 3) - a), 1e-14);
  EXPECT_EQ(s.point(&x[1], std::vector<double>{b, d}.data(), h), x);
}

}  // namespace
}  // namespace varia::discrete_lagrangian_system_test
