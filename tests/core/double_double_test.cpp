// SPDX-License-Identifier: BSD-3-Clause
#include "varia/core/double_double.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace varia::double_double_test {
namespace {

// 30-digit constants, rounded to two doubles.
constexpr DoubleDouble third{0.3333333333333333, 1.850371707708594e-17};
constexpr DoubleDouble sqrt2{1.4142135623730951, -9.667293313452913e-17};
constexpr DoubleDouble e{2.718281828459045, 1.4456468917292502e-16};
constexpr DoubleDouble pi{3.141592653589793, 1.2246467991473532e-16};
constexpr DoubleDouble e_times_pi{8.539734222673568, -6.773815290502424e-16};

double relative_error(const DoubleDouble& x, const DoubleDouble& exact) {
  return static_cast<double>(abs(x - exact) / abs(exact));
}

/// Numbers of either sign with random bits in both parts, magnitudes from 1e-6 to 1e6.
class Random {
 public:
  DoubleDouble operator()() {
    const double hi = std::ldexp(bits_(generator_), exponent_(generator_));
    return DoubleDouble(hi) + hi * 1e-16 * bits_(generator_);
  }

 private:
  std::mt19937 generator_{20190710};
  std::uniform_real_distribution<double> bits_{-1.0, 1.0};
  std::uniform_int_distribution<int> exponent_{-20, 20};
};

bool normalised(const DoubleDouble& x) { return x.hi == x.hi + x.lo; }

TEST(DoubleDouble, SumAndProductOfDoublesAreExact) {
  const DoubleDouble s = two_sum(1.0, 1e-20);
  EXPECT_EQ(s.hi, 1.0);
  EXPECT_EQ(s.lo, 1e-20);
  EXPECT_EQ(two_sum(1e-20, 1.0), s);
  EXPECT_EQ(two_sum(-1e-20, -1.0), -s);
  // (1 + 2⁻³⁰)² = 1 + 2⁻²⁹ + 2⁻⁶⁰
  const double x = 1.0 + std::ldexp(1.0, -30);
  EXPECT_EQ(two_product(x, x).hi, 1.0 + std::ldexp(1.0, -29));
  EXPECT_EQ(two_product(x, x).lo, std::ldexp(1.0, -60));
}

TEST(DoubleDouble, KnownConstants) {
  EXPECT_LE(relative_error(DoubleDouble(1.0) / 3.0, third), 1e-31);
  EXPECT_LE(relative_error(sqrt(DoubleDouble(2.0)), sqrt2), 1e-31);
  EXPECT_LE(relative_error(e * pi, e_times_pi), 1e-31);
  EXPECT_LE(relative_error(e_times_pi / pi, e), 1e-31);
}

TEST(DoubleDouble, ALongProductAndALongSumKeepThirtyDigits) {
  DoubleDouble term = 1.0;
  DoubleDouble sum = 1.0;
  for (int k = 1; k < 40; ++k) sum += term /= k;
  EXPECT_LE(relative_error(sum, e), 2e-31);
}

TEST(DoubleDouble, FieldLawsHoldToRoundOff) {
  Random random;
  for (int trial = 0; trial < 20000; ++trial) {
    const DoubleDouble a = random();
    const DoubleDouble b = random();
    const DoubleDouble size = abs(a) + abs(b);
    ASSERT_EQ(a + b, b + a);
    ASSERT_LE(static_cast<double>(abs((a + b) - b - a) / size), 1e-31);
    ASSERT_LE(relative_error((a / b) * b, a), 2e-31);
    ASSERT_LE(relative_error((a + b) * (a - b) + b * b, a * a),
              1e-30 * static_cast<double>(size * size / (a * a)));
    ASSERT_LE(relative_error(sqrt(a * a), abs(a)), 1e-31);
    for (const DoubleDouble& x : {a + b, a - b, a * b, a / b, sqrt(abs(a))}) {
      ASSERT_TRUE(normalised(x));
    }
  }
}

TEST(DoubleDouble, CancellationKeepsTheLowerParts) {
  const DoubleDouble difference = (DoubleDouble(1.0) + 1e-25) - 1.0;
  EXPECT_EQ(static_cast<double>(difference), 1e-25);
  EXPECT_EQ(DoubleDouble(1.0, 1e-17) - DoubleDouble(1.0, 1e-18), DoubleDouble(1e-17) - 1e-18);
  EXPECT_EQ(sqrt2 - sqrt2, 0.0);
  EXPECT_EQ(sqrt2 / sqrt2, 1.0);
}

TEST(DoubleDouble, MixesWithDoubleAndInt) {
  EXPECT_EQ(2 * sqrt2, sqrt2 + sqrt2);
  EXPECT_EQ(sqrt2 * 0.5, sqrt2 / 2);
  EXPECT_LE(relative_error(1 - third, 2.0 * third), 1e-31);
  EXPECT_EQ(static_cast<double>(sqrt2), std::sqrt(2.0));
}

TEST(DoubleDouble, OrderSeesTheLowerPart) {
  EXPECT_LT(DoubleDouble(1.0), DoubleDouble(1.0, 1e-30));
  EXPECT_GT(DoubleDouble(1.0), DoubleDouble(1.0, -1e-30));
  EXPECT_NE(DoubleDouble(1.0), DoubleDouble(1.0, 1e-30));
  EXPECT_LE(1.0, DoubleDouble(1.0));
  EXPECT_EQ(abs(DoubleDouble(-1.0, 1e-20)), DoubleDouble(1.0, -1e-20));
}

TEST(DoubleDouble, InfinityAndNanTravel) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(DoubleDouble(1.0) / 0.0, infinity);
  EXPECT_EQ(DoubleDouble(1e300) * 1e300, infinity);
  EXPECT_EQ(DoubleDouble(1.7e308) + 1.7e308, infinity);
  EXPECT_EQ(DoubleDouble(1.0) / infinity, 0.0);
  EXPECT_EQ(sqrt(DoubleDouble(infinity)), infinity);
  EXPECT_TRUE(std::isnan((DoubleDouble(0.0) / 0.0).hi));
  EXPECT_FALSE(isfinite(DoubleDouble(infinity) - infinity));
  EXPECT_TRUE(isfinite(sqrt2));
}

TEST(DoubleDouble, SquareRootOfZeroAndOfNegativeNumbers) {
  EXPECT_EQ(sqrt(DoubleDouble(0.0)), 0.0);
  EXPECT_THROW(sqrt(DoubleDouble(-1.0)), DomainError);
}

}  // namespace
}  // namespace varia::double_double_test
