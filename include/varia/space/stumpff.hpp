// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Functions of ρ = θ² in the exponentials of rigid motions, right near 0 over any scalar.
//
//   cₖ(ρ) = Σⱼ (-ρ)ʲ/(2j+k)!,   cₖ′ = (k cₖ₊₂ - cₖ₊₁)/2,   cₖ = 1/k! - ρ cₖ₊₂                [Stumpff]
#include <cmath>

#include "varia/space/rotation.hpp"

namespace varia::detail {

/// c₁ = sin θ/θ, c₂ = (1-cos θ)/θ², c₃ = (θ-sin θ)/θ³ and the next two.
template <class S> struct Stumpff { S c1, c2, c3, c4, c5; };

template <class S> Stumpff<S> stumpff(const S& rho) {
  if (value_of(rho) < 1.0) {
    const S c4 = factorial_series<4>(rho);
    const S c5 = factorial_series<5>(rho);
    const S c3 = 1.0 / 6 - rho * c5;
    return {1.0 - rho * c3, 0.5 - rho * c4, c3, c4, c5};
  }
  const auto k = exp_coefficients(rho);
  const S c3 = (1.0 - k.sinc) / rho;
  return {k.sinc, k.a, c3, (0.5 - k.a) / rho, (1.0 / 6 - c3) / rho};
}

/// (1 - (θ/2) cot(θ/2))/θ² = 1/12 + ρ/720 + …, of the inverse of dexp.
template <class S> S half_cotangent(const S& rho) {
  using std::cos, std::sin, std::sqrt;
  if (value_of(rho) < 0.25) {
    // |B₂ₖ|/(2k)!
    constexpr double c[] = {1.0 / 12,           1.0 / 720,      1.0 / 30240,
                            1.0 / 1209600,      1.0 / 47900160, 691.0 / 1307674368000.0,
                            1.0 / 74724249600.0};
    S sum(0.0);
    for (int k = 6; k >= 0; --k) sum = sum * rho + c[k];
    return sum;
  }
  const S half = sqrt(rho) * 0.5;
  return (1.0 - half * cos(half) / sin(half)) / rho;
}

}  // namespace varia::detail
