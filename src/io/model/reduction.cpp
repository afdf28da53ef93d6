// SPDX-License-Identifier: BSD-3-Clause
// Groups whose points do not occur: their Casimir functions, and the names of points that are left out.
//
//   (casimir)   d/dt C(μ) = ∂C/∂μ·(f + reactions), since ∂C/∂μ·ad*_v μ = 0 for every v
#include <fmt/format.h>

#include <algorithm>

#include "builder.hpp"
#include "varia/core/index.hpp"
#include "varia/space/list.hpp"

namespace varia::io {

namespace {

using detail::sz;

/// SO3, SE2, SE3
std::string reduced_keys() {
  std::string keys;
  for (const FactorPtr& factor : space_list())
    if (find_reduced_space(factor->notation().key))
      keys += (keys.empty() ? "" : ", ") + factor->notation().key;
  return keys;
}

}  // namespace

void require_points_to_leave_out(const Scenario& scenario) {
  const Text& text = scenario.run.reconstruct;
  if (text.value != "false") return;
  const System& s = scenario.system;
  if (!s.bodies.empty()) {
    const Coordinate& pose = s.coordinates[s.bodies.front().coordinate];
    throw ScenarioError(
        text,
        "false leaves out where the bodies are, but [[system.body]] is about their places: joints, "
        "gravity, points, the picture. Write true, or state the body as a coordinate, { name = \"" +
            pose.name + "\", space = \"" + pose.space + "\" }, with its Lagrangian");
  }
  if (std::none_of(s.coordinates.begin(), s.coordinates.end(),
                   [](const Coordinate& c) { return c.reduced; }))
    throw ScenarioError(
        text, "false leaves out the points of groups, " + reduced_keys() +
                  ", and no coordinate is on one: there is nothing to reduce. Write true, or leave "
                  "it out");
}

/// ∂C/∂μ·f at p = ∂L/∂v, for each of some forces: those that do not vanish.
std::vector<std::vector<expr::Id>> ModelBuilder::casimir_rates(
    Id casimir, const std::vector<std::vector<Id>>& forces) {
  const auto momenta = detail::range(layout_.momentum_variable(0), layout_.n);
  std::vector<std::pair<int, Id>> of_velocities;
  of_velocities.reserve(sz(layout_.n));
  for (int i = 0; i < layout_.n; ++i)
    of_velocities.emplace_back(layout_.momentum_variable(i), gradient_[sz(layout_.n + i)]);
  const std::vector<Id> slope =
      expr::substitute(*graph_, expr::gradient(*graph_, casimir, momenta), of_velocities);
  std::vector<std::vector<Id>> rates;
  for (const std::vector<Id>& force : forces) {
    std::vector<Id> terms;
    for (std::size_t i = 0; i < slope.size(); ++i)
      if (const Id term = graph_->mul(slope[i], force[i]); !graph_->is_constant(term, 0.0))
        terms.push_back(term);
    if (!terms.empty()) rates.push_back(std::move(terms));
  }
  return rates;
}

/// (casimir), and what the steps make of it.
void ModelBuilder::judge_casimir(Id casimir, const std::string& of, Momentum& m) {
  const auto changes = [&](const std::vector<std::vector<Id>>& rates) {
    m.exact = m.exact && rates.empty();
    return std::any_of(rates.begin(), rates.end(), [&](const std::vector<Id>& terms) {
      return invariance_defect(terms) > invariance_tolerance;
    });
  };
  std::vector<std::vector<Id>> reactions(nonholonomic_.size(),
                                         std::vector<Id>(sz(layout_.n), graph_->constant(0.0)));
  for (const expr::Entry& slope : model_.nonholonomic_slopes)
    reactions[sz(slope.row)][sz(slope.column)] = slope.value;
  if (changes(casimir_rates(casimir, {force_})))
    m.message = "a force acts on " + of + " across the levels of the Casimir function: it changes";
  else if (changes(casimir_rates(casimir, reactions)))
    m.message = "the reaction of a nonholonomic constraint acts on " + of +
                " across the levels of the Casimir function: it changes";
  m.conserved = m.message.empty();
}

void ModelBuilder::add_casimirs(const Layout::Block& b, int k, std::vector<Id>& outputs) {
  const auto& names = b.notation().casimirs;
  if (names.empty()) return;
  const Formulas values = b.factor->casimirs(*graph_, layout_.momentum(*graph_, b, k));
  for (std::size_t j = 0; j < names.size(); ++j) {
    Momentum m;
    m.name = b.name + names[j] + b.index(k);
    m.quadratic = true;
    judge_casimir(values[j], b.point(k), m);
    outputs.push_back(values[j]);
    model_.momenta.push_back(m);
  }
}

Model with_points(const Model& model) {
  Scenario scenario = model.scenario;
  scenario.run.reconstruct.value = "true";
  for (Coordinate& coordinate : scenario.system.coordinates) coordinate.reduced = false;
  Model whole = ModelBuilder(scenario).build();
  set_method(whole, model.method);
  whole.step = model.step;
  return whole;
}

void add_left_out(const System& system, expr::Scope& scope) {
  for (const Coordinate& c : system.coordinates) {
    if (!c.reduced) continue;
    const Notation& whole = find_space(c.space)->notation();
    const auto leave_out = [&](const std::string& name, const std::string& what) {
      scope.add_absent(
          name, fmt::format("'{}' is {}, and reconstruct = false in [run] leaves {} out: the "
                            "reduced equations stand alone only where it does not occur. "
                            "Write reconstruct = true, or do without it",
                            name, what, c.name));
    };
    leave_out(c.name, whole.what);
    for (const Names* names : {&whole.entries, &whole.spatial}) {
      for (const std::string& suffix : names->suffixes)
        leave_out(c.name + suffix, names->what + " " + c.name);
      for (const VectorName& vector : names->vectors)
        leave_out(c.name + vector.suffix, names->what + " " + c.name);
    }
  }
}

}  // namespace varia::io
