// SPDX-License-Identifier: BSD-3-Clause
#include "laws.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include "varia/io/verdict.hpp"

namespace varia::io {

namespace {

bool moves(const solids::Component& component) { return component && !component.constant(); }

}  // namespace

template <int D> ElementForces element_forces(const solids::Solid<D>& solid, double t) {
  ElementForces forces;
  const auto& families = solid.system.families();
  if (std::none_of(families.begin(), families.end(), [](const auto& f) { return f->load(); }))
    return forces;
  forces.resize(static_cast<std::size_t>(solid.system.term_count()));
  std::size_t K = 0;
  for (const auto& family : families)
    for (int k = 0; k < family->size(); ++k, ++K) {
      if (!family->load()) continue;
      std::array<double, terms::max_numbers<D>> f{};
      family->load()->add(k, t, f.data());
      for (int a = 0; a < family->nodes_per_term(); ++a)
        for (int c = 0; c < D; ++c) forces[K][c] += f[a * D + c];
    }
  return forces;
}

SolidLaws laws_of(const solids::Problem& problem, const ElementForces& forces) {
  SolidLaws laws;
  const int D = problem.mesh.dimension();
  std::array<bool, 3> touched{}, varies{};  // by a support or a load; by a load that varies
  for (int c = 0; c < D; ++c) {
    for (const solids::Fix& fix : problem.fixes) {
      if (fix.nodes.empty() || !fix.position[c]) continue;
      touched[c] = laws.supported = true;
      if (moves(fix.position[c])) laws.time_independent = false;
    }
    varies[c] = moves(problem.body_force[c]);
    for (const solids::Traction& load : problem.tractions)
      varies[c] = varies[c] || (!load.faces.empty() && moves(load.traction[c]));
    const bool loaded = varies[c] || std::any_of(forces.begin(), forces.end(),
                                                 [c](const auto& f) { return f[c] != 0.0; });
    touched[c] = touched[c] || loaded;
    laws.loaded = laws.loaded || loaded;
    if (varies[c]) laws.time_independent = false;
  }
  for (const solids::Region& region : problem.regions)
    if (region.material.model == "linear_elastic") laws.objective = false;
  for (int c = 0; c < 3; ++c) {
    const int d = (c + 1) % 3, e = (c + 2) % 3;
    laws.linear[c] = c < D && !touched[c];
    laws.balance[c] = c < D && touched[c] && !varies[c];
    laws.angular[c] = d < D && e < D && !touched[d] && !touched[e] && laws.objective;
  }
  return laws;
}

template ElementForces element_forces(const solids::Solid<2>&, double);
template ElementForces element_forces(const solids::Solid<3>&, double);

namespace {

constexpr double sum_round_off = 1e-11;  // relative to the sum of the sizes of what is added

Verdict solid_energy(const SolidFigures& f, const Summary& s) {
  if (s.status == "failed")
    return {"energy", "note", short_number(s.energy.max_abs_error),
            "Before the failure the recorded energy error is at most " +
                short_number(s.energy.max_abs_error) + "."};
  if (!f.laws.time_independent)
    return {"energy", "note", short_number(s.energy.max_abs_error),
            "Supports or loads depend on time: the energy changes from " +
                short_number(s.energy.initial) + " to " + short_number(s.energy.final) + "."};
  return energy_verdict(s, f.span);
}

/// The largest change, in units of their parts, of those components of a momentum that are conserved;
/// none if none is.
std::optional<double> largest_change(const Summary& s, char letter,
                                     const std::array<bool, 3>& conserved) {
  std::optional<double> largest;
  for (const auto& [name, m] : s.momenta)
    if (name[0] == letter && conserved[static_cast<std::size_t>(name[2] - 'x')])
      largest = std::max(largest.value_or(0.0),
                         m.parts > 0.0 ? m.max_abs_error / m.parts : m.max_abs_error);
  return largest;
}

void add_momentum(const std::string& name, std::optional<double> share, std::vector<Verdict>& out) {
  if (!share) return;
  const std::string text = short_number(*share);
  if (*share <= sum_round_off)
    out.push_back(
        {name, "good", text, "Conserved to round-off: it changes by " + text + " of its parts."});
  else
    out.push_back(
        {name, "bad", text, "It changes by " + text + " of its parts: more than round-off."});
}

void add_momenta(const SolidFigures& f, const Summary& s, std::vector<Verdict>& out) {
  add_momentum("linear momentum", largest_change(s, 'P', f.laws.linear), out);
  add_momentum("angular momentum", largest_change(s, 'L', f.laws.angular), out);
  if (!f.laws.objective && !f.laws.supported && !f.laws.loaded)
    out.push_back(
        {"angular momentum", "note", "",
         "Linear elasticity is not invariant under rotations: angular momentum is conserved for "
         "small ones only."});
  if (!f.laws.balance[0] && !f.laws.balance[1] && !f.laws.balance[2]) return;
  const std::string text = short_number(f.balance);
  const bool good = f.balance <= sum_round_off;
  out.push_back({"momentum balance", good ? "good" : "bad", text,
                 (good ? "Momentum changes by what supports and loads gave, to round-off: "
                       : "Momentum differs from what supports and loads gave by ") +
                     text + " of the parts."});
}

Verdict stationary_verdict(const Summary::EnergyStationary& steps) {
  const std::string all = std::to_string(steps.solved + steps.failed);
  const std::string text = std::to_string(steps.failed);
  if (steps.failed == 0)
    return {"energy steps", "good", text, "Every step balances the energy, " + all + " in all."};
  return {"energy steps", "note", text,
          text + " of " + all + (steps.failed == 1 ? " steps does" : " steps do") +
              " not balance the energy of the element: there was no such step, and the "
              "nominal one was taken, or a later one where a neighbour acted meanwhile."};
}

}  // namespace

std::vector<Verdict> solid_verdicts(const SolidFigures& f, const Summary& s) {
  std::vector<Verdict> out;
  if (s.status == "failed")
    out.push_back({"run", "bad", short_number(s.t_end), "The run failed: " + s.message + "."});
  if (s.steps == 0) return out;
  out.push_back(solid_energy(f, s));
  add_momenta(f, s, out);
  if (s.energy_residual) {
    const std::string text = short_number(s.energy_residual->max_relative);
    out.push_back({"local energy", "note", text,
                   "The local energy balance of an element is off by at most " + text +
                       " of its energy, added up over the run."});
  }
  if (s.energy_stationary) out.push_back(stationary_verdict(*s.energy_stationary));
  if (s.updates && s.updates->ratio > 0.0 && f.asynchronous && !s.energy_stationary)
    out.push_back({"updates", "note", short_number(s.updates->ratio),
                   "One common step for all elements would take " + short_number(s.updates->ratio) +
                       " times as many updates."});
  return out;
}

}  // namespace varia::io
