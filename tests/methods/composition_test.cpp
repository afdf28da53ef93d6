// SPDX-License-Identifier: BSD-3-Clause
// Compositions as methods: names, orders, symmetry, what they cost, and what is refused.
#include "varia/methods/composition.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "refusal.hpp"
#include "varia/methods/legs.hpp"

namespace varia::composition_test {
namespace {

std::string refused(const std::string& text) {
  return refusal([&] { parse_method(text); });
}

TEST(Composition, OrdersSymmetriesAndGradients) {
  struct Row {
    const char* name;
    int order;
    bool symmetric;
    std::size_t gradients;  ///< of one explicit step
  };
  for (const Row& row : {Row{"triple_jump(verlet)", 4, true, 3},
                         {"suzuki(verlet)", 4, true, 5},
                         {"suzuki(suzuki(verlet))", 6, true, 25},
                         {"yoshida(4, verlet)", 4, true, 3},
                         {"yoshida(6, verlet)", 6, true, 7},
                         {"yoshida(8, verlet)", 8, true, 15},
                         {"kahan_li(6, verlet)", 6, true, 9},
                         {"kahan_li(8, verlet)", 8, true, 17},
                         {"sofroniou_spaletta(10, verlet)", 10, true, 35},
                         {"ruth(3)", 3, false, 3},
                         {"mclachlan(4)", 4, true, 5},
                         {"mclachlan_atela(4)", 4, false, 4},
                         {"mclachlan_atela(5)", 5, false, 6},
                         {"blanes_moan(4)", 4, true, 6},
                         {"blanes_moan(6)", 6, true, 10},
                         {"blanes_moan_rkn(4, 6)", 4, true, 6},
                         {"blanes_moan_rkn(6, 11)", 6, true, 11},
                         {"blanes_moan_rkn(6, 14)", 6, true, 14}}) {
    SCOPED_TRACE(row.name);
    const Method m = parse_method(row.name);
    EXPECT_EQ(m.name(), row.name);
    EXPECT_EQ(m.order(), row.order);
    EXPECT_EQ(m.symmetric(), row.symmetric);
    EXPECT_TRUE(m.rests_on_symmetry());
    const auto legs = explicit_legs(m);
    ASSERT_TRUE(legs.has_value());
    // a gradient after each drift, but the last one where nobody uses it
    EXPECT_EQ(legs->drifts.size() - (legs->gradient_last() ? 0 : 1), row.gradients);
    double drift = 0.0, kick = 0.0;
    for (const double a : legs->drifts) drift += a;
    for (const double b : legs->kicks) kick += b;
    EXPECT_NEAR(drift, 1.0, 1e-15 * static_cast<double>(legs->drifts.size()));
    EXPECT_NEAR(kick, 1.0, 1e-15 * static_cast<double>(legs->kicks.size()));
  }
}

TEST(Composition, DefaultsOfTheText) {
  EXPECT_EQ(parse_method("suzuki").name(), "suzuki(verlet)");
  EXPECT_EQ(parse_method("yoshida(6)").name(), "yoshida(6, verlet)");
  EXPECT_EQ(parse_method("yoshida(method=midpoint, order=8)").name(), "yoshida(8, midpoint)");
  EXPECT_EQ(parse_method("sofroniou_spaletta").name(), "sofroniou_spaletta(10, verlet)");
  EXPECT_EQ(parse_method("ruth").name(), "ruth(3)");
  EXPECT_EQ(parse_method("blanes_moan_rkn(6)").name(), "blanes_moan_rkn(6, 14)");
  EXPECT_EQ(parse_method("blanes_moan_rkn(4)").name(), "blanes_moan_rkn(4, 6)");
}

/// Suzuki's fractions solve 4γ + γ' = 1, 4γ^{r+1} + γ'^{r+1} = 0.
TEST(Composition, SuzukiForAnyOrder) {
  for (const Method& m : {verlet(), gauss(2), gauss(3)}) {
    const Method composed = suzuki(m);
    EXPECT_EQ(composed.order(), m.order() + 2);
    double sum = 0.0, power = 0.0;
    for (const auto& [part, fraction] : composed.substeps()) {
      sum += fraction;
      power += std::pow(fraction, m.order() + 1);
      EXPECT_LT(std::abs(fraction), 1.0) << "shorter than the step";
    }
    EXPECT_NEAR(sum, 1.0, 1e-15);
    EXPECT_NEAR(power, 0.0, 1e-15);
  }
}

/// Yoshida's set of order 4 is the triple jump.
TEST(Composition, YoshidaFourIsTheTripleJump) {
  const auto a = yoshida(4).substeps();
  const auto b = triple_jump(verlet()).substeps();
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(a[i].second, b[i].second, 4e-16);
}

TEST(Composition, OnlyTheSetsForQuadraticKineticEnergyNeedIt) {
  for (const char* name : {"mclachlan_atela(4)", "mclachlan_atela(5)", "blanes_moan_rkn(6, 11)",
                           "blanes_moan_rkn(6, 14)"}) {
    EXPECT_TRUE(parse_method(name).needs_separable()) << name;
    EXPECT_EQ(parse_method(name).constrained_order(), 0) << name;
    EXPECT_TRUE(adjoint(parse_method(name)).needs_separable()) << name;
    EXPECT_TRUE(compose({{verlet(), 0.5}, {parse_method(name), 0.5}}).needs_separable()) << name;
  }
  for (const char* name : {"ruth(3)", "mclachlan(4)", "blanes_moan(6)", "blanes_moan_rkn(4)",
                           "yoshida(6)", "verlet", "gauss(2)"}) {
    EXPECT_FALSE(parse_method(name).needs_separable()) << name;
  }
  EXPECT_EQ(blanes_moan(6).constrained_order(), 6);
}

TEST(Composition, RefusalsNameWhatThereIs) {
  expect_words(refused("yoshida(5)"), {"yoshida", "order 5", "4, 6, 8"});
  expect_words(refused("kahan_li(4)"), {"6, 8"});
  expect_words(refused("blanes_moan(8)"), {"4, 6"});
  expect_words(refused("blanes_moan_rkn(6, 12)"), {"12", "11 and 14"});
  expect_words(refused("blanes_moan_rkn(4, 11)"), {"11", "there are 6"});
  expect_words(refused("blanes_moan_rkn(5)"), {"order 5"});
  expect_words(refused("ruth(4)"), {"order 4", "3"});
  expect_words(refused("yoshida"), {"needs the parameter 'order'"});
  expect_words(refused("yoshida(6, euler_a)"), {"euler_a is not symmetric", "adjoint"});
  expect_words(refused("suzuki(ruth)"), {"ruth(3) is not symmetric"});
  expect_words(refused("yoshida(6, rk4)"), {"rk4", "not variational"});
  expect_words(refused("suzuki(rk4)"), {"rk4", "not variational"});
  expect_words(refused("yoshida(6, gauss(3))"), {"has order 6 already", "below 6"});
  EXPECT_NO_THROW(parse_method("yoshida(6, gauss(2))"));
}

TEST(ComposeByName, ReadsPartsAndOrder) {
  const Method m = parse_method("compose(euler_b: 0.5, euler_a: 0.5, order=2)");
  EXPECT_EQ(m.order(), 2);
  EXPECT_TRUE(m.symmetric());
  ASSERT_EQ(m.substeps().size(), 2u);
  EXPECT_EQ(m.substeps()[0].first.name(), "euler_b");
  EXPECT_EQ(m.substeps()[1].second, 0.5);
  EXPECT_EQ(m.name(), "compose(euler_b: 0.5, euler_a: 0.5, order=2)");
  EXPECT_EQ(parse_method(m.name()).name(), m.name());
  const Method nested = parse_method(
      " compose( galerkin(2, lobatto:3) :0.25, midpoint(alpha=0.3): -0.5, gauss(2): 1.25) ");
  EXPECT_EQ(nested.order(), 1);
  ASSERT_EQ(nested.substeps().size(), 3u);
  EXPECT_EQ(nested.substeps()[1].second, -0.5);
  EXPECT_EQ(parse_method(nested.name()).name(), nested.name());
  // ten parts with parentheses stand beside each other, not inside
  std::string many;
  for (int i = 0; i < 10; ++i) many += (many.empty() ? "" : ", ") + std::string("gauss(2): 0.1");
  EXPECT_EQ(parse_method("compose(" + many + ")").substeps().size(), 10u);
}

TEST(ComposeByName, RefusesASumOtherThanOneAndTellsIt) {
  expect_words(refused("compose(verlet: 0.25, verlet: 0.5)"), {"sum to 0.75", "sum to 1"});
  expect_words(refused("compose(verlet: 1, verlet: 1e-9)"), {"sum to 1.000000001"});
  expect_words(refused("compose(verlet: 0)"), {"sum to 0"});
  expect_words(refused("compose(verlet: nan, verlet: 1)"), {"finite"});
}

TEST(ComposeByName, RefusesWhatIsNoPart) {
  expect_words(refused("compose()"), {"empty"});
  expect_words(refused("compose"), {"empty"});
  expect_words(refused("compose(verlet)"), {"'verlet'", "method: fraction"});
  expect_words(refused("compose(galerkin(2, lobatto:3))"), {"method: fraction"});
  expect_words(refused("compose(verlet: half)"), {"fraction", "'half'"});
  expect_words(refused("compose(verlet: 1:0)"), {"verlet: 1"});
  expect_words(refused("compose(rk4: 1)"), {"rk4", "not variational"});
  expect_words(refused("compose(verlet: 1, order=-2)"), {"at least 1, got -2"});
  expect_words(refused("compose(verlet: 1, degree=2)"), {"'degree'", "order"});
  expect_words(refused("compose(compose(compose(compose(gauss(2): 1): 1): 1): 1)"),
               {"inside each other"});
}

TEST(AdjointByName, IsTheAdjoint) {
  EXPECT_EQ(parse_method("adjoint(ruth)").name(), "adjoint(ruth(3))");
  EXPECT_EQ(parse_method("adjoint(euler_a)").explicit_alpha(), euler_b().explicit_alpha());
  EXPECT_EQ(parse_method("adjoint(adjoint(ruth))").name(), "ruth(3)");
  expect_words(refused("adjoint"), {"needs the parameter 'method'"});
  expect_words(refused("adjoint(rk4)"), {"not variational"});
}

/// Neighbouring kicks become one, drifts with nothing between them too.
TEST(Legs, AreMerged) {
  const auto jump = explicit_legs(compose({{verlet(), 0.25}, {verlet(), 0.75}}));
  EXPECT_EQ(jump->drifts, (std::vector<double>{0.25, 0.75}));
  EXPECT_EQ(jump->kicks, (std::vector<double>{0.125, 0.5, 0.375}));
  const auto position = explicit_legs(compose({{euler_b(), 0.5}, {euler_a(), 0.5}}));
  EXPECT_EQ(position->drifts, (std::vector<double>{0.5, 0.5}));
  EXPECT_EQ(position->kicks, (std::vector<double>{0.0, 1.0, 0.0}));
  EXPECT_FALSE(position->gradient_last());
  const auto velocity = explicit_legs(compose({{euler_a(), 0.5}, {euler_b(), 0.5}}));
  EXPECT_EQ(velocity->drifts, (std::vector<double>{1.0}));
  EXPECT_EQ(velocity->kicks, (std::vector<double>{0.5, 0.5}));
  EXPECT_TRUE(velocity->kicks_first());
  EXPECT_FALSE(explicit_legs(gauss(2)).has_value());
  EXPECT_FALSE(explicit_legs(compose({{verlet(), 0.5}, {gauss(2), 0.5}})).has_value());
  EXPECT_FALSE(explicit_legs(rk4()).has_value());
}

}  // namespace
}  // namespace varia::composition_test
