// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/equations.hpp"

#include <algorithm>

#include "varia/core/index.hpp"

namespace varia::io {

namespace {

using detail::sz;
using expr::Id;

/// ad*_v μ of a factor by components, of momenta by name or as formulas: R_m2*R_w3 - R_m3*R_w2, or with ∂L/∂v for μ.
Id coadjoint(const Model& m, const ProductSpace::Curved& c, int degree, bool by_name) {
  expr::Graph& g = *m.graph;
  const int velocity = 1 + m.system->entries + c.degree;
  const auto momentum = [&](int l) {
    return by_name ? g.variable(velocity + m.system->n + l)
                   : m.gradient[sz(m.system->n + c.degree + l)];
  };
  Id sum = g.constant(0.0);
  for (int l = 0; l < c.dof; ++l) {
    FactorChart::Map ad;
    double unit[FactorChart::most] = {};
    unit[l] = 1.0;
    c.factor->ad_star(unit, ad);
    for (int j = 0; j < c.dof; ++j) {
      const Id product = g.mul(momentum(l), g.variable(velocity + j));
      sum = g.add(sum, g.mul(g.constant(ad[(degree - c.degree) * c.dof + j]), product));
    }
  }
  return sum;
}

/// ad*_v ∂L/∂v, where the degree of freedom belongs to a curved factor: in words, or by components where
/// it is all there is.
void add_frame(const Model& m, int degree, std::vector<EquationTerm>& right) {
  for (const auto& c : m.system->space.curved()) {
    if (degree < c.degree || degree >= c.degree + c.dof) continue;
    if (is_reduced(m, degree))
      right.push_back({EquationTerm::Kind::formula, coadjoint(m, c, degree, true)});
    else if (!c.factor->notation().frame_term.empty())
      right.push_back({EquationTerm::Kind::words, coadjoint(m, c, degree, false), 0,
                       c.factor->notation().frame_term});
  }
}

/// The terms of Gᵀλ and (∂Φ/∂v)ᵀΛ that act on a degree of freedom.
void add_reactions(const Model& m, int degree, std::vector<EquationTerm>& right) {
  const auto add = [&](int constraint, Id gradient) {
    right.push_back({EquationTerm::Kind::reaction, gradient, constraint + 1});
  };
  const Pattern& g = m.system->constraint_pattern;
  for (std::size_t e = 0; e < m.constraint_gradient.size(); ++e)
    if (g.column[e] == degree) add(g.row[e], m.constraint_gradient[e]);
  for (const expr::Entry& slope : m.nonholonomic_slopes)
    if (slope.column == degree) add(m.system->d + slope.row, slope.value);
}

Equation equation_of(const Model& m, int degree) {
  const std::size_t i = sz(degree);
  const bool alone = is_reduced(m, degree);
  Equation e;
  e.left = m.gradient[sz(m.system->n) + i];
  if (alone) {
    e.name = m.momentum_names[i];
    add_frame(m, degree, e.right);
  }
  const auto add = [&](EquationTerm::Kind kind, Id formula) {
    if (!m.graph->is_constant(formula, 0.0)) e.right.push_back({kind, formula});
  };
  add(EquationTerm::Kind::formula, m.gradient[i]);
  add(EquationTerm::Kind::force, m.force[i]);
  add_reactions(m, degree, e.right);
  if (!alone) add_frame(m, degree, e.right);
  return e;
}

void add_constraints(const Model& m, std::size_t most, Equations& result) {
  const std::size_t count = m.constraints.size();
  const std::size_t joints = m.joint_constraints.size(), first = sz(m.system->d) - joints;
  for (std::size_t a = 0; a < std::min(count, most); ++a)
    result.constraints.push_back(
        {m.constraints[a], m.constraint_texts[a], a >= first && a < first + joints});
  if (count > most) result.all = false;
}

}  // namespace

bool is_reduced(const Model& model, int degree) {
  const std::vector<int>& reduced = model.system->space.reduced();
  return std::binary_search(reduced.begin(), reduced.end(), degree);
}

std::string multiplier_name(int multiplier) { return "lambda[" + std::to_string(multiplier) + "]"; }

Equations equations_of(const Model& m, std::size_t most) {
  Equations result;
  std::vector<Equation> definitions;
  for (std::size_t i = 0; i < m.velocity.size() && i < most; ++i)
    result.motion.push_back({true,
                             "",
                             m.graph->variable(1 + static_cast<int>(i)),
                             {{EquationTerm::Kind::formula, m.velocity[i]}}});
  const std::vector<int>& vertical = m.system->space.vertical();  // these do not move
  for (int i = 0; i < m.system->n && sz(i) < most; ++i) {
    if (std::binary_search(vertical.begin(), vertical.end(), i)) continue;
    result.motion.push_back(equation_of(m, i));
    const Equation& e = result.motion.back();
    if (!e.name.empty())
      definitions.push_back({false, e.name, 0, {{EquationTerm::Kind::formula, e.left}}});
  }
  result.motion.insert(result.motion.end(), definitions.begin(), definitions.end());
  result.all = sz(m.system->n) <= most;
  add_constraints(m, most, result);
  return result;
}

Model with_names(const Scenario& scenario, Sums sums) {
  Scenario named = scenario;
  named.system.free.clear();
  for (const Parameter& p : named.system.parameters)
    named.system.free.push_back({p.name, p.values.front().place, p.values.front().key});
  try {
    return build_model(named, sums);
  } catch (const Error&) {
    return build_model(scenario, sums);
  }
}

}  // namespace varia::io
