// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lagrangians linear in the velocities as text in t, q[1] … q[n], v[1] … v[n].
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "laws/text_system.hpp"
#include "varia/expr/parse.hpp"
#include "varia/flow/one_form_flow.hpp"
#include "varia/mechanics/make_kernel_system.hpp"
#include "varia/methods/methods.hpp"

namespace varia::one_forms {

using laws::vector;
using laws::walk;

inline std::shared_ptr<const KernelSystem> system_of(const std::string& text, int n) {
  expr::Graph graph;
  expr::Scope scope;
  scope.add("t", graph.variable(0));
  std::vector<expr::Id> q;
  std::vector<expr::Id> v;
  for (int i = 1; i <= n; ++i) {
    q.push_back(graph.variable(i));
    v.push_back(graph.variable(n + i));
  }
  scope.add_array("q", 1, q);
  scope.add_array("v", 1, v);
  return make_kernel_system(
      graph, {ProductSpace({euclidean(n)}), expr::parse(graph, scope, text), {}, {}});
}

/// Lotka and Volterra: ẋ = x(y - 2), ẏ = y(1 - x).
inline const std::string populations =
    "(log(q[2])/q[1] + q[2])*v[1] + q[1]*v[2] - (q[1] + q[2] - log(q[1]) - 2*log(q[2]))";

/// A guiding centre in the plane, in a field that grows outwards.
inline const std::string guiding_centre =
    "(0.5 + (q[1]^2 + q[2]^2)/16)*(q[1]*v[2] - q[2]*v[1])"
    " - (0.25*(q[1]^2 + q[2]^2) + 0.2*q[1] + 0.3*sin(q[2]))";

/// A guiding centre whose field and potential change with time.
inline const std::string driven =
    "(0.5 + (q[1]^2 + q[2]^2)/16 + 0.1*sin(t)*q[1])*(q[1]*v[2] - q[2]*v[1])"
    " - (0.25*(q[1]^2 + q[2]^2) + 0.2*q[1]*cos(2*t) + 0.3*sin(q[2]))";

}  // namespace varia::one_forms
