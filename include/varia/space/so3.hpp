// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Rotations SO(3) as orthogonal matrices; tangent vectors are body angular velocities in ℝ³.
//
// With x̂ y = x × y, ρ = |x|², s = 2/(4+ρ), a = (1-cos θ)/θ², b = (θ-sin θ)/θ³, θ² = ρ:
//
//   (cay)    cay(x) = I + 2s (x̂ + x̂²/2)          (dcay)  dτ_x = s (2I - x̂)         [Sato19]
//   (exp)    exp(x) = I + (sin θ/θ) x̂ + a x̂²     (dexp)  dτ_x = I - a x̂ + b x̂²     [Sato19]
//
// dτ_x* = dτ_{-x}, so one derivative formula serves dτ and its transpose. All coefficients are
// functions of ρ given by their power series near 0: no branch is of low order, and second
// derivatives are right at 0. ad*_δ π = π × δ; Ad*_{τ(-x)} = τ(x).
#include <cstddef>
#include <string>
#include <vector>

#include "varia/core/error.hpp"
#include "varia/space/factor.hpp"
#include "varia/space/rotation_chart.hpp"
#include "varia/space/space.hpp"

namespace varia {

/// How far the nine numbers of a rotation may be from RᵀR = I.
inline constexpr double rotation_tolerance = 1e-10;

template <class S> struct SO3;
/// From three numbers, axis times angle (form 0), a quaternion w, x, y, z (1) or a matrix row by row (2);
/// throws InvalidArgument where they are no rotation.
SO3<double> read_rotation(std::size_t form, const double* numbers);

/// A rotation, held as its matrix. R maps body to space coordinates.
template <class S> struct SO3 {
  Matrix<S, 3> matrix = Matrix<S, 3>::Identity();

  SO3() = default;
  explicit SO3(const Matrix<S, 3>& rotation) : matrix(rotation) {}
  S operator()(int i, int j) const { return matrix(i, j); }

  /// R x: body to space.
  template <class V> friend auto operator*(const SO3& rotation, const Eigen::MatrixBase<V>& x) {
    return Vector<S, 3>(rotation.matrix * x);
  }
  friend SO3 operator*(const SO3& a, const SO3& b) {
    return SO3(Matrix<S, 3>(a.matrix * b.matrix));
  }
  SO3 inverse() const { return SO3(Matrix<S, 3>(matrix.transpose())); }
};

template <class S> struct Space<SO3<S>> {
  using Q = SO3<S>;
  using Scalar = S;
  using V = Vector<S, 3>;
  using Map = Matrix<S, 3>;
  template <class T> using Rebind = SO3<T>;
  static constexpr int dof = 3;
  static constexpr bool is_vector_space = false;

  static constexpr const char* name = "SO(3)";
  static constexpr int entries = 9;  ///< R₁₁ R₁₂ … R₃₃
  static const FactorPtr& factor() { return rotations(); }

  static int dim(const Q&) { return 3; }
  /// Ad*_{q⁻¹}: m ↦ R m
  static Map to_space(const Q& q) { return q.matrix; }
  /// |m|²
  static std::vector<S> casimirs(const V& m) { return {m.squaredNorm()}; }
  template <class T> static SO3<T> read(const T* x) {
    SO3<T> q;
    for (int i = 0; i < entries; ++i) q.matrix(i / 3, i % 3) = x[i];
    return q;
  }
  static void write(const Q& q, S* x) {
    for (int i = 0; i < entries; ++i) x[i] = q.matrix(i / 3, i % 3);
  }
  static void require_point(const Q& q, const std::string& what) {
    if (!q.matrix.allFinite())
      throw InvalidArgument(what + " has an entry that is not a finite number");
    const double off = Map(q.matrix.transpose() * q.matrix - Map::Identity()).cwiseAbs().maxCoeff();
    if (!(off <= rotation_tolerance))
      throw InvalidArgument(what + " is not a rotation: its columns are off orthonormal by " +
                            to_text(off) + ", at most " + to_text(rotation_tolerance) +
                            " is allowed");
    if (q.matrix.determinant() < 0.0)
      throw InvalidArgument(what + " is a reflection, not a rotation: its determinant is -1");
  }
  static Q retract(const Q& q, const V& xi, Retraction tau = default_retraction) {
    return Q(Map(q.matrix * rotation(xi, tau)));
  }
  static V difference(const Q& q0, const Q& q1, Retraction tau = default_retraction) {
    return rotation_inverse(Map(q0.matrix.transpose() * q1.matrix), tau);
  }
  template <class T> static SO3<T> cast(const Q& q) { return SO3<T>(q.matrix.template cast<T>()); }

  /// R (I + δ̂ + δ̂²/2)
  template <class T> static SO3<T> displace(const Q& q, const Vector<T, 3>& delta) {
    const Matrix<T, 3> hat_delta = hat(delta);
    Matrix<T, 3> step = hat_delta + Matrix<T, 3>(hat_delta * hat_delta) * T(0.5);
    for (int i = 0; i < 3; ++i) step(i, i) += 1.0;
    return SO3<T>(Matrix<T, 3>(q.matrix.template cast<T>() * step));
  }
  template <class J> static SO3<J> seed(const Q& q, int k) {
    return SO3<J>(rotation_seed<J>(q.matrix, k));
  }

  template <class T>
  static Vector<T, 3> velocity(const Vector<T, 3>& xi, const Vector<T, 3>& eta, Retraction tau) {
    const auto d = dtau_coefficients(T(xi.squaredNorm()), tau);
    const Vector<T, 3> xi_eta = xi.cross(eta);
    return eta * d.one - xi_eta * d.odd + Vector<T, 3>(xi.cross(xi_eta)) * d.even;
  }
  /// Closed forms at one ξ, sharing their coefficients.
  using Chart = RotationChart;
  static Map ad_star(const V& pi) { return hat(pi); }
  /// dτ_ξ* m = dτ_{-ξ} m
  static V pull_momentum(const V& xi, const V& m, Retraction tau) {
    return velocity<S>(V(-xi), m, tau);
  }

  /// R ← R τ(ξ), kept orthogonal, and p ← τ(ξ)ᵀ(p + Δ)
  static void update(Q& q, V& q_rest, V& p, V& p_rest, const V& xi, const V& delta,
                     Retraction tau) {
    const Map r = rotation(V(xi + q_rest), tau);
    rotate(q, r);
    p = r.transpose() * (p + (delta + p_rest));
    q_rest.setZero();
    p_rest.setZero();
  }

  /// R ← R r, followed by one Newton step towards orthogonality.
  static void rotate(Q& q, const Map& r) {
    const Map product = q.matrix * r;
    q.matrix = product * (1.5 * Map::Identity() - 0.5 * (product.transpose() * product));
  }
};

}  // namespace varia
