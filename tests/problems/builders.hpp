// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Systems from text, as a scenario would state them.
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "varia/expr/parse.hpp"
#include "varia/mechanics/acceleration_system.hpp"
#include "varia/mechanics/discrete_lagrangian_system.hpp"
#include "varia/mechanics/hamiltonian_system.hpp"
#include "varia/mechanics/make_kernel_system.hpp"
#include "varia/space/list.hpp"

namespace varia::problems {

using SystemPtr = std::shared_ptr<const KernelSystem>;

/// A coordinate has the names of its space: x, x_dot on ℝ, R11 … R33, R_w1 … on SO(3). "q[1..8]" is an
/// array, with velocities q_dot[1] … q_dot[8]; of rotations "R[1..8]" are R11[1] … R33[8].
struct Coordinate {
  Coordinate(const char* its_name, std::string its_space = "R")
      : name(its_name), space(std::move(its_space)) {}
  Coordinate(std::string its_name, std::string its_space = "R")
      : name(std::move(its_name)), space(std::move(its_space)) {}

  std::string name, space;
};

/// A system as text, and where it starts if all who use it start there.
struct Texts {
  std::vector<Coordinate> coordinates;
  std::string lagrangian;  ///< the time is t
  std::vector<std::string> force = {};
  std::vector<std::string> constraints = {};
  Vn q = {}, v = {};
  double t = 0.0;
  std::vector<std::string> nonholonomic = {};

  Texts with_force(std::vector<std::string> components) const {
    Texts texts = *this;
    texts.force = std::move(components);
    return texts;
  }
};

/// Of "q[1..8]" it is q, 8; of any other name the name, 0.
inline std::pair<std::string, int> array_of(const std::string& name) {
  const auto bracket = name.find("[1..");
  if (bracket == std::string::npos) return {name, 0};
  return {name.substr(0, bracket), std::stoi(name.substr(bracket + 4))};
}

/// The variables t, q, v of a graph under the names of the coordinates; the space they are on.
inline ProductSpace declare(expr::Graph& g, expr::Scope& scope,
                            const std::vector<Coordinate>& coordinates,
                            Retraction tau = Retraction::exponential) {
  std::vector<FactorPtr> factors;
  for (const Coordinate& c : coordinates) {
    FactorPtr factor = find_space(c.space);
    if (!factor) throw std::invalid_argument("no space " + c.space);
    if (const FactorPtr other = factor->with(tau)) factor = other;
    const int length = array_of(c.name).second;
    for (int k = 0; k < (length > 0 ? length : 1); ++k) factors.push_back(factor);
  }
  const ProductSpace space(factors);
  const auto variables = [&](int first, int count) {
    Formulas ids;
    for (int k = 0; k < count; ++k) ids.push_back(g.variable(first + k));
    return ids;
  };
  scope.add("t", g.variable(0));
  auto place = space.factors().begin();
  for (const Coordinate& c : coordinates) {
    const auto [name, length] = array_of(c.name);
    const Notation& notation = place->factor->notation();
    std::vector<Formulas> points;  // of each point what is seen of it, and of its velocity
    std::vector<Formulas> velocities;
    for (int k = 0; k < (length > 0 ? length : 1); ++k, ++place) {
      const Formulas point = variables(1 + place->entry, place->factor->entries());
      points.push_back(place->factor->seen_point(g, point));
      velocities.push_back(place->factor->seen_vector(
          g, point, variables(1 + space.entries() + place->degree, place->factor->dof())));
    }
    const auto add = [&, &name = name, is_array = length > 0](
                         const std::vector<std::string>& suffixes,
                         const std::vector<Formulas>& seen) {
      for (std::size_t k = 0; k < suffixes.size(); ++k) {
        Formulas entry;
        for (const Formulas& of_one : seen) entry.push_back(of_one[k]);
        if (is_array)
          scope.add_array(name + suffixes[k], 1, entry);
        else
          scope.add(name + suffixes[k], entry.front());
      }
    };
    add(notation.entries.suffixes, points);
    add(notation.velocities.suffixes, velocities);
  }
  return space;
}

/// The variables first, first + 1, … as name[1] … name[n].
inline void declare_array(expr::Graph& g, expr::Scope& scope, const std::string& name, int first,
                          int n) {
  std::vector<expr::Id> ids;
  for (int i = 0; i < n; ++i) ids.push_back(g.variable(first + i));
  scope.add_array(name, 1, ids);
}

/// With free parameters, where there are some.
inline std::shared_ptr<KernelSystem> system_of(
    const Texts& texts, Retraction tau = Retraction::exponential,
    const std::vector<std::pair<std::string, double>>& free = {}) {
  expr::Graph g;
  expr::Scope scope;
  KernelFormulas formulas;
  formulas.space = declare(g, scope, texts.coordinates, tau);
  for (const auto& [name, value] : free) scope.add(name, g.parameter(value));
  formulas.lagrangian = expr::parse(g, scope, texts.lagrangian);
  for (const auto& text : texts.force) formulas.force.push_back(expr::parse(g, scope, text));
  for (const auto& text : texts.constraints)
    formulas.constraints.push_back(expr::parse(g, scope, text));
  for (const auto& text : texts.nonholonomic)
    formulas.nonholonomic.push_back(expr::parse(g, scope, text));
  return make_kernel_system(g, formulas);
}

/// The accelerations of a Lagrangian on ℝⁿ without force and constraint.
inline std::shared_ptr<AccelerationSystem> acceleration_of(const Texts& texts) {
  expr::Graph g;
  expr::Scope scope;
  const int n = declare(g, scope, texts.coordinates).dof();
  return make_acceleration_system(g, expr::parse(g, scope, texts.lagrangian), n);
}

/// H in t, q[1] … q[n] and p[1] … p[n].
inline std::shared_ptr<const HamiltonianSystem> hamiltonian_of(const std::string& text, int n) {
  expr::Graph g;
  expr::Scope scope;
  scope.add("t", g.variable(0));
  scope.add_index("n", n);
  declare_array(g, scope, "q", 1, n);
  declare_array(g, scope, "p", 1 + n, n);
  return std::make_shared<const HamiltonianSystem>(
      hamiltonian_system(g, expr::parse(g, scope, text), n));
}

/// L_d in h, a[1] … a[n] (q₀) and b[1] … b[n] (q₁).
inline std::shared_ptr<const DiscreteLagrangianSystem> discrete_lagrangian_of(
    const std::string& text, int n) {
  expr::Graph g;
  expr::Scope scope;
  scope.add("h", g.variable(0));
  declare_array(g, scope, "a", 1, n);
  declare_array(g, scope, "b", 1 + n, n);
  return std::make_shared<const DiscreteLagrangianSystem>(
      discrete_lagrangian_system(g, expr::parse(g, scope, text), n));
}

}  // namespace varia::problems
