// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The chart ξ ↦ q ⊕ ξ of a space at one ξ, as the stage equations use it.
//
// A space may bring its own, which shares work between the functions; otherwise this one asks the
// trait for each. Where the shape of a space is in its points, not in their type, the functions of
// the trait take the point first: AtPoint<Q> asks either kind.
#include <type_traits>
#include <utility>

#include "varia/space/space.hpp"

namespace varia {

/// The functions of Space<Q> at one ξ.
template <Point Q> class TraitChart {
 public:
  using V = Tangent<Q>;
  using Map = TangentMap<Q>;
  TraitChart(V xi, Retraction tau) : xi_(std::move(xi)), tau_(tau) {}

  Map dtau() const { return Space<Q>::dtau(xi_, tau_); }
  Map dtau_derivative(const V& eta) const { return Space<Q>::dtau_derivative(xi_, eta, tau_); }
  Map dtau_transpose_derivative(const V& pi) const {
    return Space<Q>::dtau_transpose_derivative(xi_, pi, tau_);
  }
  Map dtau_hessian(const V& pi, const V& eta) const {
    return Space<Q>::dtau_hessian(xi_, pi, eta, tau_);
  }
  Q retract(const Q& q) const { return Space<Q>::retract(q, xi_, tau_); }
  Map coadjoint() const { return Space<Q>::coadjoint(xi_, tau_); }

 private:
  V xi_;
  Retraction tau_;
};

namespace detail {

template <class Q> struct ChartOf { using Type = TraitChart<Q>; };
template <class Q>
requires requires { typename Space<Q>::Chart; }
struct ChartOf<Q> {
  using Type = typename Space<Q>::Chart;
};

}  // namespace detail

template <Point Q> using Chart = typename detail::ChartOf<Q>::Type;

/// The functions of a space at a point q, which says what the shape of the space is.
template <Point Q> struct AtPoint {
  using V = Tangent<Q>;
  using Map = TangentMap<Q>;
  using X = Space<Q>;

  static Map dtau([[maybe_unused]] const Q& q, const V& xi, Retraction tau) {
    if constexpr (requires { X::dtau(q, xi, tau); })
      return X::dtau(q, xi, tau);
    else
      return X::dtau(xi, tau);
  }
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
