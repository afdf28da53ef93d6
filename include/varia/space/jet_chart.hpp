// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The chart of a space whose trait has dτ_ξ η generic in the scalar: its matrix and the derivatives
// by jets, exact to round-off. A space with closed forms brings a chart of its own.
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

}  // namespace varia
