// SPDX-License-Identifier: BSD-3-Clause
#include "solid_laws.hpp"

#include <algorithm>

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

}  // namespace varia::io
