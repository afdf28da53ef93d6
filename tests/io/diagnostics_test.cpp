// SPDX-License-Identifier: BSD-3-Clause
// [diagnose]: modified energies, heat and balances along a run, and the trend of the energy.
#include "varia/io/diagnostics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "models.hpp"
#include "refusal.hpp"
#include "varia/io/error.hpp"
#include "varia/io/recorder.hpp"
#include "varia/io/runner.hpp"

namespace varia::io::diagnostics_test {
namespace {

Summary result(const std::string& text) {
  Model model = models::model_of(text);
  return run(model, {});
}

const Summary::Observed& observed(const Summary& s, const std::string& name) {
  for (const auto& [key, value] : s.observe)
    if (key == name) return value;
  throw InvalidArgument("nothing of the name " + name + " is recorded");
}

const Verdict& verdict(const Summary& s, const std::string& name) {
  for (const Verdict& v : s.verdicts)
    if (v.name == name) return v;
  throw InvalidArgument("there is no verdict on " + name);
}

std::string refused(const std::string& text) {
  return refusal<ScenarioError>([&] { Diagnostics d(models::model_of(text)); });
}

std::string pendulum(const std::string& method, const std::string& more) {
  return models::scenario("coordinates = [\"q\"]\nlagrangian = \"q_dot^2/2 + cos(q)\"",
                          "q = 1.5\nq_dot = 0", method, "0.1", "20000") +
         more;
}

/// The numbers of the specification: pendulum from (1.5, 0), h = 0.1, 20 000 steps.
TEST(Diagnostics, TheModifiedEnergyByFormula) {
  const Summary s = result(pendulum("verlet", "[diagnose]\nmodified_energy = \"formula\"\n"));
  EXPECT_NEAR(observed(s, "modified_energy").range / 3.99e-6, 1.0, 0.005);
  EXPECT_NEAR((s.energy.max - s.energy.min) / 1.96e-3, 1.0, 0.005);
  EXPECT_EQ(s.diagnose.modified_energy->order, 2);
  EXPECT_EQ(verdict(s, "modified energy").status, "good");
  const Summary first = result(pendulum("euler_a", "[diagnose]\nmodified_energy = \"formula\"\n"));
  EXPECT_NEAR(observed(first, "modified_energy").range / 3.47e-6, 1.0, 0.005);
  EXPECT_EQ(first.diagnose.modified_energy->order, 3);
}

/// Stage methods, compositions and methods that are not symmetric: all keep a modified energy.
TEST(DiagnosticsSlow, TheShadowEnergyOfAnyMethod) {
  for (const char* method :
       {"verlet", "euler_b", "galerkin(2, radau:2)", "yoshida(4)", "gauss(2)"}) {
    const Summary s =
        result(models::scenario("coordinates = [\"q\"]\nlagrangian = \"q_dot^2/2 + cos(q)\"",
                                "q = 1.5\nq_dot = 0", method, "0.05", "400") +
               "[diagnose]\nmodified_energy = \"shadow\"\n");
    EXPECT_EQ(s.diagnose.modified_energy->order, 0);
    EXPECT_LT(observed(s, "modified_energy").range, 2e-11) << method;
    EXPECT_GT(s.energy.max - s.energy.min, 1e-9) << method;
  }
}

/// Harmonic oscillator from q = 1: the mean of the kinetic energy over a time T is ¼(1 - sin 2T/2T).
TEST(Diagnostics, Heat) {
  const Summary s =
      result(models::scenario("coordinates = [\"q\"]\nlagrangian = \"q_dot^2/2 - q^2/2\"",
                              "q = 1\nq_dot = 0", "gauss(4)", "0.01", "2000") +
             "[diagnose]\nheat = \"trapezoid\"\n");
  const double exact = 0.25 * (1.0 - std::sin(40.0) / 40.0);
  EXPECT_NEAR(s.diagnose.heat->mean, exact, 1e-5);
  EXPECT_NEAR(observed(s, "heat").final, s.diagnose.heat->mean, 1e-15);
  EXPECT_NEAR(observed(s, "kinetic_energy").max, 0.5, 1e-4);
  EXPECT_EQ(s.diagnose.heat->degrees_of_freedom, 1);
}

/// In a magnetic field p is not m v: the kinetic energy is that of the velocity, and stays.
TEST(Diagnostics, TheKineticEnergyIsThatOfTheVelocity) {
  const Summary s = result(models::planar("(x_dot^2 + y_dot^2)/2 + 0.4*(x*y_dot - y*x_dot)") +
                           "[diagnose]\nheat = \"trapezoid\"\n");
  EXPECT_NEAR(observed(s, "kinetic_energy").initial, 0.45, 1e-14);
  EXPECT_LT(observed(s, "kinetic_energy").range, 1e-13);
  EXPECT_NEAR(s.diagnose.heat->temperature, 0.225, 1e-13);
}

/// Constraints take degrees of freedom away.
TEST(Diagnostics, TheTemperatureCountsFreeDegreesOnly) {
  const Summary s = result(
      models::scenario("coordinates = [\"x\", \"y\"]\nlagrangian = \"(x_dot^2 + y_dot^2)/2 - y\"\n"
                       "holonomic = [\"x^2 + y^2 - 1\"]",
                       "x = 1\ny = 0\nx_dot = 0\ny_dot = 0.5", "verlet") +
      "[diagnose]\nheat = \"end_of_step\"\n");
  EXPECT_EQ(s.diagnose.heat->degrees_of_freedom, 1);
  EXPECT_EQ(s.diagnose.heat->temperature, s.diagnose.heat->mean);
}

/// Drag on a plane with a rotation: what the force gives is the whole change of the momentum; along
/// x, which is no symmetry, the Lagrangian gives the rest.
TEST(Diagnostics, TheBalanceOfMomenta) {
  const std::string text = models::scenario(
      "coordinates = [\"x\", \"y\"]\n"
      "lagrangian = \"(x_dot^2 + y_dot^2)/2 - (x^2 + y^2)^2/4\"\n"
      "force = { x = \"-0.1*x_dot\", y = \"-0.1*y_dot\" }\n"
      "symmetry.rotation = { x = \"-y\", y = \"x\" }\n"
      "symmetry.along = { x = 1 }\n",
      "x = 0.7\ny = -0.4\nx_dot = 0.3\ny_dot = 0.9", "gauss(2)", "0.05", "200");
  const Summary s = result(text + "every = 7\n[diagnose]\nbalance = true\n");
  const auto& [rotation, r] = s.diagnose.balance[0];
  const auto& [along, a] = s.diagnose.balance[1];
  EXPECT_EQ(rotation, "rotation");
  EXPECT_EQ(along, "along");
  const auto change = [&](std::size_t i) {
    return s.momenta[i].second.final - s.momenta[i].second.initial;
  };
  EXPECT_LT(std::abs(r.by_lagrangian), 1e-12);
  EXPECT_NEAR(r.by_force, change(0), 1e-11);
  EXPECT_LT(r.by_force, -0.3);
  EXPECT_GT(std::abs(a.by_lagrangian), 0.1);
  EXPECT_NEAR(a.by_lagrangian + a.by_force, change(1), 1e-11);
  EXPECT_LT(std::max(r.defect, a.defect), 1e-13);
  EXPECT_EQ(verdict(s, "along balance").status, "good");
  EXPECT_NEAR(observed(s, "rotation_by_force").final, r.by_force, 1e-15);
}

/// A run in two parts gives the figures of the run in one, to the bit.
TEST(Diagnostics, ARestartGoesOn) {
  namespace fs = std::filesystem;
  const std::string folder = (fs::path(testing::TempDir()) / "varia_diagnostics").string();
  fs::remove_all(folder);
  const auto text = [](const char* steps) {
    return models::scenario(
               "coordinates = [\"x\", \"y\"]\n"
               "lagrangian = \"(x_dot^2 + y_dot^2)/2 - (x^2 + 2*y^2)^2/4\"\n"
               "symmetry.rotation = { x = \"-y\", y = \"x\" }\n",
               "x = 0.7\ny = -0.4\nx_dot = 0.3\ny_dot = 0.9", "gauss(2)", "0.05", steps) +
           "[diagnose]\nbalance = true\nheat = \"trapezoid\"\nmodified_energy = \"shadow\"\n"
           "[output]\nreport = false\n";
  };
  Model whole = models::model_of(text("120"));
  const Summary once = run(whole, {});
  Model part = models::model_of(text("60"));
  RunOptions options;
  options.directory = folder;
  run(part, options);
  Model rest = models::model_of(text("120"));
  options.restart = folder + "/checkpoint.h5";
  const Summary twice = run(rest, options);
  EXPECT_EQ(twice.diagnose.heat->mean, once.diagnose.heat->mean);
  EXPECT_EQ(twice.diagnose.balance[0].second.by_lagrangian,
            once.diagnose.balance[0].second.by_lagrangian);
  EXPECT_EQ(observed(twice, "modified_energy").range, observed(once, "modified_energy").range);
  EXPECT_EQ(twice.energy.drift_error, once.energy.drift_error);
  Model other = models::model_of(text("120"), {"diagnose.balance=false"});
  expect_words(refusal<InvalidArgument>([&] { run(other, options); }),
               {"other functions", "diagnose.balance"});
  fs::remove_all(folder);
}

/// The trend of an energy with its error: level for a variational method, drifting for RK4.
TEST(Diagnostics, TheTrendOfTheEnergy) {
  const Summary level = result(pendulum("verlet", "every = 5\n"));
  EXPECT_EQ(level.energy.trend, "level");
  EXPECT_GT(level.energy.drift_error, 0.0);
  EXPECT_LT(std::abs(level.energy.drift_per_time), 5.0 * level.energy.drift_error);
  EXPECT_EQ(verdict(level, "energy").status, "good");
  const Summary decay =
      result(models::scenario("coordinates = [\"q\"]\nlagrangian = \"q_dot^2/2 + cos(q)\"",
                              "q = 1.5\nq_dot = 0", "rk4", "0.2", "4000"));
  EXPECT_EQ(decay.energy.trend, "drifting");
  EXPECT_EQ(verdict(decay, "energy").status, "bad");
  EXPECT_TRUE(result(models::pendulum() + "every = 50\n").energy.trend.empty());
}

/// More values than are kept: they stay evenly spread, from the first one on.
TEST(Diagnostics, ALongSeriesIsThinned) {
  ThinnedSeries series;
  for (int i = 0; i < 100000; ++i) series.add(i, 2.0 * i);
  ASSERT_LE(series.t().size(), 4096U);
  ASSERT_GE(series.t().size(), 2048U);
  const double stride = series.t()[1];
  for (std::size_t i = 0; i < series.t().size(); ++i) {
    EXPECT_EQ(series.t()[i], stride * static_cast<double>(i));
    EXPECT_EQ(series.y()[i], 2.0 * series.t()[i]);
  }
  ThinnedSeries again;
  SavedNumbers::read(again, SavedNumbers::of(series), "");
  for (int i = 100000; i < 100500; ++i) {
    series.add(i, 0.0);
    again.add(i, 0.0);
  }
  EXPECT_EQ(again.t(), series.t());
}

TEST(Diagnostics, WhatCannotBeDiagnosedIsSaid) {
  const std::string shadow = "[diagnose]\nmodified_energy = \"shadow\"\n";
  const std::string formula = "[diagnose]\nmodified_energy = \"formula\"\n";
  expect_words(refused(pendulum("gauss(2)", formula)), {"gauss(2)", "\"shadow\""});
  expect_words(refused(pendulum("rk4", shadow)), {"rk4", "methods of stages"});
  expect_words(refused(models::van_der_pol() + shadow), {"force"});
  expect_words(refused(pendulum("verlet", "pace = \"auto\"\n" + shadow)), {"variable length"});
  expect_words(refused(pendulum("verlet", "[diagnose]\nbalance = true\n")),
               {"system.symmetry", "diagnose.balance"});
  expect_words(
      refused(models::single("x_dot^4 + x_dot^2/2 - x^2/2") + "[diagnose]\nheat = \"trapezoid\"\n"),
      {"quadratic"});
  expect_words(refusal<ScenarioError>([] {
                 models::model_of(models::single("x_dot^2/2 - x^2/2", "observe.heat = \"x\"") +
                                  "[diagnose]\nheat = \"trapezoid\"\n");
               }),
               {"heat", "already"});
  expect_words(refusal<ScenarioError>([] {
                 models::model_of(models::pendulum() + "[diagnose]\nmodified_energy = \"exact\"\n");
               }),
               {"formula", "shadow"});
}

}  // namespace
}  // namespace varia::io::diagnostics_test
