// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Generating functions as numbers: discrete Hamiltonians of a method, and the exact ones.
//
//   (type-II)       H_d⁺(q₀, p₁) = ext ⟨p₁, q₁⟩ - S        (type-III)   H_d⁻(p₀, q₁) = ext -⟨p₀, q₀⟩ - S
//   (exact-type-II) H⁺(q₀, p₁; h) = ⟨p₁, q(h)⟩ - ∫₀ʰ (⟨p, q̇⟩ - H) dt,  (q, p) the motion with
//                   q(0) = q₀, p(h) = p₁                                                    [LZ11]
//
// Each is a boundary-value problem, solved by shooting: in the momentum of the start for type II,
// in its position for type III. A method has order r if H_d⁺ is H⁺ + O(h^{r+1}), and then its flow
// has order r; no Lagrangian is needed for either, so this certifies degenerate systems as well.
#include "varia/flow/hamiltonian_flow.hpp"

namespace varia {

/// A value of a generating function, with the motion that belongs to it.
struct GeneratingValue {
  double value = 0.0;
  VectorState start, end;
};

/// H_d⁺(q₀, p₁) from time t, by the given number of equal steps over h. Throws NoConvergence when
/// no motion with these ends is found.
GeneratingValue type_two(const HamiltonianFlow& flow, double t, const Vn& q0, const Vn& p1,
                         double h, long steps = 1);
/// H_d⁻(p₀, q₁) likewise.
GeneratingValue type_three(const HamiltonianFlow& flow, double t, const Vn& p0, const Vn& q1,
                           double h, long steps = 1);

/// (exact-type-II) to round-off: gauss(8) with as many steps as it takes.
GeneratingValue exact_type_two(const std::shared_ptr<const HamiltonianSystem>& system, double t,
                               const Vn& q0, const Vn& p1, double h);
/// The exact H⁻(p₀, q₁) likewise.
GeneratingValue exact_type_three(const std::shared_ptr<const HamiltonianSystem>& system, double t,
                                 const Vn& p0, const Vn& q1, double h);

}  // namespace varia
