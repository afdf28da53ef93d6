// SPDX-License-Identifier: BSD-3-Clause
// Reading scenarios: what is written is what is read, and every mistake is named with its place.
#include "varia/io/scenario.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <random>
#include <sstream>

#include "refusal.hpp"
#include "varia/io/error.hpp"

namespace varia::io {

namespace {

const std::string kepler = R"~(title = "Kepler ellipse"
[system]
coordinates  = ["x", "y"]                       # velocities are x_dot, y_dot; momenta x_p, y_p; time is t
parameters   = { mu = 1.0, e = 0.6 }            # numbers, or text using earlier parameters
lagrangian   = "(x_dot^2 + y_dot^2)/2 + mu/sqrt(x^2 + y^2)"
force        = { x = "-0.01*x_dot" }            # optional: generalised force components
holonomic    = ["x^2 + y^2 - 1"]                # optional: phi(q) = 0, each entry
nonholonomic = ["y_dot - tan(x)*x_dot"]         # optional: Phi(q, v) = 0, each entry
[system.symmetry]
rotation = { x = "-y", y = "x" }
[system.observe]                                # optional: functions of t, q, v, p recorded with the trajectory
radius = "sqrt(x^2 + y^2)"
[start]
x = "1 - e"
y = 0
x_dot = 0
y_dot = "sqrt((1 + e)/(1 - e))"                 # or x_p, y_p instead of velocities; t = 0 unless given
[run]
method = "gauss(3)"
step   = 0.05
until  = 1000
every  = 10                                     # record every 10th step
[output]
formats = ["h5"]                                # h5, csv, vtu (solids), json
report  = true
)~";

const std::string solid = R"~([solid]
mesh     = { generate = "block", size = [1, 1], elements = [10, 10], grading = 10, order = 2 }
[run]
method = "avi"
courant = 0.1
until = 1e-3
)~";

/// A scenario of these coordinates; the lines of [system] and [start] are given, [run] follows.
std::string scenario(const std::string& coordinates, const std::string& system,
                     const std::string& start) {
  return "[system]\ncoordinates = " + coordinates + "\nlagrangian = \"0\"\n" + system +
         "\n[start]\n" + start + "\n[run]\nmethod = \"verlet\"\nstep = 0.1\nuntil = 1\n";
}

const std::string at_rest = "x = 0\nx_dot = 0";
const std::string rotation_at_rest = "R_w1 = 0\nR_w2 = 0\nR_w3 = 0";

Scenario read(const std::string& text) { return parse_scenario(text, "f.toml"); }

std::string refused(const std::string& text) {
  return refusal<ScenarioError>([&] { read(text); });
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

/// The refusal of the Kepler scenario with one part changed.
std::string refused_with(const std::string& from, const std::string& to) {
  return refused(replaced(kepler, from, to));
}

std::vector<std::string> names(const std::vector<Component>& components) {
  std::vector<std::string> list;
  for (const Component& c : components) list.push_back(c.component);
  return list;
}

using Names = std::vector<std::string>;

}  // namespace

