// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Potential energies V(q) or V(t, q) with gradient and Hessian.
//
// A plain callable is differentiated as a whole. A sum over pairs of bodies is differentiated pair
// by pair, with one variable, the distance: the gradient costs what hand-written forces cost.
#include <cmath>
#include <string>
#include <type_traits>
#include <utility>

#include "varia/core/error.hpp"
#include "varia/mechanics/lagrangian.hpp"

namespace varia {

/// A potential stated as one callable, generic in the scalar.
template <class F> class Potential {
 public:
  template <class Q>
  static constexpr bool uses_time = std::is_invocable_v<const F&, double, const Q&>;

  explicit Potential(F f) : f_(std::move(f)) {}

  template <class Q> auto operator()(double t, const Q& q) const { return detail::call(f_, t, q); }

  template <Point Q> void gradient(double t, const Q& q, Tangent<Q>& g) const {
    constexpr int n = dof<Q>;
    if constexpr (n == Dynamic) {
      g = chunked_gradient(Space<Q>::dim(q), on_displacement(t, q));
    } else {
      using J = Jet<double, n>;
      const J value = detail::call(f_, t, Space<Q>::template seed<J>(q, 0));
      for (int i = 0; i < n; ++i) g[i] = value.d[i];
    }
  }

  template <Point Q> void hessian(double t, const Q& q, Tangent<Q>& g, TangentMap<Q>& h) const {
    constexpr int n = dof<Q>;
    if constexpr (n == Dynamic) {
      auto d = chunked_hessian(Space<Q>::dim(q), on_displacement(t, q));
      g = d.gradient;
      h = d.hessian;
    } else {
      using J = Jet2<n>;
      const J value = detail::call(f_, t, Space<Q>::template seed<J>(q, 0));
      for (int i = 0; i < n; ++i) {
        g[i] = value.g[i];
        for (int j = 0; j < n; ++j) h(i, j) = value.hess(i, j);
      }
    }
  }

 private:
  template <class Q> auto on_displacement(double t, const Q& q) const {
    return [this, t, &q](const auto& delta) {
      using J = typename std::decay_t<decltype(delta)>::Scalar;
      return J(detail::call(f_, t, Space<Q>::template displace<J>(q, delta)));
    };
  }

  F f_;
};

/// V(q) = Σ_{i<j} f(i, j, |qᵢ - qⱼ|) for bodies in ℝ^Dim, q their stacked positions.
template <int Dim, class F> class PairPotential {
 public:
  template <class Q> static constexpr bool uses_time = false;

  explicit PairPotential(F f) : f_(std::move(f)) {}

  template <class Q> auto operator()(double, const Q& q) const {
    using std::sqrt;
    using S = typename Q::Scalar;
    S sum(0.0);
    const int bodies = count(q);
    for (int i = 0; i < bodies; ++i)
      for (int j = i + 1; j < bodies; ++j) {
        const Vector<S, Dim> d = body(q, i) - body(q, j);
        sum += f_(i, j, S(sqrt(d.squaredNorm())));
      }
    return sum;
  }

  /// ∂V/∂qᵢ = Σⱼ f′(r)/r (qᵢ - qⱼ)
  template <int N> void gradient(double, const Vector<double, N>& q, Vector<double, N>& g) const {
    using J = Jet<double, 1>;
    g.setZero(q.size());
    const int bodies = count(q);
    for (int i = 0; i < bodies; ++i)
      for (int j = i + 1; j < bodies; ++j) {
        const Vector<double, Dim> d = body(q, i) - body(q, j);
        const double r = std::sqrt(d.squaredNorm());
        const J energy = f_(i, j, J::variable(r, 0));
        const Vector<double, Dim> pull = energy.d[0] * (1.0 / r) * d;
        g.template segment<Dim>(Dim * i) += pull;
        g.template segment<Dim>(Dim * j) -= pull;
      }
  }

  /// ∂²V = (f″ - f′/r) d dᵀ/r² + f′/r I on the two bodies of each pair
  template <int N>
  void hessian(double t, const Vector<double, N>& q, Vector<double, N>& g,
               Matrix<double, N>& h) const {
    using J = Jet2<1>;
    gradient(t, q, g);
    h.setZero(q.size(), q.size());
    const int bodies = count(q);
    for (int i = 0; i < bodies; ++i)
      for (int j = i + 1; j < bodies; ++j) {
        const Vector<double, Dim> d = body(q, i) - body(q, j);
        const double r = std::sqrt(d.squaredNorm());
        const J energy = f_(i, j, J::variable(r, 0));
        const double tension = energy.g[0] / r;
        Matrix<double, Dim> k = (energy.hess(0, 0) - tension) / (r * r) * d * d.transpose();
        k.diagonal().array() += tension;
        h.template block<Dim, Dim>(Dim * i, Dim * i) += k;
        h.template block<Dim, Dim>(Dim * j, Dim * j) += k;
        h.template block<Dim, Dim>(Dim * i, Dim * j) -= k;
        h.template block<Dim, Dim>(Dim * j, Dim * i) -= k;
      }
  }

 private:
  template <class Q> static int count(const Q& q) {
    if (q.size() % Dim != 0)
      throw InvalidArgument("pair potential: " + std::to_string(q.size()) +
                            " coordinates are not whole bodies of dimension " +
                            std::to_string(Dim));
    return static_cast<int>(q.size()) / Dim;
  }
  template <class Q> static auto body(const Q& q, int i) {
    return q.template segment<Dim>(Dim * i);
  }

  F f_;
};

/// The energy f(i, j, distance) summed over all pairs of bodies in ℝ^Dim.
template <int Dim, class F> PairPotential<Dim, F> over_pairs(F f) {
  return PairPotential<Dim, F>(std::move(f));
}

namespace detail {

template <class F> Potential<F> make_potential(F f) { return Potential<F>(std::move(f)); }
template <int Dim, class F> PairPotential<Dim, F> make_potential(PairPotential<Dim, F> f) {
  return f;
}

}  // namespace detail

}  // namespace varia
