// SPDX-License-Identifier: BSD-3-Clause
// Points of the sphere in scenarios: what is seen of them, starts, forces, symmetries, arrays, products,
// restarts, and what is refused.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <sstream>

#include "models.hpp"
#include "refusal.hpp"
#include "varia/io/check.hpp"
#include "varia/io/compare.hpp"
#include "varia/io/recorder.hpp"
#include "varia/io/runner.hpp"
#include "varia/io/stepper.hpp"
#include "varia/report/report.hpp"

namespace varia::io::sphere_test {
namespace {

const std::string kinetic = "(n1_dot^2 + n2_dot^2 + n3_dot^2)/2";
const std::string at_start = "n = [\"sin(2)\", 0, \"cos(2)\"]\nn_dot = [0, 1.4, 0]";

std::string pendulum(const std::string& more = "", const std::string& start = at_start,
                     const std::string& method = "gauss(3)", const std::string& step = "0.01",
                     const std::string& steps = "100\n[output]\nreport = false") {
  return models::scenario("coordinates = [{ name = \"n\", space = \"S2\" }]\nlagrangian = \"" +
                              kinetic + " - 9.81*n3\"\n" + more,
                          start, method, step, steps);
}

struct Folder {
  explicit Folder(const std::string& name)
      : path((std::filesystem::path(testing::TempDir()) / ("varia_sphere_" + name)).string()) {
    std::filesystem::remove_all(path);
  }
  ~Folder() { std::filesystem::remove_all(path); }
  std::string path;
};

Summary result(const std::string& text, const std::string& folder,
               const std::string& restart = "") {
  RunOptions options;
  options.directory = folder;
  options.restart = restart;
  Model model = models::model_of(text);
  return run(model, options);
}
Summary result(const std::string& text) {
  const Folder folder("run");
  return result(text, folder.path);
}

double value(const NamedNumbers& list, const std::string& name) {
  for (const auto& [key, number] : list)
    if (key == name) return number;
  ADD_FAILURE() << "no " << name;
  return 0.0;
}

TEST(SphereScenario, PendulumAgreesWithReferenceValues) {
  const Summary s = result(pendulum());
  EXPECT_NEAR(value(s.final.q, "n1"), -0.802109372821628, 1e-9);
  EXPECT_NEAR(value(s.final.q, "n2"), -0.396762789029167, 1e-9);
  EXPECT_NEAR(value(s.final.q, "n3"), -0.446318096511322, 1e-9);
  EXPECT_EQ(s.final.q.size(), 3U);
  EXPECT_EQ(s.final.v.size(), 3U);
  EXPECT_EQ(s.final.p.size(), 3U);
  EXPECT_NEAR(value(s.final.v, "n3_dot"), 0.650414726161387, 1e-8);
  EXPECT_NEAR(value(s.final.p, "n2_p"), value(s.final.v, "n2_dot"), 1e-14);
  EXPECT_LT(s.energy.max_rel_error, 1e-9);
}

TEST(SphereScenario, NamesAndColumnsAreThoseOfWhatIsSeen) {
  const Model model = models::model_of(pendulum());
  EXPECT_EQ(model.entry_names, (std::vector<std::string>{"n1", "n2", "n3"}));
  EXPECT_EQ(model.velocity_names, (std::vector<std::string>{"n1_dot", "n2_dot", "n3_dot"}));
  EXPECT_EQ(model.momentum_names, (std::vector<std::string>{"n1_p", "n2_p", "n3_p"}));
  EXPECT_EQ(space_name(model), "S^2");
  const Recorder recorder(model);
  ASSERT_EQ(recorder.columns().size(), 11U);
  EXPECT_EQ(recorder.columns()[3].name, "n3");
  EXPECT_EQ(recorder.columns()[4].name, "n1_dot");
}

/// By components, by lists, by momenta of another mass: one motion.
TEST(SphereScenario, StartsAreStatedInSeveralWays) {
  const std::string point = "n = [0.36, 0.48, 0.8]\n";
  const auto start = [&](const std::string& rates) {
    return models::model_of(pendulum("", point + rates));
  };
  const Model list = start("n_dot = [0.8, -0.6, 0]");
  EXPECT_EQ(start("n1_dot = 0.8\nn2_dot = -0.6\nn3_dot = 0").rates0, list.rates0);
  EXPECT_EQ(start("n_dot = [0.8, 7, 0]\nn2_dot = -0.6").rates0, list.rates0);
  EXPECT_EQ(start("n1_dot = 0.8\nn_dot = [7, -0.6, 0]").rates0, list.rates0);
  const Model momenta = start("n_p = [0.8, -0.6, 0]");
  EXPECT_TRUE(momenta.scenario.start.momenta);
  EXPECT_EQ(momenta.rates0, list.rates0);
  EXPECT_EQ(
      models::model_of(pendulum("", point + "n_dot = [0, 0, 0]"), {"start.n_dot=[0.8, -0.6, 0]"})
          .rates0,
      list.rates0);
}

TEST(SphereScenario, SymmetryAboutTheVerticalIsFoundAndKept) {
  const std::string symmetries =
      "symmetry.vertical = { n1 = \"-n2\", n2 = \"n1\" }\n"
      "symmetry.list = { n = [\"-n2\", \"n1\", 0] }\n"
      "symmetry.tilt = { n2 = \"-n3\", n3 = \"n2\" }\n"
      "symmetry.normal = { n1 = \"n1 - n2\", n2 = \"n2 + n1\", n3 = \"n3\" }\n";
  const Model model = models::model_of(pendulum(symmetries));
  ASSERT_EQ(model.momenta.size(), 4U);
  EXPECT_TRUE(model.momenta[0].conserved) << model.momenta[0].defect;
  EXPECT_TRUE(model.momenta[1].conserved);
  EXPECT_FALSE(model.momenta[2].conserved);
  EXPECT_TRUE(model.momenta[3].conserved);  // what is normal to the sphere does not count
  const Summary s = result(pendulum(symmetries, at_start, "gauss(2)", "0.02",
                                    "10000\nevery = 10\n[output]\nreport = false"));
  EXPECT_LT(s.momenta[0].second.max_abs_error, 1e-12);
  EXPECT_NEAR(s.momenta[0].second.initial, std::sin(2.0) * 1.4, 1e-15);
  EXPECT_EQ(s.momenta[3].second.initial, s.momenta[0].second.initial);
  EXPECT_GT(s.momenta[2].second.max_abs_error, 1.0);
}

TEST(SphereScenario, ChecksPass) {
  for (const char* retraction : {"exp", "cay"}) {
    Model model = models::model_of(
        pendulum("symmetry.vertical = { n1 = \"-n2\", n2 = \"n1\" }", at_start, "gauss(2)", "0.05"),
        {"run.retraction=\"" + std::string(retraction) + "\""});
    const CheckReport report = check(model);
    std::string failures;
    for (const std::string& failure : report.failures) failures += failure + "\n";
    EXPECT_TRUE(report.passed()) << retraction << "\n" << failures;
    ASSERT_EQ(report.momenta.size(), 1U);
  }
}

/// Damping takes energy at the rate ⟨F, ṅ⟩ = -c|ṅ|²; a force along n does nothing.
TEST(SphereScenario, ForcesActAlongTheSphere) {
  const auto with = [&](const std::string& force) {
    return result(
        pendulum("force = { " + force + " }\nobserve.speed = \"n1_dot^2 + n2_dot^2 + n3_dot^2\"",
                 at_start, "gauss(2)", "0.001", "2000\n[output]\nreport = false"));
  };
  const Summary damped = with(R"(n1 = "-0.3*n1_dot", n2 = "-0.3*n2_dot", n3 = "-0.3*n3_dot")");
  EXPECT_NEAR(damped.energy.final - damped.energy.initial,
              -0.3 * damped.observe[0].second.mean * 2.0, 1e-5);
  EXPECT_LT(damped.energy.final, damped.energy.initial - 1.0);
  const Summary listed = with(R"(n = ["-0.3*n1_dot", "-0.3*n2_dot", "-0.3*n3_dot"])");
  EXPECT_EQ(listed.final.q, damped.final.q);
  const Summary normal = with(R"(n1 = "50*n1", n2 = "50*n2", n3 = "50*n3")");
  const Summary free =
      result(pendulum("", at_start, "gauss(2)", "0.001", "2000\n[output]\nreport = false"));
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_NEAR(normal.final.q[i].second, free.final.q[i].second, 1e-12);
}

/// The same pendulum below a cart, on the sphere and with a constraint.
TEST(SphereScenario, ProductsMoveAsWithAConstraint) {
  const std::string run = "500\n[output]\nreport = false";
  const Summary sphere =
      result(models::scenario("coordinates = [\"x\", { name = \"n\", space = \"S2\" }]\nlagrangian "
                              "= \"x_dot^2 + ((x_dot + n1_dot)^2 + "
                              "n2_dot^2 + n3_dot^2)/2 - 9.81*n3\"",
                              "x = 0.1\nx_dot = -0.2\n" + at_start, "lobatto(3)", "0.002", run));
  const Summary space =
      result(models::scenario("coordinates = [\"x\", \"u\", \"v\", \"w\"]\nlagrangian = \"x_dot^2 "
                              "+ ((x_dot + u_dot)^2 + v_dot^2 + "
                              "w_dot^2)/2 - 9.81*w\"\nholonomic = [\"u^2 + v^2 + w^2 - 1\"]",
                              "x = 0.1\nx_dot = -0.2\nu = \"sin(2)\"\nv = 0\nw = \"cos(2)\"\nu_dot "
                              "= 0\nv_dot = 1.4\nw_dot = 0",
                              "lobatto(3)", "0.002", run));
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(sphere.final.q[i].second, space.final.q[i].second, 1e-9) << i;
    EXPECT_NEAR(sphere.final.v[i].second, space.final.v[i].second, 1e-8) << i;
  }
  EXPECT_NE(sphere.final.q[0].second, 0.1);
  EXPECT_EQ(sphere.structure.cyclic, std::vector<std::string>{"x"});
}

const std::string chain =
    "coordinates = [{ name = \"n[1..3]\", space = \"S2\" }]\n"
    "lagrangian = \"sum(i, 1, 3, n1_dot[i]^2 + n2_dot[i]^2 + n3_dot[i]^2)/2 + "
    "2*sum(i, 1, 2, n1[i]*n1[i+1] + n2[i]*n2[i+1] + n3[i]*n3[i+1])\"\n"
    "symmetry.about_x = { n2 = \"-n3[i]\", n3 = \"n2[i]\" }\n"
    "symmetry.about_y = { n3 = \"-n1[i]\", n1 = \"n3[i]\" }\n"
    "symmetry.about_z = { n = [\"-n2[i]\", \"n1[i]\", 0] }\n";

TEST(SphereScenario, ArraysAreStatedForAllOrOneByOne) {
  const auto start = [](const std::string& text) {
    return models::model_of(models::scenario(chain, text));
  };
  const Model all = start("n = [\"sin(i)\", 0, \"cos(i)\"]\nn_dot = [0, \"i\", 0]");
  const Model each = start(
      "n = [[\"sin(1)\", 0, \"cos(1)\"], [\"sin(i)\", 0, \"cos(i)\"], [1, 0, 0]]\n"
      "\"n[3]\" = [\"sin(3)\", 0, \"cos(i)\"]\n"
      "n_dot = [[0, 1, 0], [0, \"i\", 0], [0, 5, 0]]\n\"n_dot[3]\" = [0, 3, 0]");
  EXPECT_EQ(all.q0, each.q0);
  EXPECT_EQ(all.rates0, each.rates0);
  EXPECT_EQ(
      start("n = [\"sin(i)\", 0, \"cos(i)\"]\nn1_dot = 0\nn2_dot = [1, 2, 3]\nn3_dot = 0").rates0,
      all.rates0);
  EXPECT_EQ(start("n = [\"sin(i)\", 0, \"cos(i)\"]\n\"n2_dot[3]\" = 3\n\"n_dot[3]\" = [0, 7, 0]\n"
                  "n2_dot = [1, 2, 8]\nn_dot = [0, 9, 0]")
                .rates0,
            all.rates0);
  EXPECT_EQ(all.entry_names[3], "n1[2]");
  EXPECT_EQ(all.velocity_names[4], "n2_dot[2]");
  EXPECT_EQ(space_name(all), "(S^2)^3");
}

TEST(SphereScenario, ArraysKeepTheirMomenta) {
  const Summary s = result(models::scenario(
      chain, "n = [\"sin(i)\", 0, \"cos(i)\"]\nn_dot = [\"0.3*cos(i)\", \"i/3\", \"-0.3*sin(i)\"]",
      "gauss(2)", "0.05", "2000\nevery = 5\n[output]\nreport = false"));
  ASSERT_EQ(s.momenta.size(), 3U);
  for (const auto& [name, momentum] : s.momenta) {
    EXPECT_GT(std::abs(momentum.initial), 0.1) << name;
    EXPECT_LT(momentum.max_abs_error, 1e-12) << name;
  }
}

/// The frame belongs to the checkpoint: a run in two parts ends with the same bits.
TEST(SphereScenario, RestartsGoOnToTheBit) {
  const auto text = [](const char* steps) {
    return pendulum("symmetry.vertical = { n1 = \"-n2\", n2 = \"n1\" }", at_start, "gauss(2)",
                    "0.02", std::string(steps) + "\n[output]\nreport = false");
  };
  const Summary once = result(text("500"));
  const Folder folder("restart");
  result(text("217"), folder.path);
  const Summary twice = result(text("500"), folder.path, folder.path + "/checkpoint.h5");
  EXPECT_EQ(once.final.q, twice.final.q);
  EXPECT_EQ(once.final.v, twice.final.v);
  EXPECT_EQ(once.final.p, twice.final.p);
  EXPECT_EQ(once.energy.max_abs_error, twice.energy.max_abs_error);
}

/// A point on a parallel circle of the sphere; kinetic energy of two degrees of freedom, less one.
TEST(SphereScenario, TakesConstraintsAndDiagnostics) {
  const Folder folder("report");
  Model model =
      models::model_of(pendulum("holonomic = [\"n3 - 0.5*n1 - 0.2\"]\n",
                                "n = [0.6, \"sqrt(0.28)\", 0.6]\nn_dot = [0, 0, 0]\nproject = true",
                                "lobatto(3)", "0.02", "200\n[diagnose]\nheat = \"trapezoid\""));
  RunOptions options;
  options.directory = folder.path;
  std::string page;
  options.finish = [&](RecordReader& reader, Summary& summary) {
    page = report::run_report(model, reader, summary);
  };
  const Summary s = run(model, options);
  EXPECT_LT(s.constraints.max_position, 1e-14);
  EXPECT_EQ(s.diagnose.heat->degrees_of_freedom, 1);
  EXPECT_NE(page.find("\"label\":\"path of n\""), std::string::npos);
  const auto column = page.find("\"values\":[", page.find("\"name\":\"|phi|\""));
  ASSERT_NE(column, std::string::npos);
  std::istringstream values(page.substr(column + 10));
  double phi = 0.0;
  int count = 0;
  for (char separator = ','; separator == ',' && values >> phi >> separator; ++count)
    EXPECT_LT(phi, 1e-14);
  EXPECT_GT(count, 100);
}

/// The error of a comparison is that of n, not of the frame: the place of the reference is known.
TEST(SphereScenario, ComparisonsMeasureWhatIsSeen) {
  const Model model = models::model_of(pendulum("", at_start, "gauss(1)", "0.01"));
  const Comparison c =
      compare(model, {"gauss(1)"}, {0.01}, [](const std::string&) { return true; });
  const Summary s = result(pendulum("", at_start, "gauss(1)", "0.01"));
  const double place[] = {-0.802109372821628, -0.396762789029167, -0.446318096511322};
  const double momentum[] = {0.339959614522611, -1.418925038535575, 0.650414726161387};
  double worst = 0.0;
  for (std::size_t i = 0; i < 3; ++i) {
    worst = std::max(worst, std::abs(s.final.q[i].second - place[i]));
    worst = std::max(worst, std::abs(s.final.p[i].second - momentum[i]) / 1.418925038535575);
  }
  ASSERT_EQ(c.rows.size(), 1U);
  EXPECT_NEAR(c.rows[0].error, worst, 1e-9);
  EXPECT_GT(worst, 1e-6);
}

std::string refused(const std::string& text) {
  return refusal<ScenarioError>([&] { models::model_of(text); });
}

TEST(SphereScenario, AnAxisOfAnyLengthIsAPoint) {
  const auto point = [](const std::string& text) {
    return models::model_of(pendulum("", "n = " + text + "\nn_dot = [0, 0, 0]")).q0;
  };
  const std::vector<double> given = point("[0.6, 0, -0.8]");
  for (const char* axis : {"{ axis = [0.6, 0, -0.8] }", "{ axis = [3e200, 0, -4e200] }"}) {
    const std::vector<double> q = point(axis);
    for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(q[i], given[i], 1e-15) << axis;
  }
  expect_words(refusal<ScenarioError>([&] { point("{ axis = [0, 0, 0] }"); }),
               {"start.n: the axis is zero"});
}

TEST(SphereScenario, StartsOffTheSphereAreRefused) {
  const auto start = [](const std::string& point, const std::string& rates = "n_dot = [0, 0, 0]") {
    return refused(pendulum("", "n = " + point + "\n" + rates));
  };
  expect_words(start("[0.6, 0, 0.81]"),
               {"test.toml:6:5: start.n: ", "off the sphere", "1.008", "divide"});
  expect_words(start("[0, 0, 0]"), {"6:5: start.n: ", "length is 0", "unit vector"});
  expect_words(start("[0, 1]"), {"start.n: must have 3 entries, found 2"});
  expect_words(start("[[1, 0, 0]]"), {"start.n: must have 3 entries, found 1"});
  expect_words(start("[[1], 0, 0]"),
               {"6:6: start.n[1]: must be a number or an expression", "a list"});
  expect_words(
      start("1"),
      {"start.n: n is a unit vector: [x, y, z] or { axis = [x, y, z] }, found the number 1"});
  expect_words(start("{ angle_axis = [0, 0, 1] }"), {"n is a unit vector", "found angle_axis"});
  expect_words(start("[1, 0, 0]", "n_dot = [0.25, 1, 0]"),
               {"test.toml:7:10: start.n_dot: ", "not tangent", "0.25", "subtract"});
  expect_words(start("[1, 0, 0]", "n1_dot = 0.25\nn2_dot = 0\nn3_dot = 0"),
               {"7:10: start.n_dot: ", "not tangent"});
  expect_words(start("[1, 0, 0]", "n_p = [0.25, 1, 0]"), {"start.n_p: ", "not tangent"});
  expect_words(start("[1, 0, 0]", "n_dot = [0, 1]"),
               {"7:9: start.n_dot: must be a list of 3 numbers, found 2"});
  expect_words(start("[1, 0, 0]", "n_dot = 1"),
               {"start.n_dot: must be a list of 3 numbers, found the number 1"});
  expect_words(start("[1, 0, 0]", "n1_dot = 0"), {"start.n2_dot: missing", "n3_dot"});
  expect_words(start("[1, 0, 0]", "n_dot = [0, 0, 0]\nn_p = [0, 0, 0]"),
               {"is a momentum", "a velocity"});
  expect_words(start("[1, 0, 0]", "n_dat = [0, 0, 0]"), {"start.n_dat", "Did you mean n_dot?"});
}

TEST(SphereScenario, ArraysThatDoNotFitAreRefused) {
  const auto start = [](const std::string& point, const std::string& rates = "n_dot = [0, 0, 0]") {
    return refused(models::scenario(chain, "n = " + point + "\n" + rates));
  };
  const std::string one = "[0, 0, 1]";
  expect_words(start("[" + one + ", " + one + "]"),
               {"start.n: must have 3 entries, one for each of n[1] to n[3], found 2"});
  expect_words(start("[]"), {"start.n: must have 3 entries", "found 0"});
  expect_words(start("[0, 0, 1, 0]"), {"start.n[1]: must have 3 entries, found 4"});
  expect_words(start("[" + one + ", [0, 0, 2], " + one + "]"), {"start.n[2]: ", "off the sphere"});
  expect_words(start(one, "n_dot = [[0, 0, 0], [1, 0, 0], [0, 0, \"i\"]]"),
               {"start.n_dot[3]: ", "not tangent", " is 3;"});
  expect_words(start(one, "n_dot = [[0, 0, 0], [1, 0, 0]]"),
               {"start.n_dot: must have 3 entries", "found 2"});
  expect_words(start(one, "n_dot = [[0, 0, 0], [1, 0], [0, 0, 0]]"),
               {"start.n_dot[2]: must be a list of 3 numbers, found 2"});
  expect_words(start(one, "n_dot = [0, 0, 0]\n\"n_dot[4]\" = [0, 0, 0]"),
               {"start.n_dot[4]: out of range"});
}

TEST(SphereScenario, NamesThatAreTakenAreRefused) {
  const auto with = [](const std::string& name) {
    return refused(models::scenario(
        "coordinates = [{ name = \"n\", space = \"S2\" }, \"" + name + "\"]\nlagrangian = \"0\"",
        "n = [0, 0, 1]"));
  };
  expect_words(with("n1"), {"n1 is a coordinate", "an entry of the unit vector n"});
  expect_words(with("n_dot"), {"n_dot is a coordinate", "a velocity of n"});
  expect_words(with("n1_p"), {"n1_p is a coordinate", "a momentum of n"});
  expect_words(refused(pendulum("force = { n = [1, 2] }")),
               {"system.force.n: must be a list of 3 numbers"});
  expect_words(refused(pendulum("force = { n4 = 1 }")), {"system.force.n4", "n1, n2, n3, n"});
  expect_words(refused(pendulum("observe.x = \"n_dot + 1\"")),
               {"'n_dot' is the array n_dot[1..3], a vector"});
}

}  // namespace
}  // namespace varia::io::sphere_test