TEST(Scenario, TheExampleOfTheContractReads) {
  const Scenario s = read(kepler);
  EXPECT_EQ(s.name, "f");
  EXPECT_EQ(s.title, "Kepler ellipse");
  EXPECT_EQ(s.text, kepler);
  ASSERT_EQ(s.system.coordinates.size(), 2U);
  EXPECT_EQ(s.system.coordinates[1].name, "y");
  EXPECT_EQ(s.system.coordinates[1].space, "R");
  ASSERT_EQ(s.system.parameters.size(), 2U);
  EXPECT_EQ(s.system.parameters[0].values[0].value, "1");
  EXPECT_EQ(s.system.parameters[1].values[0].value, "0.6");
  EXPECT_EQ(s.system.lagrangian->value, "(x_dot^2 + y_dot^2)/2 + mu/sqrt(x^2 + y^2)");
  EXPECT_EQ(s.system.lagrangian->place.line, 5);
  EXPECT_EQ(s.system.lagrangian->place.column, 16);
  EXPECT_EQ(s.system.lagrangian->key, "system.lagrangian");
  EXPECT_FALSE(s.system.hamiltonian.has_value());
  EXPECT_EQ(names(s.system.force), Names{"x"});
  EXPECT_EQ(s.system.holonomic.at(0).value, "x^2 + y^2 - 1");
  EXPECT_EQ(s.system.nonholonomic.at(0).key, "system.nonholonomic[1]");
  EXPECT_EQ(s.system.symmetry.at(0).name, "rotation");
  EXPECT_EQ(s.system.symmetry.at(0).components.at(1).text.value, "x");
  EXPECT_EQ(s.system.observe.at(0).first, "radius");
  EXPECT_EQ(names(s.start.positions), (Names{"x", "y"}));
  EXPECT_EQ(names(s.start.rates), (Names{"x_dot", "y_dot"}));
  EXPECT_FALSE(s.start.momenta);
  EXPECT_EQ(s.start.t.value, "0");
  EXPECT_EQ(s.run.method.value, "gauss(3)");
  EXPECT_EQ(s.run.step.value, "0.05");
  EXPECT_EQ(s.run.until->value, "1000");
  EXPECT_EQ(s.run.every, 10);
  EXPECT_EQ(s.output.formats, Names{"h5"});
}

TEST(Scenario, TheOtherFormsOfTheContractRead) {
  const Scenario h = read(
      replaced(replaced(replaced(kepler, "lagrangian  ", "hamiltonian "), "x_dot = 0", "x_p = 0"),
               "y_dot = \"sqrt", "y_p = \"sqrt"));
  EXPECT_TRUE(h.system.hamiltonian.has_value());
  EXPECT_TRUE(h.start.momenta);
  EXPECT_EQ(names(h.start.rates), (Names{"x_p", "y_p"}));
  const Scenario r =
      read(scenario(R"([{ name = "R", space = "SO3" }, "x", "y"])", "",
                    "R = { angle_axis = [0, 0, \"pi/2\"] }\nx = 1\ny = 2\nx_dot = 3\n"
                    "y_dot = 4\n" +
                        rotation_at_rest));
  EXPECT_EQ(r.system.coordinates[0].space, "SO3");
  EXPECT_EQ(r.start.rotations.at(0).kind, "angle_axis");
  EXPECT_EQ(r.start.rotations.at(0).numbers.at(2).value, "pi/2");
  EXPECT_EQ(velocity_names(r.system), (Names{"R_w1", "R_w2", "R_w3", "x_dot", "y_dot"}));
  EXPECT_EQ(momentum_names(r.system), (Names{"R_m1", "R_m2", "R_m3", "x_p", "y_p"}));
  EXPECT_EQ(position_names(r.system), (Names{"x", "y"}));
  EXPECT_EQ(force_names(r.system), (Names{"R_1", "R_2", "R_3", "x", "y"}));
  EXPECT_EQ(refused(solid), "f.toml:1:2: solid: solids are not available yet.");
}

TEST(Scenario, DefaultsAreThoseOfTheReference) {
  const Scenario s = read(scenario(R"(["x"])", "", at_rest));
  EXPECT_EQ(s.title, "f");
  EXPECT_EQ(s.run.every, 1);
  EXPECT_EQ(s.run.retraction, "exp");
  EXPECT_EQ(s.run.evaluation, "auto");
  EXPECT_EQ(s.output.formats, Names{"h5"});
  EXPECT_TRUE(s.output.report);
  EXPECT_FALSE(s.start.project);
  EXPECT_TRUE(s.reproduce.expect.empty());
}

