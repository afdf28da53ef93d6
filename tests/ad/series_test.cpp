// SPDX-License-Identifier: BSD-3-Clause
// Power series as scalars: coefficients of elementary functions, and jets as coefficients.
#include "ad/series.hpp"

#include <gtest/gtest.h>

#include "refusal.hpp"

namespace varia::series_test {
namespace {

using X = Series<double, 6>;

/// x(t) = x₀ + t
X at(double x0) {
  X x(x0);
  x.coefficient(1) = 1.0;
  return x;
}

TEST(Series, KnownExpansions) {
  const X e = exp(at(0.0));
  const X s = sin(at(0.0));
  const X l = log(at(1.0));
  const X g = 1.0 / (1.0 - at(0.0));
  const X r = sqrt(at(1.0));
  double factorial = 1.0;
  const double roots[] = {1.0, 0.5, -0.125, 0.0625, -5.0 / 128, 7.0 / 256, -21.0 / 1024};
  for (int k = 0; k <= 6; ++k) {
    if (k > 0) factorial *= k;
    EXPECT_NEAR(e.coefficient(k), 1.0 / factorial, 1e-16);
    EXPECT_NEAR(s.coefficient(k), k % 2 == 0 ? 0.0 : (k % 4 == 1 ? 1.0 : -1.0) / factorial, 1e-16);
    EXPECT_NEAR(l.coefficient(k), k == 0 ? 0.0 : (k % 2 == 1 ? 1.0 : -1.0) / k, 1e-15);
    EXPECT_NEAR(g.coefficient(k), 1.0, 1e-15);
    EXPECT_NEAR(r.coefficient(k), roots[k], 1e-15);
  }
}

void expect_equal(const X& a, const X& b) {
  for (int k = 0; k <= 6; ++k)
    EXPECT_NEAR(a.coefficient(k), b.coefficient(k), 1e-12 * (1.0 + std::abs(b.coefficient(k))))
        << k;
}

TEST(Series, Identities) {
  X x(0.7);
  for (int k = 1; k <= 6; ++k) x.coefficient(k) = std::sin(3.0 * k);
  const X y = exp(x) + 2.0;
  expect_equal(sin(x) * sin(x) + cos(x) * cos(x), X(1.0));
  expect_equal(log(exp(x)), x);
  expect_equal(tan(x), sin(x) / cos(x));
  expect_equal(pow(y, 3), y * y * y);
  expect_equal(pow(y, -2), 1.0 / (y * y));
  expect_equal(pow(y, 2.5), y * y * sqrt(y));
  expect_equal(pow(y, x), exp(x * log(y)));
  expect_equal(hypot(x, y), sqrt(x * x + y * y));
  expect_equal(tan(atan2(x, y)), x / y);
  expect_equal(sinh(x) + cosh(x), exp(x));
  expect_equal(x / y * y, x);
  expect_equal((x - y) + y, x);
}

/// Coefficients that are jets carry the derivative in a parameter: exp(a(x₀ + t)).
TEST(Series, CoefficientsMayBeJets) {
  using J = Jet<double, 1>;
  Series<J, 4> x(0.3);
  x.coefficient(1) = J(1.0);
  const double a = 1.7;
  const auto y = exp(x * J::variable(a, 0));
  double factorial = 1.0;
  for (int k = 0; k <= 4; ++k) {
    if (k > 0) factorial *= k;
    const double value = std::pow(a, k) * std::exp(0.3 * a) / factorial;
    EXPECT_NEAR(y.coefficient(k).v, value, 1e-14);
    EXPECT_NEAR(y.coefficient(k).d[0], value * (k / a + 0.3), 1e-14);
  }
}

/// Vectors of series inside Eigen, mixed with doubles.
TEST(Series, InVectors) {
  Vector<X, 2> x(at(1.0), at(2.0));
  const X y = (2.0 * x).dot(x);  // 2(1 + t)² + 2(2 + t)²
  EXPECT_EQ(y.coefficient(0), 10.0);
  EXPECT_EQ(y.coefficient(1), 12.0);
  EXPECT_EQ(y.coefficient(2), 4.0);
  EXPECT_EQ(y.coefficient(3), 0.0);
}

TEST(Series, DomainErrors) {
  EXPECT_THROW(sqrt(at(0.0)), DomainError);
  EXPECT_THROW(1.0 / at(0.0), DomainError);
  EXPECT_THROW(log(at(-1.0)), DomainError);
}

}  // namespace
}  // namespace varia::series_test
