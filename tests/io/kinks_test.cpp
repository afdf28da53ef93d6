// SPDX-License-Identifier: BSD-3-Clause
// What is not smooth is said before a run and where a step fails; smooth formulas and observed functions
// get no note. Motions through conditions: energy, order, periods.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "../../src/io/run/step_failure.hpp"
#include "models.hpp"
#include "refusal.hpp"
#include "varia/expr/kink.hpp"
#include "varia/expr/parse.hpp"
#include "varia/io/runner.hpp"
#include "varia/io/stepper.hpp"

namespace varia::io::kinks_test {
namespace {

using models::model_of;
using models::single;

TEST(Kinks, AreFoundWithTheirPlaces) {
  expr::Graph g;
  expr::Scope scope;
  scope.add("x", g.variable(0));
  scope.add("k", g.parameter(2.0, "k"));
  const auto found = [&](const std::string& text) {
    std::string all;
    for (const expr::Kink& kink : expr::kinks(g, {expr::parse(g, scope, text)}))
      all += (all.empty() ? "" : "; ") + expr::description(g, kink, {"x"});
    return all;
  };
  EXPECT_EQ(found("abs(x - 1)"), "abs(x - 1) is not smooth where x - 1 = 0");
  EXPECT_EQ(found("max(0, x)^2"), "max(0, x) is not smooth where 0 = x");
  EXPECT_EQ(found("if(x < k, x, 2*x)"), "the condition x < k changes where x = k");
  EXPECT_EQ(found("mod(x, 3)*floor(2*x)"),
            "mod(x, 3) is not smooth where x/3 is a whole number; floor(2*x) is not smooth where "
            "2*x is a "
            "whole number");
  EXPECT_EQ(found("min(x, 2) + max(2, x) + abs(x)*sign(x)"),
            "min(x, 2) is not smooth where x = 2; abs(x) is not smooth where x = 0");
  for (const char* smooth : {"sqrt(x)", "smoothstep(0, 1, x)", "max(k, 3)*x", "if(k > 1, x, x^2)",
                             "erf(x) + atan2(x, 1)", "if(1 < 2, x, abs(x))"})
    EXPECT_EQ(found(smooth), "") << smooth;
}

TEST(Kinks, AreNotedInWhatMovesTheSystem) {
  const auto notes = [](const std::string& lagrangian, const std::string& more) {
    return model_of(single(lagrangian, more)).notes;
  };
  EXPECT_TRUE(
      notes("x_dot^2/2 - x^2/2", "observe = { a = \"abs(x)\", b = \"if(x > 0, 1, 2)\" }").empty());
  const auto of_lagrangian = notes("x_dot^2/2 - abs(x)^3", "");
  ASSERT_EQ(of_lagrangian.size(), 1U);
  expect_words(of_lagrangian[0], {"system.lagrangian", "abs(x)", "x = 0", "order"});
  const auto of_force = notes("x_dot^2/2", "force = { x = \"-sign(x_dot)\" }");
  ASSERT_EQ(of_force.size(), 1U);
  expect_words(of_force[0], {"system.force", "sign(x_dot)", "x_dot = 0"});
  std::string many = "0";
  for (int k = 0; k < 7; ++k) many += " + abs(x - " + std::to_string(k) + ")";
  const auto first = notes("x_dot^2/2 - (" + many + ")", "");
  ASSERT_EQ(first.size(), 5U);
  expect_words(first[4], {"3 more"});
}

std::string two_springs(const std::string& method, const std::string& steps,
                        const std::string& count) {
  return models::scenario(
      "coordinates = [\"x\"]\nlagrangian = \"x_dot^2/2 - if(x < 0, 1, 4)*x^2/2\"",
      "x = 0\nx_dot = 1", method, "\"1.5*pi/" + steps + "\"", count);
}

Snapshot after(const Model& model, double h, long count) {
  const auto stepper = make_stepper(model);
  stepper->advance(h, count);
  Snapshot s;
  stepper->snapshot(s);
  return s;
}

/// One period, of which no step crosses the kink but ends there: order 2 and 4 as for a smooth motion.
TEST(Kinks, TheOrderIsThatOfThePieces) {
  for (const auto& [method, order] : {std::pair("verlet", 2), std::pair("gauss(2)", 4)}) {
    double before = 0.0;
    for (const int n : {120, 240}) {
      const Model m = model_of(two_springs(method, std::to_string(n), std::to_string(n)));
      const Snapshot s = after(m, m.step, n);
      const double error = std::hypot(s.q[0], s.v[0] - 1.0);
      if (n == 240) {
        EXPECT_NEAR(std::log2(before / error), order, 0.1) << method;
      }
      before = error;
    }
  }
}

/// Steps that stay on one side keep the modified energy v^2/2 + k (1 - k h^2/4) x^2/2 of Verlet's method for
/// the spring there to round-off; over 200 periods the energy stays near its level.
TEST(Kinks, EnergyIsKeptOnThePieces) {
  const Model m = model_of(two_springs("verlet", "100", "1"));
  const auto stepper = make_stepper(m);
  double worst = 0.0;
  Snapshot s, before;
  stepper->snapshot(before);
  int on_one_side = 0;
  for (int n = 0; n < 20000; ++n, before = s) {
    stepper->advance(m.step, 1);
    stepper->snapshot(s);
    worst = std::max(worst, std::abs(stepper->energy(s) - 0.5));
    if ((before.q[0] < 0.0) != (s.q[0] < 0.0)) continue;
    ++on_one_side;
    const double k = s.q[0] < 0.0 ? 1.0 : 4.0;
    const auto modified = [&](const Snapshot& at) {
      return (at.v[0] * at.v[0] + k * (1.0 - k * m.step * m.step / 4.0) * at.q[0] * at.q[0]) / 2.0;
    };
    ASSERT_NEAR(modified(s), modified(before), 1e-15) << n;
  }
  EXPECT_GT(on_one_side, 19000);
  EXPECT_LT(worst, 0.05 * 0.5);
}

std::string message_of(const std::string& text) {
  Model model = model_of(text);
  const Summary s = run(model, {});
  EXPECT_EQ(s.status, "failed");
  return s.message;
}

TEST(Kinks, AFailedStepNamesWhatHasNoValue) {
  const std::string gone =
      message_of(models::scenario("coordinates = [\"x\"]\nlagrangian = \"x_dot^2/2 - sqrt(x)\"",
                                  "x = 0.06\nx_dot = -1", "verlet", "0.1"));
  expect_words(gone, {"square root of -", "sqrt(x)", "t = "});
  EXPECT_EQ(gone.find("smaller"), std::string::npos) << gone;
}

/// Dry friction turns with the velocity: what changes in the step is seen with the acceleration only.
TEST(Kinks, AFailedStepNamesTheFriction) {
  const std::string stuck =
      message_of(models::scenario("coordinates = [\"x\"]\nparameters = { mu = 0.3 }\nlagrangian = "
                                  "\"x_dot^2/2 - x^2/2\"\nforce = { x = \"-mu*sign(x_dot)\" }",
                                  "x = 1\nx_dot = 0", "gauss(2)", "0.05", "600"));
  expect_words(stuck, {"system.force may change", "sign(x_dot) is not smooth where x_dot = 0",
                       "the difference of both sides is "});
  EXPECT_EQ(stuck.find("smaller"), std::string::npos) << stuck;
}

TEST(Kinks, AFailedStepNamesWhatIsNotSmooth) {
  // the force changes its sign at every whole number: implicit steps across it need not have a solution
  const std::string text =
      message_of(models::scenario("coordinates = [\"x\"]\nlagrangian = \"x_dot^2/2\"\nforce = { x "
                                  "= \"-if(x > 0.31, 1000, -1000)\" }",
                                  "x = 0.3\nx_dot = 0.1", "midpoint", "0.1"));
  expect_words(text, {"system.force", "the condition 0.31 < x changes where", "at its beginning"});
  EXPECT_EQ(text.find("smaller"), std::string::npos) << text;
}

/// Forces of velocities: what changes is known from the acceleration.
TEST(Kinks, AFailedStepNamesDryFriction) {
  const std::string text =
      message_of(models::scenario("coordinates = [\"x\"]\nlagrangian = \"x_dot^2/2\"\nforce = { x "
                                  "= \"-10*sign(x_dot)\" }",
                                  "x = 0\nx_dot = 1.03", "midpoint", "0.02"));
  expect_words(text, {"system.force", "sign(x_dot) is not smooth where x_dot = 0", "beginning"});
  EXPECT_EQ(text.find("smaller"), std::string::npos) << text;
}

TEST(Kinks, AFailedStepNamesTheDefinition) {
  const std::string text = message_of(models::scenario(
      "coordinates = [\"x\"]\nlagrangian = \"x_dot^2/2 - V(x)\"\n[system.let]\nfine = \"sqrt(5 "
      "- x)\"\ninside = \"x < 1\"\nr = \"2*sqrt(1 - x)\"\n\"V(s)\" = \"s*log(r) + fine\"",
      "x = 0\nx_dot = 1", "gauss(2)", "0.1"));
  expect_words(text, {"was not solved: near t = ", "square root of -",
                      "sqrt(1 - x), in the definition of r;"});
  EXPECT_EQ(text.find("smaller"), std::string::npos) << text;
}

TEST(Kinks, OtherFailuresKeepTheirMessage) {
  const Model m = model_of(single("x_dot^2/2 - x^2/2 - abs(x + 50)", ""));
  Snapshot s = after(m, 0.05, 1);
  EXPECT_EQ(explained(m, s, 0.05, "not solved. Try a smaller step"),
            "not solved. Try a smaller step");
  s.q[0] = -49.99;
  s.v[0] = -1.0;
  expect_words(explained(m, s, 0.05, "not solved. Try a smaller step"),
               {"not solved; in this step", "abs(x + 50)", "0.0099999"});
}

}  // namespace
}  // namespace varia::io::kinks_test