TEST(Scenario, KeepsTheOrderOfTheFile) {
  const Scenario s = read(R"~([system]
coordinates = ["b", "a", "c"]
lagrangian = "0"
[system.parameters]
z = 1
m = ["z", 2, 3.5]
a1 = "m[2]"
[system.force]
c = 1
a = 2
[system.observe]
second = "a"
first = "b"
[system.symmetry]
turn.c = "1"
shift = { b = 1, a = 1 }
[start]
c = 1
b_dot = 1
b = 2
c_dot = 1
a = 3
a_dot = 1
[run]
step = 0.1
method = "verlet"
steps = 1e3
)~");
  Names parameters, observed;
  for (const Parameter& p : s.system.parameters) parameters.push_back(p.name);
  for (const auto& [name, text] : s.system.observe) observed.push_back(name);
  EXPECT_EQ(parameters, (Names{"z", "m", "a1"}));
  EXPECT_TRUE(s.system.parameters[1].array);
  EXPECT_EQ(s.system.parameters[1].values.at(2).value, "3.5");
  EXPECT_EQ(s.system.parameters[1].values.at(0).key, "system.parameters.m[1]");
  EXPECT_FALSE(s.system.parameters[2].array);
  EXPECT_EQ(names(s.system.force), (Names{"c", "a"}));
  EXPECT_EQ(observed, (Names{"second", "first"}));
  ASSERT_EQ(s.system.symmetry.size(), 2U);
  EXPECT_EQ(s.system.symmetry[0].name, "turn");
  EXPECT_EQ(names(s.system.symmetry[1].components), (Names{"b", "a"}));
  EXPECT_EQ(names(s.start.positions), (Names{"c", "b", "a"}));
  EXPECT_EQ(names(s.start.rates), (Names{"b_dot", "c_dot", "a_dot"}));
  EXPECT_EQ(s.run.steps, 1000);
  EXPECT_FALSE(s.run.until.has_value());
}

TEST(Scenario, NumbersKeepTheirDigits) {
  const Scenario s = read(scenario(
      R"(["x"])",
      "parameters = { a = 0.1, b = 1e-3, c = -7, d = 1e22, e = 9007199254740993, f = 0x10 }",
      at_rest));
  const char* texts[] = {"0.1", "0.001", "-7", "1e+22", "9007199254740993", "16"};
  for (std::size_t k = 0; k < 6; ++k) EXPECT_EQ(s.system.parameters[k].values[0].value, texts[k]);
}

TEST(Scenario, ArraysAreResolvedIntoTheirEntries) {
  const Scenario s = read(scenario(R"(["q[2..5]"])", "force = { q = \"-q_dot[i]\", \"q[3]\" = 0 }",
                                   "\"q[4]\" = 7\nq = \"sin(i)\"\nq_dot = [1, \"i\", 3, 4]"));
  EXPECT_TRUE(s.system.coordinates[0].array);
  EXPECT_EQ(s.system.coordinates[0].first, 2);
  EXPECT_EQ(s.system.coordinates[0].last, 5);
  ASSERT_EQ(s.start.positions.size(), 4U);
  for (const Component& c : s.start.positions) {
    EXPECT_EQ(c.component, "q[" + std::to_string(c.index) + "]");
    EXPECT_TRUE(c.indexed);
    EXPECT_EQ(c.text.value, c.index == 4 ? "7" : "sin(i)") << c.component;
  }
  EXPECT_EQ(names(s.start.rates), (Names{"q_dot[2]", "q_dot[3]", "q_dot[4]", "q_dot[5]"}));
  EXPECT_EQ(s.start.rates[1].text.value, "i");
  EXPECT_EQ(s.start.rates[1].text.key, "start.q_dot[3]");
  ASSERT_EQ(s.system.force.size(), 4U);
  EXPECT_EQ(s.system.force[1].text.value, "0");
  EXPECT_EQ(s.system.force[2].text.value, "-q_dot[i]");
  EXPECT_EQ(position_names(s.system), (Names{"q[2]", "q[3]", "q[4]", "q[5]"}));
  EXPECT_EQ(read(scenario(R"(["q[1..100000]"])", "", "q = 0\nq_dot = 0")).start.rates.size(),
            100000U);
}

