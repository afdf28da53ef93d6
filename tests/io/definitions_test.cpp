// SPDX-License-Identifier: BSD-3-Clause
// [system.let]: the same numbers as with the text written out, and mistakes with their places.
#include "models.hpp"
#include "scenarios.hpp"
#include "varia/io/stepper.hpp"

namespace varia::io::definitions_test {
namespace {

using models::model_of;

std::string chain(const std::string& let, const std::string& lagrangian, const std::string& force) {
  return models::scenario(
      "coordinates = [\"q[1..4]\"]\nparameters = { k = 2.0, eps = 0.1 }\n"
      "lagrangian = \"" +
          lagrangian + "\"\nforce = { q = \"" + force + "\" }\n" + let,
      "q = \"0.1*i^2\"\nq_dot = 0.2");
}

const std::string let = R"~([system.let]
"d[i]" = "q[i+1] - q[i]"
"V(s)" = "k*s^2/2 + eps*s^4/4"
damping = "eps/(1 + t^2)"
)~";

Snapshot at_end(const Model& model) {
  const auto stepper = make_stepper(model);
  stepper->advance(model.step, 20);
  Snapshot s;
  stepper->snapshot(s);
  return s;
}

TEST(Definitions, GiveTheNumbersOfTheTextWrittenOut) {
  const std::string kinetic = "sum(i, 1, 4, q_dot[i]^2)/2 - ";
  const std::string with = chain(let, kinetic + "sum(i, 1, 3, V(d[i]))", "-damping*q_dot[i]");
  const std::string without =
      chain("", kinetic + "sum(i, 1, 3, k*(q[i+1] - q[i])^2/2 + eps*(q[i+1] - q[i])^4/4)",
            "-(eps/(1 + t^2))*q_dot[i]");
  for (const std::vector<std::string>& set :
       {std::vector<std::string>{}, std::vector<std::string>{"eps=0.7"}}) {
    const Snapshot a = at_end(model_of(with, set));
    const Snapshot b = at_end(model_of(without, set));
    EXPECT_EQ(a.q, b.q);
    EXPECT_EQ(a.p, b.p);
  }
  EXPECT_NE(at_end(model_of(with, {"eps=0.7"})).q, at_end(model_of(with)).q);
  EXPECT_NE(at_end(model_of(with, {"system.let.damping=0"})).q, at_end(model_of(with)).q);
}

TEST(Definitions, AreForEveryExpression) {
  const Model m = model_of(models::scenario(R"~(coordinates = ["x", "y"]
parameters = { mu = 1.0 }
lagrangian = "T - mu*y"
holonomic = ["r^2 - 1"]
[system.let]
r = "sqrt(x^2 + y^2)"
speed2 = "x_dot^2 + y_dot^2"
T = "speed2/2"
momentum = "x_p*y - y_p*x"
one = "mu^2"
[system.observe]
r = "r"
J = "momentum")~",
                                            "x = \"one\"\ny = 0\nx_dot = 0\ny_dot = \"2*one\"",
                                            "lobatto(2)", "\"0.05*one\""));
  EXPECT_EQ(m.q0, (std::vector<double>{1.0, 0.0}));
  EXPECT_EQ(m.step, 0.05);
  EXPECT_EQ(m.system->d, 1);
}

std::string refused_let(const std::string& lines, const std::string& lagrangian = "x_dot^2/2 - V") {
  return refusal<ScenarioError>([&] {
    model_of(
        models::single(lagrangian, "parameters = { k = 1, n = \"2*k\" }\n[system.let]\n" + lines));
  });
}

TEST(Definitions, MistakesHaveTheirPlace) {
  EXPECT_EQ(refused_let("r = \"sqrt(x^2 + z^2)\"\nV = \"1/r\""),
            "test.toml:6:17: system.let.r: in the definition of r: unknown name 'z'; known: k, n, "
            "t, x, x_dot, x_p, pi\n  sqrt(x^2 + z^2)\n             ^");
}

TEST(Definitions, WhatIsNotThereSaysWhoUsesIt) {
  const std::string text = refusal<ScenarioError>([&] {
    model_of(models::single("x_dot^2/2", "holonomic = [\"v - 1\"]\n[system.let]\nv = \"2*x_dot\""));
  });
  expect_words(text, {"test.toml:6:8: system.let.v: in the definition of v, used by "
                      "system.holonomic[1]: unknown name 'x_dot'"});
}

TEST(Definitions, NamesMayNotClash) {
  expect_words(refused_let("x = \"1\""),
               {"system.let.x: x is a definition, but x is already a coordinate"});
  expect_words(refused_let("k = \"1\""), {"k is already a parameter"});
  expect_words(refused_let("sin = \"1\""), {"sin is already a function"});
  expect_words(refused_let("t = \"1\""), {"t is already the time"});
  expect_words(refused_let("\"V(x)\" = \"1\""),
               {"x is an argument of V(x), but x is already a coo"});
  expect_words(refused_let("V = 1\n\"V(s)\" = \"s\""), {"V is already a definition"});
  expect_words(refused_let("\"2r\" = 1"), {"test.toml:6:1: system.let.2r: '2r' is not a name"});
  expect_words(refused_let("V = \"V + 1\""), {"in the definition of V: uses V itself"});
  expect_words(refused_let("V = \"W\"\nW = \"x\""), {"uses W, which comes later in the file"});
  expect_words(refused_let("V = true"),
               {"system.let.V: must be a number, an expression or a list"});
  const std::string early = refusal<ScenarioError>([&] {
    model_of(models::single("x_dot^2/2", "parameters = { k = \"V\" }\n[system.let]\nV = 1"));
  });
  expect_words(early, {"'V' is a definition of [system.let]; parameters come before"});
}

}  // namespace
}  // namespace varia::io::definitions_test
