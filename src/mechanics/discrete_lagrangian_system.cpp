// SPDX-License-Identifier: BSD-3-Clause
#include "varia/mechanics/discrete_lagrangian_system.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

#include "formulas.hpp"
#include "varia/core/index.hpp"
#include "varia/expr/derivative.hpp"
#include "varia/expr/tape.hpp"
#include "varia/space/euclidean.hpp"

namespace varia {

namespace {

using expr::Id;
using expr::Op;

using detail::sz;

/// i > 0 for q₁ᵢ - q₀ᵢ, -i for its opposite, 0 for all else.
int difference(const expr::Graph& graph, const expr::Node& node, int n) {
  if (node.op != Op::sub) return 0;
  const expr::Node a = graph[node.a];
  const expr::Node b = graph[node.b];
  if (a.op != Op::variable || b.op != Op::variable) return 0;
  if (b.index >= 1 && b.index <= n && a.index == b.index + n) return b.index;
  if (a.index >= 1 && a.index <= n && b.index == a.index + n) return -a.index;
  return 0;
}

/// The expressions in (h, q₀, d): variable n+i is dᵢ now.
std::vector<Id> in_displacements(expr::Graph& graph, const std::vector<Id>& f, int n) {
  return expr::substitute(graph, f, [&](Id id) -> std::optional<Id> {
    const expr::Node node = graph[id];
    if (const int i = difference(graph, node, n); i != 0) {
      const Id d = graph.variable(n + std::abs(i));
      return i > 0 ? d : graph.neg(d);
    }
    if (node.op == Op::variable && node.index > n && node.index <= 2 * n)
      return graph.add(graph.variable(node.index - n), id);
    return std::nullopt;
  });
}

expr::Kernel displaced_kernel(expr::Graph& graph, const std::vector<Id>& outputs, int n) {
  return detail::kernel(graph, in_displacements(graph, outputs, n), 1 + 2 * n);
}

/// Every row and every column of D₁D₂L_d must have an entry.
void check_regular(const Pattern& mixed, int n) {
  const auto missing = [&](const std::vector<int>& places) {
    std::vector<char> found(sz(n), 0);
    for (const int i : places) found[sz(i)] = 1;
    return static_cast<int>(std::find(found.begin(), found.end(), 0) - found.begin());
  };
  const int row = missing(mixed.row);
  const int column = missing(mixed.column);
  if (row == n && column == n) return;
  const std::string what =
      row < n ? "the momentum of coordinate " + std::to_string(row + 1) + " of q0 knows no q1"
              : "coordinate " + std::to_string(column + 1) + " of q1 occurs in no momentum of q0";
  throw InvalidArgument(
      "discrete_lagrangian_system: the discrete Lagrangian is not regular: " + what +
      ", so that D1 D2 Ld is singular and p0 = -D1 Ld does not determine q1. "
      "A kinetic term such as m*(q1 - q0)^2/(2*h) is needed for each coordinate");
}

/// What the derivative of a step takes.
void set_whole(expr::Graph& graph, const std::vector<Id>& gradient, const std::vector<int>& all,
               DiscreteLagrangianSystem& s) {
  std::vector<Id> outputs = gradient;
  s.whole_pattern = detail::pattern(graph, expr::hessian(graph, gradient, all), outputs);
  s.whole = displaced_kernel(graph, outputs, s.n);
  s.free = static_cast<int>(graph.parameters().size());
  s.rates = displaced_kernel(graph, detail::rate_formulas(graph, gradient), s.n);
}

}  // namespace

std::vector<double> DiscreteLagrangianSystem::point(const double* q0, const double* q1,
                                                    double h) const {
  std::vector<double> x{h};
  x.insert(x.end(), q0, q0 + n);
  for (int i = 0; i < n; ++i) x.push_back(q1[i] - q0[i]);
  return x;
}

DiscreteLagrangianSystem discrete_lagrangian_system(expr::Graph& graph, Id ld, int n) {
  detail::check_variables(graph, ld, n,
                          {"discrete_lagrangian_system", "discrete Lagrangian", "h", "q0", "q1"});
  const std::vector<int> all = detail::range(1, 2 * n);
  const std::vector<Id> gradient = expr::gradient(graph, ld, all);
  const std::vector<Id> d1(gradient.begin(), gradient.begin() + n);

  DiscreteLagrangianSystem s(ProductSpace({euclidean(n)}));
  std::vector<Id> outputs = gradient;
  s.mixed = detail::pattern(graph, expr::jacobian(graph, d1, detail::range(1 + n, n)), outputs);
  check_regular(s.mixed, n);
  const Id energy = graph.neg(expr::derivative(graph, ld, 0));
  s.value = displaced_kernel(graph, {ld}, n);
  s.energy = displaced_kernel(graph, {energy}, n);
  s.first = displaced_kernel(graph, gradient, n);
  s.second = displaced_kernel(graph, outputs, n);
  set_whole(graph, gradient, all, s);
  return s;
}

}  // namespace varia
