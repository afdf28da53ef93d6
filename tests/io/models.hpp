// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Systems as text, for the tests of the run-time engine, and what they become.
#include <string>
#include <vector>

#include "varia/io/model.hpp"

namespace varia::io::models {

/// A scenario; `system` holds the lines of [system], `start` those of [start].
inline std::string scenario(const std::string& system, const std::string& start,
                            const std::string& method = "gauss(2)",
                            const std::string& step = "0.05", const std::string& steps = "100") {
  return "[system]\n" + system + "\n[start]\n" + start + "\n[run]\nmethod = \"" + method +
         "\"\nstep = " + step + "\nsteps = " + steps + "\n";
}

inline Model model_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return build_model(parse_scenario(text, "test.toml", overrides));
}

/// One particle in the plane with the given Lagrangian and further lines of [system].
inline std::string planar(const std::string& lagrangian, const std::string& more = "") {
  return scenario("coordinates = [\"x\", \"y\"]\nlagrangian = \"" + lagrangian + "\"\n" + more,
                  "x = 0.7\ny = -0.4\nx_dot = 0.3\ny_dot = 0.9");
}

/// One coordinate x with x = 0.8, v = 0.3 at the start.
inline std::string single(const std::string& lagrangian, const std::string& more = "") {
  return scenario("coordinates = [\"x\"]\nlagrangian = \"" + lagrangian + "\"\n" + more,
                  "x = 0.8\nx_dot = 0.3");
}

inline std::string kepler() {
  return scenario(R"~(coordinates = ["x", "y"]
parameters = { mu = 1.0, e = 0.6 }
lagrangian = "(x_dot^2 + y_dot^2)/2 + mu/sqrt(x^2 + y^2)"
symmetry.rotation = { x = "-y", y = "x" })~",
                  "x = \"1 - e\"\ny = 0\nx_dot = 0\ny_dot = \"sqrt(mu*(1 + e)/(1 - e))\"");
}

inline std::string pendulum() {
  return scenario("coordinates = [\"q\"]\nlagrangian = \"q_dot^2/2 + cos(q)\"",
                  "q = 1.2\nq_dot = 0.3", "verlet", "0.1");
}

inline std::string double_pendulum() {
  return scenario(R"~(coordinates = ["a", "b"]
lagrangian = "a_dot^2 + b_dot^2/2 + a_dot*b_dot*cos(a - b) + 2*cos(a) + cos(b)")~",
                  "a = 0.7\nb = -0.3\na_dot = 0.2\nb_dot = 0.3");
}

inline std::string van_der_pol() {
  return scenario(R"~(coordinates = ["x", "y"]
lagrangian = "(x_dot^2 + y_dot^2)/2 - (x^2 + 1.02*y^2)/2 - 0.8*(x - y)^2"
force = { x = "(0.5 - x^2)*x_dot", y = "(0.5 - y^2)*y_dot + 0.1*sin(t)" })~",
                  "x = -0.5\ny = -0.25\nx_dot = 0\ny_dot = 2");
}

inline std::string spherical_pendulum() {
  return scenario(R"~(coordinates = ["x", "y", "z"]
lagrangian = "(x_dot^2 + y_dot^2 + z_dot^2)/2 - z"
holonomic = ["x^2 + y^2 + z^2 - 1"]
symmetry.rotation = { x = "-y", y = "x" })~",
                  "x = \"sin(1.2)\"\ny = 0\nz = \"-cos(1.2)\"\nx_dot = \"0.3*cos(1.2)\"\n"
                  "y_dot = 0.7\nz_dot = \"0.3*sin(1.2)\"",
                  "lobatto(3)");
}

