// SPDX-License-Identifier: BSD-3-Clause
// Of arithmetic.hpp, elementary.hpp, binary.hpp and power.hpp by first derivatives.
#include "varia/ad/jet.hpp"

#include <limits>
#include <random>
#include <type_traits>

#include "functions.hpp"

namespace varia::test::jet_test {

TEST(Jet, IsPlainDataAndStartsAtZero) {
  using J = Jet<double, 3>;
  static_assert(std::is_trivially_copyable_v<J> && sizeof(J) == 4 * sizeof(double));
  static_assert(std::is_trivially_copyable_v<Jet<J, 2>>);
  const Jet<J, 2> zero;
  EXPECT_TRUE(detail::is_zero(zero));
  const J x = J::variable(2.0, 1);
  EXPECT_EQ(x.v, 2.0);
  EXPECT_EQ(x.d[0], 0.0);
  EXPECT_EQ(x.d[1], 1.0);
  EXPECT_EQ(x.d[2], 0.0);
}

TEST(Jet, ValueIsThatOfPlainArithmetic) {
  for (const Row& r : table()) {
    const bool integer_power = std::string(r.name).starts_with("x^");
    for (const double x : r.points) {
      if (integer_power) {
        EXPECT_DOUBLE_EQ(r.jet(first(x)).v, r.f(x)) << r.name << " at " << x;
      } else {
        EXPECT_EQ(r.jet(first(x)).v, r.f(x)) << r.name << " at " << x;
        EXPECT_EQ(value_of(r.jet_of_jet(nested(x))), r.f(x)) << r.name << " at " << x;
      }
    }
  }
}

TEST(Jet, DerivativeIsTheClosedForm) {
  for (const Row& r : table()) {
    for (const double x : r.points) {
      SCOPED_TRACE(std::string(r.name) + " at " + to_text(x));
      expect_close(r.jet(first(x)).d[0], r.f1(x), 1e-14);
      const JJ y = r.jet_of_jet(nested(x));
      expect_close(y.v.d[0], r.f1(x), 1e-14);
      expect_close(y.d[0].v, r.f1(x), 1e-14);
      expect_close(y.d[0].d[0], r.f2(x), 1e-13);
    }
  }
}

TEST(Jet, DerivativeIsTheFiniteDifference) {
  for (const Row& r : table()) {
    for (const double x : r.points) {
      SCOPED_TRACE(std::string(r.name) + " at " + to_text(x));
      expect_close(r.jet(first(x)).d[0], difference(r.f, x, 5e-3), 2e-10);
      const auto f1 = [&r](double s) { return r.jet(first(s)).d[0]; };
      expect_close(r.jet_of_jet(nested(x)).d[0].d[0], difference(f1, x, 5e-3), 5e-9);
    }
  }
}

// Rational functions of two variables: directional derivatives against the quotient rule in numbers.
TEST(Jet, RandomRationalFunctionsInTwoDirections) {
  std::mt19937 random(20240607);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (int trial = 0; trial < 50; ++trial) {
    double c[3][3];
    for (auto& line : c) {
      for (double& e : line) e = uniform(random);
    }
    const auto f = [&c](const auto& x, const auto& y) {
      auto p = x * 0.0;
      for (int i = 0; i < 3; ++i) {
        for (int j = 0; j < 3; ++j) p += c[i][j] * pow(x, i) * pow(y, j);
      }
      return p / (2.0 + x * x + y * y);
    };
    const double x = uniform(random), y = uniform(random);
    double p = 0, px = 0, py = 0;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        p += c[i][j] * std::pow(x, i) * std::pow(y, j);
        if (i > 0) px += i * c[i][j] * std::pow(x, i - 1) * std::pow(y, j);
        if (j > 0) py += j * c[i][j] * std::pow(x, i) * std::pow(y, j - 1);
      }
    }
    const double q = 2.0 + x * x + y * y;
    using J = Jet<double, 2>;
    const J z = f(J::variable(x, 0), J::variable(y, 1));
    expect_close(z.v, p / q, 1e-14);
    expect_close(z.d[0], (px * q - p * 2 * x) / (q * q), 1e-14);
    expect_close(z.d[1], (py * q - p * 2 * y) / (q * q), 1e-14);
    // mixed partial derivatives commute
    using K = Jet<J, 2>;
    const K w = f(K::variable(J::variable(x, 0), 0), K::variable(J::variable(y, 1), 1));
    expect_close(w.d[0].d[1], w.d[1].d[0], 1e-14);
  }
}

