// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Motions of space SE(3): a rotation R and a position x; body velocities (ω, v).
//
// With x̂ y = x × y, K = ŵ/2, ρ = |w|², cₖ = cₖ(ρ) of stumpff.hpp and D the dτ of SO(3):
//
//   (exp)   τ(w, v) = (exp w, V v),  V = I + c₂ ŵ + c₃ ŵ²;   dτ η = (D η_w, D η_v + (dD·v) η_w)
//   (cay)   τ(w, v) = (cay w, (I - K)⁻¹v), that of 4 × 4 matrices;
//           dτ η = (D η_w, (I + K)⁻¹(η_v + η_w × (I - K)⁻¹v/2)),  (I ∓ K)⁻¹ = I + (±K + K²)/(1 + ρ/4)
//
// [Sato19]. The Cayley map of the adjoint representation is another one.
#include <string>
#include <vector>

#include "varia/space/factor.hpp"
#include "varia/space/so3.hpp"
#include "varia/space/stumpff.hpp"

namespace varia {

template <class S> struct SE3 {
  SO3<S> rotation;
  Vector<S, 3> position = Vector<S, 3>::Zero();

  /// Body to space.
  Vector<S, 3> operator*(const Vector<S, 3>& x) const {
    return position + Vector<S, 3>(rotation.matrix * x);
  }
};

template <class S> struct Space<SE3<S>> {
  using Q = SE3<S>;
  using Scalar = S;
  using V = Vector<S, 6>;
  using Map = Matrix<S, 6>;
  template <class T> using Rebind = SE3<T>;
  static constexpr int dof = 6;
  static constexpr bool is_vector_space = false;
  static constexpr const char* name = "SE(3)";
  static constexpr int entries = 12;  ///< R₁₁ … R₃₃, x
  static const FactorPtr& factor() { return motions(); }

  static int dim(const Q&) { return 6; }
  template <class T> static SE3<T> read(const T* x) {
    return {Space<SO3<T>>::template read<T>(x), Vector<T, 3>(x[9], x[10], x[11])};
  }
  static void write(const Q& q, S* x) {
    Rotations::write(q.rotation, x);
    for (int i = 0; i < 3; ++i) x[9 + i] = q.position[i];
  }
  static void require_point(const Q& q, const std::string& what) {
    Rotations::require_point(q.rotation, what);
    if (!q.position.allFinite())
      throw InvalidArgument(what + " has an entry that is not a finite number");
  }

  static Q retract(const Q& q, const V& xi, Retraction tau = default_retraction) {
    const Q g = motion(xi, tau);
    return {q.rotation * g.rotation, q * g.position};
  }
  static V difference(const Q& q0, const Q& q1, Retraction tau = default_retraction) {
    const Part w = Rotations::difference(q0.rotation, q1.rotation, tau);
    const Part x = q0.rotation.matrix.transpose() * Part(q1.position - q0.position);
    Part v = x - Part(w.cross(x)) * S(0.5);
    if (tau == Retraction::exponential)
      v += Part(w.cross(Part(w.cross(x)))) * detail::half_cotangent(S(w.squaredNorm()));
    return stacked(w, v);
  }
  template <class T> static SE3<T> cast(const Q& q) {
    return {Rotations::template cast<T>(q.rotation), q.position.template cast<T>()};
  }

  template <class T> static SE3<T> displace(const Q& q, const Vector<T, 6>& delta) {
    const Vector<T, 3> w = delta.template head<3>();
    const Vector<T, 3> v = delta.template tail<3>();
    const Vector<T, 3> moved = v + Vector<T, 3>(w.cross(v)) * T(0.5);
    return {Rotations::template displace<T>(q.rotation, w), cast<T>(q) * moved};
  }
  template <class J> static SE3<J> seed(const Q& q, int k) {
    Vector<J, 6> delta;
    for (int i = 0; i < 6; ++i) delta[i] = J::variable(0.0, k + i);
    return displace<J>(q, delta);
  }

  template <class T>
  static Vector<T, 6> velocity(const Vector<T, 6>& xi, const Vector<T, 6>& eta, Retraction tau) {
    using P = Vector<T, 3>;
    const P w = xi.template head<3>();
    const P v = xi.template tail<3>();
    const P eta_w = eta.template head<3>();
    const P eta_v = eta.template tail<3>();
    Vector<T, 6> out;
    out.template head<3>() = Space<SO3<T>>::template velocity<T>(w, eta_w, tau);
    if (tau == Retraction::cayley) {
      const P along = eta_v + P(eta_w.cross(half_inverse<T>(w, v, 1.0))) * T(0.5);
      out.template tail<3>() = half_inverse<T>(w, along, -1.0);
      return out;
    }
    // D η = η - c₂ w×η + c₃ w×(w×η), and its derivative along v
    const auto c = detail::stumpff(T(w.squaredNorm()));
    const T rate = 2.0 * w.dot(v);
    const T c2 = (2.0 * c.c4 - c.c3) * 0.5 * rate;
    const T c3 = (3.0 * c.c5 - c.c4) * 0.5 * rate;
    const P w_v = w.cross(eta_v);
    const P w_w = w.cross(eta_w);
    const P v_w = v.cross(eta_w);
    out.template tail<3>() = eta_v - w_v * c.c2 + P(w.cross(w_v)) * c.c3 - w_w * c2 - v_w * c.c2 +
                             P(w.cross(w_w)) * c3 + P(v.cross(w_w) + w.cross(v_w)) * c.c3;
    return out;
  }
  static Map coadjoint(const V& xi, Retraction tau) { return to_space(motion(xi, tau)); }
  /// Ad*_{g⁻¹}: (m, n) ↦ (R m + x × R n, R n) for g = (R, x)
  static Map to_space(const Q& g) {
    Map m = Map::Zero();
    m.template topLeftCorner<3, 3>() = g.rotation.matrix;
    m.template topRightCorner<3, 3>() = hat(g.position) * g.rotation.matrix;
    m.template bottomRightCorner<3, 3>() = g.rotation.matrix;
    return m;
  }
  static S turn(const V& xi) { return Part(xi.template head<3>()).norm(); }
  /// |n|², m·n
  static std::vector<S> casimirs(const V& p) {
    const Part m = p.template head<3>();
    const Part n = p.template tail<3>();
    return {n.squaredNorm(), m.dot(n)};
  }
  /// ad*_δ (m, n) = (m × δ_w + n × δ_v, n × δ_w)
  static Map ad_star(const V& pi) {
    Map m = Map::Zero();
    m.template topLeftCorner<3, 3>() = hat(Part(pi.template head<3>()));
    m.template topRightCorner<3, 3>() = hat(Part(pi.template tail<3>()));
    m.template bottomLeftCorner<3, 3>() = hat(Part(pi.template tail<3>()));
    return m;
  }

  static void update(Q& q, V& q_rest, V& p, V& p_rest, const V& xi, const V& delta,
                     Retraction tau) {
    const Q g = motion(V(xi + q_rest), tau);
    move(q, g);
    p = carried(V(p + (delta + p_rest)), g);
    q_rest.setZero();
    p_rest.setZero();
  }

 private:
  using Rotations = Space<SO3<S>>;
  using Part = Vector<S, 3>;

  static V stacked(const Part& w, const Part& v) {
    V xi;
    xi << w, v;
    return xi;
  }
  /// (I - σK)⁻¹x for σ = ±1
  template <class T>
  static Vector<T, 3> half_inverse(const Vector<T, 3>& w, const Vector<T, 3>& x, double sigma) {
    const Vector<T, 3> k_x = Vector<T, 3>(w.cross(x)) * T(0.5);
    const Vector<T, 3> k_k_x = Vector<T, 3>(w.cross(k_x)) * T(0.5);
    return x + Vector<T, 3>(k_x * T(sigma) + k_k_x) * T(1.0 / (1.0 + 0.25 * w.squaredNorm()));
  }
  /// τ(ξ)
  static Q motion(const V& xi, Retraction tau) {
    const Part w = xi.template head<3>();
    const Part v = xi.template tail<3>();
    const SO3<S> r(rotation(w, tau));
    if (tau == Retraction::cayley) return {r, half_inverse<S>(w, v, 1.0)};
    const auto c = detail::stumpff(S(w.squaredNorm()));
    const Part w_v = w.cross(v);
    return {r, v + w_v * c.c2 + Part(w.cross(w_v)) * c.c3};
  }
  static void move(Q& q, const Q& g) {
    q.position = q * g.position;
    Rotations::rotate(q.rotation, g.rotation.matrix);
  }
  /// Ad*_g (m, n) = (Rᵀ(m - x × n), Rᵀn)
  static V carried(const V& m, const Q& g) {
    const Part n = m.template tail<3>();
    const Part turning = Part(m.template head<3>()) - Part(g.position.cross(n));
    return stacked(g.rotation.matrix.transpose() * turning, g.rotation.matrix.transpose() * n);
  }
};

}  // namespace varia
