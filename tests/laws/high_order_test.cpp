// SPDX-License-Identifier: BSD-3-Clause
// The orders of all tables of coefficients, measured with 32 digits, where order 10 can be seen; and
// what is left of them when the kinetic energy is not quadratic.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <map>

#include "varia/methods/composition.hpp"

namespace varia::high_order_test {
namespace {

using Kind = CompositionScheme::Kind;
using Pair = std::array<DoubleDouble, 2>;

struct Point {
  Pair q, p;
};

/// The force of the potential of Hénon and Heiles.
Pair force(const Pair& q) { return {-q[0] - 2.0 * q[0] * q[1], -q[1] - q[0] * q[0] + q[1] * q[1]}; }

/// ∂T/∂p of T = ½|p|² + c (p₀⁴/4 + p₀²p₁²/2): quadratic for c = 0.
Pair velocity(const Pair& p, double c) {
  return {p[0] + c * p[0] * (p[0] * p[0] + p[1] * p[1]), p[1] + c * p[0] * p[0] * p[1]};
}

void kick(Point& z, const DoubleDouble& h) {
  const Pair f = force(z.q);
  for (std::size_t a = 0; a < 2; ++a) z.p[a] += h * f[a];
}

void drift(Point& z, const DoubleDouble& h, double c) {
  const Pair v = velocity(z.p, c);
  for (std::size_t a = 0; a < 2; ++a) z.q[a] += h * v[a];
}

void step(const CompositionScheme& scheme, Point& z, const DoubleDouble& h, double c) {
  if (scheme.kind == Kind::palindrome) {
    for (const DoubleDouble& fraction : scheme.fractions) {
      kick(z, 0.5 * fraction * h);
      drift(z, fraction * h, c);
      kick(z, 0.5 * fraction * h);
    }
    return;
  }
  kick(z, scheme.kicks[0] * h);
  for (std::size_t i = 0; i < scheme.drifts.size(); ++i) {
    drift(z, scheme.drifts[i] * h, c);
    kick(z, scheme.kicks[i + 1] * h);
  }
}

Point end_of(const CompositionScheme& scheme, int steps, double c) {
  Point z{{0.1, 0.3}, {0.4, 0.1}};
  for (int k = 0; k < steps; ++k) step(scheme, z, DoubleDouble(3.0) / steps, c);
  return z;
}

double distance(const Point& a, const Point& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < 2; ++i)
    sum += std::abs(double(a.q[i] - b.q[i])) + std::abs(double(a.p[i] - b.p[i]));
  return sum;
}

/// The slope of the differences of runs with n, 2n and 4n steps: log₂ of the ratio tends to the order.
double measured(const CompositionScheme& scheme, double c, int n) {
  const Point fine = end_of(scheme, 2 * n, c);
  const double coarse = distance(end_of(scheme, n, c), fine);
  const double finer = distance(fine, end_of(scheme, 4 * n, c));
  EXPECT_GT(finer, 1e-27) << scheme.name << ": round-off";
  return std::log2(coarse / finer);
}

/// Enough for the leading term to lead, few enough to stay clear of round-off.
int steps_for(const CompositionScheme& scheme) { return scheme.order > 8 ? 48 : 192; }

TEST(HighOrder, TablesHaveTheirOrder) {
  for (const CompositionScheme& scheme : composition_schemes()) {
    const double order = measured(scheme, 0.0, steps_for(scheme));
    EXPECT_NEAR(order, scheme.order, 0.05) << scheme.name;
    std::printf("%-24s order %2d, measured %.4f\n", scheme.name.c_str(), scheme.order, order);
  }
}

/// T not quadratic: kick-drift sets and palindromes keep their order, the sets of Nyström do not.
TEST(HighOrder, NystromSetsLoseTheirOrderForOtherKineticEnergies) {
  const std::map<std::string, int> lower{{"mclachlan_atela(4)", 3},
                                         {"mclachlan_atela(5)", 3},
                                         {"blanes_moan_rkn(6, 11)", 4},
                                         {"blanes_moan_rkn(6, 14)", 4}};
  for (const CompositionScheme& scheme : composition_schemes()) {
    const auto found = lower.find(scheme.name);
    EXPECT_EQ(found != lower.end(), scheme.kind == Kind::nystrom) << scheme.name;
    const int expected = found == lower.end() ? scheme.order : found->second;
    const double order = measured(scheme, 1.0, steps_for(scheme));
    EXPECT_NEAR(order, expected, 0.05) << scheme.name;
    std::printf("%-24s order %2d, measured %.4f when T is not quadratic\n", scheme.name.c_str(),
                expected, order);
  }
}

/// A step forth and back is the identity exactly for the palindromes.
TEST(HighOrder, SymmetricTablesReverse) {
  for (const CompositionScheme& scheme : composition_schemes()) {
    const Point start{{0.1, 0.3}, {0.4, 0.1}};
    Point z = start;
    step(scheme, z, 0.25, 0.0);
    step(scheme, z, -0.25, 0.0);
    const bool symmetric =
        scheme.name.substr(0, 4) != "ruth" && scheme.name.substr(0, 15) != "mclachlan_atela";
    if (symmetric) {
      EXPECT_LT(distance(z, start), 1e-28) << scheme.name;
    } else {
      EXPECT_GT(distance(z, start), 1e-8) << scheme.name;
    }
  }
}

}  // namespace
}  // namespace varia::high_order_test
