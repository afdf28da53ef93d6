// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Systems from text on any space, as a scenario would state them.
//
//   const auto top = problems::system({{"R", "SO3"}}, "(R_w1^2 + R_w2^2 + R_w3^2)/2 - R33");
//
// A coordinate has the names of its space: x, x_dot on ℝ, R11 … R33, R_w1 … on SO(3).
#include <algorithm>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

#include "varia/expr/parse.hpp"
#include "varia/flow/kernel_start.hpp"
#include "varia/mechanics/make_kernel_system.hpp"
#include "varia/space/list.hpp"

namespace varia::problems {

struct Coordinate {
  std::string name;
  std::string space = "R";
};

inline std::shared_ptr<KernelSystem> system(const std::vector<Coordinate>& coordinates,
                                            const std::string& lagrangian,
                                            const std::vector<std::string>& force = {},
                                            const std::vector<std::string>& constraints = {}) {
  std::vector<FactorPtr> factors;
  for (const Coordinate& c : coordinates) {
    factors.push_back(find_space(c.space));
    if (!factors.back()) throw std::invalid_argument("no space " + c.space);
  }
  expr::Graph g;
  expr::Scope scope;
  KernelFormulas formulas;
  formulas.space = ProductSpace(factors);
  scope.add("t", g.variable(0));
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    const auto& place = formulas.space.factors()[i];
    const Factor& factor = *place.factor;
    const auto variables = [&](int first, int count) {
      Formulas ids;
      for (int k = 0; k < count; ++k) ids.push_back(g.variable(first + k));
      return ids;
    };
    const auto add = [&](const std::vector<std::string>& suffixes, const Formulas& seen) {
      for (std::size_t k = 0; k < suffixes.size(); ++k)
        scope.add(coordinates[i].name + suffixes[k], seen[k]);
    };
    const Formulas q = variables(1 + place.entry, factor.entries());
    const Formulas v = variables(1 + formulas.space.entries() + place.degree, factor.dof());
    add(factor.notation().entries.suffixes, factor.seen_point(g, q));
    add(factor.notation().velocities.suffixes, factor.seen_vector(g, q, v));
  }
  formulas.lagrangian = expr::parse(g, scope, lagrangian);
  for (const auto& text : force) formulas.force.push_back(expr::parse(g, scope, text));
  for (const auto& text : constraints) formulas.constraints.push_back(expr::parse(g, scope, text));
  return make_kernel_system(g, formulas);
}

inline Vn numbers(std::initializer_list<double> values) {
  Vn x(static_cast<Eigen::Index>(values.size()));
  std::copy(values.begin(), values.end(), x.data());
  return x;
}

/// The point displaced by xi from the origin, which moves with velocity v; onto the constraints where
/// there are some.
inline VectorState start(const std::shared_ptr<KernelSystem>& f, const Vn& xi, Vn v,
                         double t = 0.0) {
  Vn q(f->entries);
  for (const auto& place : f->space.factors()) place.factor->origin(q.data() + place.entry);
  f->space.retract(q.data(), xi.data(), Retraction::exponential, q.data());
  if (f->d > 0) std::tie(q, v) = project(*f, q, v, t);
  return initial(*f, q, v, t);
}

}  // namespace varia::problems
