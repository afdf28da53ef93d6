// SPDX-License-Identifier: BSD-3-Clause
#include "varia/ad/jet2.hpp"

#include <limits>
#include <random>
#include <type_traits>

#include "functions.hpp"

namespace varia::test::jet2_test {

TEST(Jet2, IsPlainDataAndStartsAtZero) {
  using J = Jet2<3>;
  static_assert(std::is_trivially_copyable_v<J> && sizeof(J) == 10 * sizeof(double));
  EXPECT_TRUE(detail::is_zero(J()));
  J x = J::variable(2.0, 1);
  EXPECT_EQ(x.v, 2.0);
  EXPECT_EQ(x.g[1], 1.0);
  EXPECT_TRUE(detail::is_zero(x - 2.0 - J::variable(0.0, 1)));
  x.hess(0, 2) = 5.0;
  EXPECT_EQ(x.hess(2, 0), 5.0);
  EXPECT_EQ(x.H[3], 5.0) << "rows of the lower triangle: 00 10 11 20 21 22";
}

TEST(Jet2, DerivativesAreTheClosedForms) {
  for (const Row& r : table()) {
    for (const double x : r.points) {
      SCOPED_TRACE(std::string(r.name) + " at " + to_text(x));
      const J2 y = r.jet2(second(x));
      EXPECT_EQ(y.v, r.jet(first(x)).v);
      expect_close(y.g[0], r.f1(x), 1e-14);
      expect_close(y.H[0], r.f2(x), 1e-13);
    }
  }
}

TEST(Jet2, SecondDerivativeIsTheFiniteDifferenceOfTheFirst) {
  for (const Row& r : table()) {
    for (const double x : r.points) {
      SCOPED_TRACE(std::string(r.name) + " at " + to_text(x));
      const auto f1 = [&r](double s) { return r.jet2(second(s)).g[0]; };
      expect_close(r.jet2(second(x)).H[0], difference(f1, x, 5e-3), 5e-9);
    }
  }
}

// Functions of three variables that use every operation, in Jet2 and in nested jets ---------------

struct Multivariate {
  const char* name;
  Jet2<3> (*f)(const Jet2<3>&, const Jet2<3>&, const Jet2<3>&);
  using N = Jet<Jet<double, 3>, 3>;
  N (*nested)(const N&, const N&, const N&);
};

template <class F> Multivariate multivariate(const char* name, const F& f) { return {name, f, f}; }

std::vector<Multivariate> functions_of_three() {
  return {
      multivariate("product",
                   [](const auto& x, const auto& y, const auto& z) { return x * y * z * x; }),
      multivariate("quotient", [](const auto& x, const auto& y,
                                  const auto& z) { return (x - y) / (z + x * y) - 2.0 / (y * z); }),
      multivariate("pow", [](const auto& x, const auto& y,
                             const auto& z) { return pow(x * z, y) + pow(2, x * y) - pow(z, 3); }),
      multivariate("atan2", [](const auto& x, const auto& y,
                               const auto& z) { return atan2(x * y, -z) + atan2(y, 0.3); }),
      multivariate("hypot", [](const auto& x, const auto& y,
                               const auto& z) { return hypot(x * y, z - x) * hypot(1.0, z); }),
      multivariate("three bodies",
                   [](const auto& x, const auto& y, const auto& z) {
                     return 1.0 / sqrt(x * x + y * y) + 2.0 / sqrt((x - z) * (x - z) + y * y);
                   }),
      multivariate("compound",
                   [](const auto& x, const auto& y, const auto& z) {
                     auto r = x;
                     r *= y, r += 1, r -= z, r /= x, r *= 3.0, r /= 2.0, r += y, r -= x, r -= 1.0;
                     r *= r;
                     r /= r + 1.0;
                     return r;
                   }),
      multivariate("choice",
                   [](const auto& x, const auto& y, const auto& z) {
                     return max(x * y, z) * min(x, y * y) + abs(x - z * 4) * sin(y);
                   }),
  };
}

TEST(Jet2, EqualsNestedJetsAndMixedPartialsCommute) {
  std::mt19937 random(42);
  std::uniform_real_distribution<double> uniform(0.2, 2.0);
  for (const Multivariate& m : functions_of_three()) {
    SCOPED_TRACE(m.name);
    for (int trial = 0; trial < 20; ++trial) {
      const double x[3] = {uniform(random), uniform(random), uniform(random)};
      const auto two = [&x](int k) { return Jet2<3>::variable(x[k], k); };
      const auto nest = [&x](int k) {
        return Jet<Jet<double, 3>, 3>::variable(Jet<double, 3>::variable(x[k], k), k);
      };
      const Jet2<3> a = m.f(two(0), two(1), two(2));
      const auto b = m.nested(nest(0), nest(1), nest(2));
      EXPECT_EQ(a.v, value_of(b));
      for (int i = 0; i < 3; ++i) {
        expect_close(a.g[i], b.v.d[i], 1e-13);
        expect_close(a.g[i], b.d[i].v, 1e-13);
        for (int j = 0; j < 3; ++j) expect_close(a.hess(i, j), b.d[i].d[j], 1e-12);
      }
    }
  }
}

// Many directions: the loops that are not unrolled. f = (Σ aᵢxᵢ)³, H = 6 (Σ aᵢxᵢ) a aᵀ.
template <int N> void check_cubic_form() {
  using J = Jet2<N>;
  J s(0.0);
  double value = 0.0;
  double a[N];
  for (int i = 0; i < N; ++i) {
    a[i] = 0.5 + 0.1 * i;
    s += a[i] * J::variable(0.3 - 0.02 * i, i);
    value += a[i] * (0.3 - 0.02 * i);
  }
  for (const J& f : {s * s * s, pow(s, 3), s * s / (1.0 / s), exp(3.0 * log(s)), -(s * s) * -s}) {
    expect_close(f.v, value * value * value, 1e-14);
    for (int i = 0; i < N; ++i) {
      expect_close(f.g[i], 3 * value * value * a[i], 1e-13);
      for (int j = 0; j < N; ++j) expect_close(f.hess(i, j), 6 * value * a[i] * a[j], 1e-13);
    }
  }
}

TEST(Jet2, AnyNumberOfDirections) {
  check_cubic_form<1>();
  check_cubic_form<2>();
  check_cubic_form<5>();
  check_cubic_form<8>();
  check_cubic_form<9>();
  check_cubic_form<13>();
}

TEST(Jet2, ComparesByValue) {
  const J2 a = second(1.0), b = second(2.0);
  EXPECT_TRUE(a < b && a <= b && b > a && b >= a && a != b && a == J2(1.0));
  EXPECT_TRUE(a < 1.5 && 1.5 > a && a == 1 && 1.0 == a && a != 2 && 3 > b);
  EXPECT_EQ(value_of(b), 2.0);
}

TEST(Jet2, FiniteAndNaNLookAtAllParts) {
  const double inf = std::numeric_limits<double>::infinity();
  J2 x = second(1.0);
  EXPECT_TRUE(isfinite(x) && !isnan(x));
  x.H[0] = inf;
  EXPECT_TRUE(!isfinite(x) && !isnan(x));
  x.H[0] = inf - inf;
  EXPECT_TRUE(isnan(x));
}

TEST(Jet2, PowerAtZero) {
  EXPECT_EQ(pow(second(0.0), 0.0).H[0], 0.0);
  EXPECT_EQ(pow(second(0.0), 1.0).g[0], 1.0);
  EXPECT_EQ(pow(second(0.0), 1.0).H[0], 0.0);
  EXPECT_EQ(pow(second(0.0), 2.0).H[0], 2.0);
  EXPECT_EQ(pow(second(0.0), J2(2.0)).H[0], 2.0);
  EXPECT_EQ(pow(second(0.0), 2.5).H[0], 0.0);
  EXPECT_EQ(pow(second(0.0), 3).H[0], 0.0);
}

TEST(Jet2, NoDerivativeIsADomainError) {
  struct Case {
    const char* name;
    J2 (*f)(const J2&);
    std::vector<double> points;
  };
  const std::vector<Case> cases = {
      {"sqrt(x)", [](const J2& x) { return sqrt(x); }, {0.0, -1.0}},
      {"cbrt(x)", [](const J2& x) { return cbrt(x); }, {0.0}},
      {"log(x)", [](const J2& x) { return log(x); }, {0.0, -1.0}},
      {"log1p(x)", [](const J2& x) { return log1p(x); }, {-1.0, -2.0}},
      {"asin(x)", [](const J2& x) { return asin(x); }, {1.0, -1.0}},
      {"acos(x)", [](const J2& x) { return acos(x); }, {1.0, -1.5}},
      {"acosh(x)", [](const J2& x) { return acosh(x); }, {1.0, 0.5}},
      {"atanh(x)", [](const J2& x) { return atanh(x); }, {1.0, -1.0}},
      {"abs(x)", [](const J2& x) { return abs(x); }, {0.0}},
      {"max(x, y)", [](const J2& x) { return max(x, 0.0); }, {0.0}},
      {"hypot(x, y)", [](const J2& x) { return hypot(x, 2.0 * x); }, {0.0}},
      {"atan2(y, x)", [](const J2& x) { return atan2(x, 0.0); }, {0.0}},
      {"x / y", [](const J2& x) { return x / x; }, {0.0}},
      {"x / y", [](const J2& x) { return 1 / x; }, {0.0}},
      {"x / y", [](const J2& x) { return x / 0.0; }, {1.0}},
      {"pow(x, y)", [](const J2& x) { return pow(x, 0.5); }, {0.0, -1.0}},
      {"pow(x, y)", [](const J2& x) { return pow(x, 1.5); }, {0.0}},
      {"pow(x, y)", [](const J2& x) { return pow(x, -1); }, {0.0}},
      {"pow(x, y)", [](const J2& x) { return pow(x, x); }, {0.0, -2.0}},
      {"pow(x, y)", [](const J2& x) { return pow(-2.0, x); }, {2.0}},
  };
  for (const Case& c : cases) {
    for (const double x : c.points) expect_domain_error(c.name, [&] { c.f(second(x)); });
  }
}

}  // namespace varia::test::jet2_test