TEST(Scenario, RotationsStartInThreeForms) {
  const auto start = [](const std::string& form) {
    return scenario(R"([{ name = "R", space = "SO3" }])", "force = { R_2 = \"-R_w2\" }",
                    "R = " + form + "\n" + rotation_at_rest);
  };
  EXPECT_EQ(read(start("{ quaternion = [1, 0, 0, 0] }")).start.rotations.at(0).numbers.size(), 4U);
  const Scenario s = read(start("{ matrix = [[1, 0, 0], [0, 2, 0], [0, 0, 3]] }"));
  EXPECT_EQ(s.start.rotations.at(0).numbers.at(4).value, "2");
  EXPECT_EQ(s.start.rotations.at(0).numbers.at(8).key, "start.R.matrix[3][3]");
  EXPECT_EQ(names(s.system.force), Names{"R_2"});
  EXPECT_EQ(refused(start("{ quaternion = [1, 0, 0] }")),
            "f.toml:6:20: start.R.quaternion: must have 4 entries, found 3.");
  EXPECT_EQ(refused(start("{ matrix = [[1, 0], [0, 1], [0, 0]] }")),
            "f.toml:6:17: start.R.matrix[1]: must have 3 entries, found 2.");
  expect_words(refused(start("0")),
               {"6:5: start.R: R is a rotation", "angle_axis", "the number 0"});
  expect_words(refused(start("{ angle_axis = [0, 0, 0], quaternion = [1, 0, 0, 0] }")),
               {"several"});
  expect_words(refused(start("{ axis = [0, 0, 0] }")),
               {"6:7: start.R.axis: unknown key; allowed: angle_axis, matrix, quaternion."});
  expect_words(refused(scenario(R"([{ name = "R", space = "SO3" }])", "", rotation_at_rest)),
               {"start.R: missing;"});
  expect_words(refused(scenario(R"([{ name = "R", space = "SO3" }])", "force = { R = 1 }", "")),
               {"system.force.R: there is no such coordinate; there are: R_1, R_2, R_3."});
}

TEST(ScenarioErrors, UnknownKeys) {
  EXPECT_EQ(refused_with("step   = 0.05", "stepp = 0.05"),
            "f.toml:20:1: run.stepp: unknown key; allowed: evaluation, every, method, retraction, "
            "step, steps, until. Did you mean step?");
  EXPECT_EQ(refused("colour = 1\n" + kepler),
            "f.toml:1:1: colour: unknown key; allowed: output, reproduce, run, start, system, "
            "title.");
  expect_words(refused("step = 1\n" + kepler), {"Did you mean run.step?"});
  expect_words(refused_with("report  = true", "Report = true"), {"25:1", "Did you mean report?"});
}

TEST(ScenarioErrors, WrongTypesAndValues) {
  EXPECT_EQ(refused_with("\"gauss(3)\"", "3"),
            "f.toml:19:10: run.method: must be a text, found the number 3; for example method = "
            "\"gauss(3)\".");
  EXPECT_EQ(
      refused_with("e = 0.6", "e = true"),
      "f.toml:4:32: system.parameters.e: must be a number, an expression or a list, found true; "
      "for example e = 1.0.");
  expect_words(refused_with("every  = 10", "every = 0"),
               {"f.toml:22:9: run.every: must be greater than 0, found 0."});
  expect_words(refused_with("every  = 10", "every = 1.5"), {"must be a whole number", "1.5"});
  expect_words(refused_with("every  = 10", "every = 2024-01-01"), {"a date or time"});
  expect_words(refused_with("step   = 0.05", "step = nan"),
               {"run.step: must be finite, found nan."});
  expect_words(refused_with("step   = 0.05", "step = -inf"), {"must be finite, found -inf."});
  expect_words(refused_with("step   = 0.05", "step = 0.0"), {"run.step: must not be 0."});
  expect_words(refused_with("step   = 0.05", "step = \" \""), {"must be an expression", "empty"});
  expect_words(refused_with("mu = 1.0", "mu = [1, true]"), {"system.parameters.mu[2]", "true"});
  expect_words(refused_with("mu = 1.0", "mu = []"), {"system.parameters.mu: must have at least"});
  expect_words(refused_with("[\"h5\"]", "[\"h5\", \"vtu\"]"),
               {"24:18: output.formats[2]: vtu: solids only; allowed: h5, csv, json."});
  expect_words(refused_with("[\"h5\"]", "[\"h6\"]"), {"found \"h6\"", "Did you mean h5?"});
  expect_words(refused_with("[\"h5\"]", "[\"h5\", \"h5\"]"), {"h5 is given twice"});
  expect_words(refused_with("every  = 10", "retraction = \"cayley\""), {"allowed: exp, cay."});
}

