// SPDX-License-Identifier: BSD-3-Clause
#include "varia/methods/tableau.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "methods/lagrange_polynomials.hpp"
#include "methods/tableaux.hpp"
#include "varia/core/error.hpp"

namespace varia::tableau_test {
namespace {

using DD = DoubleDouble;

DD ratio(int n, int d) { return DD(n) / d; }

double distance(const std::vector<DD>& x, const std::vector<DD>& y) {
  EXPECT_EQ(x.size(), y.size());
  DD most = 0.0;
  for (std::size_t i = 0; i < x.size() && i < y.size(); ++i) {
    most = std::max(most, abs(x[i] - y[i]));
  }
  return static_cast<double>(most);
}

void expect_assumptions(const Tableau& t, int p, int q, int r) {
  EXPECT_EQ(simplifying_b(t), p) << t.name;
  EXPECT_EQ(simplifying_c(t), q) << t.name;
  EXPECT_EQ(simplifying_d(t), r) << t.name;
}

/// max |Σⱼ a_ij cⱼ^{k−1} − cᵢᵏ/k|: C(k) in powers, as it is usually written.
double defect_c(const Tableau& t, int k) {
  DD most = 0.0;
  for (int i = 0; i < t.stages; ++i) {
    DD sum = 0.0;
    DD right = 1.0 / DD(k);
    for (int n = 0; n < k; ++n) right *= t.c[static_cast<std::size_t>(i)];
    for (int j = 0; j < t.stages; ++j) {
      DD power = 1.0;
      for (int n = 1; n < k; ++n) power *= t.c[static_cast<std::size_t>(j)];
      sum += t.a(i, j) * power;
    }
    most = std::max(most, abs(sum - right));
  }
  return static_cast<double>(most);
}

/// max |Σᵢ bᵢ cᵢ^{k−1} a_ij − bⱼ(1 − cⱼᵏ)/k|: D(k) in powers.
double defect_d(const Tableau& t, int k) {
  DD most = 0.0;
  for (int j = 0; j < t.stages; ++j) {
    const auto at = static_cast<std::size_t>(j);
    DD sum = 0.0;
    DD last = 1.0;
    for (int n = 0; n < k; ++n) last *= t.c[at];
    for (int i = 0; i < t.stages; ++i) {
      DD power = t.b[static_cast<std::size_t>(i)];
      for (int n = 1; n < k; ++n) power *= t.c[static_cast<std::size_t>(i)];
      sum += power * t.a(i, j);
    }
    most = std::max(most, abs(sum - t.b[at] * (1.0 - last) / k));
  }
  return static_cast<double>(most);
}

TEST(Tableau, ClosedFormsOfGauss) {
  const DD r = sqrt(DD(3.0)) / 6.0;
  EXPECT_LE(distance(gauss_tableau(1).A, {0.5}), 0.0);
  EXPECT_LE(distance(gauss_tableau(2).A, {0.25, 0.25 - r, 0.25 + r, 0.25}), 1e-31);
  const DD q = sqrt(DD(15.0));
  EXPECT_LE(distance(gauss_tableau(3).A,
                     {ratio(5, 36), ratio(2, 9) - q / 15.0, ratio(5, 36) - q / 30.0,  //
                      ratio(5, 36) + q / 24.0, ratio(2, 9), ratio(5, 36) - q / 24.0,  //
                      ratio(5, 36) + q / 30.0, ratio(2, 9) + q / 15.0, ratio(5, 36)}),
            1e-31);
}

TEST(Tableau, ClosedFormsOfLobatto) {
  EXPECT_LE(distance(lobatto_iiia(2).A, {0.0, 0.0, 0.5, 0.5}), 0.0);
  EXPECT_LE(distance(lobatto_iiib(2).A, {0.5, 0.0, 0.5, 0.0}), 0.0);
  EXPECT_LE(distance(lobatto_iiia(3).A, {0.0, 0.0, 0.0,                             //
                                         ratio(5, 24), ratio(1, 3), ratio(-1, 24),  //
                                         ratio(1, 6), ratio(2, 3), ratio(1, 6)}),
            1e-31);
  EXPECT_LE(distance(lobatto_iiib(3).A, {ratio(1, 6), ratio(-1, 6), 0.0,  //
                                         ratio(1, 6), ratio(1, 3), 0.0,   //
                                         ratio(1, 6), ratio(5, 6), 0.0}),
            1e-31);
  const DD r = sqrt(DD(5.0));
  const DD twelfth = ratio(1, 12);
  EXPECT_LE(distance(lobatto_iiia(4).A,
                     {0.0, 0.0, 0.0, 0.0,                                                 //
                      (11.0 + r) / 120.0, (25.0 - r) / 120.0, (25.0 - 13.0 * r) / 120.0,  //
                      (-1.0 + r) / 120.0,                                                 //
                      (11.0 - r) / 120.0, (25.0 + 13.0 * r) / 120.0, (25.0 + r) / 120.0,  //
                      (-1.0 - r) / 120.0,                                                 //
                      twelfth, ratio(5, 12), ratio(5, 12), twelfth}),
            1e-31);
  EXPECT_LE(
      distance(lobatto_iiib(4).A, {twelfth, (-1.0 - r) / 24.0, (-1.0 + r) / 24.0, 0.0,           //
                                   twelfth, (25.0 + r) / 120.0, (25.0 - 13.0 * r) / 120.0, 0.0,  //
                                   twelfth, (25.0 + 13.0 * r) / 120.0, (25.0 - r) / 120.0, 0.0,  //
                                   twelfth, (11.0 - r) / 24.0, (11.0 + r) / 24.0, 0.0}),
      1e-31);
}

TEST(Tableau, ClosedFormsOfRadau) {
  EXPECT_LE(distance(radau_iia(1).A, {1.0}), 0.0);  // implicit Euler
  EXPECT_LE(distance(radau_ia(1).A, {1.0}), 0.0);
  EXPECT_LE(distance(radau_iia(2).A, {ratio(5, 12), ratio(-1, 12), ratio(3, 4), ratio(1, 4)}),
            1e-31);
  EXPECT_LE(distance(radau_ia(2).A, {ratio(1, 4), ratio(-1, 4), ratio(1, 4), ratio(5, 12)}), 1e-31);
  const DD r = sqrt(DD(6.0));
  EXPECT_LE(
      distance(radau_ia(3).A, {ratio(1, 9), (-1.0 - r) / 18.0, (-1.0 + r) / 18.0,                 //
                               ratio(1, 9), (88.0 + 7.0 * r) / 360.0, (88.0 - 43.0 * r) / 360.0,  //
                               ratio(1, 9), (88.0 + 43.0 * r) / 360.0, (88.0 - 7.0 * r) / 360.0}),
      1e-31);
  EXPECT_LE(distance(radau_iia(3).A, {(88.0 - 7.0 * r) / 360.0, (296.0 - 169.0 * r) / 1800.0,  //
                                      (-2.0 + 3.0 * r) / 225.0, (296.0 + 169.0 * r) / 1800.0,  //
                                      (88.0 + 7.0 * r) / 360.0, (-2.0 - 3.0 * r) / 225.0,      //
                                      (16.0 - r) / 36.0, (16.0 + r) / 36.0, ratio(1, 9)}),
            1e-31);
}

TEST(Tableau, SimplifyingAssumptionsHoldExactlyAsFarAsTheTheorySays) {
  for (const int s : {1, 2, 3, 4, 5, 6, 7, 8, 20, 60}) {
    expect_assumptions(gauss_tableau(s), 2 * s, s, s);
    expect_assumptions(radau_iia(s), 2 * s - 1, s, s - 1);
    expect_assumptions(radau_ia(s), 2 * s - 1, s - 1, s);
    if (s == 1) continue;
    expect_assumptions(lobatto_iiia(s), 2 * s - 2, s, s - 2);
    expect_assumptions(lobatto_iiib(s), 2 * s - 2, s - 2, s);
  }
}

TEST(Tableau, SimplifyingAssumptionsInPowersAgreeWithThoseInLegendrePolynomials) {
  for (int s = 2; s <= 8; ++s) {
    for (const Tableau& t :
         {gauss_tableau(s), lobatto_iiia(s), lobatto_iiib(s), radau_ia(s), radau_iia(s)}) {
      const int q = simplifying_c(t);
      const int r = simplifying_d(t);
      for (int k = 1; k <= q; ++k) EXPECT_LE(defect_c(t, k), 1e-30) << t.name;
      for (int k = 1; k <= r; ++k) EXPECT_LE(defect_d(t, k), 1e-30) << t.name;
      EXPECT_GT(defect_c(t, q + 1), 1e-8) << t.name;
      EXPECT_GT(defect_d(t, r + 1), 1e-8) << t.name;
    }
  }
}

TEST(Tableau, DeclaredOrders) {
  for (int s = 1; s <= 20; ++s) {
    EXPECT_EQ(gauss_tableau(s).order, 2 * s);
    EXPECT_EQ(radau_iia(s).order, 2 * s - 1);
    EXPECT_EQ(radau_ia(s).order, 2 * s - 1);
    if (s == 1) continue;
    EXPECT_EQ(lobatto_iiia(s).order, 2 * s - 2);
    EXPECT_EQ(lobatto_iiib(s).order, 2 * s - 2);
  }
  EXPECT_EQ(lobatto_iiib(3).name, "lobatto_iiib:3");
  EXPECT_EQ(gauss_tableau(2).stages, 2);
}

TEST(TableauSlow, ConjugatePairsAreSymplectic) {
  for (int s = 1; s <= 60; s += s < 8 ? 1 : 13) {
    EXPECT_LE(symplectic_defect(gauss_tableau(s), gauss_tableau(s)), 1e-30);
    const Tableau left = collocation(radau_left_quadrature(s));
    EXPECT_LE(symplectic_defect(left, radau_ia(s)), 1e-30);
    if (s == 1) continue;
    EXPECT_LE(symplectic_defect(lobatto_iiia(s), lobatto_iiib(s)), 1e-30);
    EXPECT_LE(symplectic_defect(lobatto_iiib(s), lobatto_iiia(s)), 1e-30);
    EXPECT_FALSE(is_symplectic_pair(lobatto_iiia(s), lobatto_iiia(s)));
    EXPECT_FALSE(is_symplectic_pair(radau_iia(s), radau_iia(s)));
  }
  EXPECT_TRUE(is_symplectic_pair(lobatto_iiia(4), lobatto_iiib(4)));
  EXPECT_FALSE(is_symplectic_pair(gauss_tableau(2), gauss_tableau(3)));
  EXPECT_THROW(symplectic_defect(gauss_tableau(2), gauss_tableau(3)), InvalidArgument);
  Tableau other_weights = gauss_tableau(2);
  other_weights.b = {0.25, 0.75};
  EXPECT_FALSE(is_symplectic_pair(gauss_tableau(2), other_weights));
}

TEST(Tableau, ConjugationIsAnInvolutionAndGaussItsFixedPoint) {
  for (const int s : {2, 3, 5, 8, 20}) {
    const Tableau t = collocation(radau_left_quadrature(s));
    EXPECT_LE(distance(symplectic_conjugate(symplectic_conjugate(t)).A, t.A), 1e-30);
    const Tableau gauss = gauss_tableau(s);
    EXPECT_LE(distance(symplectic_conjugate(gauss).A, gauss.A), 1e-30);
    EXPECT_EQ(symplectic_conjugate(gauss).order, 2 * s);
  }
}

TEST(Tableau, SymmetricMethodsEqualTheirAdjoint) {
  // a_{s+1−i,s+1−j} + a_ij = bⱼ
  for (int s = 2; s <= 30; ++s) {
    for (const Tableau& t : {gauss_tableau(s), lobatto_iiia(s), lobatto_iiib(s)}) {
      DD most = 0.0;
      for (int i = 0; i < s; ++i) {
        for (int j = 0; j < s; ++j) {
          const DD sum = t.a(s - 1 - i, s - 1 - j) + t.a(i, j);
          most = std::max(most, abs(sum - t.b[static_cast<std::size_t>(j)]));
        }
      }
      EXPECT_LE(static_cast<double>(most), 1e-30) << t.name;
    }
  }
}

TEST(Tableau, FirstAndLastStagesOfLobattoAreExact) {
  for (int s = 2; s <= 30; ++s) {
    const Tableau iiia = lobatto_iiia(s);
    const Tableau iiib = lobatto_iiib(s);
    for (int j = 0; j < s; ++j) {
      EXPECT_EQ(iiia.a(0, j), 0.0);
      EXPECT_EQ(iiia.a(s - 1, j), iiia.b[static_cast<std::size_t>(j)]);
      EXPECT_EQ(iiib.a(j, 0), iiib.b[0]);
      EXPECT_EQ(iiib.a(j, s - 1), 0.0);
    }
  }
}

TEST(Tableau, LobattoIIIBIsDiscontinuousCollocation) {
  // On y' = f(t) from y₀ = 0 with h = 1: u of degree s − 2 has u(0) = b₁(f(0) − u'(0)) and
  // u'(cᵢ) = f(cᵢ) at the inner nodes, and stage i is u(cᵢ). So for an inner j and every i,
  // a_ij = ∫₀^{cᵢ} λⱼ − b₁ λⱼ(0) with the Lagrange basis λ of the inner nodes.
  for (int s = 3; s <= 12; ++s) {
    const Tableau t = lobatto_iiib(s);
    const std::vector<DD> inner(t.c.begin() + 1, t.c.end() - 1);
    for (int i = 0; i < s; ++i) {
      const DD& node = t.c[static_cast<std::size_t>(i)];
      for (int j = 1; j + 1 < s; ++j) {
        const DD expected =
            lagrange_integral(inner, j - 1, node) - t.b[0] * lagrange_value(inner, j - 1, 0.0);
        EXPECT_LE(static_cast<double>(abs(t.a(i, j) - expected)), 1e-29) << t.name;
      }
    }
  }
}

TEST(Tableau, StiffAccuracy) {
  for (int s = 1; s <= 10; ++s) {
    EXPECT_TRUE(stiffly_accurate(radau_iia(s)));
    EXPECT_FALSE(stiffly_accurate(gauss_tableau(s)));
    if (s == 1) continue;
    EXPECT_FALSE(stiffly_accurate(radau_ia(s)));
    EXPECT_TRUE(stiffly_accurate(lobatto_iiia(s)));
    EXPECT_FALSE(stiffly_accurate(lobatto_iiib(s)));
  }
}

TEST(Tableau, CollocationAtAnyNodes) {
  const Tableau t = collocation(interpolatory_quadrature({0.1, 0.45, 0.8}));
  EXPECT_EQ(t.order, 3);
  EXPECT_EQ(simplifying_c(t), 3);
  EXPECT_TRUE(is_symplectic_pair(t, symplectic_conjugate(t)));
  EXPECT_EQ(t.name, "collocation(interpolatory)");
}

TEST(Tableau, WrongRequestsAreRefused) {
  EXPECT_THROW(gauss_tableau(0), InvalidArgument);
  EXPECT_THROW(gauss_tableau(-1), InvalidArgument);
  EXPECT_THROW(lobatto_iiia(1), InvalidArgument);
  EXPECT_THROW(lobatto_iiib(0), InvalidArgument);
  EXPECT_THROW(radau_ia(0), InvalidArgument);
  EXPECT_THROW(radau_iia(0), InvalidArgument);
  // The second weight is ∫(x − ½)/(c₂ − ½) = 0.
  const Tableau zero_weight = collocation(interpolatory_quadrature({0.5, 0.7}));
  EXPECT_THROW(symplectic_conjugate(zero_weight), InvalidArgument);
  // Weights that are not interpolatory belong to no collocation method.
  const Quadrature rule{"mine", {0.0, 0.5, 1.0}, {0.25, 0.5, 0.25}, 4};
  try {
    collocation(rule);
    FAIL() << "no exception";
  } catch (const InvalidArgument& e) {
    EXPECT_EQ(std::string(e.what()),
              "collocation: the rule 'mine' with 3 nodes has order 2 only; make its weights with "
              "interpolatory_quadrature(nodes)");
  }
}

}  // namespace
}  // namespace varia::tableau_test
