// SPDX-License-Identifier: BSD-3-Clause
// Runs of solids: looking changes nothing, restarts go on to the bit, laws are told from violations.
#include "varia/io/solid_runner.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "adversity.hpp"
#include "refusal.hpp"
#include "solid_bodies.hpp"
#include "varia/io/checkpoint.hpp"

namespace varia::io::solid_runner_test {
namespace {

/// What the further motion depends on.
std::vector<std::uint64_t> state_in(const std::string& path) {
  std::vector<std::uint64_t> all;
  for (const auto& [name, values] : read_checkpoint(path).arrays)
    if (name != "seconds" && name != "spacing" && name != "figures" && name != "frame_times" &&
        name != "momentum_figures")
      for (const double x : values) all.push_back(std::bit_cast<std::uint64_t>(x));
  return all;
}

class Methods : public testing::TestWithParam<std::tuple<bool, int>> {
 protected:
  SolidModel model(SolidModel m) const {
    m.run.newmark = std::get<0>(GetParam());
    return m;
  }
  int dimension() const { return std::get<1>(GetParam()); }
};

TEST_P(Methods, LookingChangesNothing) {
  const Folder a, b;
  SolidModel m = model(spinning(dimension()));
  run_in(m, a.path());
  m.run.records = 7;
  m.run.frames = 2;
  run_in(m, b.path());
  EXPECT_EQ(state_in(a / "checkpoint.h5"), state_in(b / "checkpoint.h5"));
}

TEST_P(Methods, ContinuesToTheBit) {
  SolidModel free = model(spinning(dimension())), held = model(hanging(dimension()));
  shake(held);
  free.run.until = 16.0;  // more than a turn
  for (SolidModel m : {free, held}) {
    m.scenario.output.formats = {"csv", "h5", "vtu"};
    const Folder whole, parts, third;
    const Summary one = run_in(m, whole.path());
    ASSERT_EQ(one.status, "done") << one.message;
    EXPECT_EQ(run_in(m, parts.path(), "", 3).status, "interrupted");
    EXPECT_EQ(run_in(m, parts.path(), parts / "checkpoint.h5", 45).status, "interrupted");
    const Summary two = run_in(m, third.path(), parts / "checkpoint.h5");
    EXPECT_EQ(two.status, "done");
    EXPECT_EQ(state_in(whole / "checkpoint.h5"), state_in(third / "checkpoint.h5"));
    EXPECT_EQ(content_of(whole / "trajectory.csv"), content_of(third / "trajectory.csv"));
    EXPECT_EQ(content_of(whole / "solid.pvd"), content_of(third / "solid.pvd"));
    EXPECT_EQ(content_of(whole / "solid_0004.vtu"), content_of(third / "solid_0004.vtu"));
    EXPECT_EQ(one.energy.drift_per_time, two.energy.drift_per_time);
    EXPECT_EQ(one.updates->total, two.updates->total);
    EXPECT_EQ(one.warnings, two.warnings);
  }
}

TEST_P(Methods, FreeBodiesKeepTheirMomenta) {
  const Summary s = run_in(model(spinning(dimension())), "");
  EXPECT_EQ(s.status, "done");
  EXPECT_LT(s.momentum->max_change, 1e-13);
  EXPECT_EQ(status_of(s, "linear momentum"), "good");
  EXPECT_EQ(status_of(s, "angular momentum"), "good");
  EXPECT_EQ(status_of(s, "momentum balance"), "none");
  EXPECT_EQ(s.final.q.front().first, "centre_x");
  EXPECT_NEAR(s.final.q.front().second, 0.5 + 0.3 * s.t_end, 1e-10);
}

TEST_P(Methods, MomentumComesFromSupportsAndLoads) {
  SolidModel m = model(hanging(dimension()));
  const Summary s = run_in(m, "");
  EXPECT_EQ(status_of(s, "momentum balance"), "good");
  EXPECT_EQ(status_of(s, "angular momentum"), "none");
  EXPECT_EQ(status_of(s, "linear momentum"), dimension() == 3 ? "good" : "none") << "along z";
  EXPECT_GT(s.momentum->max_change, 1e-3) << "momentum does change";
  shake(m);
  const Summary shaken = run_in(m, "");
  EXPECT_EQ(status_of(shaken, "momentum balance"), "good");
  EXPECT_FALSE(shaken.structure.time_independent);
  EXPECT_EQ(status_of(shaken, "energy"), "note");
}

INSTANTIATE_TEST_SUITE_P(Solids, Methods, testing::Combine(testing::Bool(), testing::Values(2, 3)));

TEST(SolidRunner, SchedulesAndThreadsGiveTheSameBits) {
  const Folder a, b, c;
  SolidModel m = spinning(2);
  run_in(m, a.path());
  m.run.queue = true;
  run_in(m, b.path());
  m.run.queue = false;
  m.run.threads = 3;
  run_in(m, c.path());
  EXPECT_EQ(state_in(a / "checkpoint.h5"), state_in(b / "checkpoint.h5"));
  EXPECT_EQ(state_in(a / "checkpoint.h5"), state_in(c / "checkpoint.h5"));
  EXPECT_EQ(content_of(a / "trajectory.csv"), content_of(c / "trajectory.csv"));
}

TEST(SolidRunner, UpdatesAreCounted) {
  const Summary s = run_in(spinning(2), "");
  EXPECT_GT(s.updates->max, 3 * s.updates->min) << "the mesh is graded";
  EXPECT_EQ(s.steps, s.updates->max);
  EXPECT_EQ(s.updates->max, static_cast<long>(s.t_end / s.step * (1 + 1e-12)));
  EXPECT_EQ(s.updates->newmark_equivalent, s.updates->max * s.mesh->elements);
  EXPECT_GT(s.updates->ratio, 1.5);
  EXPECT_EQ(observed(s, "updates"), static_cast<double>(s.updates->total));
  SolidModel m = spinning(2);
  m.run.newmark = true;
  const Summary n = run_in(m, "");
  EXPECT_EQ(n.updates->ratio, 1.0);
  EXPECT_EQ(n.t_end, 4.0);
  EXPECT_LE(n.step, s.step) << "a whole number of steps leads to the end";
}

TEST(SolidRunner, SpinHasAPeriod) {
  SolidModel m = spinning(2);
  for (const double spin : {0.5, -0.5}) {
    m.problem.velocity[0].value = [spin](const double* X, double) { return -spin * (X[1] - 0.5); };
    m.problem.velocity[1].value = [spin](const double* X, double) { return spin * (X[0] - 0.5); };
    m.run.until = 30.0;
    const double period = 2 * std::acos(-1.0) / 0.5;
    EXPECT_NEAR(observed(run_in(m, ""), "rotation_period"), period, 0.08 * period);
  }
  m.run.until = 2.0;  // less than half a turn
  const Summary s = run_in(m, "");
  for (const auto& [name, o] : s.observe) EXPECT_NE(name, "rotation_period");
}

TEST(SolidRunner, NewmarkTakesTheStepItIsGiven) {
  SolidModel m = spinning(2);
  m.run.newmark = true;
  m.run.step = 0.015;
  m.run.until = 1.0;
  const Summary s = run_in(m, "");
  EXPECT_EQ(s.steps, 67);
  EXPECT_EQ(s.t_end, 67 * 0.015);
  ASSERT_FALSE(s.warnings.empty());
  expect_has(s.warnings.back(), "whole number of steps");
  m.run.steps = 10;
  const Summary ten = run_in(m, "");
  EXPECT_EQ(ten.steps, 10);
  EXPECT_EQ(ten.records, 11) << "fewer steps than records";
}

/// How many elements have a step beyond their stable one, each with its own step or all with one.
TEST(SolidRunner, ElementsWithTooLargeAStepAreCounted) {
  const auto counted = [](const SolidModel& m) {
    for (const std::string& warning : run_in(m, "").warnings)
      if (warning.find("above the stable one") != std::string::npos)
        return warning.substr(0, warning.find(" elements"));
    return std::string("0 of 18");
  };
  for (const double courant : {0.5, 3.0}) {
    SolidModel m = spinning(2, courant);
    m.run.until = 1e-3;
    EXPECT_EQ(counted(m), courant < 1 ? "0 of 18" : "18 of 18");
    std::vector<double> stable = solids::build<2>(m.problem).stable;
    std::sort(stable.begin(), stable.end());
    m.run.newmark = true;
    m.run.step = std::nextafter(stable[6], 2 * stable[6]);
    const auto beyond =
        std::count_if(stable.begin(), stable.end(), [&](double step) { return step < m.run.step; });
    EXPECT_LT(beyond, 18) << "the mesh is graded";
    EXPECT_EQ(counted(m), std::to_string(beyond) + " of 18");
  }
}

TEST(SolidRunner, WritesTheSnapshotsAskedFor) {
  const Folder folder;
  SolidModel m = spinning(2);
  m.scenario.output.formats = {"vtu"};
  put_content(folder / "solid_0009.vtu", "of an earlier run");
  put_content(folder / "solid_notes.vtu", "of the user");
  for (const int frames : {5, 1, 0}) {
    m.run.frames = frames;
    run_in(m, folder.path());
    int found = 0;
    for (const auto& entry : fs::directory_iterator(folder.path()))
      found += entry.path().extension() == ".vtu" ? 1 : 0;
    EXPECT_EQ(found, frames + 1) << "and that of the user";
  }
  m.run.frames = 1;
  run_in(m, folder.path());
  expect_words(content_of(folder / "solid.pvd"), {"timestep=\"4\""});
}

TEST(SolidRunner, ProbesFollowTheirNode) {
  SolidModel m = spinning(2);
  const int node = static_cast<int>(m.problem.mesh.node_count()) - 1;
  const double x0 = m.problem.mesh.node(node)[0];
  m.problem.velocity[0] = solids::constant(0.25);
  m.problem.velocity[1] = solids::constant(0.0);
  m.probes = {{"px", node, Probe::Kind::position, 0},
              {"ux", node, Probe::Kind::displacement, 0},
              {"vx", node, Probe::Kind::velocity, 0},
              {"uy", node, Probe::Kind::displacement, 1}};
  const Summary s = run_in(m, "");
  EXPECT_NEAR(observed(s, "px"), x0 + 1.0, 1e-9);
  EXPECT_NEAR(observed(s, "ux"), 1.0, 1e-9);
  EXPECT_NEAR(observed(s, "vx"), 0.25, 1e-9);
  EXPECT_NEAR(observed(s, "uy"), 0.0, 1e-9);
}

TEST(SolidRunner, AnElementTurnedInsideOutEndsTheRun) {
  const Folder folder;
  SolidModel m = spinning(2, 40.0);
  m.problem.velocity[0].value = [](const double* X, double) { return std::sin(20 * X[1]); };
  const Summary s = run_in(m, folder.path());
  EXPECT_EQ(s.status, "failed");
  expect_words(s.message, {"element", "t = ", "smaller courant"});
  EXPECT_EQ(status_of(s, "run"), "bad");
  EXPECT_FALSE(s.warnings.empty()) << "steps beyond the stable ones";
  EXPECT_LT(s.t_end, 4.0);
  EXPECT_TRUE(fs::exists(folder / "trajectory.csv"));
  EXPECT_FALSE(fs::exists(folder / "trajectory.partial"));
  EXPECT_NO_THROW(read_checkpoint(folder / "checkpoint.h5"));
  expect_has(content_of(folder / "summary.json"), "\"failed\"");
}

TEST(SolidRunner, AnUnstableRunIsNotCalledGood) {
  SolidModel m = spinning(2, 3.0);
  m.problem.regions.front().material.model = "linear_elastic";
  m.run.until = 60.0;
  const Summary s = run_in(m, "");
  if (s.status == "done") {
    EXPECT_EQ(status_of(s, "energy"), "bad");
  } else {
    expect_has(s.message, "courant");
  }
}

TEST(SolidRunner, RefusesCheckpointsOfOthers) {
  const Folder folder;
  const SolidModel m = spinning(2);
  run_in(m, folder.path(), "", 2);
  const std::string from = folder / "checkpoint.h5";
  const auto answer = [&](const SolidModel& other) {
    return refusal([&] { run_in(other, folder / "other", from); });
  };
  SolidModel other = m;
  other.run.newmark = true;
  expect_words(answer(other), {"--restart", "another method", "avi", "newmark"});
  expect_words(answer(spinning(2, 0.2)), {"another courant", "0.3", "0.2"});
  expect_words(answer(spinning(3)), {"another solid"});
  other = m;
  other.problem.regions.front().material.parameters.front().second = 3.5;
  expect_words(answer(other), {"another solid"});
  other = m;
  other.problem.body_force[0] = solids::constant(1.0);
  expect_words(answer(other), {"another solid"});
  expect_words(answer(hanging(2)), {"another solid"});
  other = m;
  other.probes = {{"p", 0, Probe::Kind::position, 0}};
  expect_words(answer(other), {"observe"});
  other = m;
  other.run.until = 1e-9;
  expect_words(answer(other), {"later until"});
  other = m;
  other.run.local_energy = LocalEnergy::none;
  expect_words(answer(other), {"local_energy"});
  EXPECT_FALSE(fs::exists(folder / "other"));
}

TEST(SolidRunner, ALaterEndKeepsTheTimesOfTheRecords) {
  const Folder folder, whole;
  SolidModel m = spinning(2);
  m.scenario.output.formats = {"csv", "h5"};
  run_in(m, whole.path());
  m.run.until = 2.0;
  m.run.records = 32;
  run_in(m, folder.path());
  m.run.until = 4.0;
  m.run.records = 999;
  EXPECT_EQ(run_in(m, folder.path(), folder / "checkpoint.h5").records, 65);
  EXPECT_EQ(content_of(folder / "trajectory.csv"), content_of(whole / "trajectory.csv"));
}

TEST(SolidRunner, LocalEnergiesAreWatchedAsAskedFor) {
  SolidModel m = spinning(2, 0.05);
  const Summary sample = run_in(m, "");
  ASSERT_TRUE(sample.energy_residual);
  EXPECT_GT(sample.energy_residual->max_relative, 0.0);
  EXPECT_LT(sample.energy_residual->max_relative, 0.1);
  m.run.local_energy = LocalEnergy::none;
  EXPECT_FALSE(run_in(m, "").energy_residual);
}

}  // namespace
}  // namespace varia::io::solid_runner_test
