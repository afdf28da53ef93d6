// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Systems with nonholonomic constraints: linear, affine and nonlinear, on ℝⁿ and on groups, forced, and with
// holonomic constraints too. Starts are displacements from the origin and velocities, projected.
#include <string>
#include <vector>

#include "problems/states.hpp"

namespace varia::problems::rolling {

struct Rolling {
  std::string name;
  Texts texts;
  Vn xi, v;
};

inline Texts with(Texts texts, std::vector<std::string> nonholonomic) {
  texts.nonholonomic = std::move(nonholonomic);
  return texts;
}

/// The particle of [Sato19], section 5.6.1.
inline Rolling particle() {
  return {"particle",
          with({{"x", "y", "z"}, "(x_dot^2 + y_dot^2 + z_dot^2)/2 - (x^2 + y^2)/2"},
               {"z_dot - y*x_dot"}),
          vector({1.0, 0.5, 0.0}), vector({0.4, -0.3, 0.2})};
}

inline Rolling sleigh() {
  return {"sleigh",
          with({{"x", "y", "th"},
                "((x_dot - 0.5*th_dot*sin(th))^2 + (y_dot + 0.5*th_dot*cos(th))^2)/2 + th_dot^2/2"},
               {"y_dot*cos(th) - x_dot*sin(th)"}),
          vector({0.0, 0.0, 0.0}), vector({-0.5, 0.0, 1.0})};
}

/// A mass that depends on the place, a force, and a plane that is turned: affine in the velocities.
inline Rolling affine() {
  return {"affine, forced",
          with({{"x", "y", "z"},
                "(1 + 0.2*x^2)*x_dot^2/2 + y_dot^2/2 + z_dot^2 - cos(z) - x*y",
                {"-0.2*x_dot + sin(t)", "0", "-0.1*z_dot^3"}},
               {"z_dot - y*x_dot - 0.3*x*cos(t)"}),
          vector({0.7, 0.5, 0.2}), vector({0.4, -0.3, 0.2})};
}

/// The speed in the plane is held.
inline Rolling nonlinear() {
  return {"nonlinear",
          with({{"x", "y", "z"}, "(x_dot^2 + y_dot^2 + 2*z_dot^2)/2 - z - x^2*y/2"},
               {"x_dot^2 + y_dot^2 - z_dot^2 - 0.5"}),
          vector({0.3, -0.4, 0.1}), vector({0.8, 0.4, 0.3})};
}

/// Suslov's body in a field, with an inertia tensor that is not diagonal.
inline Rolling suslov() {
  return {"Suslov",
          with({{{"R", "SO3"}},
                "(2*R_w1^2 + 1.5*R_w2^2 + R_w3^2)/2 + 0.3*R_w1*R_w3 + 0.4*R_w2*R_w3 - 0.5*R33*R12"},
               {"R_w3 - 0.2*R13*R_w1"}),
          vector({0.4, -0.2, 0.3}), vector({0.6, -0.8, 0.0})};
}

inline Rolling unicycle() {
  return {"unicycle",
          with({{{"g", "SE2"}}, "(g_v1^2 + g_v2^2)/2 + g_w^2/4 - (g_x^2 + g_y^2)/2"}, {"g_v2"}),
          vector({1.0, 0.5, 0.3}), vector({0.7, 0.0, 0.9})};
}

inline Rolling body() {
  return {
      "body on SE(3), forced",
      with({{{"g", "SE3"}},
            "(g_w1^2 + 1.4*g_w2^2 + 0.6*g_w3^2 + g_v1^2 + 2*g_v2^2 + 1.5*g_v3^2)/2 + 0.2*g_w1*g_v2 "
            "- g_z - g_x^2/2",
            {"-0.1*g_w1", "0", "0.1*g_x", "0", "-0.1*g_v2", "0"}},
           {"g_v3 - 0.3*g_w1", "g_v2 - 0.2*g11*g_w3"}),
      vector({0.4, -0.3, 0.2, 0.5, 0.1, -0.3}), vector({0.6, 0.9, 1.0, 0.2, -0.3, 0.5})};
}

/// A ball on a turning table.
inline Rolling turntable() {
  return {
      "turntable",
      with({{{"R", "SO3"}, {"x"}, {"y"}}, "(x_dot^2 + y_dot^2)/2 + 0.2*(R_w1^2 + R_w2^2 + R_w3^2)"},
           {"x_dot + 1.3*y - R_w2", "y_dot - 1.3*x + R_w1"}),
      vector({0.0, 0.0, 0.0, 0.8, -0.3}), vector({0.3, -0.2, 0.7, 0.19, 0.74})};
}

/// Constraints of both kinds that share coordinates.
inline Rolling geared() {
  return {"geared sphere",
          with({{"x", "y", "z", "s"},
                "(x_dot^2 + y_dot^2 + z_dot^2 + s_dot^2)/2 - z - s^2/2",
                {},
                {"x^2 + y^2 + z^2 - 1"}},
               {"s_dot - x*z_dot"}),
          vector({0.6, 0.0, -0.8, 0.3}), vector({0.4, 0.9, 0.3, 0.18})};
}

/// The same on a group, and driven.
inline Rolling guided() {
  return {"guided top",
          with({{{"R", "SO3"}, {"x"}},
                "(R_w1^2 + 1.4*R_w2^2 + 0.6*R_w3^2 + x_dot^2)/2 - R33 - 0.4*x*R12",
                {},
                {"R33 - 0.3*x - 0.6 - 0.1*sin(t)"}},
               {"R_w3 - 0.5*x_dot*R11"}),
          vector({0.4, -0.3, 0.2, 0.5}), vector({0.6, 0.9, 2.0, 0.3})};
}

inline std::vector<Rolling> all() {
  return {particle(), sleigh(), affine(),    nonlinear(), suslov(),
          unicycle(), body(),   turntable(), geared(),    guided()};
}

}  // namespace varia::problems::rolling
