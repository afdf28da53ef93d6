// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Problems stated by a Hamiltonian, regular and degenerate.
#include <cmath>
#include <memory>
#include <string>

#include "problems/states.hpp"

namespace varia::problems {

using HamiltonianProblem = Problem<std::shared_ptr<const HamiltonianSystem>, VectorState>;

namespace hamiltonians {

/// Double pendulum: ∂²H/∂p² depends on q.
inline HamiltonianProblem double_pendulum() {
  return {
      hamiltonian_of("(p[1]^2/2 + p[2]^2 - p[1]*p[2]*cos(q[1] - q[2]))/(2 - cos(q[1] - q[2])^2)"
                     " - 2*cos(q[1]) - cos(q[2])",
                     2),
      state_of(vector({0.7, -0.3}), vector({0.4 + 0.3 * std::cos(1.0), 0.3 + 0.2 * std::cos(1.0)})),
      0.1, 2.0};
}

/// H linear in p: q̇ = f(q) alone, and p moves by the adjoint equation. No Lagrangian exists.
inline HamiltonianProblem linear_in_p() {
  return {
      hamiltonian_of("p[1]*(sin(q[2]) + q[1]/2) + p[2]*(cos(q[1]) - q[2]^2/3) + p[3]*q[1]*q[2]", 3),
      state_of(vector({0.4, -0.2, 0.1}), vector({0.7, 0.5, -1.1})), 0.1, 2.0};
}

/// Three vortices in canonical coordinates q = x, p = Γy. Degenerate as a Lagrangian: H has no
/// kinetic energy. Momenta: Σ Γx, Σ p, Σ Γ(x² + y²).
inline constexpr double circulation[3] = {1.0, 1.7, -0.6};
inline HamiltonianProblem vortices() {
  const std::string gamma[3] = {"1.0", "1.7", "(-0.6)"};
  std::string h;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < i; ++j) {
      const std::string a = std::to_string(i + 1);
      const std::string b = std::to_string(j + 1);
      h += std::string(h.empty() ? "" : " ") + "- " + gamma[i] + "*" + gamma[j] +
           "/(4*pi)*log((q[" + a + "] - q[" + b + "])^2 + (p[" + a + "]/" + gamma[i] + " - p[" + b +
           "]/" + gamma[j] + ")^2)";
    }
  return {hamiltonian_of(h, 3),
          state_of(vector({0.0, 1.0, 0.3}), vector({0.1, 1.7 * (-0.2), -0.6 * 0.9})), 0.2, 3.0};
}

/// H depends on t, mixes q and p, and is of fourth degree in p.
inline HamiltonianProblem driven() {
  return {hamiltonian_of("(p[1]^2/2 + p[1]^4/12)*(1 + q[1]^2/4) + cos(t)*q[1]*p[1]/3 + q[1]^4/4 "
                         "- q[1]*sin(2*t)",
                         1),
          state_of(vector({0.6}), vector({0.5}), 0.3), 0.1, 2.0};
}

/// H = T(p) + V(t, q) with T of a relativistic particle.
inline HamiltonianProblem relativistic() {
  return {hamiltonian_of(
              "sqrt(1 + p[1]^2 + p[2]^2) - 1/sqrt(q[1]^2 + q[2]^2 + 0.1) + q[1]*sin(t)/5", 2),
          state_of(vector({0.8, 0.1}), vector({0.2, 0.9})), 0.1, 2.0};
}

}  // namespace hamiltonians

}  // namespace varia::problems
