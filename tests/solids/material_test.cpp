// SPDX-License-Identifier: BSD-3-Clause
// Strain energies: stress against derivatives of an energy written a second time, objectivity,
// the state of rest, and what a wrong material is answered with.
// Of neo_hookean.hpp, st_venant_kirchhoff.hpp, mooney_rivlin.hpp, linear_elastic.hpp.
#include "varia/solids/material.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "../refusal.hpp"
#include "laws.hpp"
#include "varia/ad/jet2.hpp"
#include "varia/solids/plane_stress.hpp"

namespace varia::solids::material_test {
namespace {

template <class M> class LawTest : public ::testing::Test {};
struct Named {
  template <class M> static std::string GetName(int i) {
    return test_materials()[static_cast<std::size_t>(i)].model;
  }
};
using Laws = ::testing::Types<NeoHookean, StVenantKirchhoff, MooneyRivlin, LinearElastic>;
TYPED_TEST_SUITE(LawTest, Laws, Named);

template <class M> M sample() {
  for (const Material& material : test_materials()) {
    const Law l = law(material);
    if (const M* m = std::get_if<M>(&l)) return *m;
  }
  throw InvalidArgument("no such law");
}

/// F as the upper left block of a 3 x 3 matrix with F33 = 1.
template <int D, class S> std::array<S, 9> full(const S* F) {
  std::array<S, 9> F3;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      F3[3 * i + j] = i < D && j < D ? F[i * D + j] : S(i == j ? 1.0 : 0.0);
  return F3;
}

template <int D, class M> void stress_is_derivative(const M& m) {
  using J = Jet<double, D * D>;
  Random random(11);
  for (int n = 0; n < 200; ++n) {
    const auto F = random_gradient<D>(random, n < 100 ? 0.4 : 0.01);
    std::array<J, D * D> FJ;
    for (int i = 0; i < D * D; ++i) FJ[i] = J::variable(F[i], i);
    const J W = plain_energy(m, full<D>(FJ.data()).data());
    const J own = m.template energy<D>(FJ.data());
    double P[D * D];
    ASSERT_TRUE(m.template stress<D>(F.data(), P));
    EXPECT_NEAR(own.v, W.v, 1e-13);
    EXPECT_NEAR(m.template energy<D>(F.data()), W.v, 1e-13);
    for (int i = 0; i < D * D; ++i) {
      EXPECT_NEAR(P[i], W.d[i], 1e-12) << i;
      EXPECT_NEAR(own.d[i], W.d[i], 1e-12) << i;
      auto up = F, down = F;
      up[i] += 1e-5;
      down[i] -= 1e-5;
      const double slope =
          (m.template energy<D>(up.data()) - m.template energy<D>(down.data())) / 2e-5;
      EXPECT_NEAR(P[i], slope, 1e-7);
    }
  }
}

TYPED_TEST(LawTest, StressIsDerivativeOfTheEnergy) {
  stress_is_derivative<2>(sample<TypeParam>());
  stress_is_derivative<3>(sample<TypeParam>());
}

template <int D, class M> void objective(const M& m) {
  Random random(5);
  for (int n = 0; n < 100; ++n) {
    const auto F = random_gradient<D>(random);
    const auto R = random_rotation<D>(random);
    const auto RF = product<D>(R, F);
    std::array<double, D * D> P, PR;
    ASSERT_TRUE(m.template stress<D>(F.data(), P.data()));
    ASSERT_TRUE(m.template stress<D>(RF.data(), PR.data()));
    EXPECT_NEAR(m.template energy<D>(RF.data()), m.template energy<D>(F.data()), 1e-13);
    const auto RP = product<D>(R, P);
    for (int i = 0; i < D * D; ++i) EXPECT_NEAR(PR[i], RP[i], 1e-12);
    for (int i = 0; i < D; ++i)
      for (int j = 0; j < i; ++j) {
        double skew = 0.0;  // of P Fᵀ
        for (int k = 0; k < D; ++k)
          skew += P[i * D + k] * F[j * D + k] - P[j * D + k] * F[i * D + k];
        EXPECT_NEAR(skew, 0.0, 1e-13);
      }
  }
}

TYPED_TEST(LawTest, ObjectiveUnlessLinear) {
  const TypeParam m = sample<TypeParam>();
  if constexpr (!TypeParam::small_strain) {
    objective<2>(m);
    objective<3>(m);
  } else {  // a quarter turn costs energy, and that is why it is for small rotations only
    const double quarter[4] = {0.0, -1.0, 1.0, 0.0};
    EXPECT_GT(m.template energy<2>(quarter), 0.1);
  }
}

TYPED_TEST(LawTest, RestIsFreeOfEnergyAndStress) {
  const TypeParam m = sample<TypeParam>();
  const double I[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double P[9];
  ASSERT_TRUE(m.template stress<3>(I, P));
  for (const double p : P) EXPECT_NEAR(p, 0.0, 1e-15);
  EXPECT_NEAR(m.template energy<3>(I), 0.0, 1e-15);
  Random random(3);
  for (int n = 0; n < 50; ++n) {
    const auto F = random_gradient<3>(random);
    EXPECT_GT(m.template energy<3>(F.data()), 0.0);
  }
}

TYPED_TEST(LawTest, PressureWaveModulusIsA1111) {
  const TypeParam m = sample<TypeParam>();
  std::array<Jet2<1>, 9> F;
  for (int i = 0; i < 9; ++i) F[i] = Jet2<1>(i % 4 == 0 ? 1.0 : 0.0);
  F[0] = Jet2<1>::variable(1.0, 0);
  EXPECT_NEAR(m.template energy<3>(F.data()).hess(0, 0), m.pressure_wave_modulus(), 1e-13);
}

TYPED_TEST(LawTest, NoStressInsideOut) {
  const TypeParam m = sample<TypeParam>();
  const double nan = std::numeric_limits<double>::quiet_NaN(), big = 1e200;
  double P[9];
  for (const double bad : {0.0, -1.0, -1e-9, nan}) {
    const double F2[4] = {bad, 0, 0, 1}, F3[9] = {1, 0, 0, 0, bad, 0, 0, 0, 1};
    EXPECT_FALSE(m.template stress<2>(F2, P)) << bad;
    EXPECT_FALSE(m.template stress<3>(F3, P)) << bad;
  }
  const double huge[4] = {big, 0, 0, big};
  EXPECT_FALSE(m.template stress<2>(huge, P));
}

TEST(MooneyRivlin, WithoutC2IsNeoHookean) {
  const MooneyRivlin rubber{0.3, 0.0, 1.7};
  const NeoHookean neo{1.7, 0.6};
  Random random(8);
  const auto F = random_gradient<3>(random);
  EXPECT_NEAR(rubber.energy<3>(F.data()), neo.energy<3>(F.data()), 1e-14);
}

TEST(Material, YoungAndPoissonAreLame) {
  for (const char* model : {"neo_hookean", "st_venant_kirchhoff", "linear_elastic"}) {
    const Material one{model, {{"young", 210e9}, {"poisson", 0.3}}, 7800};
    const Material two{model, {{"mu", 210e9 / 2.6}, {"lambda", 210e9 * 0.3 / (1.3 * 0.4)}}, 7800};
    EXPECT_NEAR(wave_speed(one), wave_speed(two), 1e-9);
  }
}

TEST(Material, WaveSpeedOfThePaper) {
  const Material m{"neo_hookean", {{"lambda", 93e9}, {"mu", 10e9}}, 7800};
  EXPECT_NEAR(wave_speed(m), 3806.2028, 1e-3);  // sqrt(113e9/7800)
}

TEST(Material, EveryModelOfTheListIsALaw) {
  EXPECT_EQ(material_models().size(), std::variant_size_v<Law>);
  for (const MaterialModel& model : material_models()) {
    for (const auto& set : model.parameters) {
      Material m{model.name, {}, 1.0};
      for (const std::string& name : set) m.parameters.emplace_back(name, 0.25);
      EXPECT_GT(wave_speed(m), 0.0) << model.name;
    }
    EXPECT_FALSE(model.summary.empty());
  }
}

std::string why(const Material& m) {
  return refusal([&] { law(m); });
}

TEST(Material, WrongNamesAreRefused) {
  expect_words(why({"neo_hokean", {}, 1}),
               {"neo_hokean", "did you mean neo_hookean", "linear_elastic"});
  expect_words(why({"neo_hookean", {{"lamda", 1}, {"mu", 1}}, 1}),
               {"lamda", "did you mean lambda", "young, poisson"});
  expect_words(why({"neo_hookean", {{"lambda", 1}, {"young", 1}}, 1}),
               {"lambda, mu or young, poisson", "found lambda, young"});
  expect_words(why({"neo_hookean", {}, 1}), {"no constants"});
  expect_words(why({"neo_hookean", {{"mu", 1}, {"mu", 1}}, 1}), {"twice"});
  expect_words(why({"mooney_rivlin", {{"c1", 1}, {"lambda", 1}}, 1}), {"c1, c2, lambda"});
}

TEST(Material, WrongValuesAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_words(why({"neo_hookean", {{"lambda", 1}, {"mu", 0}}, 1}), {"shear modulus", "0"});
  expect_words(why({"neo_hookean", {{"lambda", -1}, {"mu", 1}}, 1}), {"bulk modulus"});
  expect_words(why({"neo_hookean", {{"lambda", nan}, {"mu", 1}}, 1}), {"lambda", "not finite"});
  expect_words(why({"neo_hookean", {{"lambda", 0}, {"mu", 1e308}}, 1}), {"wave modulus", "finite"});
  EXPECT_NO_THROW(law({"neo_hookean", {{"lambda", 0}, {"mu", 0.8e308}}, 1})) << "2 mu is finite";
  expect_words(why({"linear_elastic", {{"young", 1}, {"poisson", 0.5}}, 1}), {"poisson", "1/2"});
  expect_words(why({"linear_elastic", {{"young", -1}, {"poisson", 0.2}}, 1}), {"young"});
  expect_words(why({"mooney_rivlin", {{"c1", 1}, {"c2", -0.1}, {"lambda", 1}}, 1}), {"c2"});
  expect_words(why({"mooney_rivlin", {{"c1", -1}, {"c2", 2}, {"lambda", 1}}, 1}), {"c1"});
  for (const double density : {0.0, -1.0, nan})
    expect_words(why({"neo_hookean", {{"lambda", 1}, {"mu", 1}}, density}), {"density"});
}

}  // namespace
}  // namespace varia::solids::material_test
