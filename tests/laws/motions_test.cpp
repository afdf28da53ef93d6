// SPDX-License-Identifier: BSD-3-Clause
// Systems on SE(2) and SE(3) given as text: published and closed-form numbers, the same systems in
// coordinates and as types, and the laws.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "problems.hpp"
#include "varia/flow/stage_flow.hpp"
#include "varia/space/se2.hpp"
#include "varia/space/se3.hpp"
#include "varia/varia.hpp"
#include "varia/verify/check_points.hpp"

namespace varia::motions_test {
namespace {

using namespace problems;
using V3 = Vector<double, 3>;
using V6 = Vector<double, 6>;

template <class Q> Vn entries(const Q& q) {
  Vn x(Space<Q>::entries);
  Space<Q>::write(q, x.data());
  return x;
}

/// A body in an ideal fluid, J = diag(1, 1.4, 1.9), M = diag(2, 2.6, 3.1); reference values by a
/// Runge-Kutta method of order 8 at two tolerances.
TEST(Motions, KirchhoffBodyAgreesWithReferenceValues) {
  const auto body = system_of({{{"g", "SE3"}},
                               "(g_w1^2 + 1.4*g_w2^2 + 1.9*g_w3^2)/2 + "
                               "(2*g_v1^2 + 2.6*g_v2^2 + 3.1*g_v3^2)/2"});
  for (const Retraction tau : {Retraction::exponential, Retraction::cayley}) {
    const StageFlow flow(gauss(4), body, {.retraction = tau});
    const VectorState start =
        initial(flow.system(), entries(SE3<double>()), vector({.5, -.3, .8, .7, .2, -.4}));
    const VectorState end = advance(flow, start, 0.02, 300);
    const Vn v = velocity(TypedView(flow.shared_system()), end.q, end.p, end.t);
    EXPECT_LE((end.q.tail(3) - V3(3.70851010420281, 1.07021227069421, -2.80404444291395)).norm(),
              2e-13);
    EXPECT_LE((v.head(3) - V3(-0.17564977370745, 0.66548845730199, 0.66978186766922)).norm(),
              1e-13);
    EXPECT_NEAR(end.q[0], 0.63545749094024, 1e-13);
    EXPECT_NEAR(end.q[4], 0.05598550547107, 1e-13);
    EXPECT_NEAR(end.q[8], 0.27920658981745, 1e-13);
    // impulse and its moment in space, and the two Casimir functions
    EXPECT_NEAR(end.p.tail(3).squaredNorm(), 3.768, 1e-13);
    EXPECT_NEAR(end.p.head(3).dot(end.p.tail(3)), -1.4032, 1e-13);
    const SE3<double> g = Space<SE3<double>>::read(end.q.data());
    EXPECT_LE((g.rotation * end.p.tail<3>() - start.p.tail(3)).norm(), 1e-13);
    const V3 moment = g.rotation * end.p.head<3>() + g.position.cross(g.rotation * end.p.tail<3>());
    EXPECT_LE((moment - start.p.head(3)).norm(), 1e-13);
  }
}

/// The heavy top of Bruels and Cardona: a body on SE(3) held at a point, x = R X with X = (0, 1, 0).
TEST(Motions, HeldTopAgreesWithReferenceValues) {
  const auto top = system_of(
      {{{"g", "SE3"}},
       "(0.234375*g_w1^2 + 0.46875*g_w2^2 + 0.234375*g_w3^2)/2 + 15*(g_v1^2 + g_v2^2 + g_v3^2)/2 "
       "- 15*9.81*g_z",
       {},
       {"g_x - g12", "g_y - g22", "g_z - g32"}});
  const TypedView view(top);
  const V3 w(0.0, 150.0, -4.61538);
  const SE3<double> start{{}, V3(0.0, 1.0, 0.0)};
  Vn v(6);
  v << w, w.cross(V3(0.0, 1.0, 0.0));
  const StageFlow flow(lobatto(4), top);
  const VectorState end = advance(flow, initial(view, entries(start), v), 1e-3, 1000);
  EXPECT_LE((end.q.tail(3) - V3(0.173343964098387, 0.640088592070567, -0.748490791133583)).norm(),
            1e-9);
  EXPECT_LE(constraint_defect(view, end).position, 1e-14);
  EXPECT_LE(constraint_defect(view, end).velocity, 1e-11);
}

/// A body in the plane in a potential, in coordinates and on the group: the same motion.
TEST(Motions, PlaneBodyMovesAsInCoordinates) {
  const std::string potential = "0.5*(g_x^2 + 0.4*g_y^2) + 0.7*cos(g_theta - 0.3*g_x) + 0.2*g_y";
  const auto group =
      system_of({{{"g", "SE2"}}, "(1.3*g_v1^2 + 1.3*g_v2^2 + 0.6*g_w^2)/2 - (" + potential + ")"});
  const auto by_text =
      system_of({{"g_x", "g_y", "g_theta"},
                 "(1.3*g_x_dot^2 + 1.3*g_y_dot^2 + 0.6*g_theta_dot^2)/2 - (" + potential + ")"});
  const V3 q(0.4, -0.3, 0.9);
  const V3 rate(0.5, 0.2, -0.7);
  const double c = std::cos(q[2]);
  const double s = std::sin(q[2]);
  const Vn body = vector({c * rate[0] + s * rate[1], c * rate[1] - s * rate[0], rate[2]});
  const StageFlow reference(gauss(6), by_text);
  const Vn expected = advance(reference, initial(reference.system(), Vn(q), Vn(rate)), 0.05, 100).q;
  for (const Retraction tau : {Retraction::exponential, Retraction::cayley}) {
    const StageFlow flow(gauss(6), group, {.retraction = tau});
    const VectorState end = advance(flow, initial(flow.system(), Vn(q), body), 0.05, 100);
    EXPECT_LE((end.q - expected).norm(), 2e-12);
  }
}

void expect_laws(const std::shared_ptr<KernelSystem>& system, const Vn& q, const Vn& v) {
  for (const Retraction tau : {Retraction::exponential, Retraction::cayley}) {
    const StageFlow flow(gauss(2), system, {.retraction = tau});
    const VectorState start = initial(flow.system(), q, v);
    EXPECT_NEAR(check_order(flow, start, 2.0).measured, 4.0, 0.1);
    EXPECT_NEAR(check_order(flow.with_method(lobatto(3)), start, 2.0).measured, 4.0, 0.1);
    EXPECT_NEAR(check_order(flow.with_method(trapezoid(0.3)), start, 1.0).measured, 1.0, 0.1);
    EXPECT_LT(check_symplectic(flow, start, 0.1).defect, 1e-13);
    EXPECT_TRUE(check_action(flow, start, 0.1).passes());
    EXPECT_TRUE(check_action(flow.with_method(lobatto(4)), start, 0.1).passes());
    // the exact Jacobian: from a good guess three iterations, each doubling the digits
    auto memory = flow.memory(start);
    flow.steps(start, 0.02, 20, memory);
    EXPECT_LE(memory.statistics.iterations, 20 * 4);
  }
  const StageFlow midpoint_flow(midpoint(), system);
  EXPECT_TRUE(check_reversible(midpoint_flow, initial(midpoint_flow.system(), q, v), 0.1, 10)
                  .passes(1e-11));
}

TEST(Motions, PlaneObeysTheLaws) {
  expect_laws(system_of(curved::plane().free()), vector({0.4, -0.3, 0.9}),
              vector({0.5, 0.2, -0.7}));
}

TEST(Motions, SpaceObeysTheLaws) {
  const SE3<double> g{SO3<double>(rotation(V3(0.3, -0.8, 0.5), Retraction::cayley)),
                      V3(0.4, -0.2, 0.3)};
  expect_laws(system_of(curved::space().free()), entries(g),
              vector({0.4, 0.9, -0.6, 0.3, -0.5, 0.2}));
}

/// The template engine on the types gives the same steps.
TEST(Motions, TypesMoveAsTexts) {
  const System typed{curved::space_lagrangian};
  const auto text = system_of(curved::space().free());
  const SE3<double> g{SO3<double>(rotation(V3(0.3, -0.8, 0.5), Retraction::cayley)),
                      V3(0.4, -0.2, 0.3)};
  V6 v;
  v << 0.4, 0.9, -0.6, 0.3, -0.5, 0.2;
  for (const Retraction tau : {Retraction::exponential, Retraction::cayley}) {
    const FlowOptions options{.retraction = tau};
    const StageFlow flow(gauss(2), text, options);
    const auto a = advance(Flow(gauss(2), typed, options), initial(typed, g, v), 0.05, 20);
    const auto b = advance(flow, initial(flow.system(), entries(g), Vn(v)), 0.05, 20);
    EXPECT_LE((b.q - entries(a.q)).norm() + (b.p - a.p).norm(), 1e-13);
  }
}

}  // namespace
}  // namespace varia::motions_test
