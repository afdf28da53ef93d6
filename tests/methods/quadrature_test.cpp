// SPDX-License-Identifier: BSD-3-Clause
#include "varia/methods/quadrature.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "methods/lagrange_polynomials.hpp"
#include "varia/core/error.hpp"
#include "varia/methods/lagrange_basis.hpp"

namespace varia::quadrature_test {
namespace {

using DD = DoubleDouble;

void expect_near(const DD& x, const DD& exact, double tolerance, const std::string& what) {
  EXPECT_LE(static_cast<double>(abs(x - exact)), tolerance) << what;
}

void expect_near(const std::vector<DD>& x, const std::vector<DD>& exact, double tolerance,
                 const std::string& what) {
  ASSERT_EQ(x.size(), exact.size()) << what;
  for (std::size_t i = 0; i < x.size(); ++i) {
    expect_near(x[i], exact[i], tolerance, what + ", entry " + std::to_string(i));
  }
}

/// Σ bᵢ cᵢᵏ.
DD moment(const Quadrature& rule, int k) {
  DD sum = 0.0;
  for (std::size_t i = 0; i < rule.c.size(); ++i) {
    DD power = 1.0;
    for (int n = 0; n < k; ++n) power *= rule.c[i];
    sum += rule.b[i] * power;
  }
  return sum;
}

std::vector<Quadrature> rules(int s) {
  std::vector<Quadrature> all{gauss_quadrature(s), radau_left_quadrature(s),
                              radau_right_quadrature(s)};
  if (s >= 2) all.push_back(lobatto_quadrature(s));
  return all;
}

std::string message(const std::function<void()>& action) {
  try {
    action();
  } catch (const InvalidArgument& e) {
    return e.what();
  }
  return "no exception";
}

TEST(Quadrature, MonomialsAreExactUpToTheOrderAndNotOneHigher) {
  for (int s = 1; s <= 10; ++s) {
    for (const Quadrature& rule : rules(s)) {
      for (int k = 0; k < rule.order; ++k) {
        expect_near(moment(rule, k), DD(1.0) / (k + 1), 1e-31, rule.name);
      }
      const DD defect = moment(rule, rule.order) - DD(1.0) / (rule.order + 1);
      EXPECT_GT(std::abs(static_cast<double>(defect)), 1e-15) << rule.name;
    }
  }
}

TEST(QuadratureSlow, DeclaredOrderIsMeasuredForUpToSixtyPoints) {
  for (int s = 1; s <= 60; ++s) {
    EXPECT_EQ(gauss_quadrature(s).order, 2 * s);
    EXPECT_EQ(radau_left_quadrature(s).order, 2 * s - 1);
    EXPECT_EQ(radau_right_quadrature(s).order, 2 * s - 1);
    if (s >= 2) {
      EXPECT_EQ(lobatto_quadrature(s).order, 2 * s - 2);
    }
    for (const Quadrature& rule : rules(s)) {
      EXPECT_EQ(rule.size(), s);
      EXPECT_EQ(quadrature_order(rule.c, rule.b), rule.order) << rule.name;
    }
  }
}

TEST(QuadratureSlow, NodesIncreaseAndPositiveWeightsSumToOne) {
  for (int s = 1; s <= 60; ++s) {
    for (const Quadrature& rule : rules(s)) {
      expect_near(moment(rule, 0), 1.0, 1e-29, rule.name);
      for (std::size_t i = 0; i < rule.c.size(); ++i) {
        EXPECT_GT(rule.b[i], 0.0) << rule.name;
        if (i > 0) {
          EXPECT_LT(rule.c[i - 1], rule.c[i]) << rule.name;
        }
      }
      EXPECT_GE(rule.c.front(), 0.0);
      EXPECT_LE(rule.c.back(), 1.0);
    }
  }
}

TEST(QuadratureSlow, ManyPoints) {
  const Quadrature rule = gauss_quadrature(max_quadrature_points);
  expect_near(moment(rule, 0), 1.0, 1e-29, rule.name);
  expect_near(moment(rule, 100), DD(1.0) / 101, 1e-29, rule.name);
  for (std::size_t i = 1; i < rule.c.size(); ++i) ASSERT_LT(rule.c[i - 1], rule.c[i]);
}

TEST(Quadrature, SymmetricRulesAreSymmetricWithoutRounding) {
  for (int s = 1; s <= 60; ++s) {
    for (const Quadrature& rule : rules(s)) {
      if (rule.name.starts_with("radau")) continue;
      for (std::size_t i = 0; i < rule.c.size(); ++i) {
        const std::size_t mirror = rule.c.size() - 1 - i;
        EXPECT_EQ(rule.c[i] + rule.c[mirror], 1.0) << rule.name;
        EXPECT_EQ(rule.b[i], rule.b[mirror]) << rule.name;
      }
    }
  }
}

TEST(Quadrature, RadauRulesAreMirrorImages) {
  for (int s = 1; s <= 60; ++s) {
    const Quadrature left = radau_left_quadrature(s);
    const Quadrature right = radau_right_quadrature(s);
    EXPECT_EQ(left.c.front(), 0.0);
    EXPECT_EQ(right.c.back(), 1.0);
    for (std::size_t i = 0; i < left.c.size(); ++i) {
      EXPECT_EQ(right.c[left.c.size() - 1 - i], 1.0 - left.c[i]);
      EXPECT_EQ(right.b[left.c.size() - 1 - i], left.b[i]);
    }
  }
}

TEST(Quadrature, EndPointsOfLobattoAreExact) {
  for (int s = 2; s <= 60; ++s) {
    const Quadrature rule = lobatto_quadrature(s);
    EXPECT_EQ(rule.c.front(), 0.0);
    EXPECT_EQ(rule.c.back(), 1.0);
  }
}

TEST(Quadrature, ClosedForms) {
  const DD half = 0.5;
  const DD r3 = sqrt(DD(3.0)) / 6.0;
  const DD r15 = sqrt(DD(15.0)) / 10.0;
  const DD r5 = sqrt(DD(5.0));
  const DD r21 = sqrt(DD(21.0)) / 14.0;
  const auto ratio = [](int n, int d) { return DD(n) / d; };
  const double eps = 1e-31;

  expect_near(gauss_quadrature(1).c, {half}, 0.0, "gauss:1");
  expect_near(gauss_quadrature(1).b, {1.0}, 0.0, "gauss:1");
  expect_near(gauss_quadrature(2).c, {half - r3, half + r3}, eps, "gauss:2");
  expect_near(gauss_quadrature(2).b, {half, half}, eps, "gauss:2");
  expect_near(gauss_quadrature(3).c, {half - r15, half, half + r15}, eps, "gauss:3");
  expect_near(gauss_quadrature(3).b, {ratio(5, 18), ratio(4, 9), ratio(5, 18)}, eps, "gauss:3");

  expect_near(lobatto_quadrature(2).c, {0.0, 1.0}, 0.0, "lobatto:2");
  expect_near(lobatto_quadrature(2).b, {half, half}, 0.0, "lobatto:2");
  expect_near(lobatto_quadrature(3).c, {0.0, half, 1.0}, 0.0, "lobatto:3");
  expect_near(lobatto_quadrature(3).b, {ratio(1, 6), ratio(2, 3), ratio(1, 6)}, eps, "lobatto:3");
  expect_near(lobatto_quadrature(4).c, {0.0, (5.0 - r5) / 10.0, (5.0 + r5) / 10.0, 1.0}, eps,
              "lobatto:4");
  expect_near(lobatto_quadrature(4).b, {ratio(1, 12), ratio(5, 12), ratio(5, 12), ratio(1, 12)},
              eps, "lobatto:4");
  expect_near(lobatto_quadrature(5).c, {0.0, half - r21, half, half + r21, 1.0}, eps, "lobatto:5");
  expect_near(lobatto_quadrature(5).b,
              {ratio(1, 20), ratio(49, 180), ratio(16, 45), ratio(49, 180), ratio(1, 20)}, eps,
              "lobatto:5");

  expect_near(radau_left_quadrature(1).c, {0.0}, 0.0, "radau_left:1");
  expect_near(radau_right_quadrature(1).c, {1.0}, 0.0, "radau:1");
  expect_near(radau_right_quadrature(1).b, {1.0}, 0.0, "radau:1");
  expect_near(radau_right_quadrature(2).c, {ratio(1, 3), 1.0}, eps, "radau:2");
  expect_near(radau_right_quadrature(2).b, {ratio(3, 4), ratio(1, 4)}, eps, "radau:2");
  expect_near(radau_left_quadrature(2).c, {0.0, ratio(2, 3)}, eps, "radau_left:2");
  expect_near(radau_left_quadrature(2).b, {ratio(1, 4), ratio(3, 4)}, eps, "radau_left:2");
}

TEST(Quadrature, AgreesWithComputationsInEightyDigits) {
  struct Reference {
    const char* rule;
    std::size_t i;
    DD c, b;
  };
  const Reference references[] = {
      {"gauss:7",
       1,
       {0.12923440720030277, 1.0110067387034948e-17},
       {0.13985269574463832, 1.1633590110858569e-17}},
      {"gauss:60",
       0,
       {0.000394938386281989, -2.8787839057300044e-21},
       {0.0010134059844368792, 1.9979882521796403e-20}},
      {"gauss:60",
       29,
       {0.4870201138493761, -1.0168845741359047e-18},
       {0.025953938815610318, 1.6860389349324837e-18}},
      {"lobatto:7",
       1,
       {0.08488805186071653, 3.20389899390808e-18},
       {0.13841302368078298, -7.67828439948705e-18}},
      {"lobatto:60",
       1,
       {0.001036504042094502, 4.9531181015273316e-20},
       {0.0017402239840765726, -6.30970375546857e-20}},
      {"lobatto:60",
       29,
       {0.4868001660497604, -1.9951492935052135e-17},
       {0.026393534473053464, 1.6527472012692515e-18}},
      {"radau:4",
       0,
       {0.08858795951270394, 4.751671943966789e-18},
       {0.22046221117676837, 6.294562392401396e-18}},
      {"radau:60",
       0,
       {0.0004015749663630812, -2.0477183868053677e-20},
       {0.001030433078481955, -6.040388403159083e-20}},
      {"radau:60",
       58,
       {0.9989807651784547, -3.3443340258333036e-17},
       {0.0017112398879744867, 9.137875405195225e-20}},
      {"radau_left:60",
       1,
       {0.0010192348215453451, 4.991334577949946e-20},
       {0.0017112398879744867, 9.137875405195225e-20}},
      {"radau_left:60",
       59,
       {0.9995984250336369, -2.0416733767483706e-17},
       {0.001030433078481955, -6.040388403159083e-20}},
  };
  for (const Reference& reference : references) {
    const Quadrature rule = parse_quadrature(reference.rule);
    expect_near(rule.c[reference.i], reference.c, 1e-32, rule.name + " node");
    const double weight = static_cast<double>(reference.b);
    expect_near(rule.b[reference.i], reference.b, 5e-30 * weight, rule.name + " weight");
  }
}

TEST(QuadratureSlow, InterpolatoryWeightsAreThoseOfTheClosedFormulas) {
  for (int s = 1; s <= 60; ++s) {
    for (const Quadrature& rule : rules(s)) {
      const Quadrature interpolatory = interpolatory_quadrature(rule.c);
      EXPECT_EQ(interpolatory.order, rule.order) << rule.name;
      expect_near(interpolatory.b, rule.b, 1e-30, rule.name);
    }
  }
}

TEST(Quadrature, OrderOfInterpolatoryRulesIsMeasured) {
  const DD third = DD(1.0) / 3.0;
  EXPECT_EQ(interpolatory_quadrature({0.0, 0.5, 1.0}).order, 4);                 // Simpson
  EXPECT_EQ(interpolatory_quadrature({0.0, third, 2.0 * third, 1.0}).order, 4);  // three eighths
  EXPECT_EQ(interpolatory_quadrature({0.0, 0.25, 0.5, 0.75, 1.0}).order, 6);     // Boole
  EXPECT_EQ(interpolatory_quadrature({0.1, 0.7}).order, 2);
  EXPECT_EQ(interpolatory_quadrature({0.25}).order, 1);
  EXPECT_EQ(interpolatory_quadrature({1.0, 0.0}).order, 2);  // in any sequence
  std::vector<DD> equidistant;
  for (int i = 0; i <= 40; ++i) equidistant.push_back(DD(i) / 40);
  EXPECT_EQ(interpolatory_quadrature(equidistant).order, 42);
}

TEST(Quadrature, NamesAreParsedBack) {
  for (int s = 2; s <= 5; ++s) {
    for (const Quadrature& rule : rules(s)) {
      const Quadrature parsed = parse_quadrature(rule.name);
      EXPECT_EQ(parsed.name, rule.name);
      EXPECT_EQ(parsed.c, rule.c);
      EXPECT_EQ(parsed.b, rule.b);
      EXPECT_EQ(parsed.order, rule.order);
    }
  }
  EXPECT_EQ(parse_quadrature("midpoint").c, gauss_quadrature(1).c);
  EXPECT_EQ(parse_quadrature("trapezoid").c, lobatto_quadrature(2).c);
  EXPECT_EQ(parse_quadrature("simpson").c, lobatto_quadrature(3).c);
  EXPECT_EQ(parse_quadrature("simpson").name, "simpson");
}

TEST(Quadrature, WrongRequestsNameCauseAndRemedy) {
  EXPECT_EQ(message([] { gauss_quadrature(0); }),
            "gauss: number of points must be at least 1, got 0");
  EXPECT_EQ(message([] { gauss_quadrature(-3); }),
            "gauss: number of points must be at least 1, got -3");
  EXPECT_EQ(message([] { lobatto_quadrature(1); }),
            "lobatto: number of points must be at least 2, got 1");
  EXPECT_EQ(message([] { radau_right_quadrature(0); }),
            "radau: number of points must be at least 1, got 0");
  EXPECT_EQ(message([] { radau_left_quadrature(-1); }),
            "radau_left: number of points must be at least 1, got -1");
  EXPECT_EQ(message([] { gauss_quadrature(1001); }),
            "gauss: number of points must be at most 1000, got 1001");
  EXPECT_EQ(message([] { parse_quadrature("gauss:0"); }),
            "gauss: number of points must be at least 1, got 0");
  for (const char* text : {"gauss", "gauss:", "gauss:x", "gauss:3x", "gauss: 3", "gauss:3:4",
                           "lobatto:99999999999999", "radau:2.5"}) {
    EXPECT_NE(message([&] { parse_quadrature(text); }).find("needs a number of points"),
              std::string::npos)
        << text;
  }
  for (const char* text : {"", "euler", "Gauss:3", "gaus:3", ":3"}) {
    EXPECT_NE(message([&] { parse_quadrature(text); }).find("is unknown; use gauss:<s>"),
              std::string::npos)
        << text;
  }
  EXPECT_EQ(message([] { interpolatory_quadrature({}); }),
            "nodes: the list is empty; at least 1 is needed");
  EXPECT_EQ(message([] {
              interpolatory_quadrature({0.0, 0.5, 0.0});
            }),
            "nodes: number 3 equals number 1; all nodes must be distinct");
  EXPECT_EQ(message([] { interpolatory_quadrature({std::numeric_limits<double>::quiet_NaN()}); }),
            "nodes: number 1 is not finite; give numbers in [0,1]");
  const std::vector<DD> two{0.0, 1.0};
  const std::vector<DD> one{1.0};
  EXPECT_THROW(quadrature_order(two, one), InvalidArgument);
}

TEST(LagrangeBasis, ValuesDerivativesAndIntegralsReproducePolynomials) {
  // x² = Σ cⱼ² lⱼ(x) for any three or more nodes; the nodes are uneven and not sorted.
  const std::vector<DD> nodes{0.125, 1.0, 0.4, 0.0, 0.75};
  const LagrangeBasis basis(nodes);
  for (const double x : {0.0, 0.125, 0.3, 0.999, 1.0, 1.5}) {
    DD one = 0.0, square = 0.0, derivative = 0.0, integral = 0.0;
    const std::vector<DD> values = basis.values(x);
    const std::vector<DD> integrals = basis.integrals(x);
    for (int j = 0; j < basis.size(); ++j) {
      const auto at = static_cast<std::size_t>(j);
      one += lagrange_value(nodes, j, x);
      square += nodes[at] * nodes[at] * lagrange_value(nodes, j, x);
      derivative += nodes[at] * nodes[at] * lagrange_derivative(nodes, j, x);
      integral += nodes[at] * nodes[at] * lagrange_integral(nodes, j, x);
      expect_near(values[at], lagrange_value(nodes, j, x), 1e-29, "all values at once");
      expect_near(integrals[at], lagrange_integral(nodes, j, x), 1e-29, "all integrals at once");
    }
    expect_near(one, 1.0, 1e-29, "partition of unity");
    expect_near(square, DD(x) * x, 1e-29, "value");
    expect_near(derivative, 2.0 * DD(x), 1e-29, "derivative");
    expect_near(integral, DD(x) * x * x / 3.0, 1e-29, "integral");
  }
}

TEST(LagrangeBasis, IsOneAtItsNodeAndZeroAtTheOthers) {
  const std::vector<DD> nodes = lobatto_quadrature(30).c;
  const LagrangeBasis basis(nodes);
  for (int i = 0; i < 30; ++i) {
    const DD& node = nodes[static_cast<std::size_t>(i)];
    const std::vector<DD> values = basis.values(node);
    for (int j = 0; j < 30; ++j) {
      const DD kronecker = i == j ? 1.0 : 0.0;
      EXPECT_EQ(lagrange_value(nodes, j, node), kronecker);
      expect_near(values[static_cast<std::size_t>(j)], kronecker, 1e-29, "basis");
    }
  }
}

TEST(LagrangeBasis, OneNodeIsTheConstant) {
  const std::vector<DD> nodes{0.3};
  EXPECT_EQ(lagrange_value(nodes, 0, 0.9), 1.0);
  EXPECT_EQ(lagrange_derivative(nodes, 0, 0.9), 0.0);
  EXPECT_EQ(lagrange_integral(nodes, 0, 0.9), 0.9);
  EXPECT_THROW(lagrange_value(nodes, 1, 0.0), InvalidArgument);
  EXPECT_THROW(lagrange_derivative(nodes, -1, 0.0), InvalidArgument);
  EXPECT_THROW(lagrange_integral({}, 0, 0.0), InvalidArgument);
}

}  // namespace
}  // namespace varia::quadrature_test
