// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Holonomic constraints φ(q) = 0, φ returning a number or a Vector<S, d>.
//
//   (hol)   d/dt ∂L/∂v - ∂L/∂q = G(q)ᵀλ,  φ(q) = 0,  G = ∂φ/∂q         [MW01] with λ → -λ
//   (hidden)  G(q) v = 0
#include <type_traits>
#include <utility>

#include "varia/mechanics/lagrangian.hpp"

namespace varia {

template <class F> class Holonomic {
 public:
  explicit Holonomic(F phi) : phi_(std::move(phi)) {}

  /// Number of constraints on points of type Q.
  template <class Q> static constexpr int count() {
    using R = std::decay_t<std::invoke_result_t<const F&, const Q&>>;
    if constexpr (requires { R::RowsAtCompileTime; }) {
      static_assert(R::RowsAtCompileTime != Dynamic,
                    "a constraint returns a number or a Vector<S, d> with d known at compile time");
      return R::RowsAtCompileTime;
    } else {
      return 1;
    }
  }

  /// φ at a point; S may be a jet.
  template <class Q> auto operator()(const Q& q) const {
    using S = Scalar<Q>;
    constexpr int d = count<Q>();
    if constexpr (requires {
                    typename std::decay_t<std::invoke_result_t<const F&, const Q&>>::Scalar;
                  })
      return Vector<S, d>(phi_(q));
    else
      return Vector<S, 1>(S(phi_(q)));
  }

  /// φ and G.
  template <Point Q, int D>
  void jacobian(const Q& q, Vector<double, D>& phi, Matrix<double, D, dof<Q>>& g) const {
    constexpr int n = dof<Q>;
    if constexpr (n == Dynamic) {
      phi = (*this)(q);
      g = chunked_jacobian(Space<Q>::dim(q), [&](const auto& delta) {
        using J = typename std::decay_t<decltype(delta)>::Scalar;
        return Vector<J, Dynamic>((*this)(Space<Q>::template displace<J>(q, delta)));
      });
    } else {
      const auto value = (*this)(Space<Q>::template seed<Jet<double, n>>(q, 0));
      for (int a = 0; a < D; ++a) {
        phi[a] = value[a].v;
        for (int j = 0; j < n; ++j) g(a, j) = value[a].d[j];
      }
    }
  }

  /// φ, G and the Hessian of ⟨λ, φ⟩ in δ.
  template <Point Q, int D>
  void hessian(const Q& q, const Vector<double, D>& lambda, Vector<double, D>& phi,
               Matrix<double, D, dof<Q>>& g, TangentMap<Q>& h) const {
    constexpr int n = dof<Q>;
    if constexpr (n == Dynamic) {
      jacobian(q, phi, g);
      h = chunked_hessian(Space<Q>::dim(q), [&](const auto& delta) {
            using J = typename std::decay_t<decltype(delta)>::Scalar;
            const auto value = (*this)(Space<Q>::template displace<J>(q, delta));
            J sum(0.0);
            for (int a = 0; a < D; ++a) sum += value[a] * lambda[a];
            return sum;
          }).hessian;
    } else {
      const auto value = (*this)(Space<Q>::template seed<Jet2<n>>(q, 0));
      h.setZero();
      for (int a = 0; a < D; ++a) {
        phi[a] = value[a].v;
        for (int i = 0; i < n; ++i) {
          g(a, i) = value[a].g[i];
          for (int j = 0; j < n; ++j) h(i, j) += lambda[a] * value[a].hess(i, j);
        }
      }
    }
  }

 private:
  F phi_;
};

}  // namespace varia
