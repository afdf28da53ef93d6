// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Which laws hold for a solid, what its supports and loads leave of them; and what the figures of a
// run say, in plain words.
//
//   linear momentum     along c, if nothing is fixed or loaded along c
//   angular momentum    about c, if nothing is fixed or loaded across c, and the energy is objective
//   balance             P(t) - P(0) = impulse of the supports + impulse of the loads, free components
//   energy              if neither supports nor loads depend on time
#include <array>
#include <vector>

#include "varia/io/summary.hpp"
#include "varia/solids/solid.hpp"

namespace varia::io {

struct SolidLaws {
  std::array<bool, 3> linear{true, true, true};
  std::array<bool, 3> angular{true, true, true};
  std::array<bool, 3> balance{false, false,
                              false};  ///< where momentum changes, and by known impulses
  bool objective = true;               ///< false with linear elasticity
  bool supported = false, loaded = false;
  bool time_independent = true;
};

/// Total force on each element if loads do not depend on time; empty without loads.
using ElementForces = std::vector<std::array<double, 3>>;

template <int D> ElementForces element_forces(const solids::Solid<D>& solid, double t);

SolidLaws laws_of(const solids::Problem& problem, const ElementForces& forces);

/// What is judged beside the summary.
struct SolidFigures {
  SolidLaws laws;
  bool asynchronous = true;  ///< every element has a step of its own
  double span = 0.0;         ///< the time that has passed
  double balance = 0.0;      ///< largest relative defect of the balance of momentum
};

/// Energy, momenta, their balance, local energies, updates saved.
std::vector<Verdict> solid_verdicts(const SolidFigures& figures, const Summary& summary);

}  // namespace varia::io
