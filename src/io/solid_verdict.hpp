// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the figures of a run of a solid say, in plain words.
#include <vector>

#include "solid_laws.hpp"
#include "varia/io/summary.hpp"

namespace varia::io {

/// What is judged beside the summary.
struct SolidFigures {
  SolidLaws laws;
  double span = 0.0;           ///< the time that has passed
  double linear_scale = 0.0;   ///< largest Σ |p_a|
  double angular_scale = 0.0;  ///< largest Σ |x_a| |p_a|
  double balance = 0.0;        ///< largest relative defect of the balance of momentum
};

/// Energy, momenta, their balance, local energies, updates saved.
std::vector<Verdict> solid_verdicts(const SolidFigures& figures, const Summary& summary);

}  // namespace varia::io
