// SPDX-License-Identifier: BSD-3-Clause
// Reading scenarios of solids: what is written is what is read, and what contradicts itself is refused.
#include "varia/io/solid_scenario.hpp"

#include "solids.hpp"

namespace varia::io::solid_scenario_test {

namespace {

using Names = std::vector<std::string>;

std::string refused(const std::string& from, const std::string& to) {
  return refusal<ScenarioError>([&] { read_plate(changed(plate, from, to)); });
}

std::string refused_set(const Names& set) {
  return refusal<ScenarioError>([&] { read_plate(plate, set); });
}

}  // namespace

TEST(SolidScenario, TheExampleOfTheContractReads) {
  const Scenario s = read_plate(plate);
  ASSERT_TRUE(s.solid.has_value());
  const SolidText& solid = *s.solid;
  EXPECT_EQ(solid.mesh.generate->value, "block");
  EXPECT_FALSE(solid.mesh.file.has_value());
  ASSERT_EQ(solid.mesh.values.size(), 4U);
  EXPECT_EQ(solid.mesh.values[1].first, "elements");
  EXPECT_EQ(solid.mesh.values[1].second.at(1).value, "10");
  EXPECT_EQ(solid.mesh.values[1].second.at(1).key, "solid.mesh.elements[2]");
  EXPECT_EQ(solid.material->model.value, "neo_hookean");
  EXPECT_EQ(solid.material->constants.at(1).first, "mu");
  EXPECT_EQ(solid.plane->value, "strain");
  ASSERT_EQ(solid.fixes.size(), 1U);
  EXPECT_EQ(solid.fixes[0].of.where->value, "X < 1e-9");
  EXPECT_EQ(solid.fixes[0].of.where->key, "solid.fix[1].where");
  EXPECT_EQ(solid.fixes[0].of.where->place.line, 7);
  EXPECT_EQ(solid.fixes[0].values[0]->value, "X*1.2");
  EXPECT_FALSE(solid.fixes[0].values[1].has_value());
  EXPECT_FALSE(solid.fixes[0].displacement);
  EXPECT_EQ(solid.loads.at(0).traction[1]->key, "solid.load[1].traction.y");
  EXPECT_EQ(solid.body_force[1]->value, "-9.81");
  EXPECT_EQ(solid.start.velocity[1]->value, "0");
  EXPECT_EQ(solid.start.t.value, "0");
  EXPECT_EQ(s.run.method.value, "avi");
  EXPECT_EQ(s.run.until->value, "0.001");
  EXPECT_EQ(solid.run.courant->value, "0.1");
  EXPECT_EQ(solid.run.frames, 100);
}

TEST(SolidScenario, DefaultsAreThoseOfTheReference) {
  const Scenario s = read_plate(R"~([solid]
mesh = { file = "a.msh" }
[run]
method = "newmark"
steps = 3
)~");
  EXPECT_EQ(s.solid->run.frames, 50);
  EXPECT_EQ(s.solid->run.records, 1000);
  EXPECT_EQ(s.solid->run.threads, 1);
  EXPECT_EQ(s.solid->run.schedule, "node_clocks");
  EXPECT_EQ(s.solid->run.start, "second_order");
  EXPECT_EQ(s.solid->run.local_energy, "sample");
  EXPECT_FALSE(s.solid->run.energy_stationary);
  EXPECT_FALSE(s.solid->run.courant.has_value());
  EXPECT_FALSE(s.solid->material.has_value());
  EXPECT_FALSE(s.solid->plane.has_value());
  EXPECT_EQ(s.output.formats, (Names{"vtu", "h5"}));
  EXPECT_EQ(s.run.steps, 3);
}

TEST(SolidScenario, SystemsAndSolidsExcludeEachOther) {
  expect_words(refused("[solid]", "[system]\ncoordinates = [\"x\"]\n[solid]"),
               {"f.toml:3:2: solid: given together with system"});
  expect_words(refused("[solid]", "[start]\nx = 1\n[solid]"),
               {"f.toml:1:2: start: given together with solid", "[solid.start]"});
  EXPECT_FALSE(parse_scenario("[system]\ncoordinates = [\"x\"]\nlagrangian = \"x_dot^2\"\n[start]\n"
                              "x = 0\nx_dot = 0\n[run]\nmethod = \"verlet\"\nstep = 1\nsteps = 1\n",
                              "f")
                   .solid.has_value());
  expect_words(refusal<ScenarioError>([] { read_plate("[soild]\n[run]\n"); }),
               {"soild: unknown key", "Did you mean solid?"});
}

TEST(SolidScenario, WhatContradictsItselfIsRefused) {
  expect_words(refused("[[solid.fix]]", "[[solid.fix]]\nboundary = \"left\""),
               {"solid.fix[1].boundary: given together with solid.fix[1].where"});
  expect_words(refused("where = \"X < 1e-9\"\n", ""),
               {"solid.fix[1].where: missing, and so is solid.fix[1].boundary"});
  expect_words(refused("[[solid.fix]]", "[[solid.fix]]\ndisplacement = { x = 0 }"),
               {"given together with solid.fix[1].position"});
  expect_words(refused("position = { x = \"X*1.2\" }", "position = {}"),
               {"8:12: solid.fix[1].position: the table is empty"});
  expect_words(refused("{ x = \"X*1.2\" }", "{ w = 1 }"),
               {"8:14: solid.fix[1].position.w: there is no such component; there are: x, y, z."});
  expect_words(refused("traction = ", "#"),
               {"solid.load[1].traction: missing; it must be a table"});
  expect_words(refused("mesh ", "#"), {"solid.mesh: missing; it must be a table", "generate"});
  expect_words(refused("generate = \"block\",", ""), {"solid.mesh.file: missing, and so is"});
  expect_words(refused("\"block\"", "\"blok\""), {"found \"blok\"", "Did you mean block?"});
  expect_words(refused("model = \"neo_hookean\",", ""), {"solid.material.model: missing"});
  expect_words(refused("density = 7800", "density = 0"), {"density: must be greater than 0"});
  expect_words(refused("\"strain\"", "\"stres\""), {"allowed: strain, stress", "stress?"});
  expect_words(refused("[[solid.fix]]", "[solid.fix]"),
               {"solid.fix: must be a list of tables, found a table"});
  expect_words(refused("[solid.start]", "[solid.start]\ncentre = [0, 0]"), {"there is no spin"});
  expect_words(refused("parameters = { p = 1e6", "parameters = { X = 1, p = 1e6"),
               {"X is a parameter, but X is already a reference coordinate"});
  expect_words(refused("parameters = { p = 1e6", "parameters = { and = 1, p = 1e6"),
               {"already a word of conditions"});
  expect_words(refused("[run]", "[output]\nunits = { mass = \"kg\" }\n[run]"),
               {"nothing with this name", "stress"});
  expect_words(refused("[run]", "[solid.observe]\nenergy = { at = [0, 0], what = \"x\" }\n[run]"),
               {"always recorded"});
}

TEST(SolidScenario, KeysOfTheRunFitTheMethod) {
  expect_words(refused("\"avi\"", "\"verlet\""),
               {"run.method: found \"verlet\"; allowed: avi, newmark."});
  expect_words(refused("courant = 0.1", "step = 1e-6"), {"run.step: avi has no common step"});
  expect_words(refused("until = 1e-3", "steps = 5"), {"run.steps: avi has no common step"});
  expect_words(refused("until = 1e-3", ""), {"run.until: missing"});
  expect_words(refused("courant = 0.1", "courant = 0"), {"must be greater than 0"});
  expect_words(refused("frames = 100", "every = 2"), {"run.every: unknown key", "frames"});
  expect_words(refused("frames = 100", "schedule = \"heap\""), {"allowed: node_clocks, queue"});
  expect_words(refused_set({"method=newmark", "energy_stationary=true"}), {"for avi only"});
  for (const char* ignored : {"threads=2", "threads=0", "schedule=queue"})
    expect_words(refused_set({"method=avi", "energy_stationary=true", ignored}),
                 {"not with run.energy_stationary", "Leave it out"});
  expect_words(refused_set({"method=newmark", "step=1e-6", "courant=0.1"}), {"given together"});
}

TEST(SolidScenario, OverridesReachTheKeys) {
  const auto with = [](const Names& set) { return read_plate(plate, set); };
  EXPECT_EQ(with({"p=2"}).solid->parameters[0].values[0].value, "2");
  EXPECT_EQ(with({"solid.parameters.p=2"}).solid->parameters[0].values[0].value, "2");
  EXPECT_EQ(with({"courant=0.2"}).solid->run.courant->value, "0.2");
  EXPECT_EQ(with({"solid.mesh.order=1"}).solid->mesh.values[3].second[0].value, "1");
  EXPECT_EQ(with({"solid.mesh.elements[2]=7"}).solid->mesh.values[1].second[1].value, "7");
  EXPECT_EQ(with({"solid.fix[1].position.y=Y"}).solid->fixes[0].values[1]->value, "Y");
  EXPECT_EQ(with({"solid.start.spin=3"}).solid->start.spin.at(0).value, "3");
  const Scenario newmark = with({"method=newmark", "step=1e-6"});
  EXPECT_EQ(newmark.solid->run.step->value, "1e-06");
  EXPECT_FALSE(newmark.solid->run.courant.has_value()) << "replaced";
  EXPECT_EQ(with({"method=newmark", "steps=7"}).run.steps, 7);
  const Scenario file = with({"solid.mesh.file=a.msh"});
  EXPECT_FALSE(file.solid->mesh.generate.has_value());
  expect_words(refused_set({"solid.fix[2].position.x=0"}), {"there is no such entry", "1 to 1"});
  for (const char* index : {"0", "-1", "x", "", "1x"})
    expect_words(refused_set({"solid.fix[" + std::string(index) + "].position.x=0"}),
                 {"there is no such entry", "1 to 1"});
  expect_words(refused_set({"solid.mesh.elements[0]=7"}), {"there is no such entry", "1 to 2"});
  expect_words(refused_set({"solid.mesh.elements[3]=7"}), {"there is no such entry", "1 to 2"});
  expect_words(refused_set({"q=1"}), {"neither a parameter (p, w) nor a key of run", "courant"});
  expect_words(refused_set({"solid.parameters.q=1"}), {"there is no such parameter"});
  expect_words(refused_set({"coruant=1"}), {"Did you mean courant?"});
}

}  // namespace varia::io::solid_scenario_test
