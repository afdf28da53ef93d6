// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Forces f(q, v) or f(t, q, v): covectors in the frame of q, d/dt ∂L/∂v - ∂L/∂q = f  [MW01].
#include <utility>

#include "varia/mechanics/lagrangian.hpp"

namespace varia {

template <class F> class Force {
 public:
  explicit Force(F f) : f_(std::move(f)) {}

  /// f at a point, over doubles.
  template <Point Q> void value(double t, const Q& q, const Tangent<Q>& v, Tangent<Q>& f) const {
    f = detail::call(f_, t, q, v);
  }

  /// f with ∂f/∂q (left-trivialised) and ∂f/∂v.
  template <Point Q>
  void derivative(double t, const Q& q, const Tangent<Q>& v, Tangent<Q>& f, TangentMap<Q>& fq,
                  TangentMap<Q>& fv) const {
    constexpr int n = dof<Q>;
    if constexpr (n == Dynamic) {
      const int size = Space<Q>::dim(q);
      value(t, q, v, f);
      const auto both = chunked_jacobian(2 * size, [&](const auto& delta) {
        using J = typename std::decay_t<decltype(delta)>::Scalar;
        using X = Vector<J, Dynamic>;
        const X u = delta.tail(size) + v.template cast<J>();
        return X(detail::call(f_, t, Space<Q>::template displace<J>(q, X(delta.head(size))), u));
      });
      fq = both.leftCols(size);
      fv = both.rightCols(size);
    } else {
      using J = Jet<double, 2 * n>;
      const auto x = Space<Q>::template seed<J>(q, 0);
      const auto u = detail::jet_variables<J, n>(v, n);
      const Vector<J, n> jets = detail::call(f_, t, x, u);
      for (int i = 0; i < n; ++i) {
        f[i] = jets[i].v;
        for (int j = 0; j < n; ++j) {
          fq(i, j) = jets[i].d[j];
          fv(i, j) = jets[i].d[n + j];
        }
      }
    }
  }

 private:
  F f_;
};

}  // namespace varia