TEST(ScenarioErrors, MissingKeys) {
  EXPECT_EQ(refused_with("step   = 0.05", ""),
            "f.toml:18:1: run.step: missing; it must be a number or an expression; for example "
            "step = 0.05.");
  EXPECT_EQ(refused("title = \"\""), "f.toml:1:1: system: missing; add the table [system].");
  expect_words(refused_with("until  = 1000", ""),
               {"18:1: run.until: missing, and so is run.steps; give one of them"});
  expect_words(refused_with("every  = 10", "steps = 10"),
               {"22:1: run.steps: given together with run.until; give one of them."});
  expect_words(refused_with("force ", "hamiltonian = \"0\"\nforce "),
               {"system.hamiltonian: given together with system.lagrangian"});
  expect_words(refused_with("lagrangian", "#"), {"2:1: system.lagrangian: missing"});
}

TEST(ScenarioErrors, Coordinates) {
  const auto with = [](const std::string& coordinates) {
    return refused(scenario(coordinates, "", at_rest));
  };
  expect_words(with("[]"), {"2:15: system.coordinates: the list is empty"});
  expect_words(with(R"(["x", "x"])"),
               {"2:21: system.coordinates[2]: x is a coordinate, but x is already a coordinate"});
  expect_words(with(R"(["x_dot", "x"])"),
               {"x_dot is the velocity of x, but x_dot is already a coordinate"});
  expect_words(with(R"(["x", "x_p"])"),
               {"x_p is a coordinate, but x_p is already the momentum of x"});
  expect_words(with(R"(["2x"])"), {"\"2x\" is not a name"});
  expect_words(with(R"(["t"])"), {"t is already the time"});
  expect_words(with(R"(["pi"])"), {"pi is already a constant"});
  expect_words(with(R"(["sin"])"), {"sin is already a function"});
  expect_words(with(R"(["sum"])"), {"sum is already a function"});
  expect_words(with(R"(["energy"])"), {"energy is already a column"});
  expect_words(with(R"(["project"])"), {"project is a key of [start]"});
  expect_words(with(R"(["i", "q[1..2]"])"), {"i is already the index of array entries"});
  expect_words(with(R"(["lambda[1..2]"])"), {"lambda[1]"});
  expect_words(with(R"(["q[5..1]"])"), {"the first index must not be greater than the last"});
  expect_words(with(R"(["q[1..100001]"])"), {"more than 100000 coordinates"});
  expect_words(with(R"(["q[1..99999999999]"])"), {"two whole numbers", "99999999999"});
  expect_words(with(R"(["q[1]"])"), {"an array is written \"q[1..64]\", found \"q[1]\""});
  expect_words(with(R"(["q[-1..1]"])"), {"two whole numbers", "\"-1\""});
  expect_words(with(R"([{ name = "g", space = "SE3" }])"),
               {"2:38: system.coordinates[1].space: SE3: not available yet; allowed: R, SO3."});
  expect_words(with(R"([{ name = "g", space = "so3" }])"), {"Did you mean SO3?"});
  expect_words(with(R"([{ name = "R[1..3]", space = "SO3" }])"),
               {"arrays of SO3 are not available yet"});
  expect_words(with(R"([{ space = "SO3" }])"), {"system.coordinates[1].name: missing"});
  expect_words(with(R"([{ name = "R", space = "SO3" }, "R_w2"])"),
               {"R_w2 is already an angular velocity of R"});
}

