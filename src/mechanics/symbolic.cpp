// SPDX-License-Identifier: BSD-3-Clause
#include "varia/mechanics/symbolic.hpp"

#include "formulas.hpp"
#include "varia/core/index.hpp"
#include "varia/expr/graft.hpp"
#include "varia/expr/parse.hpp"
#include "varia/mechanics/make_kernel_system.hpp"

namespace varia {

namespace {

using detail::kernel;
using expr::Id;

using detail::sz;

}  // namespace

std::shared_ptr<KernelSystem> symbolic_system(expr::Graph& graph, Id lagrangian, int n) {
  if (n < 1)
    throw InvalidArgument("a system needs at least one coordinate, got " + std::to_string(n));
  return make_kernel_system(graph, {ProductSpace({euclidean(n)}), lagrangian, {}, {}});
}

std::shared_ptr<KernelSystem> symbolic_system(const std::vector<std::string>& coordinates,
                                              std::string_view lagrangian) {
  expr::Graph graph;
  expr::Scope scope;
  const int n = static_cast<int>(coordinates.size());
  scope.add("t", graph.variable(0));
  for (int i = 0; i < n; ++i) {
    scope.add(coordinates[sz(i)], graph.variable(1 + i));
    scope.add(coordinates[sz(i)] + "_dot", graph.variable(1 + n + i));
  }
  return symbolic_system(graph, expr::parse(graph, scope, lagrangian), n);
}

Id symbolic_lagrangian(expr::Graph& graph, const KernelSystem& system) {
  const expr::Tape& tape = system.value.tape();
  return expr::graft(graph, tape, expr::variables(graph, 0, tape.inputs()))[0];
}

expr::Kernel slopes(expr::Graph& graph, const std::vector<Id>& formulas, int n) {
  std::vector<Id> outputs;
  for (const Id f : formulas) {
    outputs.push_back(f);
    for (const Id slope : expr::gradient(graph, f, detail::range(1, 2 * n)))
      outputs.push_back(slope);
    for (const Id rate : detail::rate_formulas(graph, {f})) outputs.push_back(rate);
  }
  return kernel(graph, outputs, 1 + 2 * n);
}

expr::Kernel time_derivative(const KernelSystem& system) {
  expr::Graph graph;
  const Id rate = expr::derivative(graph, symbolic_lagrangian(graph, system), 0);
  return kernel(graph, {rate}, system.value.tape().inputs());
}

}  // namespace varia
