// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// ℝⁿ, with n fixed at compile time or at run time: ⊕ is +, ⊖ is -, every trivialisation is trivial.
#include "varia/core/types.hpp"
#include "varia/space/space.hpp"

namespace varia {

template <class S, int N> struct Space<Eigen::Matrix<S, N, 1>> {
  using Q = Vector<S, N>;
  using Scalar = S;
  using Map = Matrix<S, N>;
  template <class T> using Rebind = Vector<T, N>;
  static constexpr int dof = N;
  static constexpr bool is_vector_space = true;

  static int dim(const Q& q) { return static_cast<int>(q.size()); }
  static Q retract(const Q& q, const Q& xi, Retraction = default_retraction) { return q + xi; }
  static Q difference(const Q& q0, const Q& q1, Retraction = default_retraction) { return q1 - q0; }
  template <class T> static Vector<T, N> cast(const Q& q) { return q.template cast<T>(); }

  template <class T> static Vector<T, N> displace(const Q& q, const Vector<T, N>& delta) {
    Vector<T, N> x = delta;
    for (Eigen::Index i = 0; i < x.size(); ++i) x[i] += q[i];
    return x;
  }
  template <class J> static Vector<J, N> seed(const Q& q, int k) {
    Vector<J, N> x(q.size());
    for (int i = 0; i < dim(q); ++i) x[i] = J::variable(q[i], k + i);
    return x;
  }

  /// dτ_ξ η = η; generic in the scalar.
  template <class T>
  static Vector<T, N> velocity(const Vector<T, N>&, const Vector<T, N>& eta, Retraction) {
    return eta;
  }
  static Map ad_star(const Q& pi) { return Map::Zero(pi.size(), pi.size()); }
};

}  // namespace varia
