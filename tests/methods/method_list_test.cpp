// SPDX-License-Identifier: BSD-3-Clause
// The list of methods and the reading of their names.
// Of methods.hpp too.
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "refusal.hpp"
#include "varia/core/error.hpp"
#include "varia/methods/methods.hpp"

namespace varia::method_list_test {
namespace {

std::string refusal(const std::string& text) {
  try {
    parse_method(text);
  } catch (const InvalidArgument& e) {
    return e.what();
  } catch (const std::exception& e) {
    ADD_FAILURE() << text << ": another exception: " << e.what();
    return "";
  }
  ADD_FAILURE() << "'" << text << "' is accepted";
  return "";
}

/// The order a row states, evaluated for one of its examples.
int stated_order(const std::string& rule, const Method& m, const std::string& example) {
  if (rule.size() == 1) return std::stoi(rule);
  if (rule == "order of method + 2") return 4;
  if (rule == "order of method") return 3;
  if (rule == "lowest of the methods, or as stated") return 2;
  if (rule == "2 (1 if alpha != 1/2)") return example.find('(') == std::string::npos ? 2 : 1;
  if (rule == "2 (4 harmonics + 2 with theta = omega h)") return 2;
  if (rule == "2 (1 if gamma != 1/2)") return m.newmark()->gamma == 0.5 ? 2 : 1;
  if (rule == "as stated") return m.order();
  if (rule == "lower one of order and quadrature")
    return std::min(m.shooting()->step_order, m.shooting()->rule.order);
  const auto open = m.name().find('(');
  const int s = std::stoi(m.name().substr(open + 1));
  if (rule == "2s") return 2 * s;
  if (rule == "2s-2") return 2 * s - 2;
  if (rule == "10" || rule.find(" or ") != std::string::npos) {
    EXPECT_NE(rule.find(std::to_string(s)), std::string::npos) << rule;
    return s;
  }
  EXPECT_EQ(rule, "min(2 degree, order of quadrature)");
  const auto comma = m.name().find(", ");
  const std::string quadrature = m.name().substr(comma + 2, m.name().size() - comma - 3);
  return std::min(2 * s, parse_quadrature(quadrature).order);
}

TEST(MethodList, NamesAreUniqueAndDescribed) {
  std::set<std::string> names;
  for (const Descriptor& d : method_list()) {
    EXPECT_TRUE(names.insert(d.name).second) << d.name;
    for (const std::string* field : {&d.name, &d.order, &d.symmetric, &d.cite, &d.summary})
      EXPECT_FALSE(field->empty()) << d.name;
    EXPECT_FALSE(d.examples.empty()) << d.name;
  }
  for (const char* name : {"euler_a",
                           "euler_b",
                           "midpoint",
                           "trapezoid",
                           "symmetrised",
                           "newmark",
                           "verlet",
                           "gauss",
                           "lobatto",
                           "galerkin",
                           "triple_jump",
                           "suzuki",
                           "yoshida",
                           "kahan_li",
                           "sofroniou_spaletta",
                           "ruth",
                           "mclachlan",
                           "mclachlan_atela",
                           "blanes_moan",
                           "blanes_moan_rkn",
                           "compose",
                           "adjoint",
                           "rk4",
                           "dopri5",
                           "explicit_euler"})
    EXPECT_TRUE(names.count(name)) << name;
}

TEST(MethodList, ExamplesAreReadAndTheirNamesReadBack) {
  for (const Descriptor& d : method_list())
    for (const std::string& example : d.examples) {
      SCOPED_TRACE(example);
      const Method m = parse_method(example);
      EXPECT_EQ(m.name().substr(0, d.name.size()), d.name);
      const Method again = parse_method(m.name());
      EXPECT_EQ(again.name(), m.name());
      EXPECT_EQ(again.order(), m.order());
      EXPECT_EQ(m.baseline() != nullptr, d.variational == "no");
      if (!m.stages()) continue;  // a composition, a baseline, a map of its own
      EXPECT_EQ(again.stages()->A.hi, m.stages()->A.hi);
      EXPECT_EQ(again.stages()->A.lo, m.stages()->A.lo);
      EXPECT_EQ(again.stages()->b.hi, m.stages()->b.hi);
    }
}

TEST(MethodList, OrdersAndSymmetriesAreAsStated) {
  for (const Descriptor& d : method_list())
    for (const std::string& example : d.examples) {
      SCOPED_TRACE(example);
      const Method m = parse_method(example);
      EXPECT_EQ(m.order(), stated_order(d.order, m, example));
      if (d.symmetric == "yes") {
        EXPECT_TRUE(m.symmetric());
      }
      if (d.symmetric == "no") {
        EXPECT_FALSE(m.symmetric());
      }
      if (d.symmetric == "alpha = 1/2" || d.symmetric == "gamma = 1/2") {
        EXPECT_EQ(m.symmetric(), m.order() == 2);
      }
      if (d.explicit_when.empty()) {
        EXPECT_FALSE(m.explicit_alpha().has_value());
      }
      if (d.explicit_when == "L separable" && m.stages()) {
        EXPECT_TRUE(m.explicit_alpha().has_value());
      }
    }
}

TEST(ParseMethod, KnowsOtherNamesAndFractions) {
  EXPECT_EQ(parse_method("rattle").name(), "verlet");
  EXPECT_EQ(parse_method("shake").name(), "verlet");
  EXPECT_EQ(parse_method("newmark(0, 1/2)").newmark()->gamma, 0.5);
  EXPECT_EQ(parse_method("midpoint(alpha=1/4)").name(), midpoint(0.25).name());
  expect_has(refusal("midpoint(1/0)"), "divided by 0");
  expect_has(refusal("midpoint(1/)"), "must be a number");
  expect_has(refusal("gauss(4/2)"), "a whole number");
  expect_has(refusal("rattle(2)"), "no parameters");
  expect_has(refusal("sem(0.5)"), "keep_energy");
}

TEST(ParseMethod, ReadsArgumentsByPositionAndByName) {
  EXPECT_EQ(parse_method("gauss(3)").name(), gauss(3).name());
  EXPECT_EQ(parse_method("gauss(s=3)").name(), gauss(3).name());
  EXPECT_EQ(parse_method("  gauss ( s = 3 ) ").name(), gauss(3).name());
  EXPECT_EQ(parse_method("midpoint(alpha=0.25)").name(), midpoint(0.25).name());
  EXPECT_EQ(parse_method("midpoint").name(), midpoint().name());
  EXPECT_EQ(parse_method("midpoint()").name(), midpoint().name());
  EXPECT_EQ(parse_method("verlet()").name(), verlet().name());
  const std::string galerkin_name = galerkin(2, lobatto_quadrature(3)).name();
  EXPECT_EQ(parse_method("galerkin(2, lobatto:3)").name(), galerkin_name);
  EXPECT_EQ(parse_method("galerkin(quadrature=lobatto:3, degree=2)").name(), galerkin_name);
  EXPECT_EQ(parse_method("galerkin(2, \"lobatto:3\")").name(), galerkin_name);
}

/// Every alpha survives its name: the text carries full precision.
TEST(ParseMethod, AlphaRoundTrips) {
  for (const double alpha : {0.1, 1.0 / 3.0, 0.7071067811865476, 1e-9, 0.0, 1.0}) {
    const Method m = parse_method(midpoint(alpha).name());
    EXPECT_EQ(m.stages()->A.hi[0], alpha);
    const Method y = parse_method(symmetrised(alpha).name());
    EXPECT_EQ(y.stages()->A.hi, symmetrised(alpha).stages()->A.hi);
    EXPECT_EQ(y.stages()->A.lo, symmetrised(alpha).stages()->A.lo);
    const Method n = parse_method(newmark(0.5 * alpha, alpha).name());
    EXPECT_EQ(n.newmark()->beta, 0.5 * alpha);
    EXPECT_EQ(n.newmark()->gamma, alpha);
    const Method t = parse_method(trapezoid(alpha).name());
    EXPECT_EQ(t.stages()->b.hi, trapezoid(alpha).stages()->b.hi);
  }
}

TEST(ParseMethod, RefusesAnUnknownNameAndListsTheKnown) {
  const std::string text = refusal("leapfrog");
  expect_has(text, "'leapfrog'");
  for (const Descriptor& d : method_list()) expect_has(text, d.name);
  refusal("");
  refusal("(2)");
  refusal("Gauss(2)");
}

TEST(ParseMethod, RefusesWrongParameters) {
  const std::string wrong = refusal("gauss(stages=2)");
  expect_has(wrong, "'stages'");
  expect_has(wrong, "takes s");
  expect_has(refusal("galerkin(degree=2, degree=3)"), "'degree' is given twice");
  expect_has(refusal("galerkin(2, degree=3)"), "'degree' is given twice");
  expect_has(refusal("gauss(2, 3)"), "got 2");
  expect_has(refusal("verlet(2)"), "no parameters");
  expect_has(refusal("gauss"), "needs the parameter 's'");
  expect_has(refusal("symmetrised"), "needs the parameter 'alpha'");
  expect_has(refusal("symmetrised(1.5)"), "[0, 1]");
  expect_has(refusal("newmark(0.6)"), "beta must be in [0, 0.5]");
  expect_has(refusal("newmark(beta=-0.1)"), "beta must be in [0, 0.5]");
  expect_has(refusal("newmark(gamma=nan)"), "gamma must be in [0, 1]");
  expect_has(refusal("adjoint(newmark)"), "newmark(0, 0.5) is verlet");
  expect_has(refusal("compose(newmark: 0.5, verlet: 0.5)"), "newmark");
  expect_has(refusal("galerkin(quadrature=gauss:2)"), "needs the parameter 'degree'");
}

TEST(ParseMethod, RefusesWhatIsNotANumber) {
  for (const char* text : {"gauss(two)", "gauss(2.5)", "gauss(2x)", "gauss(99999999999999)",
                           "gauss(s=)", "gauss(1e1)"})
    expect_has(refusal(text), "whole number");
  expect_has(refusal("gauss(two)"), "'two'");
  for (const char* text :
       {"midpoint(half)", "midpoint(0,5x)", "midpoint(alpha=)", "midpoint(1e999)"})
    refusal(text);
  expect_has(refusal("midpoint(half)"), "must be a number, got 'half'");
  expect_has(refusal("midpoint(nan)"), "[0, 1]");
  refusal("galerkin(2, lobatto)");
  refusal("galerkin(2, hermite:3)");
}

TEST(ParseMethod, RefusesParenthesesThatDoNotMatch) {
  for (const char* text :
       {"gauss(2", "gauss 2)", "gauss)2(", "gauss(2))", "gauss((2)", "gauss(2) x", "gauss(2)(3)"})
    refusal(text);
  expect_has(refusal("gauss(2"), "parentheses");
  expect_has(refusal("gauss(2) x"), "parentheses");
}

TEST(ParseMethod, RefusesEmptyArguments) {
  for (const char* text : {"midpoint(0.3,)", "midpoint(,)", "gauss(,2)"}) refusal(text);
}

}  // namespace
}  // namespace varia::method_list_test