TEST(Jet, MixesWithItsConstants) {
  using I = Jet<double, 4>;
  using J = Jet<I, 4>;
  const I c = I::variable(3.0, 2);
  const J x = J::variable(I(2.0), 0);
  // every mix equals the one with the constant made a jet first
  const auto same = [](const J& a, const J& b) { return detail::is_zero(a - b); };
  EXPECT_TRUE(same(x + c, x + J(c)) && same(c + x, J(c) + x));
  EXPECT_TRUE(same(x - c, x - J(c)) && same(c - x, J(c) - x));
  EXPECT_TRUE(same(x * c, x * J(c)) && same(c * x, J(c) * x));
  EXPECT_TRUE(same(x * 3, x * J(3.0)) && same(0.5 * x, J(0.5) * x) && same(x + 1, 1.0 + x));
  EXPECT_NEAR((x / c).d[0].d[2], -1.0 / 9.0, 1e-15);
  EXPECT_NEAR((c / x).d[0].d[2], -1.0 / 4.0, 1e-15);
  EXPECT_NEAR(pow(x, c).d[0].d[2], 4.0 * (1.0 + 3.0 * std::log(2.0)), 1e-13);
  EXPECT_NEAR(pow(c, x).d[0].d[2], 3.0 * (1.0 + 2.0 * std::log(3.0)), 1e-13);
  EXPECT_NEAR(hypot(x, c).d[0].d[2], -6.0 / std::pow(13.0, 1.5), 1e-15);
  EXPECT_NEAR(atan2(x, c).d[0].d[2], (4.0 - 9.0) / 169.0, 1e-15);
  EXPECT_TRUE(same(max(x, c), J(c)) && same(min(c, x), x));
  EXPECT_TRUE(same(pow(J(0.0), I(2.0)), J(0.0)));
  J y = x;
  y += c, y -= 1, y *= c, y /= 2, y *= 0.5, y /= c, y += x, y -= x, y *= x, y /= x;
  EXPECT_NEAR(value_of(y), 1.0, 1e-15);
  EXPECT_NEAR(y.d[0].v, 0.25, 1e-15);
  EXPECT_NEAR(y.v.d[2], 0.25, 1e-15);
}

TEST(Jet, ComparesByValue) {
  using J = Jet<double, 2>;
  using K = Jet<J, 2>;
  const J a = J::variable(1.0, 0), b = J::variable(2.0, 1);
  EXPECT_TRUE(a < b && a <= b && b > a && b >= a && a != b && a == J(1.0));
  EXPECT_TRUE(a < 1.5 && 1.5 > a && a == 1.0 && 1.0 == a && a != 2 && a >= 1 && 3 > b);
  EXPECT_TRUE(K(a) < K(b) && K(a) < b && a < K(b) && K(a) == 1.0 && 2.0 >= K(b));
  EXPECT_EQ(value_of(K(b)), 2.0);
  EXPECT_EQ(value_of(7), 7.0);
}

TEST(Jet, FiniteAndNaNLookAtAllParts) {
  const double inf = std::numeric_limits<double>::infinity();
  JJ x = nested(1.0);
  EXPECT_TRUE(isfinite(x) && !isnan(x));
  x.d[0].d[0] = inf;
  EXPECT_TRUE(!isfinite(x) && !isnan(x));
  x.d[0].d[0] = inf - inf;
  EXPECT_TRUE(!isfinite(x) && isnan(x));
  EXPECT_TRUE(isnan(sqrt(first(inf - inf)))) << "a NaN that comes in goes through";
}

TEST(Jet, MinAndMaxOfEqualJetsHaveADerivativeAlsoWithUsingStd) {
  using std::max, std::min;
  EXPECT_EQ(max(first(1.0), first(1.0)).d[0], 1.0);
  EXPECT_EQ(min(first(1.0), first(2.0)).d[0], 1.0);
  expect_domain_error("max(x, y)", [] { max(first(1.0), 2.0 * first(0.5)); });
  expect_domain_error("min(x, y)", [] { min(first(1.0), 1.0); });
}

