// SPDX-License-Identifier: BSD-3-Clause
#include "varia/mechanics/time_transform.hpp"

#include <cmath>

#include "formulas.hpp"
#include "varia/core/index.hpp"
#include "varia/expr/graft.hpp"
#include "varia/expr/parse.hpp"
#include "varia/mechanics/symbolic.hpp"

namespace varia {

namespace {

using expr::Id;

using detail::sz;

/// M⁻¹, for M > 0.
Eigen::MatrixXd inverse_mass(const KernelSystem& f) {
  Eigen::MatrixXd m = f.mass;
  if (!f.mass_diagonal.empty()) m = Eigen::Map<const Vn>(f.mass_diagonal.data(), f.n).asDiagonal();
  const Eigen::LLT<Eigen::MatrixXd> factors(m);
  if (factors.info() != Eigen::Success)
    throw InvalidArgument(
        "the local period needs a mass matrix with positive eigenvalues only; give a step function "
        "g(q)");
  return factors.solve(Eigen::MatrixXd::Identity(f.n, f.n));
}

/// tr(M⁻¹V″M⁻¹V″) = |M^{-1/2}V″M^{-1/2}|²
Id curvature(expr::Graph& g, const KernelSystem& f) {
  const int n = f.n;
  const Eigen::MatrixXd inverse = inverse_mass(f);
  const Id lagrangian = symbolic_lagrangian(g, f);
  // a mass that is a formula of free parameters remains one, where it is diagonal
  const auto by_mass = [&](int i, int j) {
    if (f.free == 0 || f.mass_diagonal.empty()) return g.constant(inverse(i, j));
    const int v = 1 + n + i;
    return g.reciprocal(expr::derivative(g, expr::derivative(g, lagrangian, v), v));
  };
  const Id potential = g.neg(expr::substitute(g, lagrangian, expr::zeros(g, 1 + n, n)));
  const auto q = detail::range(1, n);
  const auto second = expr::hessian(g, expr::gradient(g, potential, q), q);
  const Id zero = g.constant(0.0);
  std::vector<Id> w(sz(n) * sz(n), zero);  // M⁻¹V″
  const auto at = [&](int i, int j) -> Id& { return w[sz(i) * sz(n) + sz(j)]; };
  for (const auto& entry : second)
    for (int i = 0; i < n; ++i) {
      const auto add = [&](int row, int column) {
        if (inverse(i, row) != 0.0)
          at(i, column) = g.add(at(i, column), g.mul(by_mass(i, row), entry.value));
      };
      add(entry.row, entry.column);
      if (entry.row != entry.column) add(entry.column, entry.row);
    }
  Id sum = zero;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) sum = g.add(sum, g.mul(at(i, j), at(j, i)));
  return sum;
}

expr::Kernel period(const KernelSystem& f, double slowest) {
  if (!f.on_vector_space() || !f.separable)
    throw InvalidArgument(
        "the local period is known for L = 1/2 v.M v - V(q) with a constant mass M only; give a "
        "step function g(q)");
  expr::Graph g;
  const Id sum = g.add(curvature(g, f), g.constant(std::pow(slowest, 4)));
  if (g.is_constant(sum, 0.0))
    throw InvalidArgument(
        "the potential is not curved anywhere: the local period is infinite. Give a step function "
        "g(q), or use a fixed step");
  return step_function(g, g.reciprocal(g.make(expr::Op::sqrt, g.make(expr::Op::sqrt, sum))), f.n);
}

void require_conservative(const KernelSystem& f) {
  const auto refuse = [](const std::string& found) {
    throw InvalidArgument(
        "the transformation g(q) (H - E) needs a Lagrangian L(q, v) on R^n without force and "
        "constraint; " +
        found + ". Use a fixed step, or verlet where L = 1/2 v.M v - V(t, q)");
  };
  if (!f.on_vector_space()) refuse("this system has rotations");
  if (f.d > 0) refuse("this system has constraints");
  if (f.uses_time) refuse("this one depends on the time");
  if (f.forced) refuse("this system has a force");
}

}  // namespace

expr::Kernel step_function(expr::Graph& graph, Id g, int n) {
  std::vector<Id> outputs{g};
  for (const Id d : expr::gradient(graph, g, detail::range(1, n))) outputs.push_back(d);
  return detail::kernel(graph, outputs, 1 + n);
}

expr::Kernel step_function(const std::vector<std::string>& coordinates, std::string_view g) {
  expr::Graph graph;
  expr::Scope scope;
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    scope.add(coordinates[i], graph.variable(1 + static_cast<int>(i)));
  return step_function(graph, expr::parse(graph, scope, g), static_cast<int>(coordinates.size()));
}

expr::Kernel local_period(const KernelSystem& system, double longest) {
  if (!(longest > 0.0) || !std::isfinite(longest))
    throw InvalidArgument("the longest period must be a positive number, got " + to_text(longest));
  return period(system, 1.0 / longest);
}

expr::Kernel local_period(const KernelSystem& system) { return period(system, 0.0); }

void require_step_function(const KernelSystem& system, const expr::Kernel& g) {
  if (!g) throw InvalidArgument("there is no step function g(q)");
  const expr::Tape& tape = g.tape();
  if (tape.inputs() != 1 + system.n || tape.outputs() != 1 + system.n)
    throw InvalidArgument("a step function of " + std::to_string(system.n) +
                          " coordinates is a kernel (t, q) -> (g, dg/dq) with " +
                          std::to_string(1 + system.n) + " inputs and outputs; this one has " +
                          std::to_string(tape.inputs()) + " and " + std::to_string(tape.outputs()));
  if (expr::reads(tape, 0))
    throw InvalidArgument("the step function depends on the time; it may depend on q only");
}

expr::Kernel pace_slopes(const expr::Kernel& g, int n) {
  expr::Graph graph;
  const std::vector<Id> pace = expr::graft(graph, g.tape(), expr::variables(graph, 0, 1 + n));
  Id change = graph.constant(0.0);
  for (int i = 0; i < n; ++i)
    change = graph.add(change, graph.mul(pace[sz(1 + i)], graph.variable(1 + n + i)));
  return slopes(graph, {pace[0], graph.neg(graph.div(change, pace[0]))}, n);
}

std::shared_ptr<KernelSystem> time_transformed(const KernelSystem& system, const expr::Kernel& g,
                                               double energy) {
  require_conservative(system);
  require_step_function(system, g);
  if (!std::isfinite(energy))
    throw InvalidArgument("the energy must be a finite number, got " + to_text(energy));
  expr::Graph graph;
  const int n = system.n;
  std::vector<Id> x = expr::variables(graph, 0, 1 + n);
  const Id speed = expr::graft(graph, g.tape(), x)[0];
  for (int i = 0; i < n; ++i) x.push_back(graph.div(graph.variable(1 + n + i), speed));
  const Id lagrangian = expr::graft(graph, system.value.tape(), x)[0];
  const Id shifted = graph.add(lagrangian, graph.parameter(energy));
  return symbolic_system(graph, graph.mul(speed, shifted), n);
}

}  // namespace varia
