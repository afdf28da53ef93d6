// SPDX-License-Identifier: BSD-3-Clause
// What a summary of a solid says: sizes that errors are measured against, steps that balance the
// energy, the order that check declares.
#include <gtest/gtest.h>

#include "adversity.hpp"
#include "refusal.hpp"
#include "solid_bodies.hpp"
#include "varia/io/check.hpp"

namespace varia::io::solid_figures_test {
namespace {

/// Sizes are those of what moves, and the same numbers everywhere.
TEST(SolidFigures, FiguresAreMeasuredAgainstTheBody) {
  SolidModel m = hanging(2);
  const Summary s = run_in(m, "");
  const auto range = [&](const std::string& name) {
    for (const auto& [which, o] : s.observe)
      if (which == name) return o;
    return Summary::Observed{};
  };
  EXPECT_EQ(s.energy.exchanged, std::max(range("kinetic").max, range("potential").range));
  EXPECT_GT(s.energy.round_off, 0.0);
  EXPECT_LT(s.energy.round_off, 1e-14 * s.energy.exchanged + 1e-15);
  for (const Verdict& v : s.verdicts)
    if (v.name == "energy") expect_has(v.text, v.value + " of the exchanged energy");

  const Summary spun = run_in(spinning(2), "");
  for (const auto& [name, momentum] : spun.momenta) {
    EXPECT_GT(momentum.parts, 0.0) << name;
    EXPECT_LE(momentum.max_abs_error / momentum.parts, spun.momentum->max_change) << name;
  }
  // a load that adds a constant to the energy changes no verdict on it
  m.problem.body_force[1] = solids::constant(0.0);
  m.problem.velocity[0].value = [](const double* X, double) { return 0.1 * X[1]; };
  const Summary light = run_in(m, "");
  for (double& x : m.problem.mesh.X) x += 100.0;
  m.problem.fixes.front().position[1] = solids::constant(100.0);
  m.problem.velocity[0].value = [](const double* X, double) { return 0.1 * (X[1] - 100.0); };
  const Summary moved = run_in(m, "");
  EXPECT_NEAR(moved.energy.of_exchanged(), light.energy.of_exchanged(),
              1e-6 * light.energy.of_exchanged());
}

TEST(SolidFigures, CheckDeclaresTheOrder) {
  SolidModel m = spinning(2, 0.2);
  m.problem.velocity[0].value = [](const double* X, double) { return 0.2 * X[0] - 0.5 * X[1]; };
  m.run.until = 0.1;
  const CheckReport fixed = check_solid(m);
  EXPECT_EQ(fixed.order.declared, 2);
  EXPECT_NEAR(fixed.order.measured, 2.0, 0.3);
  m.run.energy_stationary = true;
  const CheckReport stationary = check_solid(m);
  EXPECT_EQ(stationary.order.declared, 1);
  EXPECT_NEAR(stationary.order.measured, 1.0, 0.4);
  EXPECT_TRUE(stationary.failures.empty());
}

/// Four million updates for the order, all runs together, however long the scenario runs.
TEST(SolidFigures, CheckTakesABoundedTime) {
  SolidModel m = spinning(2, 0.2);
  m.run.until = 1e6;
  const CheckReport report = check_solid(m);
  ASSERT_EQ(report.order.steps.size(), 4U);
  long updates = 64 * report.order.steps[0];  // the reference: a 64th of the step
  for (const long steps : report.order.steps) updates += steps;
  EXPECT_LE(updates, 4'000'000);
  EXPECT_GT(updates, 3'500'000);
}

TEST(SolidFigures, StationarySteps) {
  SolidModel m = spinning(2, 0.1);
  m.run.until = 1.0;
  const Summary fixed = run_in(m, "");
  m.run.energy_stationary = true;
  const Folder folder;
  const Summary s = run_in(m, folder.path());
  EXPECT_EQ(s.status, "done") << s.message;
  EXPECT_LT(s.momentum->max_change, 1e-13);
  EXPECT_NE(s.updates->total, fixed.updates->total) << "steps change";
  EXPECT_EQ(s.order, 1);
  EXPECT_EQ(fixed.order, 2);
  EXPECT_FALSE(fixed.energy_stationary);
  ASSERT_TRUE(s.energy_stationary);
  const auto& steps = *s.energy_stationary;
  EXPECT_EQ(steps.first, s.mesh->elements);
  EXPECT_EQ(steps.first + steps.solved + steps.failed, s.updates->total) << "every update counts";
  EXPECT_GT(steps.failed, 0);
  EXPECT_GT(steps.solved, steps.failed);
  EXPECT_LT(steps.smallest_step, steps.largest_step);
  EXPECT_EQ(status_of(s, "energy steps"), "note");
  EXPECT_EQ(status_of(fixed, "energy steps"), "none");
  const double e = observed(s, "discrete_energy");
  EXPECT_NEAR(e, s.energy.initial, 0.05 * s.energy.exchanged);
  EXPECT_NE(e, s.energy.final) << "every element at its own time";
  expect_words(refusal([&] { run_in(m, folder.path(), folder / "checkpoint.h5"); }),
               {"energy_stationary", "cannot be continued"});
}

}  // namespace
}  // namespace varia::io::solid_figures_test
