// SPDX-License-Identifier: BSD-3-Clause
// What a scenario of a solid means: the mesh, who is selected, and functions with their values.
#include "varia/io/solid_model.hpp"

#include <Eigen/Dense>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <set>

#include "solids.hpp"
#include "varia/io/error.hpp"
#include "varia/solids/gmsh.hpp"
#include "varia/solids/lumping.hpp"

namespace varia::io::solid_model_test {

namespace {

const std::string box = R"~([solid]
mesh = { generate = "block", size = [2, 1, 1], elements = [4, 2, 2] }
material = { model = "st_venant_kirchhoff", young = 2e9, poisson = 0.25, density = 1000 }
[run]
method = "newmark"
until = 1e-3
)~";

std::string box_with(const std::string& more) { return changed(box, "[run]", more + "\n[run]"); }

std::string refused_box(const std::string& more) {
  return refusal<ScenarioError>([&] { model_of(box_with(more)); });
}

double at(const solids::Component& c, std::vector<double> X, double t = 0.0) {
  return c.value(X.data(), t);
}

/// Number of elements of the regions, by name.
std::size_t elements(const SolidModel& m, const std::string& name) {
  for (const solids::Region& r : m.problem.regions)
    if (r.name == name) return r.elements.size();
  return 0;
}

}  // namespace

TEST(SolidModel, TheExampleOfTheContractIsAProblem) {
  const SolidModel m = model_of(plate);
  const solids::Problem& p = m.problem;
  EXPECT_EQ(p.mesh.shape, solids::Shape::t6);
  EXPECT_EQ(p.mesh.element_count(), 200);
  EXPECT_EQ(p.plane, solids::Plane::strain);
  EXPECT_EQ(p.courant, 0.1);
  ASSERT_EQ(p.regions.size(), 1U);
  EXPECT_EQ(p.regions[0].elements.size(), 200U);
  EXPECT_EQ(p.regions[0].material.density, 7800);
  ASSERT_EQ(p.fixes.size(), 1U);
  EXPECT_EQ(p.fixes[0].nodes.size(), 21U);
  for (const int a : p.fixes[0].nodes) EXPECT_EQ(p.mesh.node(a)[0], 0.0);
  EXPECT_TRUE(p.fixes[0].position[0]);
  EXPECT_FALSE(p.fixes[0].position[1]);
  ASSERT_EQ(p.tractions.size(), 1U);
  EXPECT_EQ(p.tractions[0].faces.size(), 10U);
  for (const solids::Face f : p.tractions[0].faces)
    for (const int a : solids::nodes_of(p.mesh, f)) EXPECT_GT(p.mesh.node(a)[0], 1 - 1e-9);
  EXPECT_EQ(at(p.body_force[1], {0.5, 0.5}), -9.81);
  EXPECT_FALSE(p.body_force[0]);
  EXPECT_DOUBLE_EQ(at(p.position[0], {0.5, 0.25}), 0.6);
  EXPECT_EQ(m.run.until, 1e-3);
  EXPECT_FALSE(m.run.newmark);
  EXPECT_TRUE(m.run.half_kick);
  EXPECT_EQ(m.parameters.at("w[1]"), 10);
  EXPECT_TRUE(m.warnings.empty());
}

TEST(SolidModel, FieldsHaveTheirValuesAndExactRates) {
  const SolidModel m = model_of(
      changed(plate, "position = { x = \"X*1.2\" }",
              "position = { x = \"X + 0.1*sin(w[1]*t)*Y\", y = \"Y\" }\n[[solid.fix]]\nboundary = "
              "\"top\"\ndisplacement = { y = \"0.5*t^2\" }"));
  const solids::Component& x = m.problem.fixes[0].position[0];
  const solids::Component& load = m.problem.tractions[0].traction[1];
  for (const double t : {0.0, 0.3, 2.0}) {
    EXPECT_NEAR(at(x, {0.25, 0.5}, t), 0.25 + 0.05 * std::sin(10 * t), 1e-15);
    const std::vector<double> X{0.25, 0.5};
    EXPECT_NEAR(x.rate(X.data(), t), 0.5 * std::cos(10 * t), 1e-14);
    EXPECT_NEAR(at(load, {1, 0}, t), -1e6 * std::sin(100 * t), 1e-8);
    EXPECT_NEAR(load.rate(X.data(), t), -1e8 * std::cos(100 * t), 1e-6);
    EXPECT_NEAR(at(m.problem.fixes[1].position[1], {0.25, 1}, t), 1 + 0.5 * t * t, 1e-15);
  }
  EXPECT_TRUE(m.problem.fixes[0].position[1].constant());
  EXPECT_FALSE(m.problem.fixes[1].position[1].constant());
  EXPECT_TRUE(m.problem.body_force[1].constant());
}

