// SPDX-License-Identifier: BSD-3-Clause
#include "path_formulas.hpp"

#include "varia/core/index.hpp"

namespace varia::detail {

namespace {

/// The part of a factor.
Formulas part(const Formulas& x, int first, int count) {
  return {x.begin() + first, x.begin() + first + count};
}

}  // namespace

/// map(factor, first entry, first degree) of all factors, one after the other.
template <class Map> Formulas PathFormulas::each(const Map& map) const {
  Formulas all;
  for (const ProductSpace::Place& at : space_.factors()) {
    const Formulas some = map(*at.factor, at.entry, at.degree);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

Formulas PathFormulas::displaced(const Formulas& q, const Formulas& delta) const {
  return each([&](const Factor& f, int entry, int degree) {
    return f.displaced(graph_, part(q, entry, f.entries()), part(delta, degree, f.dof()));
  });
}

Formulas PathFormulas::retracted(const Formulas& q, const Formulas& xi) const {
  return each([&](const Factor& f, int entry, int degree) {
    return f.retracted(graph_, part(q, entry, f.entries()), part(xi, degree, f.dof()), tau_);
  });
}

Formulas PathFormulas::velocity(const Formulas& xi, const Formulas& eta) const {
  return each([&](const Factor& f, int, int degree) {
    return f.chart_velocity(graph_, part(xi, degree, f.dof()), part(eta, degree, f.dof()), tau_);
  });
}

Formulas PathFormulas::carried(const Formulas& xi, const Formulas& gamma) const {
  return each([&](const Factor& f, int, int degree) {
    return f.carried(graph_, part(xi, degree, f.dof()), part(gamma, degree, f.dof()), tau_);
  });
}

Formulas PathFormulas::moved(const Formulas& xi, const Formulas& gamma, const Formulas& eta) const {
  return sum_of(graph_, carried(xi, gamma), velocity(xi, eta));
}

Formulas PathFormulas::coadjoint(const Formulas& pi, const Formulas& v) const {
  return each([&](const Factor& f, int, int degree) {
    return f.coadjoint(graph_, part(pi, degree, f.dof()), part(v, degree, f.dof()));
  });
}

Formulas PathFormulas::gap(const Formulas& a, const Formulas& b) const {
  return each([&](const Factor& f, int entry, int) {
    return f.gap(graph_, part(a, entry, f.entries()), part(b, entry, f.entries()));
  });
}

expr::Id dot(expr::Graph& graph, const Formulas& a, const Formulas& b) {
  expr::Id sum = graph.constant(0.0);
  for (std::size_t i = 0; i < a.size(); ++i) sum = graph.add(sum, graph.mul(a[i], b[i]));
  return sum;
}

Formulas sum_of(expr::Graph& graph, const Formulas& a, const Formulas& b) {
  Formulas result;
  for (std::size_t i = 0; i < a.size(); ++i) result.push_back(graph.add(a[i], b[i]));
  return result;
}

Formulas scaled(expr::Graph& graph, expr::Id factor, const Formulas& x) {
  Formulas result;
  for (const expr::Id id : x) result.push_back(graph.mul(factor, id));
  return result;
}

}  // namespace varia::detail
