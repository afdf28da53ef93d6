// SPDX-License-Identifier: BSD-3-Clause
// [[plot]]: the values are those of the formulas at the records, and mistakes are told with their place.
#include "varia/io/plots.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "models.hpp"
#include "refusal.hpp"
#include "src/report/plots.hpp"

namespace varia::io::plots_test {
namespace {

using models::model_of;

std::string kepler(const std::string& plots) {
  std::string text = models::kepler();
  text.replace(text.find("symmetry."), 0, "observe.radius = \"sqrt(x^2 + y^2)\"\n");
  return text + plots;
}

TEST(Plots, AreFunctionsOfWhatIsRecorded) {
  const Model m = model_of(kepler(R"~([[plot]]
x = "x"
y = ["y", "radius + rotation"]
[[plot]]
y = ["x_dot*mu"]
title = "Rate"
[[plot]]
histogram = "energy_error"
bins = 7
)~"));
  std::vector<Column> columns;
  for (const char* name : {"t", "x", "y", "x_dot", "y_dot", "x_p", "y_p"})
    columns.push_back({name, "q", ""});
  columns.push_back({"energy", "energy", ""});
  columns.push_back({"radius", "observe", ""});
  columns.push_back({"rotation", "momentum", ""});
  const report::Table table{{0, 1, 2, 3, 4, 3, 4, -0.5, 10, 20},
                            {1, 5, 6, 7, 8, 7, 8, -0.75, 30, 40}};
  const report::Json data = report::plot_data(m, columns, table);
  ASSERT_EQ(data.size(), 3U);
  EXPECT_EQ(data[0]["values"], report::Json({1.0, 5.0}));
  EXPECT_EQ(data[0]["curves"][0]["values"], report::Json({2.0, 6.0}));
  EXPECT_EQ(data[0]["curves"][1]["values"], report::Json({30.0, 70.0}));
  EXPECT_EQ(data[0]["curves"][1]["label"], "radius + rotation");
  EXPECT_FALSE(data[0]["against_time"]);
  EXPECT_TRUE(data[1]["against_time"]);
  EXPECT_EQ(data[1]["title"], "Rate");
  EXPECT_EQ(data[1]["curves"][0]["values"], report::Json({3.0, 7.0}));
  EXPECT_EQ(data[2]["values"], report::Json({0.0, -0.25}));
  EXPECT_EQ(data[2]["bins"], 7);
  EXPECT_EQ(data[2]["curves"].size(), 0U);
}

/// Momenta of cyclic entries, and Casimir functions, have an index.
TEST(Plots, MayContainMomentaOfArrays) {
  const Model line = model_of(
      models::scenario("coordinates = [\"q[1..2]\"]\nlagrangian = \"sum(i, 1, 2, q_dot[i]^2)/2\"",
                       "q = 0\nq_dot = 1") +
      "[[plot]]\ny = [\"q_p[2]\"]\n");
  EXPECT_EQ(line.plots.list.size(), 1U);
  const Model bodies = model_of(
      models::scenario("coordinates = [{ name = \"R[1..2]\", space = \"SO3\" }]\nlagrangian = "
                       "\"sum(i, 1, 2, R_w1[i]^2 + 2*R_w2[i]^2 + 3*R_w3[i]^2)\"",
                       "R = { angle_axis = [0, 0, 0] }\nR_w1 = 1\nR_w2 = 1\nR_w3 = \"i\"") +
      "[[plot]]\ny = [\"R_casimir[2] - R_casimir[1]\"]\n");
  const auto& columns = bodies.plots.columns;
  EXPECT_EQ(std::count(columns.begin(), columns.end(), "R_casimir[2]"), 1);
}

TEST(Plots, MayContainMultipliers) {
  const Model m = model_of(models::spherical_pendulum() + "[[plot]]\ny = [\"2*lambda[1]\"]\n");
  EXPECT_EQ(m.plots.columns.back(), "lambda[1]");
}

std::string refused(const std::string& plot) {
  return refusal<ScenarioError>([&] { model_of(kepler("[[plot]]\n" + plot)); });
}

TEST(PlotErrors, HaveTheirPlace) {
  expect_words(refused("y = [\"x\", \"radus\"]\n"),
               {"test.toml:", "plot[1].y[2]", "radus", "radius"});
  expect_words(refused("x = \"x\"\n"), {"plot[1].y", "missing", "histogram"});
  expect_words(refused("y = []\n"), {"plot[1].y", "missing"});
  expect_words(refused("histogram = \"x\"\ny = [\"y\"]\n"), {"plot[1].y", "given together"});
  expect_words(refused("histogram = \"x\"\nbins = 0\n"), {"plot[1].bins", "greater than 0"});
  expect_words(refused("y = [\"x\"]\nbins = 3\n"), {"plot[1].bins", "is for a histogram"});
  expect_words(refused("y = [\"lambda[1]\"]\n"), {"plot[1].y[1]", "lambda"});
  expect_words(refused("yy = [\"x\"]\n"), {"plot[1].yy", "unknown key", "Did you mean"});
}

}  // namespace
}  // namespace varia::io::plots_test
