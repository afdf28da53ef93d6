// SPDX-License-Identifier: BSD-3-Clause
// Scenarios with steps of variable length (pace, keep_energy), with Newmark's method, and with one
// constraint for each i.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "models.hpp"
#include "refusal.hpp"
#include "varia/io/check.hpp"
#include "varia/io/compare.hpp"
#include "varia/io/error.hpp"
#include "varia/io/runner.hpp"
#include "varia/io/stepper.hpp"

namespace varia::io::variable_steps_test {
namespace {

std::string refused(const std::string& text) {
  return refusal<ScenarioError>([&] { make_stepper(models::model_of(text)); });
}

/// Kepler's ellipse with further lines of [run].
std::string ellipse(double e, const std::string& method, const std::string& step,
                    const std::string& more) {
  return "[system]\ncoordinates = [\"x\", \"y\"]\nparameters = { e = " + std::to_string(e) +
         " }\nlagrangian = \"(x_dot^2 + y_dot^2)/2 + 1/sqrt(x^2 + y^2)\"\n"
         "symmetry.rotation = { x = \"-y\", y = \"x\" }\n"
         "[start]\nx = \"1 - e\"\ny = 0\nx_dot = 0\ny_dot = \"sqrt((1 + e)/(1 - e))\"\n"
         "[run]\nmethod = \"" +
         method + "\"\nstep = " + step + "\n" + more;
}

Summary result(const std::string& text) {
  Model model = models::model_of(text);
  return run(model, {});
}

TEST(VariableSteps, APaceSparesStepsOnAnEllipse) {
  const std::string until = "until = 31.4\nevery = 1\n";
  const std::string pace = "pace = \"(x^2 + y^2)^(3/4)\"\n";
  const Summary varying = result(ellipse(0.9, "verlet", "0.02", until + pace));
  const Summary fixed = result(ellipse(0.9, "verlet", "0.02", until));
  EXPECT_EQ(varying.status, "done");
  EXPECT_GE(varying.t_end, 31.4);
  EXPECT_LT(varying.t_end, 31.5);
  EXPECT_LT(varying.steps, 4 * fixed.steps);
  EXPECT_LT(varying.energy.max_rel_error, 1e-2 * fixed.energy.max_rel_error);
  EXPECT_LT(varying.momenta.front().second.max_abs_error, 1e-13);
}

/// Lengths of steps before a restart count, too.
TEST(VariableSteps, ARestartRemembersTheLengthsOfSteps) {
  namespace fs = std::filesystem;
  const std::string folder = (fs::path(testing::TempDir()) / "varia_step_lengths").string();
  fs::remove_all(folder);
  const auto text = [](const char* steps) {
    return ellipse(
        0.6, "verlet", "0.05",
        std::string("steps = ") + steps + "\npace = \"auto\"\n[output]\nreport = false\n");
  };
  const Summary once = result(text("200"));
  RunOptions options;
  options.directory = folder;
  Model part = models::model_of(text("90"));
  run(part, options);
  options.restart = folder + "/checkpoint.h5";
  Model rest = models::model_of(text("200"));
  const Summary twice = run(rest, options);
  EXPECT_EQ(twice.step_length->min, once.step_length->min);
  EXPECT_EQ(twice.step_length->max, once.step_length->max);
  EXPECT_EQ(twice.step_length->final, once.step_length->final);
  EXPECT_LT(once.step_length->min, 0.5 * once.step_length->max);
  fs::remove_all(folder);
}

TEST(VariableSteps, TheDefaultPaceIsTheLocalPeriod) {
  const std::string until = "until = 12.6\n";
  const Summary s = result(ellipse(0.8, "gauss(2)", "0.05", until + "pace = \"auto\"\n"));
  EXPECT_EQ(s.status, "done");
  EXPECT_LT(s.energy.max_rel_error, 1e-6);
  EXPECT_LT(s.momenta.front().second.max_abs_error, 1e-12);
}

TEST(VariableSteps, StepsCountWhereStepsAreGiven) {
  const Summary s = result(ellipse(0.6, "verlet", "0.05", "steps = 40\npace = \"auto\"\n"));
  EXPECT_EQ(s.steps, 40);
}

/// V = q⁴/4 from q = 0, p = 1 with the first step 0.05: 400 steps go through a turning point and the
/// steps become shorter; spec of [MW01], section 4.9.
TEST(VariableSteps, StepsThatKeepTheEnergy) {
  const std::string text =
      "[system]\ncoordinates = [\"q\"]\nlagrangian = \"q_dot^2/2 - q^4/4\"\n"
      "[start]\nq = 0\nq_dot = 1\n[run]\nmethod = \"midpoint\"\nstep = 0.05\nsteps = 400\n"
      "keep_energy = \"refuse\"\n";
  const Summary s = result(text);
  EXPECT_EQ(s.status, "done");
  EXPECT_NEAR(s.t_end, 2.3, 0.1);
  // E_d of the first step, by hand: p = 1, q goes from 0 to q₁ with m = q₁/2, v = q₁/h
  ASSERT_TRUE(s.keep_energy);
  EXPECT_EQ(s.keep_energy->minimised, 0);
  const double h = 0.05;
  double q = h;  // of p = v + h/2 m³
  for (int i = 0; i < 50; ++i) q = h * (1.0 - 0.5 * h * std::pow(0.5 * q, 3));
  EXPECT_NEAR(s.keep_energy->discrete_energy, 0.5 * (q / h) * (q / h) + 0.25 * std::pow(0.5 * q, 4),
              1e-14);
}

TEST(VariableSteps, WhereNoStepKeepsTheEnergyTheRunFailsOrGoesOn) {
  const std::string text =
      "[system]\ncoordinates = [\"x\", \"y\"]\n"
      "lagrangian = \"(x_dot^2 + y_dot^2)/2 - (x^2 + y^2)*(x^2 + y^2 - 1)^2\"\n"
      "symmetry.rotation = { x = \"-y\", y = \"x\" }\n"
      "[start]\nx = 1\ny = 0\nx_dot = 0.3\ny_dot = 0.7\n[run]\nmethod = \"midpoint\"\n"
      "step = 0.05\nuntil = 5\nkeep_energy = ";
  const Summary refusing = result(text + "\"refuse\"\n");
  EXPECT_EQ(refusing.status, "failed");
  EXPECT_NEAR(refusing.t_end, 1.21, 0.05);
  const Summary minimising = result(text + "\"minimise\"\n");
  EXPECT_EQ(minimising.status, "done");
  EXPECT_LT(minimising.energy.max_rel_error, 0.1);
  EXPECT_LT(minimising.momenta.front().second.max_abs_error, 1e-12);
  ASSERT_TRUE(refusing.keep_energy && minimising.keep_energy);
  EXPECT_EQ(refusing.keep_energy->minimised, 0);
  EXPECT_GT(minimising.keep_energy->minimised, 0);
  EXPECT_LT(minimising.keep_energy->minimised, minimising.steps);
  EXPECT_EQ(minimising.keep_energy->discrete_energy, refusing.keep_energy->discrete_energy);
}

/// E_d, the last lengths of steps and the side of the root are in the checkpoint: what follows is what
/// would have followed, to the bit, also right after steps that do not keep the energy.
TEST(VariableSteps, ARestartKeepsTheSameEnergy) {
  namespace fs = std::filesystem;
  const std::string folder = (fs::path(testing::TempDir()) / "varia_kept_energy").string();
  for (const char* method : {"midpoint", "verlet", "gauss(2)"}) {
    const auto text = [&](int steps) {
      return "[system]\ncoordinates = [\"x\", \"y\"]\n"
             "lagrangian = \"(x_dot^2 + y_dot^2)/2 - (x^2 + y^2)*(x^2 + y^2 - 1)^2\"\n"
             "[start]\nx = 1\ny = 0\nx_dot = 0.3\ny_dot = 0.7\n[run]\nmethod = \"" +
             std::string(method) + "\"\nstep = 0.05\nsteps = " + std::to_string(steps) +
             "\nkeep_energy = \"minimise\"\n[output]\nreport = false\n";
    };
    const Summary once = result(text(80));
    long minimised = 0;
    for (const int part : {1, 17, 40}) {
      fs::remove_all(folder);
      RunOptions options;
      options.directory = folder;
      Model first = models::model_of(text(part));
      minimised = run(first, options).keep_energy->minimised;
      options.restart = folder + "/checkpoint.h5";
      Model rest = models::model_of(text(80));
      const Summary twice = run(rest, options);
      EXPECT_EQ(twice.t_end, once.t_end) << method << part;
      EXPECT_EQ(twice.final.q, once.final.q) << method << part;
      EXPECT_EQ(twice.final.p, once.final.p) << method << part;
      EXPECT_EQ(twice.step_length->final, once.step_length->final) << method << part;
      EXPECT_EQ(twice.keep_energy->discrete_energy, once.keep_energy->discrete_energy);
      EXPECT_EQ(twice.keep_energy->minimised, once.keep_energy->minimised) << method << part;
    }
    if (method == std::string("midpoint")) {
      EXPECT_GT(minimised, 0) << "of the last part";
    }
  }
  fs::remove_all(folder);
}

TEST(VariableSteps, Refusals) {
  const auto with = [](const std::string& method, const std::string& more) {
    return refused(ellipse(0.6, method, "0.05", "steps = 10\n" + more));
  };
  expect_words(with("verlet", "pace = \"auto\"\nkeep_energy = \"refuse\"\n"),
               {"pace", "keep_energy"});
  expect_words(with("rk4", "pace = \"auto\"\n"), {"run.method", "rk4", "gauss(s)"});
  expect_words(with("yoshida(4)", "keep_energy = \"refuse\"\n"), {"run.method", "verlet"});
  expect_words(with("verlet", "pace = \"x_dot\"\n"), {"run.pace", "x_dot"});
  expect_words(with("verlet", "keep_energy = \"always\"\n"), {"keep_energy", "minimise"});
  const Model model =
      models::model_of(ellipse(0.6, "verlet", "0.05", "steps = 10\npace = \"auto\"\n"));
  expect_words(refusal<ScenarioError>([&] {
                 compare(model, {"verlet"}, {0.1}, [](const std::string&) { return true; });
               }),
               {"run.pace", "fixed length"});
}

TEST(NewmarkScenario, KeepsAMomentumOfItsOwn) {
  const std::string text =
      "[system]\ncoordinates = [\"x\", \"y\"]\n"
      "lagrangian = \"(x_dot^2 + y_dot^2)/2 - (x^2 + y^2)*(x^2 + y^2 - 1)^2\"\n"
      "symmetry.rotation = { x = \"-y\", y = \"x\" }\n"
      "[start]\nx = 1\ny = 0\nx_dot = 0.3\ny_dot = 0.7\n[run]\nstep = 0.1\nuntil = 100\n";
  const auto error = [&](const std::string& method) {
    return result(text + "method = \"" + method + "\"\n").momenta.front().second.max_abs_error;
  };
  EXPECT_LT(error("newmark(0, 0.5)"), 1e-13);
  EXPECT_NEAR(error("newmark(0.25, 0.5)"), 2.7e-3, 5e-4);  // spec of [MW01], T24
  Model model = models::model_of(text + "method = \"newmark(0.25)\"\n");
  const CheckReport report = check(model);
  EXPECT_NEAR(report.order.measured, 2.0, 0.1);
  EXPECT_FALSE(report.symplecticity.has_value());
}

TEST(Constraints, OneForEachI) {
  const auto chain = [](const std::string& holonomic) {
    return "[system]\ncoordinates = [\"x[1..4]\", \"y[1..4]\"]\nparameters = { n = 4 }\n"
           "lagrangian = \"sum(i, 1, 4, x_dot[i]^2 + y_dot[i]^2)/2 - sum(i, 1, 4, y[i])\"\n"
           "holonomic = " +
           holonomic +
           "\n[start]\nx = \"i\"\ny = 0\nx_dot = 0\ny_dot = 0\n[run]\nmethod = \"verlet\"\nstep = "
           "0.01\nsteps = 200\n";
  };
  const std::string first = "\"x[1]^2 + y[1]^2 - 1\", ";
  const std::string link = "(x[i] - x[i-1])^2 + (y[i] - y[i-1])^2 - 1";
  std::string listed = "[" + first;
  for (int i = 2; i <= 4; ++i) {
    std::string one = link;
    for (std::size_t at = 0; (at = one.find("i-1")) != std::string::npos;)
      one.replace(at, 3, std::to_string(i - 1));
    for (std::size_t at = 0; (at = one.find("[i]")) != std::string::npos;)
      one.replace(at, 3, "[" + std::to_string(i) + "]");
    listed += "\"" + one + "\", ";
  }
  listed += "]";
  const Summary a = result(chain("[" + first + "{ phi = \"" + link + "\", i = [2, \"n\"] }]"));
  const Summary b = result(chain(listed));
  ASSERT_EQ(a.final.q.size(), b.final.q.size());
  for (std::size_t i = 0; i < a.final.q.size(); ++i)
    EXPECT_EQ(a.final.q[i].second, b.final.q[i].second);
  EXPECT_EQ(a.final.lambda.size(), 4u);
  EXPECT_LT(a.constraints.max_position, 1e-13);
  expect_words(refused(chain("[{ phi = \"" + link + "\", i = [3, 2] }]")), {"holonomic", "last i"});
  expect_words(refused(chain("[{ phi = \"" + link + "\", i = [1, 4] }]")), {"holonomic"});
  expect_words(refused(chain("[{ phi = \"" + link + "\", i = [2] }]")), {"holonomic", "first"});
}

}  // namespace
}  // namespace varia::io::variable_steps_test
