// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lagrangians as text, with the start that most tests use. problems/mechanical.hpp and
// problems/degenerate.hpp have some of them as C++ functions.
#include <cmath>
#include <string>

#include "problems/states.hpp"

namespace varia::problems::texts {

/// L = v²/2 + cos q
inline Texts pendulum() {
  return {{"x"}, "x_dot^2/2 + cos(x)", {}, {}, vector({1.0}), vector({0.4})};
}

/// Kepler's problem in the plane with half axis 1, from the pericentre.
inline Texts kepler(double eccentricity = 0.6) {
  const double e = eccentricity;
  return {{"x", "y"},
          "(x_dot^2 + y_dot^2)/2 + 1/sqrt(x^2 + y^2)",
          {},
          {},
          vector({1.0 - e, 0.0}),
          vector({0.0, std::sqrt((1.0 + e) / (1.0 - e))})};
}

/// The oscillator of Hénon and Heiles: a potential without singularity.
inline Texts henon_heiles() {
  return {{"x", "y"},
          "(x_dot^2 + y_dot^2)/2 - (x^2 + y^2)/2 - x^2*y + y^3/3",
          {},
          {},
          vector({0.1, 0.3}),
          vector({0.4, 0.1})};
}

/// Double pendulum with equal rods and masses, in angles: the mass matrix depends on q.
inline Texts double_pendulum() {
  return {{"x", "y"},
          "x_dot^2 + y_dot^2/2 + x_dot*y_dot*cos(x - y) + 2*cos(x) + cos(y)",
          {},
          {},
          vector({0.7, -0.3}),
          vector({0.2, 0.3})};
}

/// The particle of [West04]: V = |q|²(|q|² - 1)² in the plane, unit mass.
inline Texts ring() {
  return {{"x", "y"},
          "(x_dot^2 + y_dot^2)/2 - (x^2 + y^2)*(x^2 + y^2 - 1)^2",
          {},
          {},
          vector({1.0, 0.0}),
          vector({0.3, 0.7})};
}

/// Two coupled pendulums with a mass matrix that is not diagonal.
inline Texts coupled() {
  return {{"x", "y"},
          "0.75*x_dot^2 + 0.4*x_dot*y_dot + 0.4*y_dot^2"
          " - (1.2*(1 - cos(x)) + (1 - cos(y)) + 0.3*(x - y)^2 + 0.2*x^4)",
          {},
          {},
          vector({0.8, -0.5}),
          vector({0.3, 0.4})};
}

/// Everything at once: not quadratic in v, gyroscopic, mass and potential that depend on time.
inline Texts driven() {
  return {{"x", "y"},
          "(1 + 0.3*sin(t))*(x_dot^2 + y_dot^2)/2 + 0.1*x_dot^4 + 0.2*x^2*y_dot^2"
          " + 0.5*(x*y_dot - y*x_dot)*exp(-0.2*t) + t*x*y_dot/5 - x^4/4 - y^2/2"
          " - x*cos(2*t) + 0.3*sin(x*y)",
          {},
          {},
          vector({0.5, -0.4}),
          vector({0.3, 0.6}),
          0.2};
}

/// Mass, magnetic term and potential that depend on time and position, quadratic in v.
inline Texts driven_quadratic() {
  return {{"x", "y"},
          "(1 + x^2 + sin(t)/2)*x_dot^2/2 + y_dot^2 + t*x*y_dot - cos(2*t)*x^2*y - y^4",
          {},
          {},
          vector({0.4, -0.7}),
          vector({0.8, 0.3}),
          0.3};
}

/// Heavy top: symmetric about the vertical, not about its own axis.
inline Texts heavy_top(const std::string& R = "R") {
  return {{{R, "SO3"}},
          "(" + R + "_w1^2 + 1.4*" + R + "_w2^2 + 0.6*" + R + "_w3^2)/2 - 1.3*(" + R + "33 + 0.3*" +
              R + "31)"};
}

/// Eight unit masses between walls, springs of force s or s + s³; also from the place of rest.
inline Texts lattice(bool cubic, bool at_rest = false) {
  const std::string spring =
      cubic ? "0.5*(q[i+1] - q[i])^2 + 0.25*(q[i+1] - q[i])^4" : "0.5*(q[i+1] - q[i])^2";
  const std::string ends =
      cubic ? "0.5*(q[1]^2 + q[8]^2) + 0.25*(q[1]^4 + q[8]^4)" : "0.5*(q[1]^2 + q[8]^2)";
  Vn q(8);
  Vn v(8);
  for (int i = 0; i < 8; ++i) {
    q[i] = at_rest ? 0.0 : 0.3 * std::sin(1.0 + 2.3 * i);
    v[i] = 0.4 * std::cos(0.7 + 1.9 * i);
  }
  return {{"q[1..8]"}, "sum(i, 1, 8, q_dot[i]^2)/2 - (sum(i, 1, 7, " + spring + ") + " + ends + ")",
          {},          {},
          q,           v};
}

/// Lotka and Volterra: ẋ = x(y - 2), ẏ = y(1 - x). Linear in the velocities.
inline Texts populations() {
  return {{"x", "y"}, "(log(y)/x + y)*x_dot + x*y_dot - (x + y - log(x) - 2*log(y))"};
}

/// A guiding centre in the plane, in a field that grows outwards. Linear in the velocities.
inline Texts guiding_centre() {
  return {{"x", "y"},
          "(0.5 + (x^2 + y^2)/16)*(x*y_dot - y*x_dot)"
          " - (0.25*(x^2 + y^2) + 0.2*x + 0.3*sin(y))"};
}

/// A guiding centre whose field and potential change with time.
inline Texts driven_guiding_centre() {
  return {{"x", "y"},
          "(0.5 + (x^2 + y^2)/16 + 0.1*sin(t)*x)*(x*y_dot - y*x_dot)"
          " - (0.25*(x^2 + y^2) + 0.2*x*cos(2*t) + 0.3*sin(y))"};
}

}  // namespace varia::problems::texts
