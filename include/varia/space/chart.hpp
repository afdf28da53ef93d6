// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The chart ξ ↦ q ⊕ ξ of a space at one ξ, as the stage equations use it.
//
//   dtau()                          (dtau)   q₁⁻¹ d(q₀τ(ξ)) = dτ_ξ dξ
//   dtau_derivative(η)              matrix   ∂(dτ_ξ η)/∂ξ
//   dtau_transpose_derivative(π)    matrix   ∂(dτ_ξ* π)/∂ξ
//   dtau_hessian(π, η)              matrix   ∂²⟨π, dτ_ξ η⟩/∂ξ²
//   coadjoint()                     matrix   Ad*_{τ(-ξ)}: covectors at q τ(ξ) to the frame of q
//   retract(q)                      q ⊕ ξ
//
// A space with closed forms brings its own; for the others JetChart differentiates velocity, which is
// generic in the scalar, exact to round-off.
#include <utility>

#include "varia/ad/eigen.hpp"
#include "varia/space/space.hpp"

namespace varia {

template <class Q> class JetChart {
 public:
  static constexpr int k = Space<Q>::dof;
  using V = Vector<double, k>;
  using Map = Matrix<double, k>;

  JetChart(V xi, Retraction tau) : xi_(std::move(xi)), tau_(tau) {}

  Map dtau() const {
    Map m;
    for (int j = 0; j < k; ++j)
      m.col(j) = Space<Q>::template velocity<double>(xi_, V(V::Unit(j)), tau_);
    return m;
  }
  Map dtau_derivative(const V& eta) const {
    const auto v = moving(eta);
    Map m;
    for (int i = 0; i < k; ++i)
      for (int j = 0; j < k; ++j) m(i, j) = v[i].d[j];
    return m;
  }
  Map dtau_transpose_derivative(const V& pi) const {
    Map m;
    for (int i = 0; i < k; ++i) m.row(i) = pi.transpose() * dtau_derivative(V(V::Unit(i)));
    return m;
  }
  Map dtau_hessian(const V& pi, const V& eta) const {
    using J = Jet2<k>;
    const Vector<J, k> v =
        Space<Q>::template velocity<J>(seeds<J>(), Vector<J, k>(eta.template cast<J>()), tau_);
    J pairing(0.0);
    for (int i = 0; i < k; ++i) pairing += v[i] * pi[i];
    Map m;
    for (int i = 0; i < k; ++i)
      for (int j = 0; j < k; ++j) m(i, j) = pairing.hess(i, j);
    return m;
  }
  Map coadjoint() const { return Space<Q>::coadjoint(xi_, tau_); }
  Q retract(const Q& q) const { return Space<Q>::retract(q, xi_, tau_); }

 private:
  template <class J> Vector<J, k> seeds() const {
    Vector<J, k> x;
    for (int i = 0; i < k; ++i) x[i] = J::variable(xi_[i], i);
    return x;
  }
  auto moving(const V& eta) const {
    using J = Jet<double, k>;
    return Vector<J, k>(
        Space<Q>::template velocity<J>(seeds<J>(), Vector<J, k>(eta.template cast<J>()), tau_));
  }

  V xi_;
  Retraction tau_;
};

namespace detail {

template <class Q> struct ChartOf { using Type = JetChart<Q>; };
template <class Q>
requires requires { typename Space<Q>::Chart; }
struct ChartOf<Q> {
  using Type = typename Space<Q>::Chart;
};

}  // namespace detail

template <Point Q> using Chart = typename detail::ChartOf<Q>::Type;

/// Functions of a space at a point q, which may say what the shape of the space is: the trait then
/// takes the point first.
template <Point Q> struct AtPoint {
  using V = Tangent<Q>;
  using X = Space<Q>;

  /// dτ_ξ η
  static V velocity([[maybe_unused]] const Q& q, const V& xi, const V& eta, Retraction tau) {
    using S = Scalar<Q>;
    if constexpr (requires { X::template velocity<S>(q, xi, eta, tau); })
      return X::template velocity<S>(q, xi, eta, tau);
    else
      return X::template velocity<S>(xi, eta, tau);
  }
};

}  // namespace varia
