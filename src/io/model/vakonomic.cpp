// SPDX-License-Identifier: BSD-3-Clause
// Vakonomic constraints: the action is stationary among motions with Φ(t, q, v) = 0.
//
//   (vakonomic)   d/dt ∂L/∂v - ∂L/∂q = λ̇ᵃ ∂Φₐ/∂v + λᵃ (d/dt ∂Φₐ/∂v - ∂Φₐ/∂q)  up to the sign of λ,
//                 the Euler-Lagrange equations of L + ζ̇ᵃ Φₐ in (q, ζ) with λ = ζ̇        [Sato19], (2.11)
//
// ζ does not occur itself: its momentum Φ is kept, at 0. So there is nothing to solve for that a
// Lagrangian system without constraints does not have, and every method of it holds Φ = 0 at the nodes.
// The coordinates ζ are called impulse[1], impulse[2], ...: their rates are the multipliers.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "../scenario/expressions.hpp"
#include "builder.hpp"
#include "varia/core/counted.hpp"
#include "varia/core/index.hpp"
#include "varia/flow/state.hpp"

namespace varia::io {

namespace {

using detail::sz;

constexpr const char* impulse = "impulse";

/// The first and the last number of a range, which may use the parameters.
long constraints_of(const Scenario& scenario, const ConstraintText& c) {
  if (!c.range) return 1;
  expr::Graph graph;
  expr::Scope scope;
  add_parameters(scenario.text, scenario.system.parameters, graph, scope, {});
  add_definitions(scenario.system.definitions, scope);
  const auto number = [&](const Text& text) {
    return std::lround(constant_value(graph, parse_text(scenario.text, graph, scope, text), text));
  };
  return std::max(0L, number(c.range->second) - number(c.range->first) + 1);
}

void refuse_names(const Scenario& scenario) {
  const auto refuse = [](const Place& place, const std::string& key) {
    throw ScenarioError(place, key,
                        "impulse is the name of the coordinates whose rates are the multipliers of "
                        "vakonomic constraints; give this another name.");
  };
  for (const Coordinate& c : scenario.system.coordinates)
    if (c.name == impulse) refuse(c.place, "system.coordinates");
  for (const Parameter& p : scenario.system.parameters)
    if (p.name == impulse) refuse(p.place, "system.parameters.impulse");
  for (const expr::Definition& d : scenario.system.definitions)
    if (d.name == impulse) refuse({d.origin.file, d.origin.line, d.origin.column}, d.origin.key);
}

}  // namespace

bool is_vakonomic(const Scenario& scenario) {
  const Run& run = scenario.run;
  if (run.constraints.value == "vakonomic") return true;
  if (!run.start_multipliers.empty())
    throw ScenarioError(
        run.start_multipliers.front(),
        "multipliers are chosen for vakonomic constraints only; those of others "
        "follow from the motion. Leave them out, or write constraints = \"vakonomic\"");
  return false;
}

/// With the coordinates ζ, at 0, and their rates, or momenta, at the start.
Scenario with_impulses(Scenario scenario) {
  const System& s = scenario.system;
  const Text& text = scenario.run.constraints;
  const bool of_a_model =
      std::any_of(s.coordinates.begin(), s.coordinates.end(),
                  [&](const Coordinate& c) { return c.name == impulse && c.key == text.key; });
  if (of_a_model) return scenario;  // it has them already
  if (s.nonholonomic.empty())
    throw ScenarioError(text, "there are no constraints under system.nonholonomic to be vakonomic");
  if (scenario.start.project)
    throw ScenarioError(text,
                        "a start is not projected onto vakonomic constraints; give velocities that "
                        "satisfy them");
  refuse_names(scenario);
  long count = 0;
  for (const ConstraintText& c : s.nonholonomic) count += constraints_of(scenario, c);
  const std::vector<Text>& given = scenario.run.start_multipliers;
  if (!given.empty() && std::ssize(given) != count)
    throw ScenarioError(given.front(), "found " + counted(given.size(), "multiplier") + " for " +
                                           counted(count, "vakonomic constraint"));
  if (!given.empty() && scenario.start.momenta)
    throw ScenarioError(given.front(),
                        "the momenta at the start determine the multipliers; leave them out");
  const Place place = s.nonholonomic.front().phi.place;
  scenario.system.coordinates.push_back(
      {impulse, "R", 1, static_cast<int>(count), true, place, text.key});
  Start& start = scenario.start;
  const std::string rate = std::string(impulse) + (start.momenta ? "_p[" : "_dot[");
  for (long a = 1; a <= count; ++a) {
    const std::string index = std::to_string(a) + "]";
    const std::string position = std::string(impulse) + "[" + index;
    start.positions.push_back({position, {"0", place, "start." + position}, a, true});
    const std::string component = rate + index;
    start.rates.push_back({component,
                           given.empty() ? Text{"0", place, "start." + component}
                                         : given[sz(static_cast<int>(a) - 1)],
                           a, true});
  }
  return scenario;
}

/// L + ζ̇·Φ
expr::Id ModelBuilder::with_vakonomic_terms(Id lagrangian) {
  const int first = layout_.velocity_variable(layout_.n - static_cast<int>(vakonomic_.size()));
  for (std::size_t a = 0; a < vakonomic_.size(); ++a)
    lagrangian = graph_->add(
        lagrangian, graph_->mul(graph_->variable(first + static_cast<int>(a)), vakonomic_[a]));
  return lagrangian;
}

/// The velocities at the start satisfy Φ = 0: as a speed, divided by |∂Φ/∂v|, it is held against theirs.
void ModelBuilder::require_vakonomic_start() const {
  if (scenario_.start.momenta) return;  // those of ζ are 0
  const KernelSystem& f = *model_.system;
  const auto x = f.point(model_.t0, model_.q0.data(), model_.rates0.data());
  std::vector<double> out(sz(2 * f.n + f.second.size()));
  f.hessian(x.data(), out.data());
  const int first = f.n - static_cast<int>(vakonomic_.size());
  const double speed = std::sqrt(std::inner_product(
      model_.rates0.begin(), model_.rates0.begin() + first, model_.rates0.begin(), 0.0));
  for (int a = first; a < f.n; ++a) {
    double slope = 0.0;  // ∂²L/∂ζ̇∂v
    for (int e = 0; e < f.second.size(); ++e)
      if (f.second.row[sz(e)] == f.n + a && f.second.column[sz(e)] >= f.n)
        slope = std::hypot(slope, out[sz(2 * f.n + e)]);
    const double phi = out[sz(f.n + a)];
    if (std::abs(phi) <= start_tolerance * slope * std::max(speed, 1e-300)) continue;
    throw ScenarioError(scenario_.start.place, "start",
                        "the start velocity violates vakonomic constraint " +
                            std::to_string(a - first + 1) + ": Phi = " + varia::to_text(phi) + ".");
  }
}

}  // namespace varia::io