/// A pendulum whose pivot is driven.
inline std::string driven_pendulum() {
  return scenario(R"~(coordinates = ["x", "y"]
lagrangian = "(x_dot^2 + y_dot^2)/2 - y"
holonomic = ["(x - 0.3*sin(2*t))^2 + y^2 - 1"])~",
                  "x = \"sin(1.2)\"\ny = \"-cos(1.2)\"\nx_dot = \"0.6 + 0.3*cos(1.2)\"\n"
                  "y_dot = \"0.3*sin(1.2)\"",
                  "lobatto(3)");
}

inline std::string caldirola_kanai() {
  return scenario(R"~(coordinates = ["x"]
lagrangian = "exp(0.2*t)*(x_dot^2 - 1.44*x^2)/2")~",
                  "t = 0.5\nx = 1\nx_dot = 0.3");
}

inline std::string magnetic() {
  return scenario(R"~(coordinates = ["x", "y", "z"]
parameters = { B = 2.0 }
lagrangian = "(x_dot^2 + y_dot^2 + z_dot^2)/2 + B/2*(x*y_dot - y*x_dot) - 0.1*x*z"
symmetry.turn = { x = "-y", y = "x" })~",
                  "x = 1\ny = 0\nz = 0\nx_dot = 0\ny_dot = 1\nz_dot = 0.1");
}

/// Three masses with a constant mass matrix that is not diagonal.
inline std::string full_mass() {
  return scenario(R"~(coordinates = ["x", "y", "z"]
lagrangian = "x_dot^2 + y_dot^2/2 + 1.5*z_dot^2 + 0.4*x_dot*y_dot - 0.3*y_dot*z_dot + cos(x - y) - (y^2 + z^4)/2")~",
                  "x = 0.4\ny = -0.2\nz = 0.5\nx_dot = 0.1\ny_dot = 0.6\nz_dot = -0.3", "verlet");
}

/// Chain of n masses between walls, springs of force s + s³, weights m[i] = 1 + 0.1 i in L.
inline std::string chain(int n, bool ring = false) {
  const std::string last = std::to_string(n);
  const std::string end =
      ring ? "(q[1] - q[n])^2/2 + (q[1] - q[n])^4/4" : "q[1]^2/2 + q[1]^4/4 + q[n]^2/2 + q[n]^4/4";
  return scenario("coordinates = [\"q[1.." + last + "]\"]\nparameters = { n = " + last +
                      " }\nlagrangian = \"sum(i, 1, n, (1 + 0.1*i)*q_dot[i]^2)/2"
                      " - sum(i, 1, n - 1, (q[i+1] - q[i])^2/2 + (q[i+1] - q[i])^4/4) - (" +
                      end + ")\"",
                  "q = \"0.3*sin(1 + 2.3*i)\"\nq_dot = \"0.4*cos(0.7 + 1.9*i)\"", "gauss(2)",
                  "0.1");
}

/// Toda lattice of n particles, free at both ends: the translation is a symmetry.
inline std::string toda(int n) {
  const std::string last = std::to_string(n);
  return scenario("coordinates = [\"q[1.." + last + "]\"]\nlagrangian = \"sum(i, 1, " + last +
                      ", q_dot[i]^2)/2 - sum(i, 1, " + std::to_string(n - 1) +
                      ", exp(q[i] - q[i+1]))\"\nsymmetry.translation = { q = \"1\" }",
                  "q = \"0.5*i\"\nq_dot = \"sin(i)\"");
}

/// Top with principal moments A, B, C in a field along the vertical.
inline std::string top(const std::string& moments) {
  return scenario(
      "coordinates = [{ name = \"R\", space = \"SO3\" }]\nparameters = " + moments + R"~(
lagrangian = "(A*R_w1^2 + B*R_w2^2 + C*R_w3^2)/2 - 1.3*R33"
symmetry.vertical = { R_1 = "R31", R_2 = "R32", R_3 = "R33" }
symmetry.body_axis = { R_3 = "1" })~",
      "R = { angle_axis = [0.4, 0.1, -0.2] }\nR_w1 = 0.2\nR_w2 = -0.1\nR_w3 = 3");
}

}  // namespace varia::io::models
