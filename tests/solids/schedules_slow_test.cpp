// SPDX-License-Identifier: BSD-3-Clause
// Solids under all schedules: the same bits from every order of updates and number of threads on
// 20,000 Tet10 elements with steps spread over a factor of 50; momenta after ten million updates;
// equal steps against explicit Newmark; the block of [LMOW03] against prediction and Newmark.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "varia/solids/generate.hpp"
#include "varia/solids/quality.hpp"
#include "varia/solids/solid.hpp"
#include "varia/terms/energy.hpp"
#include "varia/terms/momentum.hpp"
#include "varia/terms/newmark.hpp"
#include "varia/terms/schedule.hpp"

namespace varia::schedules_slow_test {
namespace {

using namespace solids;

/// A body of one neo-Hookean material, stretched a little in X and turning in the plane.
template <int D> Solid<D> body(Mesh mesh, double stretch = 1.02, double spin = 0.0) {
  Problem problem;
  Region region{"all", {}, {"neo_hookean", {{"lambda", 93e9}, {"mu", 10e9}}, 7800}};
  for (int k = 0; k < mesh.element_count(); ++k) region.elements.push_back(k);
  problem.regions.push_back(region);
  problem.mesh = std::move(mesh);
  problem.position[0] = {[stretch](const double* X, double) { return stretch * X[0]; }, {}};
  problem.velocity[0] = {[spin](const double* X, double) { return -spin * X[1]; }, {}};
  problem.velocity[1] = {[spin](const double* X, double) { return spin * X[0]; }, {}};
  return build<D>(problem);
}

/// The time in which about that many updates happen.
template <int D> double duration(const Solid<D>& solid, double updates) {
  double rate = 0.0;
  for (const double step : solid.steps) rate += 1.0 / step;
  return updates / rate;
}

template <int D> long updates(const terms::State<D>& state) {
  long sum = 0;
  for (const auto& clock : state.clocks) sum += clock.count;
  return sum;
}

TEST(Schedules, SameBitsOnTwentyThousandTet10) {
  const auto solid = body<3>(block({1, 1, 1}, {15, 15, 15}, 24, 2, 0.3));
  EXPECT_GT(solid.mesh.element_count(), 20000);
  const Distribution steps = distribution(solid.steps);
  EXPECT_GT(steps.largest / steps.smallest, 50);
  const double until = duration(solid, 1e5);
  terms::State<3> reference = start(solid);
  terms::queue(solid.system, reference)->advance(until);
  for (const int threads : {1, 2, 4}) {
    terms::State<3> state = start(solid);
    terms::ScheduleOptions<3> options;
    options.threads = threads;
    const auto schedule = terms::node_clocks(solid.system, state, options);
    schedule->advance(until / 3);
    schedule->advance(until);
    EXPECT_EQ(updates(state), updates(reference));
    EXPECT_EQ(std::memcmp(state.nodes.data(), reference.nodes.data(),
                          sizeof(terms::Node<3>) * state.nodes.size()),
              0)
        << threads << " threads";
  }
}

TEST(Schedules, MomentaAfterTenMillionUpdates) {
  const auto solid = body<2>(block({1, 1}, {12, 12}, 3, 1, 0.3), 1.05, 300.0);
  for (const int threads : {1, 2}) {
    terms::State<2> state = start(solid);
    const auto before = terms::momentum(solid.system, state);
    terms::ScheduleOptions<2> options;
    options.threads = threads;
    terms::node_clocks(solid.system, state, options)->advance(duration(solid, 1.01e7));
    EXPECT_GT(updates(state), 10'000'000);
    const auto after = terms::momentum(solid.system, state);
    for (int c = 0; c < 2; ++c)
      EXPECT_LT(std::abs(after.linear[c] - before.linear[c]), 1e-12 * before.linear_scale);
    EXPECT_LT(std::abs(after.angular[2] - before.angular[2]), 1e-12 * before.angular_scale);
  }
}

TEST(Schedules, EqualStepsAreExplicitNewmark) {
  auto solid = body<3>(block({1, 1, 1}, {3, 3, 3}, 2, 2, 0.2), 1.03, 100.0);
  const double step = 0.5 * distribution(solid.steps).smallest;
  std::fill(solid.steps.begin(), solid.steps.end(), step);
  terms::State<3> state = start(solid);
  terms::node_clocks(solid.system, state)->advance(300.5 * step);
  terms::Newmark<3> newmark(solid.system, solid.x0, solid.v0, step);
  newmark.advance(300);
  const double t = 300 * step;
  double largest = 0.0, size = 0.0;
  for (std::size_t a = 0; a < state.nodes.size(); ++a)
    for (int c = 0; c < 3; ++c) {
      EXPECT_EQ(state.nodes[a].t, t);
      const double x = newmark.state().x[a * 3 + c];
      largest = std::max(largest, std::abs(state.nodes[a].x[c] - x));
      size = std::max(size, std::abs(x));
    }
  EXPECT_LT(largest, 1e-13 * size);
  EXPECT_GT(size, 1.0);
}

TEST(Schedules, BlockUpdatesAsPredictedAndMovesAsNewmark) {
  Mesh mesh = block({1, 1}, {19, 10}, 4, 2, 0.3);
  Problem problem;
  Region region{"all", {}, {"neo_hookean", {{"lambda", 93e9}, {"mu", 10e9}}, 7800}};
  for (int k = 0; k < mesh.element_count(); ++k) region.elements.push_back(k);
  problem.regions.push_back(region);
  problem.position[0] = {[](const double* X, double) { return 1.2 * X[0]; }, {}};
  Fix fix;
  fix.nodes = boundary(mesh, "left").nodes;
  fix.position[0] = constant(0.0);
  fix.position[1] = {[](const double* X, double) { return X[1]; }, {}};
  problem.fixes.push_back(fix);
  problem.mesh = std::move(mesh);
  const auto solid = build<2>(problem);
  ASSERT_EQ(solid.mesh.element_count(), 380);

  const double until = 1e-3;
  terms::State<2> state = start(solid);
  terms::node_clocks(solid.system, state)->advance(until);
  const double smallest = distribution(solid.steps).smallest;
  const auto steps = static_cast<std::int64_t>(std::ceil(until / smallest));
  const double ratio = static_cast<double>(steps) * 380 / static_cast<double>(updates(state));
  EXPECT_NEAR(ratio / speed_up(solid.steps), 1.0, 0.01);

  terms::Newmark<2> newmark(solid.system, solid.x0, solid.v0, until / static_cast<double>(steps),
                            solid.supports);
  newmark.advance(steps);
  const auto at = terms::synchronise(solid.system, state, until);
  double largest = 0.0;
  for (std::size_t i = 0; i < at.x.size(); ++i)
    largest = std::max(largest, std::abs(at.x[i] - newmark.state().x[i]));
  EXPECT_LT(largest, 0.01);
  EXPECT_GT(largest, 0.0);
}

}  // namespace
}  // namespace varia::schedules_slow_test