TEST(ScenarioErrors, OtherNames) {
  const auto with = [](const std::string& system) {
    return refused(scenario(R"(["x"])", system, at_rest));
  };
  expect_words(with("parameters = { x = 1 }"),
               {"4:16: system.parameters.x: x is a parameter, but x is already a coordinate"});
  expect_words(with("parameters = { x_dot = 1 }"), {"already the velocity of x"});
  expect_words(with("parameters = { \"a b\" = 1 }"), {"\"a b\" is not a name"});
  expect_words(with("parameters = { cos = 1 }"), {"already a function"});
  expect_words(with("force = { y = 1 }"),
               {"4:11: system.force.y: there is no such coordinate; there are: x."});
  expect_words(with("force = { x_dto = 1 }"), {"there are: x."});
  expect_words(with("force = { \"x[1]\" = 1 }"), {"x is not an array"});
  expect_words(with("force = { x = [1] }"),
               {"must be a number or an expression, found a list of length 1"});
  expect_words(with("observe = { x = \"x\" }"),
               {"x is a function to observe, but x is already a coordinate"});
  expect_words(with("observe = { energy = \"x\" }"), {"energy is already a column"});
  expect_words(with("observe = { a = \"x\" }\nsymmetry = { a = { x = 1 } }"),
               {"a is a symmetry, but a is already a function to observe"});
  expect_words(with("symmetry = { a = { z = 1 } }"),
               {"system.symmetry.a.z: there is no such coordinate"});
  expect_words(
      with("[output]\nunits = { y = \"m\" }"),
      {"output.units.y: nothing of this name is recorded; there are: x, x_dot, x_p, t, energy."});
}

TEST(ScenarioErrors, Start) {
  const auto with = [](const std::string& start) {
    return refused(scenario(R"(["x_angle", "y"])", "", start));
  };
  EXPECT_EQ(with("x_angle = 0\nx_angle_dot = 0\ny_dot = 0"),
            "f.toml:5:1: start.y: missing; every coordinate needs a value, and a velocity or a "
            "momentum.");
  expect_words(with(""), {"start.x_angle: missing, and so are y, x_angle_dot, y_dot;"});
  expect_words(with("x_angle = 0\ny = 0\nx_angle_p = 0"), {"start.y_p: missing;"});
  expect_words(with("x_angle = 0\ny = 0\nx_angle_dot = 0\ny_p = 0"),
               {"9:7: start.y_p: y_p is a momentum and x_angle_dot a velocity"});
  expect_words(with("x_angel = 0"),
               {"6:1: start.x_angel: there is no such coordinate, velocity or momentum; there are: "
                "x_angle, y, x_angle_dot, y_dot, x_angle_p, y_p. Did you mean x_angle?"});
  expect_words(with("y = { angle_axis = [0, 0, 0] }"),
               {"start.y: must be a number or an expression, found a table"});
  const auto array = [](const std::string& start) {
    return refused(scenario(R"(["q[1..3]"])", "", start));
  };
  expect_words(array("q = [1, 2]"),
               {"6:5: start.q: must have 3 entries, one for each of q[1] to q[3], found 2."});
  expect_words(array("\"q[4]\" = 1"),
               {"6:1: start.q[4]: out of range; the entries are q[1] to q[3]."});
  expect_words(array("\"q[01]\" = 1"), {"there is no such"});
  expect_words(array("q_dot = 0\n\"q[1]\" = 1\n\"q[3]\" = 1"), {"start.q[2]: missing;"});
  EXPECT_TRUE(read(scenario(R"(["x"])", "", at_rest + "\nproject = true\nt = 2")).start.project);
}

