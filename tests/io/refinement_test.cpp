// SPDX-License-Identifier: BSD-3-Clause
// Studies of `varia reproduce` on solids: errors on finer and finer meshes, distance of two shapes.
#include "varia/io/refinement.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "refusal.hpp"
#include "varia/core/error.hpp"

namespace varia::io::refinement_test {
namespace {

SolidModel slab(std::vector<std::string> overrides) {
  overrides.emplace_back("run.until=0.02");
  overrides.emplace_back("run.courant=0.2");
  return build_solid_model(read_scenario("gallery:slab", overrides));
}

const RefinementRow& row(const Refinement& study, const std::string& method, int level) {
  for (const auto& r : study.rows)
    if (r.method == method && r.level == level) return r;
  throw InvalidArgument("no such row");
}

TEST(Refinement, ErrorsFallAndAviTakesFewerUpdates) {
  const RefinementPlan plan{"solid.mesh.level", {0, 1}, 2, 0.4};
  const Refinement study = study_refinement(plan, slab);
  ASSERT_EQ(study.rows.size(), 4U);
  for (const char* method : {"avi", "newmark"}) {
    const auto &coarse = row(study, method, 0), &fine = row(study, method, 1);
    EXPECT_EQ(coarse.elements, 88);
    EXPECT_EQ(fine.elements, 352);
    // elements half as large: four times as many, twice as often
    EXPECT_NEAR(static_cast<double>(fine.updates) / static_cast<double>(coarse.updates), 8.0, 0.2);
    // the slope over two levels is the ratio of their errors
    EXPECT_NEAR(study.slope(method, &RefinementRow::displacement),
                std::log2(coarse.displacement / fine.displacement), 1e-12);
    EXPECT_GT(study.slope(method, &RefinementRow::displacement), 1.2);
    EXPECT_GT(study.slope(method, &RefinementRow::gradient), 0.6);
  }
  EXPECT_LT(row(study, "avi", 1).updates, row(study, "newmark", 1).updates);
  EXPECT_GT(study.cost_ratio(), 0.0);
  EXPECT_LT(study.cost_ratio(), 1.0);
}

TEST(Refinement, CostIsThatOfTheSameError) {
  // errors fall like 1/updates; avi needs half of newmark's updates for the same error
  Refinement study;
  for (const int level : {0, 1, 2}) {
    const long updates = 1000L << level;
    study.rows.push_back({"avi", level, 10, updates, 1.0 / static_cast<double>(updates), 1.0});
    study.rows.push_back(
        {"newmark", level, 10, 2 * updates, 1.0 / static_cast<double>(updates), 1.0});
  }
  EXPECT_NEAR(study.cost_ratio(), 0.5, 1e-12);
}

TEST(Refinement, StopsWhenAsked) {
  const RefinementPlan plan{"solid.mesh.level", {0, 1}, 2, 0.4};
  EXPECT_TRUE(study_refinement(plan, slab, [] { return true; }).rows.empty());
}

TEST(Refinement, WrongPlans) {
  const auto refused = [](std::vector<int> levels, int reference) {
    const RefinementPlan plan{"solid.mesh.level", std::move(levels), reference, 0.4};
    return refusal<InvalidArgument>([&] { study_refinement(plan, slab); });
  };
  expect_words(refused({0}, 2), {"two levels", "reference"});
  expect_words(refused({0, 1}, 1), {"two levels", "reference"});
}

TEST(ShapeDifference, OfTheSameRunIsNothing) {
  EXPECT_LT(shape_difference(slab({}), slab({})), 1e-14);  // places are sums of shape functions
}

TEST(ShapeDifference, OfMethodsIsSmallAndOfTwoTimesIsNot) {
  const double methods = shape_difference(slab({}), slab({"run.method=newmark"}));
  EXPECT_GT(methods, 0.0);
  EXPECT_LT(methods, 1e-5);
  // slabs in free fall, but for the clamp: nearly g t²/2 apart
  const double heavier = shape_difference(slab({}), slab({"solid.body_force.y=-19.62"}));
  EXPECT_NEAR(heavier, 9.81 * 0.02 * 0.02 / 2, 0.3 * 9.81 * 0.02 * 0.02 / 2);
}

/// A scenario with one expectation.
Scenario expecting(const std::string& expectation) {
  return parse_scenario(R"([solid]
mesh = { generate = "block", size = [1, 1], elements = [1, 1] }
material = { model = "neo_hookean", lambda = 1, mu = 1, density = 1 }
[run]
method = "avi"
until = 1
[[reproduce.expect]]
value = 1
tolerance = 1
)" + expectation,
                        "test.toml");
}

TEST(ShapeDifference, NeedsAnotherRunAndOnlyItTakesOne) {
  const Scenario s = expecting(
      "what = \"shape.difference\"\nagainst = { run = { method = \"newmark\", until = 2 } }\n");
  EXPECT_EQ(s.reproduce.expect.front().against.size(), 2U);
  expect_words(refusal<ScenarioError>([] { expecting("what = \"shape.difference\"\n"); }),
               {"test.toml:7", "reproduce.expect[1].against", "needed"});
  expect_words(refusal<ScenarioError>(
                   [] { expecting("what = \"t_end\"\nagainst = { run = { until = 2 } }\n"); }),
               {"reproduce.expect[1].against", "shape.difference", "only there"});
  expect_words(refusal<ScenarioError>(
                   [] { expecting("what = \"shape.difference\"\nagainst = { muu = 2 }\n"); }),
               {"reproduce.expect[1].against", "muu"});
}

}  // namespace
}  // namespace varia::io::refinement_test