TEST(SolidModel, SpinIsARigidRotationAboutTheCentreOfMass) {
  const SolidModel m = model_of(box_with(
      "[solid.start]\nposition = { x = \"1.1*X + Y^2\" }\nvelocity = { z = 3 }\nspin = [1, 2, 3]"));
  const solids::Problem& p = m.problem;
  std::array<double, 3> momentum{};
  double mass = 0.0;
  for (long k = 0; k < p.mesh.element_count(); ++k) {
    const auto masses = solids::lumped_masses(p.mesh, k, 1000);
    for (std::size_t a = 0; a < 4; ++a) {
      const double* X = p.mesh.node(p.mesh.element(k)[a]);
      mass += masses[a];
      for (std::size_t i = 0; i < 3; ++i) momentum[i] += masses[a] * p.velocity[i].value(X, 0.0);
    }
  }
  EXPECT_NEAR(momentum[0], 0.0, 1e-12 * mass);
  EXPECT_NEAR(momentum[1], 0.0, 1e-12 * mass);
  EXPECT_NEAR(momentum[2], 3 * mass, 1e-12 * mass);
  const auto v = [&](std::vector<double> X) {
    return Eigen::Vector3d(at(p.velocity[0], X), at(p.velocity[1], X), at(p.velocity[2], X));
  };
  const auto x = [](std::vector<double> X) {
    return Eigen::Vector3d(1.1 * X[0] + X[1] * X[1], X[1], X[2]);
  };
  const std::vector<double> A{0.5, 1, 0}, B{2, 0.25, 0.75};
  const Eigen::Vector3d w(1, 2, 3);
  EXPECT_LT((v(A) - v(B) - w.cross(x(A) - x(B))).norm(), 1e-13);

  const SolidModel plane = model_of(changed(plate, "[solid.start]",
                                            "[solid.start]\nspin = \"2*pi\"\n"
                                            "centre = [1, \"1/2\"]"));
  EXPECT_NEAR(at(plane.problem.velocity[0], {0.5, 0.75}), -2 * M_PI * 0.25, 1e-14);
  EXPECT_NEAR(at(plane.problem.velocity[1], {0.5, 0.75}), 2 * M_PI * (0.6 - 1), 1e-14);
}

TEST(SolidModel, EveryElementHasOneMaterial) {
  const std::string soft =
      "material = { model = \"neo_hookean\", lambda = 1e6, mu = 1e6, density = \"2*500\" }\n";
  const SolidModel m = model_of(box_with("[[solid.region]]\nwhere = \"X < 1\"\n" + soft +
                                         "[[solid.region]]\nwhere = \"X < 0.5\"\n" + soft));
  EXPECT_EQ(elements(m, "region 1"), 24U) << "the later one has the others";
  EXPECT_EQ(elements(m, "region 2"), 24U);
  EXPECT_EQ(elements(m, "rest"), 48U);
  EXPECT_EQ(m.problem.regions[0].material.density, 1000);
  const std::string blade =
      changed(changed(box,
                      "generate = \"block\", size = [2, 1, 1], elements = "
                      "[4, 2, 2]",
                      "generate = \"blade\""),
              "[run]", "[[solid.region]]\nname = \"joint\"\n" + soft + "[run]");
  const SolidModel rotor = model_of(blade);
  EXPECT_EQ(rotor.problem.mesh.shape, solids::Shape::tet10) << "the default of the blade";
  EXPECT_GT(elements(rotor, "joint"), 0U);
  EXPECT_EQ(elements(rotor, "joint") + elements(rotor, "rest"),
            static_cast<std::size_t>(rotor.problem.mesh.element_count()));
  expect_words(refusal<ScenarioError>([&] { model_of(changed(blade, "\"joint\"", "\"joints\"")); }),
               {"solid.region[1].name: the mesh has no region", "blade, joint", "mean joint?"});
  const std::string only = "[[solid.region]]\nwhere = \"X < 1\"\n" + soft;
  expect_words(refusal<ScenarioError>([&] {
                 model_of(changed(box_with(only), "material = { model = \"st_venant", "#"));
               }),
               {"solid.material: missing, and 48 of 96 elements are in no region"});
}

