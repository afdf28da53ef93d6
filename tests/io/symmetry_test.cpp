// SPDX-License-Identifier: BSD-3-Clause
// Declared symmetries: true ones are accepted and their momentum is kept, false ones are told.
#include <gtest/gtest.h>

#include "models.hpp"
#include "refusal.hpp"
#include "varia/io/recorder.hpp"

namespace varia::io::symmetry_test {
namespace {

Momentum momentum(const Model& model, const std::string& name) {
  for (const Momentum& m : model.momenta)
    if (m.name == name) return m;
  ADD_FAILURE() << "there is no momentum " << name;
  return {};
}

/// The largest change of a momentum along a hundred steps.
double drift(const Model& model, const std::string& name) {
  const auto stepper = make_stepper(model);
  Recorder recorder(model);
  std::size_t column = 0;
  while (column < recorder.columns().size() &&
         (recorder.columns().name(column) != name || recorder.columns().kind(column) != "momentum"))
    ++column;
  const double first = recorder.record(*stepper)[column];
  double worst = 0.0;
  for (int k = 0; k < 100; ++k) {
    stepper->advance(model.step, 1);
    worst = std::max(worst, std::abs(recorder.record(*stepper)[column] - first));
  }
  return worst;
}

void expect_kept(const std::string& text, const std::string& name) {
  const Model model = models::model_of(text);
  const Momentum m = momentum(model, name);
  EXPECT_TRUE(m.has_generator && m.symmetry && m.conserved) << m.message;
  EXPECT_LT(m.defect, 1e-12);
  EXPECT_TRUE(m.message.empty());
  EXPECT_LT(drift(model, name), 1e-11) << name;
}

/// Told to be broken, and broken.
void expect_broken(const std::string& text, const std::string& name, bool symmetry = false) {
  const Model model = models::model_of(text);
  const Momentum m = momentum(model, name);
  EXPECT_EQ(m.symmetry, symmetry);
  EXPECT_FALSE(m.conserved);
  expect_words(m.message, {name.c_str()});
  EXPECT_GT(drift(model, name), 1e-4) << name;
}

const std::string turn = "symmetry.turn = { x = \"-y\", y = \"x\" }";

TEST(Symmetry, TrueOnesAreAccepted) {
  expect_kept(models::kepler(), "rotation");
  expect_kept(models::toda(6), "translation");
  expect_kept(models::spherical_pendulum(), "rotation");
  expect_kept(models::planar("(x_dot^2 + y_dot^2)/2 + x*y_dot - y*x_dot", turn), "turn");
  // a scaling of one coordinate against the other keeps x y and x' y'
  expect_kept(models::planar("x_dot*y_dot - x*y", "symmetry.squeeze = { x = \"x\", y = \"-y\" }"),
              "squeeze");
  expect_kept(models::planar("exp(0.1*t)*(x_dot^2 + y_dot^2 - x^2 - y^2)/2", turn), "turn");
}

TEST(Symmetry, OnRotations) {
  expect_kept(models::top("{ A = 1, B = 1.4, C = 0.6 }"), "vertical");
  expect_kept(models::top("{ A = 1, B = 1, C = 0.6 }"), "vertical");
  expect_kept(models::top("{ A = 1, B = 1, C = 0.6 }"), "body_axis");
  expect_broken(models::top("{ A = 1, B = 1.4, C = 0.6 }"), "body_axis");
}

TEST(Symmetry, FalseOnesAreRejected) {
  expect_broken(models::planar("(x_dot^2 + y_dot^2)/2 - x^2 - 2*y^2", turn), "turn");
  expect_broken(models::planar("x_dot^2 + y_dot^2/2 - x^2 - y^2", turn), "turn");
  expect_broken(models::magnetic(), "turn");  // -0.1 x z breaks it
  std::string fixed = models::toda(6);
  fixed.replace(fixed.find("sum(i, 1, 6,"), 12, "q[1]^2 + sum(i, 1, 6,");
  expect_broken(fixed, "translation");
  // wrong by one part in a thousand
  expect_broken(models::planar("(x_dot^2 + y_dot^2)/2 - x^2 - 1.01*y^2", turn), "turn");
}

TEST(Symmetry, ForcesBreakTheMomentumNotTheSymmetry) {
  expect_broken(models::planar("(x_dot^2 + y_dot^2)/2 - x^2 - y^2",
                               "force = { x = \"-x_dot\", y = \"-y_dot\" }\n" + turn),
                "turn", true);
}

/// A force that does no work along the symmetry leaves its momentum alone.
TEST(Symmetry, CentralForcesKeepTheRotation) {
  expect_kept(models::planar("(x_dot^2 + y_dot^2)/2 - x^2 - y^2",
                             "force = { x = \"-x*(x*x_dot + y*y_dot)\", y = \"-y*(x*x_dot + "
                             "y*y_dot)\" }\n" +
                                 turn),
              "turn");
}

/// A symmetry at the start time only is none.
TEST(Symmetry, TimeCanBreakIt) {
  expect_broken(models::planar("(x_dot^2 + y_dot^2)/2 - x^2 - (1 + t)*y^2", turn), "turn");
}

/// L is invariant, the constraint is not.
TEST(Symmetry, ConstraintsCanBreakIt) {
  expect_broken(models::scenario("coordinates = [\"x\", \"y\"]\nlagrangian = \"(x_dot^2 + "
                                 "y_dot^2)/2\"\nholonomic = [\"x^2 + 4*y^2 - 1\"]\n" +
                                     turn,
                                 "x = 1\ny = 0\nx_dot = 0\ny_dot = 1", "verlet"),
                "turn");
}

TEST(Symmetry, GeneratorsUseConfigurationsOnly) {
  expect_words(
      refusal<ScenarioError>([&] {
        models::model_of(models::planar("(x_dot^2 + y_dot^2)/2", "symmetry.boost = { x = \"t\" }"));
      }),
      {"system.symmetry.boost.x"});
  expect_words(
      refusal<ScenarioError>([&] {
        models::model_of(models::planar("(x_dot^2 + y_dot^2)/2", "symmetry.other = { z = \"1\" }"));
      }),
      {"system.symmetry.other.z"});
}

std::vector<std::string> names_of(const std::vector<Momentum>& momenta) {
  std::vector<std::string> names;
  for (const Momentum& m : momenta) names.push_back(m.name);
  return names;
}

/// A body on SE(3) or SO(3) with further terms of L and lines of [system].
std::string free_body(const std::string& space, const std::string& more = "",
                      const std::string& lines = "") {
  const bool moves = space == "SE3";
  const std::string lagrangian = std::string("(g_w1^2 + 1.4*g_w2^2 + 1.9*g_w3^2)/2") +
                                 (moves ? " + g_v1^2 + 1.3*g_v2^2 + 1.55*g_v3^2" : "") + more;
  return models::scenario(
      "coordinates = [{ name = \"g\", space = \"" + space + "\" }]\nlagrangian = \"" + lagrangian +
          "\"\n" + lines,
      std::string("g = { ") + (moves ? "position = [1, 2, 0.5], " : "") +
          "angle_axis = [0.3, -0.2, 0.4] }\ng_w1 = 0.5\ng_w2 = -0.3\ng_w3 = 0.8" +
          (moves ? "\ng_v1 = 0.7\ng_v2 = 0.2\ng_v3 = -0.4" : ""));
}

/// Where the entries of a group do not occur, momenta in space and Casimir functions are watched.
TEST(Symmetry, MomentaInSpaceAreFound) {
  using List = std::vector<std::string>;
  const std::string body = free_body("SO3");
  EXPECT_EQ(names_of(models::model_of(body).momenta), (List{"g_s1", "g_s2", "g_s3", "g_casimir"}));
  const std::string fluid = free_body("SE3");
  EXPECT_EQ(names_of(models::model_of(fluid).momenta),
            (List{"g_s1", "g_s2", "g_s3", "g_s4", "g_s5", "g_s6", "g_casimir1", "g_casimir2"}));
  for (const std::string& text : {body, fluid}) {
    const Model model = models::model_of(text);
    for (const Momentum& m : model.momenta) {
      EXPECT_TRUE(m.conserved && m.message.empty()) << m.message;
      EXPECT_LT(drift(model, m.name), 1e-13) << m.name;
    }
  }
}

TEST(Symmetry, MomentaInSpaceNeedAFreeBody) {
  EXPECT_TRUE(models::model_of(free_body("SO3", " - g33")).momenta.empty());
  EXPECT_TRUE(models::model_of(free_body("SE3", " - g_z")).momenta.empty());
  // a torque about an axis of the body acts on all three, and across the levels of the Casimir function
  const Model driven = models::model_of(free_body("SO3", "", "force = { g_1 = \"0.3\" }"));
  EXPECT_EQ(names_of(driven.momenta),
            (std::vector<std::string>{"g_s1", "g_s2", "g_s3", "g_casimir"}));
  for (const Momentum& m : driven.momenta) {
    EXPECT_FALSE(m.conserved);
    EXPECT_GT(drift(driven, m.name), 1e-4) << m.name;
    expect_words(m.message, {"a force acts on g"});
  }
}

/// One that is declared is not watched twice; the names may stand in what is observed.
TEST(Symmetry, MomentaInSpaceHaveNames) {
  const Model model = models::model_of(
      free_body("SO3", "",
                "symmetry.about_x = { g_1 = \"g11\", g_2 = \"g12\", g_3 = \"g13\" }\n"
                "observe = { same = \"g_s1 - (g11*g_m1 + g12*g_m2 + g13*g_m3)\" }"));
  EXPECT_EQ(names_of(model.momenta),
            (std::vector<std::string>{"about_x", "g_s2", "g_s3", "g_casimir"}));
  const auto stepper = make_stepper(model);
  Recorder recorder(model);
  const auto row = recorder.record(*stepper);
  for (std::size_t i = 0; i < recorder.columns().size(); ++i) {
    if (recorder.columns()[i].name == "same") {
      EXPECT_EQ(row[i], 0.0);
    }
    if (recorder.columns()[i].name == "g_s2") {
      EXPECT_GT(std::abs(row[i]), 0.01);
    }
  }
}

}  // namespace
}  // namespace varia::io::symmetry_test
