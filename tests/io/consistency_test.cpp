// SPDX-License-Identifier: BSD-3-Clause
// A discrete Lagrangian that is not that of the Lagrangian beside it is told from one that is.
#include "varia/io/consistency.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "models.hpp"
#include "varia/io/runner.hpp"

namespace varia::io::consistency_test {
namespace {

/// ½v² - x⁴/4 - cos(x) with this L_d, from rest or not.
Model model_of(const std::string& ld, const std::string& step = "0.1",
               const std::string& start = "x = 0.8\nx_dot = 0.3") {
  return models::model_of(models::scenario(
      "coordinates = [\"x\"]\nlagrangian = \"x_dot^2/2 - x^4/4 - cos(x)\"\ndiscrete_lagrangian = "
      "\"" +
          ld + "\"",
      start, "discrete_lagrangian", step));
}

const std::string kinetic = "(x_1 - x_0)^2/(2*h)";
const std::string middle = "((x_0 + x_1)/2)";

std::string midpoint(const std::string& factor) {
  return kinetic + " - " + factor + "*h*(" + middle + "^4/4 + cos" + middle + ")";
}

std::string verdict_of(Model model) {
  const Summary s = run(model, {});
  for (const Verdict& v : s.verdicts)
    if (v.name == "discrete_lagrangian") return v.status + ": " + v.text;
  return "";
}

TEST(Consistency, DiscreteLagrangiansOfTheLagrangian) {
  const std::vector<std::string> right{
      midpoint("1"),
      midpoint("1") + " + 17*h",
      kinetic + " - h*(x_0^4/4 + cos(x_0))",
      kinetic + " - h*(x_1^4/4 + cos(x_1))",
      kinetic + " - h*((x_0^4 + x_1^4)/8 + (cos(x_0) + cos(x_1))/2)",
      midpoint("1") + " + h^2*x_0^2*x_1",
      // an error of second order that is large
      midpoint("(1 + 3*h^2)"),
  };
  for (const std::string& ld : right)
    for (const char* step : {"1e-4", "0.01", "0.1", "0.5", "-0.1"})
      for (const char* start : {"x = 0.8\nx_dot = 0.3", "x = 0\nx_dot = 0.5", "x = 0.8\nx_p = 0"}) {
        const Model model = model_of(ld, step, start);
        EXPECT_FALSE(discrete_defect(model, {0.5}, {-0.4})) << ld << step << start;
      }
}

TEST(Consistency, DiscreteLagrangiansOfOtherSystems) {
  const std::vector<std::string> wrong{
      midpoint("1.01"),
      midpoint("1.00001"),
      "1.01*" + midpoint("1"),
      kinetic + " - h*(x_0^4/4 + sin(x_0))",
      kinetic + " - h^2*(x_0^4/4 + cos(x_0))",
      kinetic + " - (x_0^4/4 + cos(x_0))",
      midpoint("1") + " + x_1^2 - x_0^2",  // a gauge: other momenta than those of the start
      "(x_1 - x_0)^2/h - h*(x_0^4/4 + cos(x_0))",
  };
  for (const std::string& ld : wrong)
    for (const char* step : {"1e-3", "0.1", "0.5", "-0.1"})
      for (const char* start : {"x = 0.8\nx_dot = 0.3", "x = 0\nx_dot = 0.5", "x = 0.8\nx_p = 0"})
        EXPECT_TRUE(discrete_defect(model_of(ld, step, start), {0.5}, {-0.4})) << ld << step;
}

TEST(Consistency, TheSizeOfTheDisagreementIsTold) {
  const auto defect = discrete_defect(model_of(midpoint("1.01")), {0.5}, {-0.4});
  ASSERT_TRUE(defect);
  EXPECT_NEAR(defect->share, 0.01, 1e-5);
  EXPECT_EQ(defect->of, "dL/dx");
  EXPECT_NEAR(defect->found, 1.01 * defect->stated, 1e-5);
  const auto mass = discrete_defect(model_of("1.02*" + midpoint("1/1.02")), {0.5}, {-0.4});
  ASSERT_TRUE(mass);
  EXPECT_EQ(mass->of, "dL/dx_dot");
  EXPECT_NEAR(mass->share, 0.02, 1e-5);
}

TEST(Consistency, IsAVerdictOfTheRun) {
  EXPECT_EQ(verdict_of(model_of(midpoint("1"))), "");
  const std::string wrong = verdict_of(model_of(midpoint("1.02")));
  EXPECT_EQ(wrong.find("bad"), 0U) << wrong;
  EXPECT_NE(wrong.find("2 % of its size"), std::string::npos) << wrong;
}

/// Of a method that does not use it nothing is said.
TEST(Consistency, OnlyWhatIsUsedIsJudged) {
  Model model = model_of(midpoint("1.01"));
  set_method(model, verlet());
  EXPECT_EQ(verdict_of(std::move(model)), "");
}

}  // namespace
}  // namespace varia::io::consistency_test