TEST(SolidModel, NamedBoundariesAreTheirFaces) {
  const SolidModel m = model_of(box_with(R"~([[solid.load]]
boundary = "top"
traction = { y = 1 }
[[solid.load]]
where = "Y > 1 - 1e-9"
traction = { y = 1 }
[[solid.fix]]
boundary = "left"
position = { x = 0 })~"));
  const auto key = [](const solids::Face& f) { return std::make_pair(f.element, f.local); };
  std::set<std::pair<int, int>> by_name, by_place;
  for (const solids::Face& f : m.problem.tractions[0].faces) by_name.insert(key(f));
  for (const solids::Face& f : m.problem.tractions[1].faces) by_place.insert(key(f));
  EXPECT_EQ(by_name.size(), 16U);
  EXPECT_EQ(by_name, by_place);
  EXPECT_EQ(m.problem.fixes[0].nodes.size(), 9U);
  EXPECT_EQ(m.loads[0].count, 16);
  EXPECT_EQ(m.fixes[0].key, "solid.fix[1]");
  expect_words(refused_box("[[solid.fix]]\nboundary = \"lefd\"\nposition = { x = 0 }"),
               {"solid.fix[1].boundary: the mesh has no boundary \"lefd\"", "left", "mean left?"});
}

TEST(SolidModel, WhatSelectsNothingIsAWarning) {
  const SolidModel m = model_of(box_with(R"~([[solid.fix]]
where = "X < -1"
position = { x = 0 }
[[solid.load]]
where = "0.4 < X < 0.6"
traction = { y = 1 }
[[solid.region]]
where = "Z > 3"
material = { model = "neo_hookean", lambda = 1, mu = 1, density = 1 })~"));
  ASSERT_EQ(m.warnings.size(), 3U);
  expect_words(m.warnings[0], {"f.toml:11:9: solid.region[1].where", "no element", "Z <= 1"});
  expect_words(m.warnings[1], {"solid.fix[1].where", "\"X < -1\" holds for no node",
                               "0 <= X <= 2, 0 <= Y <= 1, 0 <= Z <= 1"});
  expect_words(m.warnings[2], {"solid.load[1].where", "no boundary face"});
  EXPECT_EQ(m.problem.regions.size(), 1U);
}

TEST(SolidModel, AStartOffItsSupportIsAWarning) {
  const std::string fix = "[[solid.fix]]\nboundary = \"right\"\nposition = { x = 2.5 }";
  const SolidModel m = model_of(box_with(fix));
  ASSERT_EQ(m.warnings.size(), 1U);
  expect_words(m.warnings[0], {"solid.fix[1].position.x", "off this support by up to 0.5"});
  EXPECT_TRUE(
      model_of(box_with(fix + "\n[[solid.fix]]\nboundary = \"right\"\nposition = { x = 2 }"))
          .warnings.empty())
      << "the later one counts";
  EXPECT_TRUE(
      model_of(box_with(fix + "\n[solid.start]\nposition = { x = \"1.25*X\" }")).warnings.empty());
}

TEST(SolidModel, ProbesAreTheNearestNodes) {
  const SolidModel m =
      model_of(box_with("[solid.observe]\ncorner = { at = [2.1, 0.9, \"pi/3\"], what "
                        "= \"uz\" }\nspeed_x = { at = [0, 0, 0], what = \"vx\" }"));
  ASSERT_EQ(m.probes.size(), 2U);
  const double* X = m.problem.mesh.node(m.probes[0].node);
  EXPECT_EQ((std::vector<double>{X[0], X[1], X[2]}), (std::vector<double>{2, 1, 1}));
  EXPECT_EQ(m.probes[0].kind, Probe::Kind::displacement);
  EXPECT_EQ(m.probes[0].component, 2);
  EXPECT_EQ(m.probes[1].kind, Probe::Kind::velocity);
  expect_words(refused_box("[solid.observe]\na = { at = [1, 2], what = \"x\" }"),
               {"solid.observe.a.at: must have 3 entries, found 2."});
}

TEST(SolidModel, GeneratorsTakeTheirOwnNumbersOnly) {
  const auto mesh = [](const std::string& numbers) {
    return model_of(changed(plate,
                            "generate = \"block\", size = [1, 1], elements = [10, 10], "
                            "grading = 10, order = 2",
                            numbers))
        .problem.mesh;
  };
  const auto refused = [&](const std::string& numbers) {
    return refusal<ScenarioError>([&] { mesh(numbers); });
  };
  EXPECT_EQ(mesh("generate = \"slab\", length = 2, height = 1, level = 1").element_count(), 352);
  EXPECT_EQ(
      mesh("generate = \"slab\", length = 2, height = 1, level = 0, refine = 1").element_count(),
      352);
  EXPECT_EQ(mesh("generate = \"block\", size = [1, 1], elements = [2, \"w[1]/5\"]").element_count(),
            8);
  EXPECT_EQ(mesh("generate = \"block\", size = [1, 1], elements = [2, 2]").shape,
            solids::Shape::t3);
  EXPECT_GT(
      mesh("generate = \"slivers\", size = [1, 1], elements = [6, 6], count = 2, ratio = 0.01")
          .element_count(),
      72);
  expect_words(refused("generate = \"slab\", length = 2, height = 1, level = 1, grading = 2"),
               {"f.toml:2:",
                "solid.mesh.grading: not a number of slab; it takes: order, refine, "
                "length, height, level."});
  expect_words(refused("generate = \"slab\", length = 2, height = 1"),
               {"solid.mesh.level: missing; the generator slab needs it"});
  expect_words(refused("generate = \"block\", size = [1, 1], elements = [2, 2.5]"),
               {"solid.mesh.elements[2]: must be a whole number, found 2.5."});
  expect_words(refused("generate = \"block\", size = [1, 1], elements = [2]"), {"solid.mesh: "});
  expect_words(refused("generate = \"block\", size = [1, -1], elements = [2, 2]"),
               {"solid.mesh: "});
  expect_words(refused("generate = \"block\", size = [1, 1], elements = [100000, 100000]"),
               {"solid.mesh: about 2e+10 elements; the limit is"});
  expect_words(refused("generate = \"block\", size = [1, 1], elements = [2, 2], refine = 19"),
               {"solid.mesh: about", "the limit is"});
  expect_words(refused("generate = \"block\", size = [1, 1], elements = [2, 2], order = 3"),
               {"solid.mesh.order: must be 1 or 2, found 3."});
  expect_words(refused("generate = \"block\", size = [1, 1], elements = [2, \"X\"]"),
               {"solid.mesh.elements[2]: unknown name 'X'"});
}

TEST(SolidModel, MeshFilesBelongToTheFolderOfTheScenario) {
  const auto folder = std::filesystem::path(::testing::TempDir()) / "varia_solid_model_test";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder / "mesh");
  solids::write_gmsh(model_of(box).problem.mesh, (folder / "mesh" / "part.msh").string());
  const std::string text =
      changed(box, "generate = \"block\", size = [2, 1, 1], elements = [4, 2, 2]",
              "file = \"mesh/part.msh\"");
  const auto build = [&](const std::string& changed_text) {
    std::ofstream(folder / "s.toml") << changed_text;
    return build_solid_model(read_scenario((folder / "s.toml").string()));
  };
  const SolidModel m = build(text);
  EXPECT_EQ(m.problem.mesh.element_count(), 96);
  EXPECT_EQ(m.mesh_text, (folder / "mesh/part.msh").string());
  EXPECT_EQ(build(changed(text, "part.msh\"", "part.msh\", order = 2")).problem.mesh.shape,
            solids::Shape::tet10);
  EXPECT_EQ(
      build(changed(text, "part.msh\"", "part.msh\", refine = 1")).problem.mesh.element_count(),
      96 * 8);
  expect_words(refusal<IoError>([&] { build(changed(text, "part.msh", "none.msh")); }),
               {"mesh/none.msh: the mesh cannot be opened: No such file"});
  expect_words(refusal<IoError>([&] { build(changed(text, "mesh/part.msh", "mesh")); }),
               {"is a directory"});
  expect_words(
      refusal<ScenarioError>([&] { build(changed(text, "part.msh\"", "part.msh\", level = 1")); }),
      {"solid.mesh.level: not a number of a mesh from a file"});
  std::ofstream(folder / "mesh" / "bad.msh") << "$MeshFormat\nno\n";
  expect_words(refusal<solids::MeshError>([&] { build(changed(text, "part.msh", "bad.msh")); }),
               {"bad.msh:"});
  EXPECT_EQ(mesh_path(parse_scenario(text, "<stdin>"), "a.msh"), "a.msh");
  EXPECT_EQ(mesh_path(parse_scenario(text, "dir/s.toml"), "a.msh"), "dir/a.msh");
  EXPECT_EQ(mesh_path(parse_scenario(text, "dir/s.toml"), "/b/a.msh"), "/b/a.msh");
  std::filesystem::remove_all(folder);
}

TEST(SolidModelErrors, AreToldAtTheirKey) {
  expect_words(refused_plate("\"X < 1e-9\"", "\"X < x0\""),
               {"f.toml:7:14: solid.fix[1].where: unknown name 'x0'", "X, Y, p, w", "    ^"});
  expect_words(refused_plate("\"X < 1e-9\"", "\"Z < 1e-9\""), {"unknown name 'Z'"});
  expect_words(refused_plate("\"X < 1e-9\"", "\"X < t\""), {"unknown name 't'"});
  expect_words(refused_plate("\"X < 1e-9\"", "\"1/X < 1\""),
               {"solid.fix[1].where: has no value at X = 0", "division by zero"});
  expect_words(refused_plate("\"X*1.2\"", "\"X*q\""),
               {"f.toml:8:21: solid.fix[1].position.x: unknown name 'q'", "X, Y, p, t, w"});
  expect_words(refused_plate("\"X*1.2\"", "\"X + sqrt(t)\""),
               {"solid.fix[1].position.x: has no finite value at X = 0", "t = 0"});
  expect_words(refused_plate("\"-p*sin(w[2]*t)\"", "\"p/t\""),
               {"solid.load[1].traction.y: has no finite value", "division by zero"});
  expect_words(refused_plate("y = -9.81", "y = \"1/X\""), {"solid.body_force.y: has no finite"});
  expect_words(refused_plate("y = -9.81", "z = -9.81"), {"solid.body_force.z: the mesh is plane"});
  expect_words(refused_plate("\"1.2*X\"", "\"1.2*t\""), {"solid.start.position.x", "'t'"});
  expect_words(refused_plate("neo_hookean", "neohookean"),
               {"solid.material.model: found \"neohookean\"", "mean neo_hookean?"});
  expect_words(refused_plate("mu = 10e9", "nu = 10e9"),
               {"solid.material.nu: neo_hookean has no such constant", "mean mu?"});
  expect_words(refused_plate("mu = 10e9,", ""), {"f.toml:3:12: solid.material: ", "mu"});
  expect_words(refused_plate("mu = 10e9", "mu = -1"), {"solid.material: ", "mu"});
  expect_words(refused_plate("density = 7800", "density = \"p - p\""),
               {"solid.material.density: must be greater than 0, found 0."});
  expect_words(refused_plate("p = 1e6", "p = \"1/0\""), {"solid.parameters.p", "division by zero"});
  expect_words(refused_plate("p = 1e6", "p = \"2*w[1]\""), {"solid.parameters.p", "cycle"});
  expect_words(refused_plate("until = 1e-3", "until = 0"), {"run.until: must be after the start"});
  expect_words(refused_plate("courant = 0.1", "courant = \"-p\""),
               {"run.courant: must be greater"});
  expect_words(refused_plate("frames = 100", "threads = 100000"), {"run.threads: must be at most"});
  expect_words(refused_box("[solid.start]\nspin = 3"), {"solid.start.spin: must be three numbers"});
  expect_words(refused_plate("[solid.start]", "[solid.start]\nspin = [1, 2, 3]"),
               {"must be one number"});
  expect_words(refused_box("[solid.start]\nspin = [1, 2, 3]\ncentre = [1, 2]"),
               {"solid.start.centre: must have 3 entries, found 2."});
  expect_words(
      refusal<ScenarioError>([] { model_of(changed(box, "[run]", "plane = \"stress\"\n[run]")); }),
      {"solid.plane: the mesh is not plane"});
}

TEST(SolidModelErrors, AFunctionThatFailsLaterSaysWhere) {
  const SolidModel m = model_with("\"-p*sin(w[2]*t)\"", "\"sqrt(1 - t)\"");
  const solids::Component& load = m.problem.tractions[0].traction[1];
  EXPECT_DOUBLE_EQ(at(load, {1, 0}, 0.5), std::sqrt(0.5));
  expect_words(refusal<DomainError>([&] {
                 at(load, {1, 0.25}, 2.0);
               }),
               {"solid.load[1].traction.y: has no finite value at X = 1, Y = 0.25, t = 2"});
}

TEST(SolidModel, TheRunInNumbers) {
  const SolidModel m = model_of(box, {"courant=0.25", "threads=0", "start=first_order",
                                      "schedule=queue", "local_energy=all", "solid.start.t=-1"});
  EXPECT_TRUE(m.run.newmark);
  EXPECT_EQ(m.run.courant, 0.25);
  EXPECT_EQ(m.problem.courant, 0.25);
  EXPECT_EQ(m.problem.t0, -1);
  EXPECT_GE(m.run.threads, 1);
  EXPECT_FALSE(m.run.half_kick);
  EXPECT_TRUE(m.run.queue);
  EXPECT_EQ(m.run.local_energy, LocalEnergy::all);
  const SolidModel steps = model_of(box, {"steps=7", "step=\"1/1000\""});
  EXPECT_EQ(steps.run.steps, 7);
  EXPECT_EQ(steps.run.step, 1e-3);
}

}  // namespace varia::io::solid_model_test
