// SPDX-License-Identifier: BSD-3-Clause
#include "varia/mechanics/tangent_lift.hpp"

#include "formulas.hpp"
#include "varia/core/index.hpp"
#include "varia/expr/graft.hpp"

namespace varia {

namespace {

using detail::range;
using expr::Id;

TangentLift lift_of(expr::Graph& g, Id lagrangian, int n) {
  auto f = std::make_shared<KernelSystem>(ProductSpace({euclidean(2 * n)}));
  f->value = detail::kernel(g, {lagrangian}, 1 + 4 * n);
  f->gradient = detail::kernel(g, expr::gradient(g, lagrangian, range(1, 4 * n)), 1 + 4 * n);
  return {std::move(f), make_acceleration_system(g, lagrangian, 2 * n)};
}

}  // namespace

std::vector<TangentLift> tangent_lifts(const KernelSystem& system) {
  const int n = system.n;
  expr::Graph g;
  const auto v = [&](int i) { return g.variable(1 + 2 * n + i); };
  std::vector<Id> x = expr::variables(g, 0, 1 + n);
  for (int i = 0; i < n; ++i) x.push_back(v(i));
  const Id lagrangian = expr::graft(g, system.value.tape(), x)[0];
  std::vector<int> moving = range(1, n);
  for (const int i : range(1 + 2 * n, n)) moving.push_back(i);
  const std::vector<Id> slope = expr::gradient(g, lagrangian, moving);
  Id along = g.constant(0.0);
  Id length = lagrangian;  // -E + t ∂L/∂t
  for (int i = 0; i < n; ++i) {
    along = g.add(along, g.mul(slope[detail::sz(i)], g.variable(1 + n + i)));
    along = g.add(along, g.mul(slope[detail::sz(n + i)], g.variable(1 + 3 * n + i)));
    length = g.sub(length, g.mul(slope[detail::sz(n + i)], v(i)));
  }
  std::vector<Id> sources = detail::rate_formulas(g, {lagrangian});
  sources.insert(sources.begin() + 1, g.add(length, g.mul(g.variable(0), sources[0])));
  std::vector<TangentLift> lifts{lift_of(g, along, n)};
  for (const Id source : sources) lifts.push_back(lift_of(g, g.add(along, source), n));
  return lifts;
}

}  // namespace varia
