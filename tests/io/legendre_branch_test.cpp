// SPDX-License-Identifier: BSD-3-Clause
// Lagrangians whose momenta belong to several velocities, in runs: the first record is the start that was
// given, restarts keep the branch to the bit, the end of a branch is the end of the run; and potentials
// that are 0 on one side of an edge.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>

#include "models.hpp"
#include "varia/io/check.hpp"
#include "varia/io/runner.hpp"
#include "varia/io/stepper.hpp"

namespace varia::io::legendre_branch_test {
namespace {

std::string quartic(const char* potential, const char* method, const char* step, const char* steps,
                    const char* velocity = "1.05") {
  return models::scenario("coordinates = [\"q\"]\nlagrangian = \"q_dot^4/4 - q_dot^2/2 - " +
                              std::string(potential) + "\"",
                          "q = 0\nq_dot = " + std::string(velocity), method, step, steps);
}

const std::vector<const char*> methods{
    "gauss(2)", "midpoint", "verlet",    "lobatto(3)", "euler_a", "yoshida(4, midpoint)",
    "rk4",      "dopri5",   "taylor(6)", "shooting(4)"};

TEST(LegendreBranch, TheFirstRecordIsTheStart) {
  for (const char* method : methods)
    for (const char* velocity : {"1.05", "1.5", "0.3", "-0.9"}) {
      const auto stepper =
          make_stepper(models::model_of(quartic("q^2/2", method, "0.01", "10", velocity)));
      Snapshot s;
      stepper->snapshot(s);
      EXPECT_EQ(s.v[0], std::stod(velocity)) << method;
    }
}

TEST(LegendreBranch, RunsKeepEnergyAndBranch) {
  for (const char* method : methods) {
    Model model = models::model_of(quartic("0.1*cos(q)", method, "0.05", "400"));
    const Summary s = run(model, {});
    EXPECT_EQ(s.status, "done") << method << ": " << s.message;
    EXPECT_GT(s.final.v[0].second, 1.0 / std::sqrt(3.0)) << method;
    EXPECT_LT(s.energy.max_rel_error, 2e-2) << method;
  }
}

TEST(LegendreBranch, EndsTheRun) {
  for (const char* method : methods) {
    Model model = models::model_of(quartic("q^2/2", method, "0.01", "1000"));
    const Summary s = run(model, {});
    EXPECT_NE(s.status, "done") << method;
    EXPECT_NE(s.message.find("the end of its branch"), std::string::npos) << method << s.message;
    EXPECT_EQ(s.message.find("smaller"), std::string::npos) << method << s.message;
  }
}

/// Where whole steps of Newton's method lead beyond the speed of light damped ones come back: the energy
/// error is that of the order. A step that fails there is too large; no mass is singular.
TEST(LegendreBranch, AVelocityThatLDoesNotKnowIsNotTheEndOfABranch) {
  const auto relativistic = [](const char* method, const char* step) {
    Model model = models::model_of(
        models::scenario("coordinates = [\"x\"]\nlagrangian = \"-sqrt(1 - x_dot^2) - x^2/2\"",
                         "x = 5\nx_dot = 0", method, step, "200"));
    return run(model, {});
  };
  const Summary small = relativistic("verlet", "0.2");
  EXPECT_EQ(small.status, "done");
  EXPECT_EQ(small.newton.damped, 0);
  const Summary longer = relativistic("verlet", "0.5");
  EXPECT_EQ(longer.status, "done");
  EXPECT_GT(longer.newton.damped, 0);
  EXPECT_LT(longer.energy.max_rel_error, 8.0 * small.energy.max_rel_error);
  const Summary large = relativistic("taylor(6)", "1.5");
  EXPECT_EQ(large.status, "failed");
  EXPECT_EQ(large.message.find("branch"), std::string::npos) << large.message;
  EXPECT_NE(large.message.find("smaller"), std::string::npos) << large.message;
}

TEST(LegendreBranch, RestartsContinueToTheBit) {
  for (const char* method : methods) {
    const Model model = models::model_of(quartic("0.1*cos(q)", method, "0.05", "400"));
    const auto whole = make_stepper(model);
    whole->advance(0.05, 37);
    const auto rest = make_stepper(model);
    rest->load(whole->save());
    Snapshot a, b;
    for (int k = 0; k < 5; ++k) {
      whole->snapshot(a);
      rest->snapshot(b);
      EXPECT_EQ(a.q, b.q) << method;
      EXPECT_EQ(a.p, b.p) << method;
      EXPECT_EQ(a.v, b.v) << method;
      whole->advance(0.05, 11);
      rest->advance(0.05, 11);
    }
  }
}

TEST(LegendreBranch, IsChecked) {
  Model model = models::model_of(quartic("0.1*cos(q)", "gauss(2)", "0.1", "100"));
  const CheckReport report = check(model);
  EXPECT_TRUE(report.passed()) << (report.failures.empty() ? "" : report.failures.front());
}

/// V = k max(0, x)^(3/2): from ½v² = k d^(3/2), the contact lasts 2d/v √π Γ(2/3)/(3/2 Γ(7/6)).
TEST(Edges, ABallComesBackFromAWall) {
  const double pi = std::acos(-1.0);
  const auto contact = [&](double power, double depth) {
    return 2 * depth * std::sqrt(pi) * std::tgamma(1 / power) /
           (power * std::tgamma(1 / power + 0.5));
  };
  for (const char* start : {"-1", "0"})
    for (const char* method : {"verlet", "gauss(2)", "midpoint", "rk4"})
      for (const double power : {1.5, 2.5}) {
        const std::string text = power == 1.5 ? "10*max(0, x)^1.5" : "10*max(0, x)^2.5";
        Model model = models::model_of(
            models::scenario("coordinates = [\"x\"]\nlagrangian = \"x_dot^2/2 - " + text + "\"",
                             "x = " + std::string(start) + "\nx_dot = 1", method, "0.001", "3000"));
        const Summary s = run(model, {});
        EXPECT_EQ(s.status, "done") << method << ": " << s.message;
        const double depth = std::pow(0.05, 1 / power);
        const double left = -std::stod(start) + contact(power, depth);
        // a step across the edge misses up to h |V'(h)| of the momentum
        const double missed = 1e-3 * 10 * power * std::pow(1e-3, power - 1);
        EXPECT_NEAR(s.final.q[0].second, left - 3.0, std::max(missed, 1e-4)) << method << text;
        EXPECT_NEAR(s.final.v[0].second, -1.0, std::max(missed, 1e-4)) << method << text;
      }
}

}  // namespace
}  // namespace varia::io::legendre_branch_test