TEST(ScenarioErrors, TextThatIsNotToml) {
  EXPECT_EQ(refused("[run]\nmethod = verlet\n").substr(0, 32), "f.toml:2:10: not valid TOML: Err");
  expect_words(refused("[run]\nmethod = verlet\n"), {"a text must stand in quotes"});
  expect_words(refused("a = 1\na = 2\n"), {"f.toml:2:"});
  expect_words(refused("a = \"\xff\""), {"f.toml:1:"});
  expect_words(refused(std::string("a = \0", 5)), {"f.toml:1:"});
  expect_words(refused(std::string(4 * 1024 * 1024 + 1, ' ')), {"f.toml: larger than 4 MB"});
  try {
    read("a = ");
    FAIL();
  } catch (const ScenarioError& error) {
    EXPECT_EQ(error.place.line, 1);
    EXPECT_TRUE(error.key.empty());
  }
}

TEST(ScenarioErrors, DeepNestingIsRefused) {
  const auto repeated = [](const std::string& part, int times) {
    std::string text;
    for (int k = 0; k < times; ++k) text += part;
    return text;
  };
  refused("a = " + repeated("[", 100000));
  refused("a = " + repeated("{a=", 100000));
  expect_words(refused("a" + repeated(".a", 1000000) + " = 1"),
               {"1:32: a key of more than 16 parts"});
  expect_words(refused("[a" + repeated(" . 'a'", 100000) + "]"), {"more than 16 parts"});
  expect_words(refused("b = \"\"\"\"\"\"\"\"\nc" + repeated(".a", 100000) + " = 1"), {"f.toml:2:"});
  // Dots inside texts, comments and numbers are not keys.
  EXPECT_NO_THROW(
      read("title = \"" + repeated("..", 50) + "\\\"....\" # " + repeated(".", 50) + "\n" +
           scenario("[\"x\"]", "parameters = { a = [" + repeated("1.5, ", 50) + "] }", at_rest)));
}

TEST(Scenario, ExpectationsOfASourceAreRead) {
  const std::string good = kepler + R"~([reproduce]
source = "MW01"
[[reproduce.expect]]
what = "final.q.x"
value = 1
tolerance = 0.01
set = { "run.method" = "rk4", mu = 2.0, system.force.x = "0" }
[[reproduce.expect]]
what = "energy.max_rel_error"
value = 1e-9
kind = "at_most"
note = "read off"
)~";
  const Scenario s = read(good);
  EXPECT_EQ(s.reproduce.source, "MW01");
  ASSERT_EQ(s.reproduce.expect.size(), 2U);
  EXPECT_EQ(s.reproduce.expect[0].kind, "relative");
  EXPECT_EQ(s.reproduce.expect[0].set,
            (Names{"run.method=\"rk4\"", "mu=2.0", "system.force.x=\"0\""}));
  EXPECT_EQ(parse_scenario(good, "f", s.reproduce.expect[0].set).run.method.value, "rk4");
  EXPECT_EQ(s.reproduce.expect[1].value, 1e-9);
  EXPECT_EQ(s.reproduce.expect[1].place.line, 33);
  EXPECT_EQ(s.reproduce.expect[1].note, "read off");
  expect_words(
      refused(replaced(good, "tolerance = 0.01", "")),
      {"28:1: reproduce.expect[1].tolerance: missing; it is needed where kind is relative."});
  expect_words(refused(replaced(good, "value = 1\n", "value = 0\n")),
               {"30:9: reproduce.expect[1].value: must not be 0 where kind is relative"});
  expect_words(refused(replaced(good, "mu = 2.0", "nu = 2.0")),
               {"reproduce.expect[1].set: set: nu: neither a parameter", "Did you mean mu?"});
  expect_words(refused(replaced(good, "what = \"energy.max_rel_error\"", "")),
               {"reproduce.expect[2].what: missing"});
  expect_words(refused(replaced(good, "\"at_most\"", "\"most\"")), {"allowed: relative, absolute"});
}

