// SPDX-License-Identifier: BSD-3-Clause
// Momenta of symmetric systems on every space and on products, over 10⁵ steps: kept to 1e-12, for
// systems from text and from callables; a Lagrangian that is symmetric but for 1e-3 shows a change.
#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "problems.hpp"
#include "varia/flow/stage_flow.hpp"
#include "varia/space/se2.hpp"
#include "varia/space/sphere.hpp"
#include "varia/varia.hpp"

namespace varia::noether_long_run_test {
namespace {

using namespace problems;
using V3 = Vector<double, 3>;
using Momenta = std::function<Vn(const VectorState&)>;

constexpr long many = 100000;

struct Case {
  std::vector<Coordinate> coordinates;
  std::string lagrangian;
  std::string asymmetry;  ///< in the potential
  Vn xi, v;               ///< the start
  double h;
  Momenta momenta;
};

/// The largest change of a momentum over so many steps.
double drift(const Case& c, const std::string& lagrangian, const Method& method, long steps,
             Retraction tau = default_retraction) {
  const auto system = system_of({c.coordinates, lagrangian});
  const StageFlow flow(method, system, {.retraction = tau});
  const VectorState start = start_of(system, c.xi, c.v);
  const Vn before = c.momenta(start);
  double worst = 0.0;
  advance(flow, start, c.h, steps, [&](const VectorState& s) {
    worst = std::max(worst, (c.momenta(s) - before).cwiseAbs().maxCoeff());
  });
  return worst;
}

void expect_kept(const char* name, const Case& c, const Method& method,
                 Retraction tau = default_retraction, double bound = 1e-12) {
  const double change = drift(c, c.lagrangian, method, many, tau);
  std::printf("%-22s %-12s drift %.1e over %ld steps\n", name, method.name().c_str(), change, many);
  EXPECT_LT(change, bound) << name << " " << method.name();
  EXPECT_GT(drift(c, c.lagrangian + " - 1e-3*(" + c.asymmetry + ")", method, 100, tau), 1e-6)
      << name << " " << method.name();
}

/// Rotations are the first nine entries of a factor, row after row.
Matrix<double, 3> rotation_at(const VectorState& s, int entry) {
  return Space<SO3<double>>::read(s.q.data() + entry).matrix;
}
V3 part(const Vn& x, int first) { return x.segment<3>(first); }

/// Two wheels on one axle, which feel the angle between them.
Case wheels() {
  return {{{"a", "SO2"}, {"b", "SO2"}},
          "(a_dot^2 + 1.5*b_dot^2)/2 + cos(a - b)",
          "cos(a)",
          vector({0.3, -0.9}),
          vector({0.4, 0.7}),
          0.1,
          [](const VectorState& s) { return vector({s.p[0] + s.p[1]}); }};
}

/// The momentum R n in space, and its moment m + x × R n, of a motion of the plane.
V3 of_plane_motion(const double* q, const double* p) {
  const double c = std::cos(q[2]);
  const double s = std::sin(q[2]);
  const double x = c * p[0] - s * p[1];
  const double y = s * p[0] + c * p[1];
  return {x, y, p[2] + q[0] * y - q[1] * x};
}

/// A plate that swings and feels a wall along y.
Case sliding_plate() {
  return {
      {{"g", "SE2"}},
      "(1.3*g_v1^2 + 0.9*g_v2^2 + 0.6*g_w^2)/2 - g_x^2/2 + cos(g_theta - 0.3*g_x)",
      "sin(g_y)",
      vector({0.4, -0.3, 0.9}),
      vector({0.5, 0.2, -0.7}),
      0.1,
      [](const VectorState& s) { return vector({of_plane_motion(s.q.data(), s.p.data())[1]}); }};
}

/// One that is drawn to the origin and turned towards it, and so turns on and on.
Case turning_plate() {
  return {
      {{"g", "SE2"}},
      "(1.3*g_v1^2 + 0.9*g_v2^2 + 0.6*g_w^2)/2 - (g_x^2 + g_y^2)/2 - "
      "0.3*(g_x*cos(g_theta) + g_y*sin(g_theta))",
      "g_x*g_y + cos(g_theta)",
      vector({0.4, -0.3, 0.9}),
      vector({0.5, 0.2, -0.7}),
      0.1,
      [](const VectorState& s) { return vector({of_plane_motion(s.q.data(), s.p.data())[2]}); }};
}

/// A body drawn to the origin and turned towards it: J = R m + x × R n, three momenta.
Case body() {
  return {{{"g", "SE3"}},
          "(g_w1^2 + 1.4*g_w2^2 + 0.6*g_w3^2)/2 + (g_v1^2 + 1.2*g_v2^2 + 0.9*g_v3^2)/2 - "
          "(g_x^2 + g_y^2 + g_z^2)/2 - 0.3*(g13*g_x + g23*g_y + g33*g_z)",
          "g_z*g_x + g33",
          vector({0.3, -0.8, 0.5, 0.4, -0.2, 0.3}),
          vector({0.4, 0.9, -0.6, 0.3, -0.5, 0.2}),
          0.1,
          [](const VectorState& s) -> Vn {
            const auto r = rotation_at(s, 0);
            return r * part(s.p, 0) + part(s.q, 9).cross(r * part(s.p, 3));
          }};
}

/// Two unit vectors that feel the angle between them: J = Σ n × p, which is R m of each.
Case pair_of_vectors() {
  return {{{"n", "S2"}, {"m", "S2"}},
          "(n1_dot^2 + n2_dot^2 + n3_dot^2 + 1.7*(m1_dot^2 + m2_dot^2 + m3_dot^2))/2 + "
          "n1*m1 + n2*m2 + n3*m3",
          "n3 + m1*n2",
          vector({0.3, -0.8, 0.0, -0.5, 0.4, 0.0}),
          vector({0.7, 0.4, 0.0, -0.3, 0.6, 0.0}),
          0.1,
          [](const VectorState& s) -> Vn {
            return rotation_at(s, 0) * part(s.p, 0) + rotation_at(s, 9) * part(s.p, 3);
          }};
}

/// A weight on a spring: a direction and a length. J = (n × p)₃.
Case spring_pendulum() {
  return {
      {{"n", "S2"}, {"r", "R"}},
      "(r^2*(n1_dot^2 + n2_dot^2 + n3_dot^2) + r_dot^2)/2 - 2*(r - 1)^2 - r*n3",
      "n1 + r*n2",
      vector({2.2, -0.8, 0.0, 1.1}),
      vector({0.7, 0.4, 0.0, 0.2}),
      0.05,
      [](const VectorState& s) { return vector({rotation_at(s, 0).row(2).dot(part(s.p, 0))}); }};
}

/// A top that carries a wheel, and a plate that feels both where the top points and a wall.
Case top_with_a_wheel() {
  return {{{"R", "SO3"}, {"a", "SO2"}, {"g", "SE2"}},
          "(R_w1^2 + 1.4*R_w2^2 + 0.6*R_w3^2)/2 + 0.2*(R_w3 + a_dot)^2 - 1.3*(R33 + 0.3*R31) + "
          "(g_v1^2 + g_v2^2 + 0.4*g_w^2)/2 - 0.5*(1 + 0.2*R33)*g_x^2 + cos(g_theta - 0.3*g_x)",
          "cos(a) + R11*g_x + sin(g_y)",
          vector({0.3, -0.8, 0.5, 0.0, 0.4, -0.3, 0.9}),
          vector({0.4, 0.9, 2.0, -0.5, 0.5, 0.2, -0.7}),
          0.05,
          [](const VectorState& s) {
            return vector({rotation_at(s, 0).row(2).dot(part(s.p, 0)), s.p[3],
                           of_plane_motion(s.q.data() + 10, s.p.data() + 4)[1]});
          }};
}

TEST(NoetherLongRun, Angles) {
  expect_kept("two wheels", wheels(), gauss(2));
  expect_kept("two wheels", wheels(), verlet());
}

TEST(NoetherLongRun, MotionsOfThePlane) {
  expect_kept("sliding plate", sliding_plate(), midpoint());
  expect_kept("sliding plate", sliding_plate(), gauss(2), Retraction::cayley);
  // An angle is a number that is not wrapped: after a thousand turns its last digit is 1e-12, and
  // what is carried with it must be turned by what it has turned by.
  expect_kept("turning plate", turning_plate(), midpoint(), Retraction::exponential);
}

TEST(NoetherLongRun, MotionsOfSpace) { expect_kept("body", body(), midpoint()); }

TEST(NoetherLongRun, UnitVectors) {
  expect_kept("two unit vectors", pair_of_vectors(), verlet(), Retraction::cayley);
}

TEST(NoetherLongRun, Products) {
  expect_kept("spring pendulum", spring_pendulum(), gauss(2));
  expect_kept("top, wheel, plate", top_with_a_wheel(), midpoint());
}

/// The same from callables.
TEST(NoetherLongRun, Callables) {
  const System plate{[](const auto& g, const auto& v) {
                       return 0.5 * (1.3 * v[0] * v[0] + 0.9 * v[1] * v[1] + 0.6 * v[2] * v[2]) -
                              0.5 * g.x * g.x + cos(g.theta - 0.3 * g.x);
                     },
                     Symmetry{"along the wall", [](const SE2<double>& g) {
                                return V3(std::sin(g.theta), std::cos(g.theta), 0.0);
                              }}};
  const auto on_plane = initial(plate, SE2<double>{0.4, -0.3, 0.9}, V3(0.5, 0.2, -0.7));
  const auto kept = check_noether(Flow(midpoint(), plate), on_plane, 0.1, many).momenta[0];
  EXPECT_LT(kept.drift, 1e-12);

  const System pendulum{
      on_sphere([](const auto& n, const auto& v) { return 0.5 * v.dot(v) - n[2]; }),
      Symmetry{"vertical", [](const auto& R) { return R.matrix.row(2).transpose().eval(); }}};
  const auto frame = sphere_frame(V3(0.6, 0.0, -0.8));
  const auto start = initial(pendulum, frame, sphere_lift(frame, V3(0.4, 0.7, 0.3)));
  const auto turned = check_noether(Flow(verlet(), pendulum), start, 0.1, many).momenta[0];
  EXPECT_LT(turned.drift, 1e-12);
  std::printf("callables: drift %.1e and %.1e over %ld steps\n", kept.drift, turned.drift, many);
}

}  // namespace
}  // namespace varia::noether_long_run_test
