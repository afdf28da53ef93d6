// SPDX-License-Identifier: BSD-3-Clause
// Where the solution of a step that belongs to the motion ends, and what is said there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "problems/rolling.hpp"
#include "refusal.hpp"
#include "varia/flow/stage_flow.hpp"
#include "varia/methods/composition.hpp"

namespace varia::near_solution_test {
namespace {

using namespace problems;

/// With the Cayley map the momentum of a step of lobatto(2) as a function of its rotation xi, of a free ball with
/// the inertia 1 and h = 1,
///   p = g (2 xi/(1 + g^2) - g xi^3/(1 + g^2)^2),   g = 1 + xi^2/4,
/// has a maximum: the near solution ends there.
double largest_momentum() {
  double largest = 0.0;
  for (double xi = 1.0; xi < 1.5; xi += 1e-5) {
    const double g = 1.0 + xi * xi / 4.0;
    const double x = 1.0 + g * g;
    largest = std::max(largest, g * (2.0 * xi / x - g * xi * xi * xi / (x * x)));
  }
  return largest;
}

FlowOptions by(Retraction tau) {
  FlowOptions options;
  options.retraction = tau;
  return options;
}

/// Beyond it Newton's method finds a solution that turns the other way.
TEST(NearSolution, AFreeBallTurnsNoFurther) {
  const auto system =
      system_of({{{"R", "SO3"}}, "0.2*(R_w1^2 + R_w2^2 + R_w3^2)"}, Retraction::cayley);
  const StageFlow flow(lobatto(2), system, by(Retraction::cayley));
  const auto start = [&](double w) {
    return start_of(system, vector({0, 0, 0}), vector({w, 0, 0}));
  };
  const double h = 0.4;
  const double last = largest_momentum() / h;
  EXPECT_NEAR(last * h, 0.7538, 1e-4);
  const VectorState end = flow(start(0.9999 * last), h);
  EXPECT_NEAR(std::atan2(end.q[7], end.q[8]), last * h, 0.4);
  for (const double w : {1.0001 * last, 1.89, 1.92, 1.95, 2.0})
    expect_words(refusal<NoConvergence>([&] { flow(start(w), h); }),
                 {"no solution", "singular", "smaller step", "exponential"});
  // where it ends: 0.75383/1.92
  expect_words(refusal<NoConvergence>([&] { flow(start(1.92), h); }), {"end at h = 0.3926"});
}

/// The ball on a turning table, nh_lobatto(2): the rotation of a step depends on the momentum after its first
/// kick alone, p + h/2 times the reaction. Steps are solved as long as that is below the maximum, and
/// no further: it is not the solver that fails.
TEST(NearSolution, ABallOnATableFailsWhereNoRotationHasItsMomentum) {
  const rolling::Rolling p = rolling::turntable();
  const auto system = system_of(p.texts, Retraction::cayley);
  const StageFlow flow(nh_lobatto(2), system, by(Retraction::cayley));
  const auto kicked = [](const VectorState& s, double h) {
    const double kick = 0.5 * h;
    const Vector<double, 3> spin(s.p[0] + kick * s.lambda[1], s.p[1] - kick * s.lambda[0], s.p[2]);
    return h * spin.norm() / 0.4;
  };
  for (const double h : {0.22, 0.25, 0.27, 0.3, 0.35, 0.4}) {
    VectorState s = start_of(system, p.xi, p.v);
    auto memory = flow.memory(s);
    double solved = 0.0;
    std::string message;
    VectorState before;
    while (message.empty() && s.t < 40.0) try {
        before = s;
        flow.move(s, h, 1, memory);
        solved = std::max(solved, kicked(before, h));
      } catch (const NoConvergence& error) {
        message = error.what();
      }
    expect_words(message, {"no solution", "exponential"});
    EXPECT_GT(kicked(before, h), largest_momentum()) << h;
    EXPECT_LT(solved, largest_momentum()) << h;
    EXPECT_GT(solved, 0.8 * largest_momentum()) << h;
  }
  const auto exponential = system_of(p.texts);
  EXPECT_NO_THROW(
      walk(StageFlow(nh_lobatto(2), exponential), start_of(exponential, p.xi, p.v), 0.4, 100));
}

}  // namespace
}  // namespace varia::near_solution_test
