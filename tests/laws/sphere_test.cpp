// SPDX-License-Identifier: BSD-3-Clause
// Motions on the sphere: the reference of a spherical pendulum, orders, what is conserved, the frame that
// is not seen, and the same pendulum on ℝ³ with a constraint.
#include "varia/space/sphere.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "problems.hpp"
#include "varia/flow/stage_flow.hpp"
#include "varia/varia.hpp"
#include "varia/verify/check_points.hpp"

namespace varia::sphere_flow_test {
namespace {

using namespace problems;
using V3 = Vector<double, 3>;

const std::string pendulum_text = "(n1_dot^2 + n2_dot^2 + n3_dot^2)/2 - 9.81*n3";
/// Without symmetry, not quadratic, the velocities coupled to the place.
const std::string crooked_text = curved::sphere().lagrangian;

const V3 start_point(std::sin(2.0), 0.0, std::cos(2.0));
const V3 start_velocity(0.0, 1.4, 0.0);

/// The state with the frame turned about n by an angle.
VectorState start_of(const StageFlow& flow, double angle = 0.0, const V3& n = start_point,
                     const V3& v = start_velocity) {
  const SO3<double> r =
      sphere_frame(n) * SO3<double>(rotation(V3(0.0, 0.0, angle), Retraction::exponential));
  Vn q(9);
  Space<SO3<double>>::write(r, q.data());
  return initial(flow.system(), q, Vn(sphere_lift(r, v)));
}
V3 seen(const VectorState& s) { return {s.q[2], s.q[5], s.q[8]}; }
/// e₃·(n × n_p)
double about_the_vertical(const VectorState& s) {
  const V3 p = sphere_vector(Space<SO3<double>>::read(s.q.data()), V3(s.p));
  return seen(s).cross(p)[2];
}

/// By Runge-Kutta with extrapolation; with eight digits also by a method of order 8.
TEST(Sphere, PendulumAgreesWithReferenceValues) {
  const auto pendulum = system_of({{{"n", "S2"}}, pendulum_text});
  for (const Retraction tau : {Retraction::exponential, Retraction::cayley}) {
    const StageFlow flow(gauss(4), pendulum, {.retraction = tau});
    const VectorState end = advance(flow, start_of(flow), 0.01, 100);
    EXPECT_LE((seen(end) - V3(-0.802109372821628, -0.396762789029167, -0.446318096511322)).norm(),
              1e-12);
  }
}

TEST(Sphere, OrdersAreAsDeclared) {
  for (const std::string& text : {pendulum_text, crooked_text})
    for (const Retraction tau : {Retraction::exponential, Retraction::cayley}) {
      const auto system = system_of({{{"n", "S2"}}, text});
      const auto order = [&](const Method& method) {
        const StageFlow flow(method, system, {.retraction = tau});
        return check_order(flow, start_of(flow), 1.0).measured;
      };
      EXPECT_NEAR(order(gauss(1)), 2.0, 0.1);
      EXPECT_NEAR(order(gauss(2)), 4.0, 0.1);
      EXPECT_NEAR(order(gauss(3)), 6.0, 0.1);
      EXPECT_NEAR(order(lobatto(3)), 4.0, 0.1);
    }
}

TEST(Sphere, ObeysTheLaws) {
  for (const Retraction tau : {Retraction::exponential, Retraction::cayley}) {
    const StageFlow flow(gauss(2), system_of({{{"n", "S2"}}, crooked_text}), {.retraction = tau});
    EXPECT_LT(check_symplectic(flow, start_of(flow), 0.1).defect, 1e-13);
    EXPECT_TRUE(check_action(flow, start_of(flow), 0.1).passes());
  }
  const StageFlow flow(midpoint(), system_of({{{"n", "S2"}}, crooked_text}));
  EXPECT_TRUE(check_reversible(flow, start_of(flow), 0.05, 10).passes(1e-11));
}

TEST(Sphere, LongRunsStayOnItAndHorizontal) {
  const auto pendulum = system_of({{{"n", "S2"}}, pendulum_text});
  for (const Method& method : {gauss(2), lobatto(3)})
    for (const Retraction tau : {Retraction::exponential, Retraction::cayley}) {
      const StageFlow flow(method, pendulum, {.retraction = tau});
      VectorState s = start_of(flow);
      const double momentum = about_the_vertical(s);
      auto memory = flow.memory(s);
      for (int k = 0; k < 100; ++k) {
        s = flow.steps(s, 0.02, 100, memory);
        EXPECT_NEAR(seen(s).norm(), 1.0, 4e-16);
        EXPECT_LE(std::abs(s.p[2]), 1e-14);
        EXPECT_NEAR(about_the_vertical(s), momentum, 1e-12);
      }
    }
}

/// Frames that are turned about n are one motion on the sphere.
TEST(Sphere, FramesAreNotSeen) {
  for (const std::string& text : {pendulum_text, crooked_text})
    for (const Retraction tau : {Retraction::exponential, Retraction::cayley}) {
      const StageFlow flow(gauss(2), system_of({{{"n", "S2"}}, text}), {.retraction = tau});
      const VectorState a = advance(flow, start_of(flow), 0.05, 40);
      const VectorState b = advance(flow, start_of(flow, 1.1), 0.05, 40);
      EXPECT_LE((seen(a) - seen(b)).norm(), 2e-13);
      EXPECT_GE((a.q - b.q).norm(), 0.5);
    }
}

TEST(Sphere, PendulumMovesAsWithAConstraint) {
  const StageFlow sphere(lobatto(3), system_of({{{"n", "S2"}}, pendulum_text}));
  const StageFlow space(lobatto(3), system_of({{"x", "y", "z"},
                                               "(x_dot^2 + y_dot^2 + z_dot^2)/2 - 9.81*z",
                                               {},
                                               {"x^2 + y^2 + z^2 - 1"}}));
  const VectorState a = advance(sphere, start_of(sphere), 0.002, 500);
  const VectorState b =
      advance(space, initial(space.system(), Vn(start_point), Vn(start_velocity)), 0.002, 500);
  EXPECT_LE((seen(a) - V3(b.q)).norm(), 1e-9);
}

/// The same pendulum as a callable.
TEST(Sphere, CallablesMoveAsTexts) {
  const System pendulum{
      on_sphere([](const auto& n, const auto& v) { return v.dot(v) * 0.5 - n[2] * 9.81; })};
  const SO3<double> r = sphere_frame(start_point);
  const auto a = advance(Flow(gauss(2), pendulum),
                         initial(pendulum, r, V3(sphere_lift(r, start_velocity))), 0.05, 20);
  const StageFlow flow(gauss(2), system_of({{{"n", "S2"}}, pendulum_text}));
  const VectorState b = advance(flow, start_of(flow), 0.05, 20);
  EXPECT_LE((sphere_point(a.q) - seen(b)).norm() + (a.p - V3(b.p)).norm(), 2e-14);
}

}  // namespace
}  // namespace varia::sphere_flow_test
