// SPDX-License-Identifier: BSD-3-Clause
// Plane stress: the thickness that makes σ33 vanish, and the energy that is left.
#include "varia/solids/plane_stress.hpp"

#include <gtest/gtest.h>

#include "laws.hpp"
#include "varia/ad/jet2.hpp"

namespace varia::solids::plane_stress_test {
namespace {

template <class M> class SheetTest : public ::testing::Test {};
using Laws = ::testing::Types<NeoHookean, StVenantKirchhoff, MooneyRivlin, LinearElastic>;
TYPED_TEST_SUITE(SheetTest, Laws);

template <class M> M sample() {
  for (const Material& material : test_materials()) {
    const Law l = law(material);
    if (const M* m = std::get_if<M>(&l)) return *m;
  }
  throw InvalidArgument("no such law");
}

TYPED_TEST(SheetTest, IsTheSolidThatIsFreeAcross) {
  const PlaneStress<TypeParam> sheet{sample<TypeParam>()};
  Random random(2);
  for (int n = 0; n < 200; ++n) {
    const auto F = random_gradient<2>(random, 0.3);
    double F3[9], P3[9], P[4];
    ASSERT_TRUE(embed(sheet, F.data(), F3));
    ASSERT_TRUE(sheet.bulk.template stress<3>(F3, P3));
    EXPECT_NEAR(P3[8], 0.0, 1e-14);
    ASSERT_TRUE(sheet.template stress<2>(F.data(), P));
    EXPECT_EQ(P[1], P3[1]);
    // The energy is the least one over all thicknesses.
    const double W = sheet.template energy<2>(F.data());
    for (const double factor : {0.9, 0.999, 1.001, 1.1}) {
      double other[9];
      block_diagonal(F.data(), factor * F3[8], other);
      EXPECT_LT(W, sheet.bulk.template energy<3>(other));
    }
  }
}

TYPED_TEST(SheetTest, StressIsDerivativeOfTheEnergy) {
  const PlaneStress<TypeParam> sheet{sample<TypeParam>()};
  using J = Jet<double, 4>;
  Random random(4);
  for (int n = 0; n < 200; ++n) {
    const auto F = random_gradient<2>(random, 0.3);
    J FJ[4];
    for (int i = 0; i < 4; ++i) FJ[i] = J::variable(F[i], i);
    const J W = sheet.template energy<2>(FJ);
    double P[4];
    ASSERT_TRUE(sheet.template stress<2>(F.data(), P));
    for (int i = 0; i < 4; ++i) {
      auto up = F, down = F;
      up[i] += 1e-5;
      down[i] -= 1e-5;
      EXPECT_NEAR(P[i], W.d[i], 1e-12);
      EXPECT_NEAR(
          P[i],
          (sheet.template energy<2>(up.data()) - sheet.template energy<2>(down.data())) / 2e-5,
          1e-7);
    }
  }
}

/// Jets carry the thickness along: second derivatives are those of the sheet, not of the solid
/// with its thickness held.
TYPED_TEST(SheetTest, SecondDerivativesSeeTheThickness) {
  const PlaneStress<TypeParam> sheet{sample<TypeParam>()};
  Random random(6);
  const auto F = random_gradient<2>(random, 0.2);
  Jet2<4> FJ[4];
  for (int i = 0; i < 4; ++i) FJ[i] = Jet2<4>::variable(F[i], i);
  const Jet2<4> W = sheet.template energy<2>(FJ);
  for (int j = 0; j < 4; ++j) {
    auto up = F, down = F;
    double P[4], Q[4];
    up[j] += 1e-5;
    down[j] -= 1e-5;
    ASSERT_TRUE(sheet.template stress<2>(up.data(), P));
    ASSERT_TRUE(sheet.template stress<2>(down.data(), Q));
    for (int i = 0; i < 4; ++i) EXPECT_NEAR(W.hess(i, j), (P[i] - Q[i]) / 2e-5, 1e-7);
  }
}

/// The stretch itself has its second derivative too (the energy would not show a wrong one).
TEST(PlaneStress, ThicknessCarriesTwoDerivatives) {
  const NeoHookean m{1.7, 0.6};
  const auto stretch = [&m](double a) {
    const double F[4] = {a, 0.1, 0.2, 0.9};
    double s = 0.0;
    EXPECT_TRUE(m.transverse(F, s));
    return s;
  };
  const Jet2<1> F[4] = {Jet2<1>::variable(1.3, 0), Jet2<1>(0.1), Jet2<1>(0.2), Jet2<1>(0.9)};
  Jet2<1> s;
  ASSERT_TRUE(m.transverse(F, s));
  const double h = 1e-4, up = stretch(1.3 + h), at = stretch(1.3), down = stretch(1.3 - h);
  EXPECT_NEAR(s.g[0], (up - down) / (2 * h), 1e-7);
  EXPECT_NEAR(s.hess(0, 0), (up - 2 * at + down) / (h * h), 1e-6);
}

TEST(PlaneStress, SmallStrainHasTheModulusOfASheet) {
  const double lambda = 1.7, mu = 0.6, sheet = 2 * lambda * mu / (lambda + 2 * mu) + 2 * mu;
  Jet2<1> F[4] = {Jet2<1>::variable(1.0, 0), Jet2<1>(0.0), Jet2<1>(0.0), Jet2<1>(1.0)};
  EXPECT_NEAR((PlaneStress<NeoHookean>{{lambda, mu}}.energy<2>(F).hess(0, 0)), sheet, 1e-12);
  EXPECT_NEAR((PlaneStress<StVenantKirchhoff>{{lambda, mu}}.energy<2>(F).hess(0, 0)), sheet, 1e-12);
  EXPECT_NEAR((PlaneStress<LinearElastic>{{lambda, mu}}.energy<2>(F).hess(0, 0)), sheet, 1e-12);
  EXPECT_LT(sheet, NeoHookean({lambda, mu}).pressure_wave_modulus());
}

/// With constants and stretches over many powers of ten, in any combination.
TEST(PlaneStress, ThicknessIsFoundEverywhere) {
  int cases = 0;
  for (double ratio = 1e-6; ratio < 2e6; ratio *= 10) {
    for (double a = 1e-3; a < 2e3; a *= 3) {
      for (double b = 1e-3; b < 2e3; b *= 3) {
        const double F[4] = {a, 0.3 * a, 0.0, b};
        const auto check = [&](const auto& m, double stiffness, double cubic) {
          double s = 0.0, F3[9], P[9];
          ASSERT_TRUE(m.transverse(F, s)) << ratio << " " << a << " " << b;
          ASSERT_GT(s, 0.0);
          block_diagonal(F, s, F3);
          ASSERT_TRUE(m.template stress<3>(F3, P));
          // s is right to round-off: s P33 against the terms it is the sum of
          const double terms = cubic * s * s * s * s + stiffness * (1.0 + s * s) +
                               ratio * (1.0 + std::abs(std::log(a * b)));
          EXPECT_NEAR(s * P[8] / terms, 0.0, 1e-13) << ratio << " " << a << " " << b;
          ++cases;
        };
        check(NeoHookean{ratio, 1.0}, 1.0, 0.0);
        check(MooneyRivlin{0.2, 0.3, ratio}, 1.0 + a * a + b * b, 0.6);
      }
    }
  }
  EXPECT_GT(cases, 3000);
}

TEST(PlaneStress, AuxeticSheetsThickenWhenPulled) {
  const NeoHookean m{-0.3, 1.0};
  const double F[4] = {1.2, 0, 0, 1.0};
  double s = 0.0;
  ASSERT_TRUE(m.transverse(F, s));
  EXPECT_GT(s, 1.0);
  EXPECT_NEAR(s * s - 1.0 - 0.3 * std::log(1.2 * s), 0.0, 1e-14);
}

TEST(PlaneStress, WhereNoThicknessIsFreeOfStressThereIsNoStress) {
  const double pulled[4] = {3, 0, 0, 3}, squeezed[4] = {1e-8, 0, 0, 1e-8}, flat[4] = {1, 0, 0, 0};
  double P[4];
  EXPECT_FALSE((PlaneStress<StVenantKirchhoff>{{1.0, 0.1}}.stress<2>(pulled, P)));
  EXPECT_FALSE((PlaneStress<LinearElastic>{{1.0, 0.1}}.stress<2>(pulled, P)));
  EXPECT_FALSE((PlaneStress<NeoHookean>{{-0.6, 1.0}}.stress<2>(squeezed, P)));
  EXPECT_FALSE((PlaneStress<NeoHookean>{{1.0, 1.0}}.stress<2>(flat, P)));
}

}  // namespace
}  // namespace varia::solids::plane_stress_test
