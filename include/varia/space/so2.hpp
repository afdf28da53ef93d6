// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Rotations of the plane SO(2): an angle that is not wrapped; the velocity is its rate.
//
//   (exp)   τ(ξ) = ξ,             dτ_ξ = 1
//   (cay)   τ(ξ) = 2 atan(ξ/2),   dτ_ξ = 1/(1 + ξ²/4), that of 2 × 2 matrices              [Sato19]
//
// The group is abelian: Ad* = 1, ad* = 0. With the exponential map it is ℝ, see angles() in factor.hpp.
#include <cmath>
#include <string>

#include "varia/ad/scalar.hpp"
#include "varia/core/error.hpp"
#include "varia/core/round_off.hpp"
#include "varia/space/factor.hpp"
#include "varia/space/space.hpp"

namespace varia {

template <class S> struct SO2 {
  S angle = S(0.0);

  /// Body to space.
  Vector<S, 2> operator*(const Vector<S, 2>& v) const {
    using std::cos, std::sin;
    const S c = cos(angle);
    const S s = sin(angle);
    return Vector<S, 2>(c * v[0] - s * v[1], s * v[0] + c * v[1]);
  }
};

template <class S> struct Space<SO2<S>> {
  using Q = SO2<S>;
  using Scalar = S;
  using V = Vector<S, 1>;
  using Map = Matrix<S, 1>;
  template <class T> using Rebind = SO2<T>;
  static constexpr int dof = 1;
  static constexpr bool is_vector_space = false;
  static constexpr const char* name = "SO(2)";
  static constexpr int entries = 1;
  static const FactorPtr& factor() { return curved_angles(); }

  static int dim(const Q&) { return 1; }
  template <class T> static SO2<T> read(const T* x) { return {x[0]}; }
  static void write(const Q& q, S* x) { x[0] = q.angle; }
  static void require_point(const Q& q, const std::string& what) {
    if (!std::isfinite(q.angle)) throw InvalidArgument(what + " is not a finite number");
  }

  static Q retract(const Q& q, const V& xi, Retraction tau = default_retraction) {
    return {q.angle + turn(xi, tau)};
  }
  static V difference(const Q& q0, const Q& q1, Retraction tau = default_retraction) {
    using std::cos, std::sin;
    const S angle = q1.angle - q0.angle;
    if (tau == Retraction::exponential) return V(angle);
    if (!(std::abs(value_of(angle)) < 3.14159265))
      throw DomainError(
          "SO(2): two angles half a turn apart have no difference by the Cayley map; take smaller "
          "steps");
    return V(2.0 * sin(S(0.5 * angle)) / cos(S(0.5 * angle)));
  }
  template <class T> static SO2<T> cast(const Q& q) { return {T(q.angle)}; }

  template <class T> static SO2<T> displace(const Q& q, const Vector<T, 1>& delta) {
    return {T(q.angle) + delta[0]};
  }
  template <class J> static SO2<J> seed(const Q& q, int k) { return {J::variable(q.angle, k)}; }

  template <class T>
  static Vector<T, 1> velocity(const Vector<T, 1>& xi, const Vector<T, 1>& eta, Retraction tau) {
    if (tau == Retraction::exponential) return eta;
    return Vector<T, 1>(eta[0] / (1.0 + 0.25 * (xi[0] * xi[0])));
  }
  static Map coadjoint(const V&, Retraction) { return Map::Identity(); }
  static Map ad_star(const V&) { return Map::Zero(); }

  static void update(Q& q, V& q_rest, V& p, V& p_rest, const V& xi, const V& delta,
                     Retraction tau) {
    V angle(q.angle);
    detail::exact_add(angle, q_rest, V(turn(xi, tau)));
    q.angle = angle[0];
    detail::exact_add(p, p_rest, delta);
  }

 private:
  /// τ(ξ)
  static S turn(const V& xi, Retraction tau) {
    using std::atan;
    return tau == Retraction::exponential ? xi[0] : S(2.0 * atan(S(0.5 * xi[0])));
  }
};

}  // namespace varia
