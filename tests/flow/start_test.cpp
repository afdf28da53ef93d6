// SPDX-License-Identifier: BSD-3-Clause
// Starts: what initial() accepts, what it refuses and what it says; project() onto constraints.
#include "varia/flow/start.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "refusal.hpp"
#include "varia/space/euclidean.hpp"
#include "varia/space/so3.hpp"

namespace varia::start_test {
namespace {

using V2 = Vector<double, 2>;
using V3 = Vector<double, 3>;
const double nan = std::nan("");
const double inf = std::numeric_limits<double>::infinity();

constexpr auto bowl = [](const auto& q) { return 0.5 * q.squaredNorm(); };
constexpr auto sphere = [](const auto& q) { return q.squaredNorm() - 1.0; };
auto oscillator() { return System{Separable{2.0, bowl}}; }
auto pendulum() { return System{Separable{2.0, bowl}, Holonomic{sphere}}; }

TEST(Initial, IsTheMomentumOfTheVelocity) {
  const auto s = initial(oscillator(), V2(1.0, 2.0), V2(0.5, -1.0), 3.0);
  EXPECT_EQ(s.t, 3.0);
  EXPECT_EQ(s.q, V2(1.0, 2.0));
  EXPECT_EQ(s.p, V2(1.0, -2.0));
  EXPECT_EQ(s.t_rest, 0.0);
  EXPECT_TRUE(s.q_rest.isZero(0.0) && s.p_rest.isZero(0.0));
  EXPECT_NEAR(energy(oscillator(), s), 0.5 * 2.0 * 1.25 + 2.5, 1e-15);
  EXPECT_LE((velocity(oscillator(), s) - V2(0.5, -1.0)).norm(), 1e-16);
  const auto same = initial_momentum(oscillator(), V2(1.0, 2.0), s.p, 3.0);
  EXPECT_LE((same.p - s.p).norm(), 1e-15);
}

TEST(Initial, RefusesAVelocityOfAnotherSize) {
  const std::string text =
      refusal<InvalidArgument>([] { initial(oscillator(), Vn(V3(1, 2, 3)), Vn(V2(1, 2))); });
  expect_has(text, "velocity");
  expect_has(text, "2");
  expect_has(text, "3");
  expect_has(refusal<InvalidArgument>(
                 [] { initial_momentum(oscillator(), Vn(V3(1, 2, 3)), Vn(V2(1, 2))); }),
             "momentum");
}

TEST(Initial, RefusesAMassOfAnotherSize) {
  const System heavy{Separable{Vn(V3(1, 2, 3)), bowl}};
  const std::string text =
      refusal<InvalidArgument>([&] { initial(heavy, Vn(V2(1, 2)), Vn(V2(1, 2))); });
  expect_has(text, "mass has 3 entries");
  expect_has(text, "2");
}

TEST(Initial, RefusesNoCoordinates) {
  expect_has(refusal<InvalidArgument>([] { initial(oscillator(), Vn(0), Vn(0)); }),
             "no coordinates");
}

TEST(Initial, RefusesWhatIsNotFinite) {
  for (const double bad : {nan, inf, -inf}) {
    expect_has(refusal<InvalidArgument>([&] { initial(oscillator(), V2(1, 2), V2(1, bad)); }),
               "finite");
    expect_has(refusal<InvalidArgument>([&] { initial(oscillator(), V2(1, 2), V2(1, 1), bad); }),
               "time");
    expect_has(
        refusal<InvalidArgument>([&] { initial_momentum(oscillator(), V2(1, 2), V2(bad, 1)); }),
        "finite");
  }
}

TEST(Initial, RefusesAConfigurationThatIsNotFinite) {
  for (const double bad : {nan, inf}) {
    expect_has(refusal<InvalidArgument>([&] { initial(oscillator(), V2(1, bad), V2(1, 1)); }),
               "finite");
    const System plain{
        [](const auto& q, const auto& v) { return 0.5 * v.squaredNorm() - bowl(q); }};
    expect_has(refusal<InvalidArgument>([&] { initial(plain, V2(1, bad), V2(1, 1)); }), "finite");
  }
}

TEST(Initial, RefusesASingularMassAndNamesTheDirection) {
  const System flat{[](const auto& q, const auto& v) { return 0.5 * v[0] * v[0] - bowl(q); }};
  expect_has(refusal<SingularMass>([&] { initial(flat, V2(1, 2), V2(1, 1)); }), "(0, 1)");
}

TEST(Initial, RefusesAStartOffTheConstraint) {
  const std::string text =
      refusal<InvalidArgument>([] { initial(pendulum(), V2(0.6, 0.9), V2(0, 0)); });
  expect_has(text, "project");
  expect_has(text, "phi");
}

TEST(Initial, RefusesAVelocityThatLeavesTheConstraint) {
  const std::string text =
      refusal<InvalidArgument>([] { initial(pendulum(), V2(0.6, 0.8), V2(1, 1)); });
  expect_has(text, "project");
  expect_has(text, "velocity");
}

TEST(Initial, OnAConstraintKnowsItsMultiplier) {
  const auto s = initial(pendulum(), V2(0.6, 0.8), V2(-0.8, 0.6));
  // 2 q″ = -q + 2 λ q and q·q″ = -|v|² = -1: λ = (1 - 2)/2
  EXPECT_NEAR(s.lambda[0], -0.5, 1e-15);
}

TEST(Project, LandsOnTheManifoldAndStaysThere) {
  for (const V2& start : {V2(0.6, 0.9), V2(2.0, -1.0), V2(1e-3, 0.4)}) {
    const auto [q, v] = project(pendulum(), start, V2(1.0, 0.7));
    EXPECT_NEAR(q.norm(), 1.0, 1e-14);
    EXPECT_NEAR(q.dot(v), 0.0, 1e-14);
    const auto [q2, v2] = project(pendulum(), q, v);
    EXPECT_LE((q2 - q).norm(), 1e-15);
    EXPECT_LE((v2 - v).norm(), 1e-15);
    EXPECT_NO_THROW(initial(pendulum(), q, v));
  }
}

TEST(Project, RunTimeSizeIsTheSame) {
  const auto fixed = project(pendulum(), V2(0.6, 0.9), V2(1.0, 0.7));
  const auto sized = project(pendulum(), Vn(V2(0.6, 0.9)), Vn(V2(1.0, 0.7)));
  EXPECT_LE((fixed.first - sized.first).norm() + (fixed.second - sized.second).norm(), 1e-15);
}

TEST(Project, WithoutConstraintsChangesNothing) {
  const auto [q, v] = project(oscillator(), V2(0.6, 0.9), V2(1.0, 0.7));
  EXPECT_EQ(q, V2(0.6, 0.9));
  EXPECT_EQ(v, V2(1.0, 0.7));
}

TEST(Project, OnRotations) {
  const System level{Separable{V3(1.0, 2.0, 3.0), [](const auto& r) { return r(2, 0); }},
                     Holonomic{[](const auto& r) { return r(2, 2); }}};
  const SO3<double> r(rotation(V3(1.2, 0.3, -0.4), Retraction::exponential));
  const auto [q, v] = project(level, r, V3(0.3, 0.8, -0.2));
  EXPECT_NEAR(q(2, 2), 0.0, 1e-14);
  EXPECT_NO_THROW(initial(level, q, v));
  const auto [q2, v2] = project(level, q, v);
  EXPECT_LE((q2.matrix - q.matrix).norm() + (v2 - v).norm(), 1e-14);
}

/// The tangent velocity nearest in the kinetic metric: M (v - v₀) is normal, a multiple of G.
TEST(Project, VelocityIsNearestInTheKineticMetric) {
  const System ellipse{Separable{V2(1.0, 5.0), bowl}, Holonomic{[](const auto& q) {
                         return q[0] * q[0] + 4.0 * q[1] * q[1] - 4.0;
                       }}};
  const V2 v0(1.0, 0.7);
  const auto [q, v] = project(ellipse, V2(1.5, 1.2), v0);
  const V2 push = V2(1.0, 5.0).cwiseProduct(v - v0), g(2.0 * q[0], 8.0 * q[1]);
  EXPECT_NEAR(push[0] * g[1] - push[1] * g[0], 0.0, 1e-13);
  EXPECT_NEAR(g.dot(v), 0.0, 1e-13);
}

/// As the header says: the configuration nearest in the kinetic metric, M (q - q₀) normal too.
TEST(Project, RefusesWhereThereIsNoConstraintPoint) {
  const System impossible{Separable{1.0, bowl},
                          Holonomic{[](const auto& q) { return q.squaredNorm() + 1.0; }}};
  EXPECT_THROW(project(impossible, V2(0.6, 0.9), V2(0.0, 0.0)), NoConvergence);
  EXPECT_THROW(project(pendulum(), V2(0.0, 0.0), V2(0.0, 0.0)),
               NoConvergence);  // dφ = 0 at the centre
}

}  // namespace
}  // namespace varia::start_test
