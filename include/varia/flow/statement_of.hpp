// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A Lagrangian given as a callable, written out as formulas: for the methods that need more of it than
// its second derivatives.
//
//   const AnyFlow flow = make_flow(shooting(4, lobatto_quadrature(3)), statement_of<2>(L));
//
// L(q, v) is called once, with formulas in the place of numbers. It may not branch on values: it is one
// formula, or it does not compile.
#include "varia/expr/formula.hpp"
#include "varia/flow/make_flow.hpp"
#include "varia/mechanics/make_kernel_system.hpp"
#include "varia/space/euclidean.hpp"

namespace varia {

/// L(q, v) on ℝᴺ.
template <int N, class L> Statement statement_of(const L& lagrangian) {
  static_assert(N > 0, "the number of coordinates must be known");
  expr::Graph graph;
  Vector<expr::Formula, N> q;
  Vector<expr::Formula, N> v;
  for (int i = 0; i < N; ++i) {
    q[i] = {graph, graph.variable(1 + i)};
    v[i] = {graph, graph.variable(1 + N + i)};
  }
  const expr::Id l = expr::Formula(lagrangian(q, v)).in(graph);
  Statement statement;
  statement.lagrangian = make_kernel_system(graph, {ProductSpace({euclidean(N)}), l, {}, {}});
  statement.acceleration = make_acceleration_system(graph, l, N);
  return statement;
}

}  // namespace varia
