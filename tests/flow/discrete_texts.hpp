// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Discrete Lagrangians as text in h, a[1] … a[n] (q₀) and b[1] … b[n] (q₁).
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "laws/text_system.hpp"
#include "varia/expr/parse.hpp"
#include "varia/flow/discrete_lagrangian_flow.hpp"

namespace varia::discrete_texts {

using laws::distance;
using laws::vector;
using laws::walk;

inline std::shared_ptr<const DiscreteLagrangianSystem> system_of(const std::string& text, int n) {
  expr::Graph graph;
  expr::Scope scope;
  scope.add("h", graph.variable(0));
  std::vector<expr::Id> a;
  std::vector<expr::Id> b;
  for (int i = 1; i <= n; ++i) {
    a.push_back(graph.variable(i));
    b.push_back(graph.variable(n + i));
  }
  scope.add_array("a", 1, a);
  scope.add_array("b", 1, b);
  return std::make_shared<const DiscreteLagrangianSystem>(
      discrete_lagrangian_system(graph, expr::parse(graph, scope, text), n));
}

inline DiscreteLagrangianFlow flow_of(const std::string& text, int n, FlowOptions options = {}) {
  return DiscreteLagrangianFlow(system_of(text, n), options);
}

/// The particle in the ring V = |q|²(|q|² - 1)²: its potential at (x, y).
inline std::string ring_potential(const std::string& x, const std::string& y) {
  const std::string r = "((" + x + ")^2 + (" + y + ")^2)";
  return r + "*(" + r + " - 1)^2";
}
inline const std::string kinetic = "((b[1] - a[1])^2 + (b[2] - a[2])^2)/(2*h)";

inline std::string ring_trapezoid() {
  return kinetic + " - h/2*(" + ring_potential("a[1]", "a[2]") + " + " +
         ring_potential("b[1]", "b[2]") + ")";
}
inline std::string ring_midpoint() {
  return kinetic + " - h*" + ring_potential("(a[1] + b[1])/2", "(a[2] + b[2])/2");
}
inline std::string ring_rectangle() { return kinetic + " - h*" + ring_potential("a[1]", "a[2]"); }

/// The midpoint rule of the double pendulum, whose mass depends on q.
inline const std::string double_pendulum =
    "h*(((b[1] - a[1])/h)^2 + ((b[2] - a[2])/h)^2/2 + (b[1] - a[1])*(b[2] - a[2])/h^2"
    "*cos((a[1] + b[1] - a[2] - b[2])/2) + 2*cos((a[1] + b[1])/2) + cos((a[2] + b[2])/2))";

}  // namespace varia::discrete_texts
