// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Constant mass matrices M of L = ½ vᵀMv - V(q): one number, a diagonal, or a symmetric matrix.
#include <cmath>
#include <string>

#include "varia/core/error.hpp"
#include "varia/core/linear.hpp"
#include "varia/core/types.hpp"

namespace varia {

namespace detail {

/// Throws SingularMass naming the direction in which M has no inertia; `where` follows the name.
void require_regular(const Eigen::MatrixXd& mass, const std::string& where);

}  // namespace detail

/// M = m I
struct UniformMass {
  static constexpr bool diagonal = true;

  explicit UniformMass(double mass) : m(mass), inverse(1.0 / mass) {
    if (!std::isfinite(mass))
      throw InvalidArgument("mass must be a finite number, got " + to_text(mass));
    if (mass == 0.0)
      throw SingularMass("mass is 0 in every direction: momenta do not determine velocities");
  }
  void check(int) const {}
  template <class V> auto apply(const V& v) const { return m * v; }
  template <class P> auto solve(const P& p) const { return inverse * p; }
  /// h M⁻¹p
  template <class P> P drift(double h, const P& p) const { return (h * inverse) * p; }
  template <int N> void fill(Matrix<double, N>& mass) const {
    mass.setZero();
    mass.diagonal().setConstant(m);
  }

  double m, inverse;
};

/// M = diag(m)
template <int N> struct DiagonalMass {
  static constexpr bool diagonal = true;

  explicit DiagonalMass(const Vector<double, N>& mass) : m(mass), inverse(mass.cwiseInverse()) {
    detail::require_regular(Eigen::MatrixXd(m.asDiagonal()), "");
  }
  void check(int n) const {
    if (m.size() != n)
      throw InvalidArgument("mass has " + std::to_string(m.size()) +
                            " entries, but the space has " + std::to_string(n) + " coordinates");
  }
  template <class V> auto apply(const V& v) const { return m.cwiseProduct(v); }
  template <class P> auto solve(const P& p) const { return inverse.cwiseProduct(p); }
  template <class P> P drift(double h, const P& p) const { return (h * inverse).cwiseProduct(p); }
  template <int K> void fill(Matrix<double, K>& mass) const { mass = m.asDiagonal(); }

  Vector<double, N> m, inverse;
};

/// M symmetric, e.g. a tensor of inertia.
template <int N> struct DenseMass {
  static constexpr bool diagonal = false;

  explicit DenseMass(const Matrix<double, N>& mass) : m(mass) {
    if (!m.allFinite())
      throw InvalidArgument("mass matrix has an entry that is not a finite number");
    if (m.rows() != m.cols() || !m.isApprox(m.transpose(), 1e-14))
      throw InvalidArgument("mass matrix must be square and symmetric");
    detail::require_regular(Eigen::MatrixXd(m), "");
    inverse = LinearSolver<N>(m).solve(Matrix<double, N>::Identity(m.rows(), m.rows()));
  }
  void check(int n) const {
    if (m.rows() != n)
      throw InvalidArgument("mass matrix has " + std::to_string(m.rows()) +
                            " rows, but the space has " + std::to_string(n) + " coordinates");
  }
  template <class V> auto apply(const V& v) const { return m * v; }
  template <class P> auto solve(const P& p) const { return inverse * p; }
  template <class P> P drift(double h, const P& p) const { return h * (inverse * p); }
  template <int K> void fill(Matrix<double, K>& mass) const { mass = m; }

  Matrix<double, N> m, inverse;
};

namespace detail {

inline UniformMass make_mass(double m) { return UniformMass(m); }
template <int N> DiagonalMass<N> make_mass(const Vector<double, N>& m) {
  return DiagonalMass<N>(m);
}
template <int N>
requires(N != 1) DenseMass<N> make_mass(const Matrix<double, N, N>& m) { return DenseMass<N>(m); }

}  // namespace detail

}  // namespace varia
