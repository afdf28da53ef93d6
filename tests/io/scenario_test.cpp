// SPDX-License-Identifier: BSD-3-Clause
// Reading scenarios: what is written is what is read.
#include "varia/io/scenario.hpp"

#include "scenarios.hpp"

namespace varia::io::scenario_test {

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
  EXPECT_EQ(s.system.holonomic.at(0).phi.value, "x^2 + y^2 - 1");
  EXPECT_EQ(s.system.nonholonomic.at(0).phi.key, "system.nonholonomic[1]");
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
  EXPECT_EQ(r.start.points.at(0).form, 0U);
  EXPECT_EQ(r.start.points.at(0).numbers.at(2).value, "pi/2");
  EXPECT_EQ(velocity_names(r.system), (Names{"R_w1", "R_w2", "R_w3", "x_dot", "y_dot"}));
  EXPECT_EQ(momentum_names(r.system), (Names{"R_m1", "R_m2", "R_m3", "x_p", "y_p"}));
  EXPECT_EQ(entry_names(r.system),
            (Names{"R11", "R12", "R13", "R21", "R22", "R23", "R31", "R32", "R33", "x", "y"}));
  EXPECT_EQ(force_names(r.system), (Names{"R_1", "R_2", "R_3", "x", "y"}));
  EXPECT_TRUE(read(block).solid.has_value());
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
  ASSERT_EQ(names(s.start.positions).size(), 4U);
  EXPECT_EQ(s.start.positions.size(), 3U);  // q[2] and q[3] have one text
  for_entries(s.start.positions, [](const Component& c) {
    EXPECT_EQ(c.component, "q[" + std::to_string(c.index) + "]");
    EXPECT_EQ(c.text.key, "start." + c.component);
    EXPECT_TRUE(c.indexed);
    EXPECT_EQ(c.text.value, c.index == 4 ? "7" : "sin(i)") << c.component;
  });
  EXPECT_EQ(names(s.start.rates), (Names{"q_dot[2]", "q_dot[3]", "q_dot[4]", "q_dot[5]"}));
  EXPECT_EQ(s.start.rates[1].text.value, "i");
  EXPECT_EQ(s.start.rates[1].text.key, "start.q_dot[3]");
  ASSERT_EQ(names(s.system.force).size(), 4U);
  EXPECT_EQ(s.system.force[1].text.value, "0");
  EXPECT_EQ(s.system.force[2].text.value, "-q_dot[i]");
  EXPECT_EQ(entry_names(s.system), (Names{"q[2]", "q[3]", "q[4]", "q[5]"}));
  // one text for all is kept once
  const Scenario many = read(scenario(R"(["q[1..100000]"])", "", "q = 0\nq_dot = 0"));
  EXPECT_EQ(many.start.rates.size(), 1U);
  EXPECT_EQ(names(many.start.rates).back(), "q_dot[100000]");
}

TEST(Scenario, RotationsStartInThreeForms) {
  const auto start = [](const std::string& form) {
    return scenario(R"([{ name = "R", space = "SO3" }])", "force = { R_2 = \"-R_w2\" }",
                    "R = " + form + "\n" + rotation_at_rest);
  };
  EXPECT_EQ(read(start("{ quaternion = [1, 0, 0, 0] }")).start.points.at(0).numbers.size(), 4U);
  const Scenario s = read(start("{ matrix = [[1, 0, 0], [0, 2, 0], [0, 0, 3]] }"));
  EXPECT_EQ(s.start.points.at(0).numbers.at(4).value, "2");
  EXPECT_EQ(s.start.points.at(0).numbers.at(8).key, "start.R.matrix[3][3]");
  EXPECT_EQ(names(s.system.force), Names{"R_2"});
  EXPECT_EQ(refused(start("{ quaternion = [1, 0, 0] }")),
            "f.toml:6:20: start.R.quaternion: must have 4 entries, found 3.");
  EXPECT_EQ(refused(start("{ matrix = [[1, 0], [0, 1], [0, 0]] }")),
            "f.toml:6:17: start.R.matrix[1]: must have 3 entries, found 2.");
  expect_words(refused(start("0")),
               {"6:5: start.R: R is a rotation", "angle_axis", "the number 0"});
  expect_words(refused(start("{ angle_axis = [0, 0, 0], quaternion = [1, 0, 0, 0] }")),
               {"R is a rotation", "found angle_axis, quaternion"});
  expect_words(refused(start("{ axis = [0, 0, 0] }")),
               {"6:5: start.R: R is a rotation", "{ quaternion = [w, x, y, z] }", "found axis"});
  expect_words(refused(start("{ quaternoin = [1, 0, 0, 0] }")),
               {"6:5: start.R", "found quaternoin", "Did you mean quaternion?"});
  expect_words(refused(scenario(R"([{ name = "R", space = "SO3" }])", "", rotation_at_rest)),
               {"start.R: missing;"});
  expect_words(refused(scenario(R"([{ name = "R", space = "SO3" }])", "force = { R = 1 }", "")),
               {"system.force.R: must be a list of 3 numbers, found the number 1."});
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

/// Three meshes and one that is two levels finer, as the reference page says.
TEST(Scenario, MeshesOfARefinement) {
  const auto read = [](const std::string& refinement) {
    return parse_scenario(block + "[reproduce]\nrefinement = " + refinement + "\n", "f")
        .reproduce.refinement;
  };
  const RefinementText usual = read("{ }");
  EXPECT_EQ(usual.key, "solid.mesh.level");
  EXPECT_EQ(usual.levels, (std::vector<long>{0, 1, 2}));
  EXPECT_EQ(usual.reference, 4);
  EXPECT_EQ(usual.courant, 0.3);
  const RefinementText other =
      read("{ key = \"solid.mesh.refine\", levels = [3, 1], courant = 0.5 }");
  EXPECT_EQ(other.key, "solid.mesh.refine");
  EXPECT_EQ(other.levels, (std::vector<long>{3, 1}));
  EXPECT_EQ(other.reference, 5) << "above the finest";
  EXPECT_EQ(other.courant, 0.5);
  EXPECT_EQ(read("{ levels = [0], reference = 7 }").reference, 7);
}

}  // namespace varia::io::scenario_test
