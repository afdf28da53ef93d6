// SPDX-License-Identifier: BSD-3-Clause
// Scenarios by shooting and Taylor's method, with a Lagrangian that is linear in the velocities, and
// with a discrete Lagrangian of the user's own.
#include <gtest/gtest.h>

#include <cmath>

#include "models.hpp"
#include "refusal.hpp"
#include "varia/io/check.hpp"
#include "varia/io/compare.hpp"
#include "varia/io/error.hpp"
#include "varia/io/runner.hpp"
#include "varia/io/stepper.hpp"

namespace varia::io::special_lagrangians_test {
namespace {

std::string refused(const std::string& text) {
  return refusal<ScenarioError>([&] { make_stepper(models::model_of(text)); });
}

Summary result(const std::string& text) {
  Model model = models::model_of(text);
  return run(model, {});
}

double difference(const Summary& a, const Summary& b) {
  double most = 0.0;
  for (std::size_t i = 0; i < a.final.q.size(); ++i)
    most = std::max({most, std::abs(a.final.q[i].second - b.final.q[i].second),
                     std::abs(a.final.p[i].second - b.final.p[i].second)});
  return most;
}

TEST(Shooting, RunsAndPassesItsCheck) {
  for (const char* method : {"shooting(4, lobatto:3)", "taylor(6)", "taylor(3, lobatto:3)"}) {
    Model model = models::model_of(models::double_pendulum(), {std::string("method=") + method});
    const CheckReport report = check(model);
    EXPECT_TRUE(report.passed()) << method << ": "
                                 << (report.failures.empty() ? "" : report.failures.front());
    EXPECT_NEAR(report.order.measured, model.method.order(), 0.15) << method;
    ASSERT_TRUE(report.certified) << method;
    EXPECT_NEAR(report.certified->measured, model.method.order(), 0.15) << method;
    EXPECT_LT(*report.symplecticity, 1e-10) << method;
  }
}

TEST(Shooting, NativeCodeGivesTheSameMotion) {
  Model native =
      models::model_of(models::double_pendulum(), {"method=taylor(5)", "evaluation=native"});
  Model interpreted =
      models::model_of(models::double_pendulum(), {"method=taylor(5)", "evaluation=interpreter"});
  EXPECT_LT(difference(run(native, {}), run(interpreted, {})), 1e-12);
}

TEST(Shooting, RefusesWhatItIsNotFor) {
  expect_words(refused(models::scenario("coordinates = [\"x\"]\nlagrangian = \"x_dot^2/2 - x^4\"\n"
                                        "force = { x = \"-x_dot\" }",
                                        "x = 1\nx_dot = 0", "shooting(4)")),
               {"shooting(4, lobatto:3)", "force", "gauss(s)"});
  expect_words(refused(models::scenario("coordinates = [\"x\"]\nlagrangian = \"x_dot^2/2\"",
                                        "x = 1\nx_dot = 0", "shooting(5)")),
               {"1 ... 4", "got 5", "taylor"});
  expect_words(refusal<ScenarioError>([] {
                 result(models::scenario(
                     "coordinates = [{ name = \"R\", space = \"SO3\" }]\n"
                     "lagrangian = \"R_w1^2 + R_w2^2/2 + R_w3^2/3\"",
                     "R = { angle_axis = [0, 0, 0] }\nR_w1 = 1\nR_w2 = 0\nR_w3 = 0", "taylor(4)"));
               }),
               {"run.method", "Lie group"});
}

/// Guiding centre: the start is the positions alone.
std::string guiding_centre(const std::string& more = "", const std::string& start = "") {
  return models::scenario(
             "coordinates = [\"x\", \"y\"]\n"
             "lagrangian = \"(x + (4*x^3/3 + x*y^2)/20)*y_dot - (1 + (4*x^2 + y^2)/20)\"\n"
             "observe.axis = \"sqrt(x^2 + y^2/4)\"",
             "x = 0.6\ny = 0.3\n" + start, "gauss(2)", "0.5", "4000") +
         more;
}

TEST(OneForm, TheGuidingCentreStaysOnItsEllipse) {
  const Summary s = result(guiding_centre());
  EXPECT_EQ(s.status, "done");
  EXPECT_EQ(s.energy.trend, "level");
  EXPECT_LT(s.energy.max_rel_error, 1e-6);
  EXPECT_LT(s.observe.front().second.range, 1e-5);
  // p = θ(q)
  const double x = s.final.q[0].second;
  const double y = s.final.q[1].second;
  EXPECT_EQ(s.final.p[0].second, 0.0);
  EXPECT_NEAR(s.final.p[1].second, x + (4 * x * x * x / 3 + x * y * y) / 20, 1e-15);
  // ω q̇ = ∇H with ω = B: ẏ B = -... drift speed |∇B|/B
  const double b = 1 + (4 * x * x + y * y) / 20;
  EXPECT_NEAR(s.final.v[0].second, -(y / 10) / b, 1e-13);
  EXPECT_NEAR(s.final.v[1].second, (8 * x / 20) / b, 1e-13);
}

TEST(OneForm, PassesItsCheckAndIsCompared) {
  Model model = models::model_of(guiding_centre());
  const CheckReport report = check(model);
  EXPECT_TRUE(report.passed()) << (report.failures.empty() ? "" : report.failures.front());
  EXPECT_NEAR(report.order.measured, 4.0, 0.2);
  EXPECT_LT(*report.reversibility, 1e-10);
  const Comparison c =
      compare(models::model_of(guiding_centre(), {"steps=100"}), {"gauss(1)", "gauss(3)"}, {0.5},
              [](const std::string&) { return true; });
  EXPECT_GT(c.rows[0].error, 100.0 * c.rows[1].error);
}

TEST(OneForm, TheProjectionCanBeLeftOut) {
  const Summary kept = result(guiding_centre("projection = \"symmetric\"\n"));
  const Summary lost = result(guiding_centre("projection = \"none\"\n"));
  EXPECT_LT(kept.energy.max_rel_error, 0.5 * lost.energy.max_rel_error);
}

TEST(OneForm, RefusesWhatDoesNotFit) {
  expect_words(refused(guiding_centre("", "x_dot = 0\ny_dot = 0\n")),
               {"linear in the velocities", "positions alone", "x_dot"});
  expect_words(refused(models::scenario("coordinates = [\"x\", \"y\"]\n"
                                        "lagrangian = \"x*y_dot - x^2 - y^2\"\n"
                                        "force = { x = \"-x\" }",
                                        "x = 1\ny = 0")),
               {"linear", "forces"});
  expect_words(refusal<ScenarioError>(
                   [] { make_stepper(models::model_of(guiding_centre(), {"method=verlet"})); }),
               {"verlet", "gauss(s)"});
  expect_words(
      refused(models::scenario("coordinates = [\"x\"]\nlagrangian = \"x*x_dot - x^2\"", "x = 1")),
      {"even"});
  // without rates only where L is linear
  expect_words(
      refused(models::scenario("coordinates = [\"x\"]\nlagrangian = \"x_dot^2 - x^2\"", "x = 1")),
      {"start.x_dot", "missing"});
  expect_words(refused(models::pendulum() + "projection = \"none\"\n"), {"linear"});
  expect_words(refused(guiding_centre("pace = \"auto\"\n")), {"linear"});
}

const char* const midpoint_rule =
    "coordinates = [\"x\", \"y\"]\n"
    "lagrangian = \"(x_dot^2 + y_dot^2)/2 - (x^2 + y^2)^2/4\"\n"
    "symmetry.rotation = { x = \"-y\", y = \"x\" }\n"
    "discrete_lagrangian = \"((x_1 - x_0)^2 + (y_1 - y_0)^2)/(2*h) "
    "- h*((x_0 + x_1)^2 + (y_0 + y_1)^2)^2/64\"\n";

std::string own(const std::string& method) {
  return models::scenario(midpoint_rule, "x = 0.7\ny = -0.4\nx_dot = 0.3\ny_dot = 0.9", method);
}

TEST(OwnLagrangian, TheMidpointRuleAsAFormulaIsTheMidpointRule) {
  EXPECT_LT(difference(result(own("discrete_lagrangian(2)")), result(own("midpoint"))), 1e-13);
}

/// L at the beginning of the step: the ends must not be exchanged.
TEST(OwnLagrangian, TheEndsOfAStepAreToldApart) {
  const auto rule = [](const char* method) {
    return models::scenario(
        "coordinates = [\"x\", \"y\"]\n"
        "lagrangian = \"(x_dot^2 + 2*y_dot^2)/2 - x^4/4 - x*y^2\"\n"
        "discrete_lagrangian = \"((x_1 - x_0)^2 + 2*(y_1 - y_0)^2)/(2*h) "
        "- h*(x_0^4/4 + x_0*y_0^2)\"",
        "x = 0.7\ny = -0.4\nx_dot = 0.3\ny_dot = 0.9", method);
  };
  const Summary own = result(rule("discrete_lagrangian(1)"));
  EXPECT_LT(difference(own, result(rule("euler_a"))), 1e-13);
  EXPECT_GT(difference(own, result(rule("euler_b"))), 1e-3);
}

TEST(OwnLagrangian, ItsOrderIsCertified) {
  Model model = models::model_of(own("discrete_lagrangian(2)"));
  const CheckReport report = check(model);
  EXPECT_TRUE(report.passed()) << (report.failures.empty() ? "" : report.failures.front());
  ASSERT_TRUE(report.certified);
  EXPECT_NEAR(report.certified->measured, 2.0, 0.1);
  EXPECT_LT(*report.symplecticity, 1e-11);
  Model wrong = models::model_of(own("discrete_lagrangian(3)"));
  const CheckReport found = check(wrong);
  EXPECT_FALSE(found.passed());
  EXPECT_NEAR(found.order.measured, 2.0, 0.1);
}

TEST(OwnLagrangian, ArraysHaveBothEnds) {
  const auto chain = [](const char* method) {
    return models::scenario(
        "coordinates = [\"q[1..4]\"]\n"
        "lagrangian = \"sum(i, 1, 4, q_dot[i]^2/2) - sum(i, 1, 3, (q[i+1] - q[i])^4/4)\"\n"
        "discrete_lagrangian = \"sum(i, 1, 4, (q_1[i] - q_0[i])^2)/(2*h) - h/2*sum(i, 1, 3, "
        "(q_0[i+1] - q_0[i])^4/4 + (q_1[i+1] - q_1[i])^4/4)\"",
        "q = [0, 1, 1.5, 3]\nq_dot = [0.5, 0, 0, -0.2]", method);
  };
  EXPECT_LT(difference(result(chain("discrete_lagrangian(2)")), result(chain("verlet"))), 1e-13);
}

TEST(OwnLagrangian, RefusesWhatDoesNotFit) {
  expect_words(refused(models::scenario("coordinates = [\"x\"]\nlagrangian = \"x_dot^2/2\"",
                                        "x = 1\nx_dot = 0", "discrete_lagrangian(2)")),
               {"discrete_lagrangian in [system]"});
  const auto with = [](const std::string& ld, const std::string& more = "") {
    return models::scenario("coordinates = [\"x\"]\nlagrangian = \"x_dot^2/2\"\n" + more +
                                "discrete_lagrangian = \"" + ld + "\"",
                            "x = 1\nx_dot = 0", "discrete_lagrangian(2)");
  };
  expect_words(refused(with("(x1 - x0)^2/h")), {"x1", "x_0", "x_1"});
  expect_words(refused(with("x_0^2 + x_1^2")), {"system.discrete_lagrangian"});
  expect_words(refused(with("(x_1 - x_0)^2/h", "parameters = { h = 0.1 }\n")),
               {"h is the step", "rename"});
  expect_words(refused(with("(x_1 - x_0)^2/h", "force = { x = \"-x\" }\n")), {"forces"});
}

}  // namespace
}  // namespace varia::io::special_lagrangians_test
