// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Problems on SO(2), SE(2), SE(3), S² and on products, each free, with constraints, and with constraints
// that move: all couplings, no symmetry, mostly not quadratic in the velocities. Some also as C++ functions.
#include <string>
#include <utility>
#include <vector>

#include "problems/states.hpp"
#include "varia/flow/start.hpp"
#include "varia/mechanics/system.hpp"
#include "varia/space/product.hpp"
#include "varia/space/se2.hpp"
#include "varia/space/se3.hpp"
#include "varia/space/sphere.hpp"

namespace varia::problems {

struct Curved {
  std::string name;
  std::vector<Coordinate> coordinates;
  std::string lagrangian;
  std::vector<std::string> constraints;  ///< for those that ask for them
  std::string drag;                      ///< on the first degree of freedom, likewise
  Vn xi, v;                              ///< the start: displacement from the origin, velocity

  Texts free() const { return {coordinates, lagrangian}; }
  Texts held() const { return {coordinates, lagrangian, {}, constraints}; }
  /// The first constraint moves.
  Texts driven() const {
    Texts texts = held();
    texts.constraints.front() += " - 0.1*sin(2*t)";
    return texts;
  }
  Texts damped() const {
    std::vector<std::string> force(static_cast<std::size_t>(v.size()), "0");
    force.front() = drag;
    return {coordinates, lagrangian, force};
  }
};

inline VectorState start_of(const std::shared_ptr<KernelSystem>& f, const Curved& c) {
  return start_of(f, c.xi, c.v, 0.2);
}

namespace curved {

/// A double pendulum in angles.
inline Curved angles() {
  return {"SO(2) x SO(2)",
          {{"a", "SO2"}, {"b", "SO2"}},
          "a_dot^2 + b_dot^2/2 + a_dot*b_dot*cos(a - b) + 2*cos(a) + cos(b)",
          {"a + 0.5*sin(b) - 0.3*a*b - 0.2"},
          "-0.3*a_dot",
          vector({0.7, -0.3}),
          vector({0.2, 0.3})};
}

/// A body in the plane; with the constraint a point of it keeps to a curve.
inline Curved plane() {
  return {"SE(2)",
          {{"g", "SE2"}},
          "(g_v1^2 + 1.5*g_v2^2 + 0.7*g_w^2)/2 + 0.2*g_v1*g_w*cos(g_theta) + 0.1*g_v2^4 "
          "- 0.5*(g_x^2 + g_y^2) - 0.3*g_x*sin(g_theta)",
          {"g_y + 0.5*sin(g_theta) - 0.3*(g_x + 0.5*cos(g_theta))^2"},
          "-0.3*g_v1",
          vector({0.4, -0.3, 0.9}),
          vector({0.5, 0.2, -0.7})};
}
inline constexpr auto plane_lagrangian = [](const auto& g, const auto& v) {
  return 0.5 * (v[0] * v[0] + 1.5 * v[1] * v[1] + 0.7 * v[2] * v[2]) +
         0.2 * v[0] * v[2] * cos(g.theta) + 0.1 * v[1] * v[1] * v[1] * v[1] -
         0.5 * (g.x * g.x + g.y * g.y) - 0.3 * g.x * sin(g.theta);
};

/// A body in space; with the constraints a ball joint holds a point of it.
inline Curved space() {
  return {"SE(3)",
          {{"g", "SE3"}},
          "(g_w1^2 + 1.4*g_w2^2 + 0.6*g_w3^2)/2 + (g_v1^2 + 1.2*g_v2^2 + 0.9*g_v3^2)/2 "
          "+ 0.2*g_v1*g_w2 - 0.5*(g_x^2 + g_y^2 + 1.5*g_z^2) - 0.4*g33 - 0.3*g_x*g12",
          {"g_x - 0.6*g12", "g_y - 0.6*g22", "g_z - 0.6*g32"},
          "-0.3*g_w1",
          vector({0.4, -0.3, 0.2, 0.3, 0.5, -0.2}),
          vector({0.4, 0.9, -0.6, 0.3, -0.5, 0.2})};
}
inline constexpr auto space_lagrangian = [](const auto& g, const auto& v) {
  return 0.5 * (v[0] * v[0] + 1.4 * v[1] * v[1] + 0.6 * v[2] * v[2]) +
         0.5 * (v[3] * v[3] + 1.2 * v[4] * v[4] + 0.9 * v[5] * v[5]) + 0.2 * v[3] * v[1] -
         0.5 * (g.position[0] * g.position[0] + g.position[1] * g.position[1] +
                1.5 * g.position[2] * g.position[2]) -
         0.4 * g.rotation(2, 2) - 0.3 * g.position[0] * g.rotation(0, 1);
};

/// A point on the sphere; with the constraint on a curve of it.
inline Curved sphere() {
  return {"S^2",
          {{"n", "S2"}},
          "(n1_dot^2 + 1.5*n2_dot^2 + 0.8*n3_dot^2)/2 + 0.3*n1*n2_dot + 0.1*n3_dot^4 "
          "+ 0.2*n1*n3*n1_dot^2 - 2*n3 - n1*n2",
          {"n3 + 0.4*n1*n2 - 0.5*n2 - 0.7"},
          "-0.3*n1_dot",
          vector({0.4, -0.3, 0.0}),
          vector({0.6, 0.9, 0.0})};
}
inline auto sphere_lagrangian() {
  return on_sphere([](const auto& n, const auto& v) {
    return (v[0] * v[0] + 1.5 * v[1] * v[1] + 0.8 * v[2] * v[2]) * 0.5 + n[0] * v[1] * 0.3 +
           v[2] * v[2] * v[2] * v[2] * 0.1 + n[0] * n[2] * v[0] * v[0] * 0.2 - n[2] * 2.0 -
           n[0] * n[1];
  });
}

/// A body in the plane and a mass on a spring; with the constraint the mass slides along with it.
inline Curved body_and_mass() {
  return {"SE(2) x R",
          {{"g", "SE2"}, {"x"}},
          "(g_v1^2 + 1.5*g_v2^2 + 0.7*g_w^2)/2 + (1 + 0.3*g_x^2)*x_dot^2/2 + 0.2*g_w*x_dot "
          "- 0.5*(g_x^2 + g_y^2) - (x - sin(g_theta))^2",
          {"x - 0.3*g_x - 0.4*sin(g_theta)*g_y"},
          "-0.3*g_v1",
          vector({0.4, -0.3, 0.9, 0.2}),
          vector({0.5, 0.2, -0.7, 0.3})};
}
inline constexpr auto body_and_mass_lagrangian = [](const auto& q, const auto& v) {
  const auto& g = get<0>(q);
  const auto& x = get<1>(q)[0];
  const auto stretch = x - sin(g.theta);
  return 0.5 * (v[0] * v[0] + 1.5 * v[1] * v[1] + 0.7 * v[2] * v[2]) +
         0.5 * (1.0 + 0.3 * g.x * g.x) * v[3] * v[3] + 0.2 * v[2] * v[3] -
         0.5 * (g.x * g.x + g.y * g.y) - stretch * stretch;
};

/// Arrays of rotations and of numbers, a point on the sphere and an angle.
inline Curved arrays() {
  return {
      "SO(3)^2 x S^2 x R^2 x SO(2)",
      {{"R[1..2]", "SO3"}, {"n", "S2"}, {"x[1..2]"}, {"a", "SO2"}},
      "sum(i, 1, 2, R_w1[i]^2 + 1.4*R_w2[i]^2 + 0.6*R_w3[i]^2 + x_dot[i]^2)/2 + 0.4*a_dot^2 "
      "+ (n1_dot^2 + 1.2*n2_dot^2 + n3_dot^2)/2 + 0.2*x_dot[1]*R_w1[2] + 0.1*n2_dot*a_dot "
      "- R33[1]*R11[2] - 0.5*sum(i, 1, 2, (x[i] - R12[i])^2) - n3*(1 + 0.3*x[1]) + cos(a - x[2])",
      {"x[1] - 0.4*R33[1] - 0.3*n1", "a - 0.5*R12[2] - 0.2*x[2]^2"},
      "-0.3*R_w1[1]",
      vector({0.3, -0.2, 0.4, -0.1, 0.5, 0.2, 0.4, -0.3, 0.0, 0.6, -0.2, 0.3}),
      vector({0.4, 0.9, -0.6, 0.3, -0.5, 0.2, 0.6, 0.4, 0.0, -0.3, 0.5, 0.2})};
}

inline std::vector<Curved> all() {
  return {angles(), plane(), space(), sphere(), body_and_mass(), arrays()};
}

}  // namespace curved

}  // namespace varia::problems
