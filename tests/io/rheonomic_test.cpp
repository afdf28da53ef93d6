// SPDX-License-Identifier: BSD-3-Clause
// Scenarios with constraints that contain t: runs, the balance of energy, restart, check, refusals.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "models.hpp"
#include "refusal.hpp"
#include "varia/io/check.hpp"
#include "varia/io/error.hpp"
#include "varia/io/runner.hpp"
#include "varia/io/stepper.hpp"
#include "varia/io/verdict.hpp"

namespace varia::io::rheonomic_test {
namespace {

/// A pendulum whose pivot moves as 0.3 sin 2t; more: lines of [system].
std::string pendulum(const std::string& method = "lobatto(3)", const std::string& steps = "200",
                     const std::string& more = "",
                     const std::string& lagrangian = "(x_dot^2 + y_dot^2)/2 - y") {
  return models::scenario("coordinates = [\"x\", \"y\"]\nlagrangian = \"" + lagrangian +
                              "\"\nholonomic = [\"(x - 0.3*sin(2*t))^2 + y^2 - 1\"]\n" + more,
                          "x = \"sin(1.2)\"\ny = \"-cos(1.2)\"\nx_dot = \"0.6 + 0.3*cos(1.2)\"\n"
                          "y_dot = \"0.3*sin(1.2)\"",
                          method, "0.05", steps);
}

/// A rod whose inclination is driven, with an angle beside it.
std::string guided() {
  return models::scenario(R"~(coordinates = [{ name = "R", space = "SO3" }, "x"]
lagrangian = "(R_w1^2 + 1.4*R_w2^2 + 0.6*R_w3^2)/2 + x_dot^2/2 - 0.4*R31 - x^2*(1 + R11)/2"
holonomic = ["R33 - cos(0.8 + 0.3*sin(1.7*t))"])~",
                          "R = { angle_axis = [0.8, 0, 0] }\nR_w1 = 0.51\nR_w2 = 0\nR_w3 = 1.1\n"
                          "x = 0.3\nx_dot = 0.2",
                          "lobatto(3)", "0.05", "60");
}

Summary result(const std::string& text, const RunOptions& options = {}) {
  Model model = models::model_of(text);
  return run(model, options);
}

const Summary::Observed& observed(const Summary& s, const std::string& name) {
  for (const auto& [found, figures] : s.observe)
    if (found == name) return figures;
  throw InvalidArgument("nothing of the name " + name + " was observed");
}

TEST(Rheonomic, RunsAndBalancesTheEnergy) {
  const Summary s = result(pendulum());
  EXPECT_EQ(s.status, "done");
  EXPECT_FALSE(s.structure.time_independent);
  EXPECT_LT(s.constraints.max_position, 1e-14);
  EXPECT_LT(s.constraints.max_velocity, 1e-14);
  const double change = s.energy.final - s.energy.initial;
  EXPECT_GT(s.energy.max_abs_error, 0.3);
  EXPECT_NEAR(observed(s, "driver_work").final, change, 1e-5);
  EXPECT_LT(observed(s, "energy_balance").range, 1e-5);
  EXPECT_LT(observed(result(pendulum("lobatto(6)")), "energy_balance").range, 1e-11);
}

TEST(Rheonomic, TheVerdictNamesTheWorkOfTheDriver) {
  Model model = models::model_of(pendulum());
  const Summary s = run(model, {});
  const Verdict energy = verdicts(model, s).front();
  EXPECT_EQ(energy.status, "good");
  expect_words(energy.text, {"Constraints move", "the work", "balance"});
  // where L depends on t or a force acts there is more than the driver
  for (const std::string& text :
       {pendulum("lobatto(3)", "50", "", "(x_dot^2 + y_dot^2)/2 - y*(1 + 0.1*sin(t))"),
        pendulum("lobatto(3)", "50", "force = { x = \"-0.1*x_dot\" }\n")}) {
    Model other = models::model_of(text);
    EXPECT_FALSE(other.structure.driven);
    const Summary more = run(other, {});
    EXPECT_EQ(verdicts(other, more).front().status, "note");
    EXPECT_NE(observed(more, "driver_work").final, 0.0);
    EXPECT_THROW(observed(more, "energy_balance"), InvalidArgument);
  }
  const Model still = models::model_of(models::spherical_pendulum());
  EXPECT_TRUE(still.structure.time_independent);
  EXPECT_FALSE(still.structure.driven);
}

TEST(Rheonomic, RestartContinuesToTheBit) {
  namespace fs = std::filesystem;
  const std::string folder = (fs::path(testing::TempDir()) / "varia_rheonomic").string();
  fs::remove_all(folder);
  const std::string quiet = "[output]\nreport = false\n";
  const Summary once = result(pendulum("triple_jump(verlet)", "200") + quiet);
  RunOptions options;
  options.directory = folder;
  result(pendulum("triple_jump(verlet)", "90") + quiet, options);
  options.restart = folder + "/checkpoint.h5";
  const Summary twice = result(pendulum("triple_jump(verlet)", "200") + quiet, options);
  EXPECT_EQ(twice.final.q, once.final.q);
  EXPECT_EQ(twice.final.p, once.final.p);
  EXPECT_EQ(twice.final.lambda, once.final.lambda);
  EXPECT_EQ(observed(twice, "driver_work").final, observed(once, "driver_work").final);
  EXPECT_EQ(observed(twice, "energy_balance").range, observed(once, "energy_balance").range);
  fs::remove_all(folder);
}

TEST(Rheonomic, CheckMeasuresTheLaws) {
  for (const std::string& text :
       {pendulum(), pendulum("rattle"), pendulum("triple_jump(verlet)"), guided()}) {
    Model model = models::model_of(text);
    const CheckReport report = check(model);
    for (const std::string& failure : report.failures) ADD_FAILURE() << failure;
    ASSERT_TRUE(report.symplecticity);
    ASSERT_TRUE(report.action);
    ASSERT_TRUE(report.constraints);
    EXPECT_EQ(report.certified.has_value(), model.system->on_vector_space());
  }
}

TEST(Rheonomic, SymmetriesMustHoldAtAllTimes) {
  const std::string turning = models::scenario(
      R"~(coordinates = ["x", "y", "z"]
lagrangian = "(x_dot^2 + y_dot^2 + z_dot^2)/2 - z"
holonomic = ["x^2 + y^2 + z^2 - (1 + 0.1*sin(t))^2"]
symmetry.rotation = { x = "-y", y = "x" })~",
      "x = 1\ny = 0\nz = 0\nx_dot = 0.1\ny_dot = 0.7\nz_dot = 0", "lobatto(3)");
  const Summary s = result(turning);
  EXPECT_LT(s.momenta.front().second.max_abs_error, 1e-13);
  const Model moved = models::model_of(pendulum("lobatto(3)", "10",
                                                "symmetry.rotation = { x = \"-y\", y = \"x\" }\n",
                                                "(x_dot^2 + y_dot^2)/2"));
  EXPECT_FALSE(moved.momenta.front().conserved);  // at t = 0 alone it is a symmetry
  expect_words(moved.momenta.front().message, {"leads away from the constraint"});
}

