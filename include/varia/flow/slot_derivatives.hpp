// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The derivatives of a discrete Lagrangian L_d(q₀, q₁, h) in its slots q₀ and q₁.
#include <type_traits>

#include "varia/ad/derivative.hpp"
#include "varia/space/space.hpp"

namespace varia {

/// L_d with its slot derivatives at (q₀, q₁).
template <Point Q> struct DiscreteDerivatives {
  double value = 0.0;
  Tangent<Q> d1, d2;
  TangentMap<Q> d1d2;
};

/// D₁L_d, D₂L_d and D₁D₂L_d, left-trivialised at q₀ and q₁.
template <class Ld, Point Q>
DiscreteDerivatives<Q> slot_derivatives(const Ld& ld, const Q& q0, const Q& q1, double h) {
  constexpr int n = dof<Q>;
  DiscreteDerivatives<Q> d;
  if constexpr (n == Dynamic) {
    const int size = Space<Q>::dim(q0);
    const auto all = chunked_hessian(2 * size, [&](const auto& delta) {
      using J = typename std::decay_t<decltype(delta)>::Scalar;
      using X = Vector<J, Dynamic>;
      return J(ld(Space<Q>::template displace<J>(q0, X(delta.head(size))),
                  Space<Q>::template displace<J>(q1, X(delta.tail(size))), h));
    });
    d.value = all.value;
    d.d1 = all.gradient.head(size);
    d.d2 = all.gradient.tail(size);
    d.d1d2 = all.hessian.topRightCorner(size, size);
  } else {
    using J = Jet2<2 * n>;
    const J value = ld(Space<Q>::template seed<J>(q0, 0), Space<Q>::template seed<J>(q1, n), h);
    d.value = value.v;
    for (int i = 0; i < n; ++i) {
      d.d1[i] = value.g[i];
      d.d2[i] = value.g[n + i];
      for (int j = 0; j < n; ++j) d.d1d2(i, j) = value.hess(i, n + j);
    }
  }
  return d;
}

}  // namespace varia
