// SPDX-License-Identifier: BSD-3-Clause
// Every mistake in a scenario is named with its place.
#include "scenarios.hpp"

namespace varia::io::scenario_errors_test {

TEST(ScenarioErrors, UnknownKeys) {
  EXPECT_EQ(refused_with("step   = 0.05", "stepp = 0.05"),
            "f.toml:20:1: run.stepp: unknown key; allowed: constraints, dependent_constraints, "
            "evaluation, every, "
            "keep_energy, method, multiplier, pace, projection, reconstruct, retraction, solver, "
            "start_multipliers, step, steps, tolerance, ... (17 in all). Did you mean step?");
  EXPECT_EQ(refused("colour = 1\n" + kepler),
            "f.toml:1:1: colour: unknown key; allowed: diagnose, draw, event, output, plot, "
            "reproduce, run, start, sweep, system, title.");
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
  EXPECT_EQ(
      refused_with("coordinates  = [\"x\", \"y\"]", ""),
      "f.toml:2:1: system.coordinates: missing; it must be a list of texts or tables; for example "
      "coordinates = [\"x\", \"y\"].");
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
  expect_words(with(R"(["q[1..1000001]"])"), {"more than 1000000 coordinates"});
  expect_words(with(R"(["q[1..99999999999]"])"), {"two whole numbers", "99999999999"});
  expect_words(with(R"(["q[1]"])"), {"an array is written \"q[1..64]\"", "found \"q[1]\""});
  expect_words(with(R"(["q[-1..1]"])"), {"two whole numbers", "\"-1\""});
  expect_words(
      with(R"([{ name = "g", space = "S3" }])"),
      {"2:38: system.coordinates[1].space: found \"S3\"; allowed: R, SO2, SO3, SE2, SE3, S2."});
  expect_words(with(R"([{ name = "g", space = "so3" }])"), {"Did you mean SO3?"});
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
      {"output.units.y: nothing with this name is recorded; there are: x, x_dot, x_p, t, energy."});
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

}  // namespace varia::io::scenario_errors_test