TEST(Jet, PowerAtZero) {
  EXPECT_EQ(pow(first(0.0), 1.5).d[0], 0.0);
  EXPECT_EQ(pow(first(0.0), 1.0).d[0], 1.0);
  EXPECT_EQ(pow(first(0.0), 0.0).v, 1.0);
  EXPECT_EQ(pow(first(0.0), 0.0).d[0], 0.0);
  EXPECT_EQ(pow(first(0.0), J1(2.0)).d[0], 0.0);
  EXPECT_EQ(pow(nested(0.0), 2.0).d[0].d[0], 2.0);
  EXPECT_EQ(pow(nested(0.0), JJ(2.0)).d[0].d[0], 2.0);
  EXPECT_EQ(pow(nested(0.0), 1.0).d[0].d[0], 0.0);
  EXPECT_EQ(pow(0.0, first(2.0)).d[0], 0.0);
  EXPECT_EQ(pow(first(-2.0), J1(3.0)).d[0], 12.0);
  EXPECT_EQ(pow(-2.0, J1(3.0)).v, -8.0);
}

TEST(Jet, NoDerivativeIsADomainError) {
  struct Case {
    const char* name;
    J1 (*f)(const J1&);
    std::vector<double> points;
  };
  const std::vector<Case> cases = {
      {"sqrt(x)", [](const J1& x) { return sqrt(x); }, {0.0, -0.0, -1.0}},
      {"cbrt(x)", [](const J1& x) { return cbrt(x); }, {0.0}},
      {"log(x)", [](const J1& x) { return log(x); }, {0.0, -1.0}},
      {"log2(x)", [](const J1& x) { return log2(x); }, {0.0, -1.0}},
      {"log10(x)", [](const J1& x) { return log10(x); }, {0.0, -1.0}},
      {"log1p(x)", [](const J1& x) { return log1p(x); }, {-1.0, -2.0}},
      {"asin(x)", [](const J1& x) { return asin(x); }, {1.0, -1.0, 1.5}},
      {"acos(x)", [](const J1& x) { return acos(x); }, {1.0, -1.0, -1.5}},
      {"acosh(x)", [](const J1& x) { return acosh(x); }, {1.0, 0.5}},
      {"atanh(x)", [](const J1& x) { return atanh(x); }, {1.0, -1.0, 2.0}},
      {"abs(x)", [](const J1& x) { return abs(x); }, {0.0, -0.0}},
      {"abs(x)", [](const J1& x) { return fabs(x); }, {0.0}},
      {"hypot(x, y)", [](const J1& x) { return hypot(x, 2.0 * x); }, {0.0}},
      {"hypot(x, y)", [](const J1& x) { return hypot(x, 0.0); }, {0.0}},
      {"atan2(y, x)", [](const J1& x) { return atan2(x, -x); }, {0.0}},
      {"atan2(y, x)", [](const J1& x) { return atan2(0, x); }, {0.0}},
      {"x / y", [](const J1& x) { return J1(1.0) / x; }, {0.0, -0.0}},
      {"x / y", [](const J1& x) { return 1.0 / x; }, {0.0}},
      {"x / y", [](const J1& x) { return x / 0; }, {0.0, 1.0}},
      {"pow(x, y)", [](const J1& x) { return pow(x, 0.5); }, {0.0, -1.0}},
      {"pow(x, y)", [](const J1& x) { return pow(x, -1.0); }, {0.0}},
      {"pow(x, y)", [](const J1& x) { return pow(x, -2); }, {0.0}},
      {"pow(x, y)", [](const J1& x) { return pow(x, x); }, {0.0, -2.0}},
      {"pow(x, y)", [](const J1& x) { return pow(-2.0, x); }, {2.0}},
      {"pow(x, y)", [](const J1& x) { return pow(0, x); }, {0.0, -1.0}},
  };
  for (const Case& c : cases) {
    for (const double x : c.points) expect_domain_error(c.name, [&] { c.f(first(x)); });
  }
  // the second derivative of a nested jet
  expect_domain_error("pow(x, y)", [] { pow(nested(0.0), 1.5); });
  expect_domain_error("pow(x, y)", [] { pow(JJ(0.0), Jet<double, 1>::variable(2.0, 0)); });
}

TEST(ToText, IsShortAndReadsBack) {
  EXPECT_EQ(to_text(0.1), "0.1");
  EXPECT_EQ(to_text(1e-12), "1e-12");
  EXPECT_EQ(to_text(-0.0), "-0");
  EXPECT_EQ(to_text(std::numeric_limits<double>::quiet_NaN()), "nan");
  EXPECT_EQ(to_text(-std::numeric_limits<double>::infinity()), "-inf");
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> exponent(-300.0, 300.0);
  for (int i = 0; i < 1000; ++i) {
    const double x = -std::exp(exponent(random) * 2.0);
    EXPECT_EQ(std::stod(to_text(x)), x);
  }
}

}  // namespace varia::test::jet_test
