// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Discrete Lagrangians as text in h, a[1] … a[n] (q₀) and b[1] … b[n] (q₁).
#include <string>

#include "problems/builders.hpp"
#include "varia/flow/discrete_lagrangian_flow.hpp"

namespace varia::problems {

inline DiscreteLagrangianFlow discrete_flow(const std::string& text, int n,
                                            FlowOptions options = {}) {
  return DiscreteLagrangianFlow(discrete_lagrangian_of(text, n), options);
}

namespace discrete {

/// The potential of texts::ring() at (x, y).
inline std::string ring_potential(const std::string& x, const std::string& y) {
  const std::string r = "((" + x + ")^2 + (" + y + ")^2)";
  return r + "*(" + r + " - 1)^2";
}
/// The kinetic term of a unit mass in the plane.
inline std::string kinetic() { return "((b[1] - a[1])^2 + (b[2] - a[2])^2)/(2*h)"; }

inline std::string ring_trapezoid() {
  return kinetic() + " - h/2*(" + ring_potential("a[1]", "a[2]") + " + " +
         ring_potential("b[1]", "b[2]") + ")";
}
inline std::string ring_midpoint() {
  return kinetic() + " - h*" + ring_potential("(a[1] + b[1])/2", "(a[2] + b[2])/2");
}
inline std::string ring_rectangle() { return kinetic() + " - h*" + ring_potential("a[1]", "a[2]"); }

/// The midpoint rule of the double pendulum, whose mass depends on q.
inline std::string double_pendulum() {
  return "h*(((b[1] - a[1])/h)^2 + ((b[2] - a[2])/h)^2/2 + (b[1] - a[1])*(b[2] - a[2])/h^2"
         "*cos((a[1] + b[1] - a[2] - b[2])/2) + 2*cos((a[1] + b[1])/2) + cos((a[2] + b[2])/2))";
}

}  // namespace discrete

}  // namespace varia::problems
