// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Galerkin methods with any functions for the velocity along a step.
//
//   (basis)   q̇(τh) = Σⱼ ψⱼ(τ) Vⱼ,   Aᵢⱼ = ∫₀^cᵢ ψⱼ,   Bᵢⱼ = ψⱼ(cᵢ),   βⱼ = ∫₀¹ ψⱼ          [Leok15]
//
// Polynomials give galerkin(degree, quadrature); sines and cosines follow an oscillation of known
// frequency with steps near its period.
#include <functional>
#include <string>
#include <vector>

#include "varia/methods/method.hpp"
#include "varia/methods/quadrature.hpp"

namespace varia {

/// Functions on [0, 1] and their integrals from 0. Constants must be among their combinations.
struct PathBasis {
  using Functions = std::function<std::vector<DoubleDouble>(const DoubleDouble&)>;

  std::string name;
  int size = 0;
  Functions values, integrals;
  bool symmetric = false;  ///< with f(τ) the space holds f(1 - τ)
};

/// Legendre polynomials of degree less than size.
PathBasis polynomial_basis(int size);

/// 1, cos θτ, sin θτ, …, cos kθτ, sin kθτ with k harmonics. θ = ω h for oscillations of frequency ω.
PathBasis trigonometric_basis(int harmonics, double theta);

/// A method of the stage form with this basis. At least as many points as functions. The order is
/// the caller's statement: constants alone give 2 (or the quadrature's, if that is less).
Method galerkin(const PathBasis& basis, const Quadrature& quadrature, int order = 2);

/// galerkin(trigonometric_basis(harmonics, theta), gauss with 2 harmonics + 3 points). With fixed
/// theta of order 2; with theta = ω h of order 4 harmonics + 2, and exact on the oscillator up to
/// the error of the quadrature.
Method trigonometric(int harmonics, double theta);

}  // namespace varia
