// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Controlled systems on every kind of space, with every kind of constraint and of number that a problem may have.
#include <vector>

#include "problems/control.hpp"

namespace varia::problems::controlled {

inline const ControlTime three_steps{0.2, 0.8, 3, {}};

/// Not quadratic in the velocities, with a mass that depends on place and time; everything occurs everywhere.
inline ControlTexts everything() {
  ControlTexts c;
  c.name = "everything on R^2";
  c.system = {{"x", "y"},
              "(1 + 0.3*sin(t))*(x_dot^2 + y_dot^2)/2 + 0.1*x_dot^4 + 0.2*x^2*y_dot^2"
              " + k*x*y_dot/5 - k^2*x^4/4 - y^2/2 - x*cos(2*t)",
              {"u*cos(x) - 0.1*x_dot", "w + 0.2*u^2 + m*y - t*k"},
              {},
              vector({0.5, -0.4}),
              vector({0.3, 0.6})};
  c.inputs = {{"u", -2.0, 2.0}, {"w", -unbounded, unbounded}};
  c.cost = "(u^2 + w^2)/2 + x^2*y_dot + m^2 + t*k";
  c.final_cost = "x*p[1] + y_dot^2 + m*k + t^2";
  c.states = {{"m", "-m*u + x_dot*k + t"}};
  c.parameters = {{"k", 0.5, 2.0}};
  c.path = {{"x^2 + u*m", -unbounded, 4.0}, {"y_dot + k", -3.0, 3.0}};
  c.start = {"x - 0.5", "y*y_dot + 0.24", "m - 0.1"};
  c.end = {"x + p[2]*m - k", "t*y"};
  c.time = {0.2, 0.8, 3, ControlRange{"T", 0.4, 3.0}};
  return c;
}

inline ControlTexts on(const char* name, std::vector<Coordinate> coordinates,
                       const std::string& lagrangian, std::vector<std::string> force, Vn q, Vn v) {
  ControlTexts c;
  c.name = name;
  c.system = {std::move(coordinates), lagrangian, std::move(force), {}, std::move(q), std::move(v)};
  c.cost = "u^2/2";
  c.time = three_steps;
  return c;
}

inline ControlTexts body() {
  ControlTexts c =
      on("body on SO(3)", {{"R", "SO3"}}, "(R_w1^2 + 2*R_w2^2 + 3*R_w3^2)/2 - R33 + 0.3*R12*R_w1",
         {"u - 0.1*R_w1", "u*R11", "0.5*u^2"}, vector({1, 0, 0, 0, 1, 0, 0, 0, 1}),
         vector({0.4, -0.3, 0.5}));
  c.cost = "u^2*R22/2 + R_w3^4";
  c.final_cost = "R13*R_w2 + p[1]^2";
  c.path = {{"R31*u + R_w1", -5.0, 5.0}};
  return c;
}

inline ControlTexts plane_body() {
  return on("body on SE(2) with a cart", {{"g", "SE2"}, "x"},
            "(g_v1^2 + 1.3*g_v2^2 + 0.7*g_w^2)/2 + g_w*g_v2*0.2 + x_dot^2/2 - (g_x - x)^2/2"
            " - g_y^2/4",
            {"u*cos(x)", "-0.2*g_v2", "u", "u*g_w"}, vector({0.1, -0.2, 0.4, 0.3}),
            vector({0.4, -0.3, 0.5, 0.2}));
}

inline ControlTexts space_body() {
  return on("body on SE(3)", {{"g", "SE3"}},
            "(g_w1^2 + 2*g_w2^2 + 3*g_w3^2)/2 + (g_v1^2 + g_v2^2 + g_v3^2)/2 + 0.2*g_w1*g_v2"
            " - g_z - g33/2",
            {"0", "u", "0", "0", "0", "u*g33"}, vector({1, 0, 0, 0, 1, 0, 0, 0, 1, 0.1, 0.2, 0.3}),
            vector({0.4, -0.3, 0.5, 0.1, 0.2, -0.3}));
}

/// In Cartesian coordinates, with a pivot that is driven.
inline ControlTexts rod() {
  ControlTexts c = on("rod with a driven pivot", {"x", "y"}, "(x_dot^2 + y_dot^2)/2 - y",
                      {"u", "-0.1*y_dot"}, vector({0.6, -0.8}), vector({0.8, 0.6}));
  c.system.constraints = {"(x - 0.1*(t - 0.2)^2)^2 + y^2 - 1"};
  return c;
}

inline ControlTexts sphere() {
  return on("point on S^2", {{"n", "S2"}}, "(n1_dot^2 + n2_dot^2 + n3_dot^2)/2 - n3 + 0.2*n1*n2",
            {"u", "0.3*u^2", "0"}, vector({1, 0, 0, 0, 1, 0, 0, 0, 1}), vector({0.4, -0.3, 0.0}));
}

/// [Sato19], section 5.7.
inline ControlTexts particle(Multipliers multipliers = Multipliers::propagate) {
  ControlTexts c = on("nonholonomic particle", {"x", "y", "z"},
                      "(x_dot^2 + y_dot^2 + z_dot^2)/2 - (x^2 + y^2)/2", {"u", "w", "y*u"},
                      vector({1.0, 1.0, 0.0}), vector({1.0, -0.5, 1.0}));
  c.inputs = {{"u", -unbounded, unbounded}, {"w", -unbounded, unbounded}};
  c.system.nonholonomic = {"z_dot - y*x_dot - 0.1*t"};
  c.system.v[2] = 1.02;
  c.multipliers = multipliers;
  return c;
}

inline ControlTexts unicycle(Multipliers multipliers = Multipliers::propagate) {
  ControlTexts c = on("unicycle", {{"g", "SE2"}},
                      "(g_v1^2 + g_v2^2 + 0.5*g_w^2)/2 - (g_x^2 + g_y^2)/2 + 0.1*g_w*g_v1",
                      {"u", "0", "w"}, vector({0.1, -0.2, 0.4}), vector({0.4, 0.0, 0.5}));
  c.inputs = {{"u", -unbounded, unbounded}, {"w", -unbounded, unbounded}};
  c.system.nonholonomic = {"g_v2"};
  c.multipliers = multipliers;
  return c;
}

struct Case {
  ControlTexts texts;
  Method method;
  Retraction tau = Retraction::exponential;
};

/// Every space, constraint and family of methods.
inline std::vector<Case> cases() {
  const Retraction cay = Retraction::cayley;
  return {{everything(), gauss(2)},
          {everything(), lobatto(3)},
          {everything(), midpoint()},
          {everything(), galerkin(2, gauss_quadrature(3))},
          {body(), gauss(2)},
          {body(), lobatto(3), cay},
          {body(), verlet()},
          {plane_body(), lobatto(2)},
          {plane_body(), gauss(1), cay},
          {space_body(), gauss(2)},
          {space_body(), lobatto(3), cay},
          {sphere(), gauss(2)},
          {rod(), lobatto(3)},
          {rod(), lobatto(2)},
          {particle(), nh_lobatto(3)},
          {particle(Multipliers::recompute), nh_lobatto(3)},
          {unicycle(), nh_lobatto(2), cay},
          {unicycle(), nh_lobatto(4)},
          {unicycle(Multipliers::recompute), nh_lobatto(3)}};
}

}  // namespace varia::problems::controlled