TEST(Rheonomic, WhatCannotBeIsRefusedWithPlaceAndRemedy) {
  const auto refused = [](const std::string& text) {
    return refusal<ScenarioError>([&] { make_stepper(models::model_of(text)); });
  };
  expect_words(refused(pendulum("gauss(2)")), {"run.method", "constraints", "lobatto(s)"});
  expect_words(refused(pendulum("rk4")), {"run.method", "constraints", "verlet"});
  expect_words(refused(pendulum("verlet") + "pace = \"auto\"\n"),
               {"this system has constraints", "fixed step"});
  expect_words(refused(pendulum("midpoint") + "keep_energy = \"refuse\"\n"),
               {"constraints", "fixed step"});
  expect_words(refused(models::scenario("coordinates = [\"x\"]\nlagrangian = \"x_dot^2/2\"\n"
                                        "holonomic = [\"sin(t)\"]",
                                        "x = 0\nx_dot = 0", "rattle")),
               {"system.holonomic[1]", "does not depend on any coordinate"});
  expect_words(refused(models::scenario("coordinates = [\"x\"]\nlagrangian = \"x_dot^2/2\"\n"
                                        "holonomic = [\"x - sin(t)\"]",
                                        "x = 0\nx_dot = 0", "rattle")),
               {"start", "|G v + dphi/dt| = 1", "must be 1 and is 0", "project = true"});
  expect_words(refused(pendulum("rattle", "10", "observe.driver_work = \"x\"\n")),
               {"system.observe.driver_work", "choose another name"});
}

}  // namespace
}  // namespace varia::io::rheonomic_test
