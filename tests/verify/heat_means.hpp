// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Mean kinetic energies of the chain texts::lattice() over [0, T], for the table of heats.
#include <cmath>

#include "problems.hpp"
#include "varia/flow/baseline.hpp"
#include "varia/methods/methods.hpp"
#include "varia/verify/heat.hpp"

namespace varia::heat_means {

/// VI1 = euler_a, RK4, VI4 = triple jump of Verlet.
struct Means {
  double vi1, rk4, vi4;
};
inline double first_order(bool cubic, double T, double h, bool at_rest = false) {
  const auto texts = problems::texts::lattice(cubic, at_rest);
  const auto f = problems::system_of(texts);
  return heat(StageFlow(euler_a(), f), problems::start_of(*f, texts), h, std::lround(T / h),
              Sampling::end_of_step)
      .mean;
}
inline Means all(bool cubic, double T, double h) {
  const auto texts = problems::texts::lattice(cubic);
  const auto f = problems::system_of(texts);
  const VectorState s = problems::start_of(*f, texts);
  const long steps = std::lround(T / h);
  return {first_order(cubic, T, h), heat(BaselineFlow(rk4(), f), s, h, steps).mean,
          heat(StageFlow(triple_jump(verlet()), f), s, h, steps).mean};
}

}  // namespace varia::heat_means