TEST(Files, AreReadOrRefusedWithTheirName) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / "varia_scenario_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "gallery");
  const auto write = [](const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
  };
  write(folder / "orbit.toml", replaced(kepler, "title", "# title"));
  const Scenario s = read_scenario((folder / "orbit.toml").string(), {"mu=2"});
  EXPECT_EQ(s.name, "orbit");
  EXPECT_EQ(s.title, "orbit");
  EXPECT_EQ(s.system.parameters[0].values[0].value, "2");
  expect_words(refusal<IoError>([&] { read_scenario((folder / "none.toml").string()); }),
               {"none.toml", "No such file"});
  expect_words(refusal<IoError>([&] { read_scenario(folder.string()); }), {"is a directory"});
  write(folder / "large.toml", std::string(5 * 1024 * 1024, '\n'));
  expect_words(refusal<ScenarioError>([&] { read_scenario((folder / "large.toml").string()); }),
               {"large.toml: larger than 4 MB"});

  for (const char* name : {"pendulum", "kepler", "chain"})
    write(folder / "gallery" / (std::string(name) + ".toml"), kepler);
  write(folder / "gallery" / "README.md", "");
  ASSERT_EQ(setenv("VARIA_GALLERY", (folder / "gallery").c_str(), 1), 0);
  EXPECT_EQ(gallery_names(), (Names{"chain", "kepler", "pendulum"}));
  EXPECT_EQ(read_scenario("gallery:kepler").name, "kepler");
  EXPECT_EQ(read_scenario("gallery:kepler").file, "gallery:kepler");
  EXPECT_EQ(refusal<ScenarioError>([] { read_scenario("gallery:keppler"); }),
            "gallery:keppler: there is no such scenario in the gallery; there are: chain, kepler, "
            "pendulum. Did you mean kepler?");
  refusal<ScenarioError>([] { read_scenario("gallery:../orbit"); });
  ASSERT_EQ(setenv("VARIA_GALLERY", (folder / "nowhere").c_str(), 1), 0);
  expect_words(refusal<IoError>([] { read_scenario("gallery:kepler"); }), {"nowhere"});
  unsetenv("VARIA_GALLERY");
  std::filesystem::remove_all(folder);
}

TEST(Scenario, ReadsStandardInput) {
  std::istringstream input(kepler);
  std::streambuf* const before = std::cin.rdbuf(input.rdbuf());
  const Scenario s = read_scenario("-");
  std::cin.rdbuf(before);
  EXPECT_EQ(s.name, "scenario");
  EXPECT_EQ(s.run.place.file, "<stdin>");
}

TEST(Scenario, AnyTextIsReadOrRefused) {
  std::mt19937 random(20240607);
  const std::vector<std::string> corpus = {
      kepler, solid,
      scenario(R"(["q[1..4]", { name = "R", space = "SO3" }])", "observe.a = \"q[1]\"",
               "q = \"i\"\nq_p = [1, 2, 3, 4]\nR = { quaternion = [1, 0, 0, 0] }\nR_m1 = 0\nR_m2 = "
               "0\nR_m3 = 0"),
      kepler +
          "[reproduce]\n[[reproduce.expect]]\nwhat = \"a\"\nvalue = 1\ntolerance = 1\nset = { mu = "
          "3 }\n"};
  constexpr char raw[] = "[]{}\"'=.,#\n\\ 0123456789eE+-_xqRtabcdn\x00\x7f\xc3\xa4\xff";
  const std::string bytes(raw, sizeof raw - 1);  // one of them is 0
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
  int accepted = 0, refusals = 0;
  for (int trial = 0; trial < 5000; ++trial) {
    std::string text = corpus[below(corpus.size())];
    for (std::size_t edits = below(4); edits > 0 && !text.empty(); --edits) {
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0:
          text[at] = bytes[below(bytes.size())];
          break;
        case 1:
          text.erase(at, 1 + below(12));
          break;
        case 2:
          text.insert(at, 1, bytes[below(bytes.size())]);
          break;
        default:
          text.insert(at, text.substr(below(text.size()), below(40)));
      }
    }
    try {
      parse_scenario(text, "fuzz.toml");
      ++accepted;
    } catch (const InvalidArgument& error) {
      EXPECT_EQ(std::string(error.what()).rfind("fuzz.toml", 0), 0U);
      ++refusals;
    }
  }
  EXPECT_GT(accepted, 500);
  EXPECT_GT(refusals, 500);
}

}  // namespace varia::io
