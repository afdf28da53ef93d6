// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Motions of the plane SE(2): a position and an angle that is not wrapped; body velocities (v₁, v₂, ω).
//
// With J = (0 -1; 1 0), R(θ) = exp(θJ) and cₖ = cₖ(ω²) of stumpff.hpp:
//
//   (exp)   τ(v, ω) = (V v, ω),  V = c₁ I + ω c₂ J;      dτ η = (Vᵀη_v + (c₂ J v + ω c₃ v) η_ω, η_ω)
//   (cay)   τ(v, ω) = (s (I + ωJ/2) v, 2 atan(ω/2)),  s = 1/(1 + ω²/4), that of 3 × 3 matrices;
//           dτ η = s ((I - ωJ/2) η_v + J v η_ω/2, η_ω)                                        [Sato19]
#include <cmath>
#include <string>
#include <vector>

#include "varia/core/error.hpp"
#include "varia/space/factor.hpp"
#include "varia/space/space.hpp"
#include "varia/space/stumpff.hpp"

namespace varia {

template <class S> struct SE2 {
  S x = S(0.0), y = S(0.0), theta = S(0.0);

  /// Body to space.
  Vector<S, 2> operator*(const Vector<S, 2>& v) const {
    using std::cos, std::sin;
    const S c = cos(theta);
    const S s = sin(theta);
    return Vector<S, 2>(x + (c * v[0] - s * v[1]), y + (s * v[0] + c * v[1]));
  }
};

template <class S> struct Space<SE2<S>> {
  using Q = SE2<S>;
  using Scalar = S;
  using V = Vector<S, 3>;
  using Map = Matrix<S, 3>;
  template <class T> using Rebind = SE2<T>;
  static constexpr int dof = 3;
  static constexpr bool is_vector_space = false;
  static constexpr const char* name = "SE(2)";
  static constexpr int entries = 3;  ///< x, y, θ
  static const FactorPtr& factor() { return plane_motions(); }

  static int dim(const Q&) { return 3; }
  template <class T> static SE2<T> read(const T* x) { return {x[0], x[1], x[2]}; }
  static void write(const Q& q, S* x) {
    x[0] = q.x;
    x[1] = q.y;
    x[2] = q.theta;
  }
  static void require_point(const Q& q, const std::string& what) {
    if (!std::isfinite(q.x) || !std::isfinite(q.y) || !std::isfinite(q.theta))
      throw InvalidArgument(what + " has an entry that is not a finite number");
  }

  static Q retract(const Q& q, const V& xi, Retraction tau = default_retraction) {
    return compose(q, motion(xi, tau));
  }
  static V difference(const Q& q0, const Q& q1, Retraction tau = default_retraction) {
    using std::cos, std::sin;
    const auto [x, y, angle] = moved(q0, q1);
    if (!(std::abs(value_of(angle)) < 3.14159265))
      throw DomainError(
          "SE(2): two motions half a turn apart have no unique difference; take smaller steps");
    S scale(1.0);
    S half = 0.5 * angle;
    S w = angle;
    if (tau == Retraction::cayley) {
      half = sin(half) / cos(half);
      w = 2.0 * half;
    } else {
      scale = 1.0 - angle * angle * detail::half_cotangent(S(angle * angle));
    }
    // V⁻¹ = scale I - half J
    return V(scale * x + half * y, scale * y - half * x, w);
  }
  template <class T> static SE2<T> cast(const Q& q) { return {T(q.x), T(q.y), T(q.theta)}; }

  template <class T> static SE2<T> displace(const Q& q, const Vector<T, 3>& delta) {
    const T half = 0.5 * delta[2];
    return compose_with<T>(cast<T>(q),
                           {delta[0] - half * delta[1], delta[1] + half * delta[0], delta[2]});
  }
  template <class J> static SE2<J> seed(const Q& q, int k) {
    return displace<J>(
        q, Vector<J, 3>(J::variable(0.0, k), J::variable(0.0, k + 1), J::variable(0.0, k + 2)));
  }

  template <class T>
  static Vector<T, 3> velocity(const Vector<T, 3>& xi, const Vector<T, 3>& eta, Retraction tau) {
    const T& w = xi[2];
    if (tau == Retraction::cayley) {
      const T s = 1.0 / (1.0 + 0.25 * (w * w));
      const T half_w = 0.5 * w;
      const T half_eta = 0.5 * eta[2];
      return Vector<T, 3>(s * (eta[0] + half_w * eta[1] - half_eta * xi[1]),
                          s * (eta[1] - half_w * eta[0] + half_eta * xi[0]), s * eta[2]);
    }
    const auto c = detail::stumpff(T(w * w));
    const T odd = w * c.c2;
    const T even = w * c.c3;
    return Vector<T, 3>(c.c1 * eta[0] + odd * eta[1] + (even * xi[0] - c.c2 * xi[1]) * eta[2],
                        c.c1 * eta[1] - odd * eta[0] + (even * xi[1] + c.c2 * xi[0]) * eta[2],
                        eta[2]);
  }
  static Map coadjoint(const V& xi, Retraction tau) { return to_space(motion(xi, tau)); }
  static S turn(const V& xi) {
    using std::abs;
    return abs(xi[2]);
  }
  /// |n|²
  static std::vector<S> casimirs(const V& p) { return {p[0] * p[0] + p[1] * p[1]}; }
  /// Ad*_{g⁻¹}: (n, m) ↦ (R n, m + x × R n) for g = (x, R)
  static Map to_space(const Q& g) {
    using std::cos, std::sin;
    const S c = cos(g.theta);
    const S s = sin(g.theta);
    Map m;
    m << c, -s, S(0.0), s, c, S(0.0), g.x * s - g.y * c, g.x * c + g.y * s, S(1.0);
    return m;
  }
  /// ad*_δ (n, m) = (δ_ω (n₂, -n₁), n₁ δ₂ - n₂ δ₁)
  static Map ad_star(const V& pi) {
    Map m = Map::Zero();
    m(0, 2) = pi[1];
    m(1, 2) = -pi[0];
    m(2, 0) = -pi[1];
    m(2, 1) = pi[0];
    return m;
  }

  static void update(Q& q, V& q_rest, V& p, V& p_rest, const V& xi, const V& delta,
                     Retraction tau) {
    const Q before = q;
    q = retract(q, V(xi + q_rest), tau);
    p = carried(V(p + (delta + p_rest)), moved(before, q));
    q_rest.setZero();
    p_rest.setZero();
  }
  /// ξ with the turn that takes place: θ grows, and loses digits of ξ. What is carried by another turn
  /// than the point loses as many of its momentum.
  static V settled(const Q& q, V xi, Retraction tau) {
    using std::atan, std::cos, std::sin;
    const bool cayley = tau == Retraction::cayley;
    const S sum = q.theta + (cayley ? S(2.0 * atan(S(0.5 * xi[2]))) : xi[2]);
    const S turn = sum - q.theta;
    xi[2] = cayley ? S(2.0 * sin(S(0.5 * turn)) / cos(S(0.5 * turn))) : turn;
    return xi;
  }

 private:
  /// Ad*_g (n, m) = (Rᵀn, m - x × n)
  static V carried(const V& m, const Q& g) {
    using std::cos, std::sin;
    const S c = cos(g.theta);
    const S s = sin(g.theta);
    return V(c * m[0] + s * m[1], c * m[1] - s * m[0], m[2] - (g.x * m[1] - g.y * m[0]));
  }
  /// q₀⁻¹q₁
  static Q moved(const Q& q0, const Q& q1) {
    using std::cos, std::sin;
    const S c = cos(q0.theta);
    const S s = sin(q0.theta);
    const S dx = q1.x - q0.x;
    const S dy = q1.y - q0.y;
    return {c * dx + s * dy, c * dy - s * dx, q1.theta - q0.theta};
  }
  /// τ(ξ)
  static Q motion(const V& xi, Retraction tau) {
    using std::atan;
    const S& w = xi[2];
    if (tau == Retraction::cayley) {
      const S s = 1.0 / (1.0 + 0.25 * (w * w));
      const S half = 0.5 * w;
      return {s * (xi[0] - half * xi[1]), s * (xi[1] + half * xi[0]), 2.0 * atan(S(half))};
    }
    const auto c = detail::stumpff(S(w * w));
    const S odd = w * c.c2;
    return {c.c1 * xi[0] - odd * xi[1], c.c1 * xi[1] + odd * xi[0], w};
  }
  static Q compose(const Q& a, const Q& b) { return compose_with<S>(a, b); }
  template <class T> static SE2<T> compose_with(const SE2<T>& a, const SE2<T>& b) {
    const Vector<T, 2> x = a * Vector<T, 2>(b.x, b.y);
    return {x[0], x[1], a.theta + b.theta};
  }
};

}  // namespace varia
