// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The equations of one step of a stage method, with their exact Jacobian, on any space.
//
// With S(Ξ, H) = L(q₀ ⊕ Ξ, dτ_Ξ H), Pⁱ = ∂S/∂H, Wⁱ = ∂S/∂Ξ + dτ* f, Nⁱ the body-frame force:
//
//   (stage)     Σᵢ bᵢ (Bᵢⱼ Pⁱ + h Aᵢⱼ Wⁱ) = βⱼ κ,          j = 1..r
//   (balance)   m = p₀ + h Σᵢ bᵢ Ad*_{τ(-Ξⁱ)} Nⁱ,   κ = dτ_{-ξ}* m,   p₁ = Ad*_{τ(ξ)} m
//
// [MW01] on ℝⁿ, where m = κ = p₁; [Sato19] on groups. With constraints N carries Gᵀλ: at q₀, at
// the inner quadrature points when the method has both ends, and at q₁ by projection (hidden):
//
//   (rattle)    p₀ → p₀ + w₀ G(q₀)ᵀλ₀,  φ(inner points) = 0,  φ(q₁) = 0,  p₁ + w₁ G(q₁)ᵀλ₁ with G(q₁) v₁ = 0
#include <algorithm>
#include <cmath>
#include <vector>

#include "varia/core/error.hpp"
#include "varia/core/round_off.hpp"
#include "varia/flow/predictor.hpp"
#include "varia/flow/state.hpp"
#include "varia/methods/method.hpp"
#include "varia/solve/newton.hpp"
#include "varia/space/chart.hpp"

namespace varia::detail {

/// What one step needs to remember and to write on.
template <Point Q> struct StageMemory {
  NewtonWorkspace newton;
  Predictor predictor;
  std::vector<Tangent<Q>> u;      ///< the r unknown velocities of the last step
  std::vector<Tangent<Q>> P, W;   ///< of each quadrature point
  std::vector<TangentMap<Q>> dm;  ///< ∂m/∂u_k on curved spaces
  int iterations = 0;             ///< of the last step
};

/// A sum hi + lo whose small part must not be lost in the rounding of the large one.
template <class V> struct SplitSum { V hi, lo; };

/// A size that is a constant to the compiler when it is one.
template <int N> struct Size {
  int value;
  constexpr operator int() const {
    return N == Dynamic ? value : N;
  }  // NOLINT(google-explicit-constructor)
};

template <class S, Point Q> class StageEquations {
 public:
  using V = Tangent<Q>;
  using Map = TangentMap<Q>;
  using X = Space<Q>;
  static constexpr int n_static = dof<Q>;
  static constexpr int d = S::template constraints<Q>();
  using Multipliers = Vector<double, d>;
  using ConstraintMap = Matrix<double, d, n_static>;
  /// ∂P/∂Ξ and ∂W/∂H vanish: L = ½vᵀMv - V(q) without force on a vector space.
  static constexpr bool decoupled = S::separable && !S::forced && X::flat;

  StageEquations(const S& system, const StageCoefficients& method, Retraction tau,
                 const State<Q, d>& start, double h, StageMemory<Q>& memory)
      : system_(system),
        k_(method),
        tau_(tau),
        start_(start),
        h_(h),
        memory_(memory),
        n_{X::dim(start.q)},
        d_{static_cast<int>(start.lambda.size())},
        r_(method.unknowns),
        m_(method.points) {
    if constexpr (may_constrain<d>) {
      if (d_ == 0) return;
      inner_ = k_.ends ? m_ - 2 : 0;
      weight0_ = h_ * (k_.ends ? k_.b.hi[0] : 0.5);
      weight1_ = h_ * (k_.ends ? k_.b.hi[at(m_ - 1)] : 0.5);
      Multipliers phi;
      constraint_jacobian(system_.constraint(), start_.q, d_, phi, g0_);
    }
  }

  static int unknowns(const StageCoefficients& method, int n, int constraints) {
    return method.unknowns * n + constraints * (method.ends ? method.points - 1 : 1);
  }

  /// All unknown velocities equal to v, all multipliers to those of the start.
  void guess(const V& v) {
    auto& x = memory_.newton.x;
    for (int j = 0; j < r_; ++j)
      for (int i = 0; i < n_; ++i) x[at(j * n_ + i)] = v[i];
    if constexpr (may_constrain<d>)
      for (std::size_t i = at(r_ * n_); i < x.size(); ++i)
        x[i] = start_.lambda[static_cast<Eigen::Index>((i - at(r_ * n_)) % at(d_))];
  }

  /// Residual (and Jacobian when fresh) at w.x.
  void operator()(NewtonWorkspace& w, bool fresh) {
    if (fresh)
      points<true>(w);
    else
      points<false>(w);
    if constexpr (n_static == Dynamic)
      end(w, fresh);
    else
      inlined_end(w, fresh);
  }

  /// Afterwards xi() and impulse() belong to the solution. After a step of Newton's method at the
  /// size of round-off the impulse, which moves by h times less, is that of the last evaluation.
  void finish(double last_update) {
    if (d_ > 0 || last_update > 4 * eps)
      points<false>(memory_.newton);
    else
      xi_ = combine(k_.beta, 0);
    for (int j = 0; j < r_; ++j) memory_.u[at(j)] = unknown(j);
  }

  /// q₁ ⊖ q₀ and h Σ bᵢ Ad* Nⁱ + w₀Gᵀλ₀ of the last evaluation.
  const SplitSum<V>& xi() const { return xi_; }
  const SplitSum<V>& impulse() const { return impulse_; }
  double end_weight() const { return weight1_; }

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  std::size_t at(int i, int j) const { return at(i * r_ + j); }

  /// h Σⱼ aⱼuⱼ. h multiplies the sum: h times a coefficient would be rounded alike in every step,
  /// and the energy would drift; so it would without the low parts of the coefficients [HMR08].
  SplitSum<V> combine(const SplitArray& a, int row) const {
    SplitSum<V> sum{V::Zero(n_), V::Zero(n_)};
    for (int j = 0; j < r_; ++j) {
      sum.hi += a.hi[at(row, j)] * unknown(j);
      sum.lo += a.lo[at(row, j)] * unknown(j);
    }
    sum.hi *= h_;
    sum.lo *= h_;
    return sum;
  }
  /// Hⁱ = Σⱼ Bᵢⱼuⱼ
  V chart_velocity(int i) const {
    if (k_.nodal) return unknown(i);
    V sum = V::Zero(n_);
    for (int j = 0; j < r_; ++j)
      sum += k_.B.hi[at(i, j)] * unknown(j) + k_.B.lo[at(i, j)] * unknown(j);
    return sum;
  }
  Eigen::Map<const V> unknown(int j) const { return {&memory_.newton.x[at(j * n_)], n_}; }

  Multipliers multiplier(const NewtonWorkspace& w, int index) const {
    return Eigen::Map<const Multipliers>(&w.x[at(r_ * n_ + index * d_)], d_);
  }

  template <bool second> void points(NewtonWorkspace& w) {
    if constexpr (second) {
      w.jacobian.set_zero();
      for (auto& block : memory_.dm) block.setZero();
    }
    xi_ = combine(k_.beta, 0);
    impulse_ = {V::Zero(n_), V::Zero(n_)};
    for (int i = 0; i < m_; ++i) {
      if constexpr (n_static == Dynamic)
        point<second>(w, i);
      else
        inlined_point<second>(w, i);
    }
    impulse_.hi *= h_;
    impulse_.lo *= h_;
    if constexpr (may_constrain<d>)
      if (d_ > 0) impulse_.lo += weight0_ * (g0_.transpose() * multiplier(w, 0));
  }

  // Everything inlined keeps small matrices in registers; those of run-time size are in memory
  // anyway, and inlining them only costs compile time.
  template <bool second> [[gnu::flatten]] void inlined_point(NewtonWorkspace& w, int i) {
    point<second>(w, i);
  }
  [[gnu::flatten]] void inlined_end(NewtonWorkspace& w, bool fresh) { end(w, fresh); }

  template <bool second> void point(NewtonWorkspace& w, int i) {
    const SplitSum<V> displacement = combine(k_.A, i);
    const V H = chart_velocity(i);
    const double t = start_.t + (start_.t_rest + h_ * k_.c.hi[at(i)]);
    GradientOf<Q> g;
    HessianOf<Q> hess;
    V force;
    Map force_q;
    Map force_v;
    if constexpr (X::flat) {
      const Q q = X::retract(start_.q, V(displacement.hi + (displacement.lo + start_.q_rest)));
      derivatives<second>(t, q, H, g, hess, force, force_q, force_v);
      add_constraint_force<second>(w, i, q, g, hess);
      add_flat<second>(w, i, g, hess, force, force_q, force_v);
    } else {
      const Chart<Q> chart =
          AtPoint<Q>::chart(start_.q, V(displacement.hi + displacement.lo), tau_);
      const Q q = chart.retract(start_.q);
      const Map D = chart.dtau();
      const V v = D * H;
      derivatives<second>(t, q, v, g, hess, force, force_q, force_v);
      add_constraint_force<second>(w, i, q, g, hess);
      add_curved<second>(w, i, chart, H, D, g, hess, force, force_q, force_v);
    }
  }

  template <bool second>
  void derivatives(double t, const Q& q, const V& v, GradientOf<Q>& g, HessianOf<Q>& hess, V& force,
                   Map& force_q, Map& force_v) const {
    if constexpr (second)
      system_.lagrangian().hessian(t, q, v, g, hess);
    else
      system_.lagrangian().gradient(t, q, v, g);
    if constexpr (S::forced) {
      if constexpr (second)
        system_.force().derivative(t, q, v, force, force_q, force_v);
      else
        system_.force().value(t, q, v, force);
    }
  }

  /// Gᵀλ at an inner quadrature point, and the equation φ = 0 there.
  template <bool second>
  void add_constraint_force(NewtonWorkspace& w, int i, const Q& q, GradientOf<Q>& g,
                            HessianOf<Q>& hess) {
    if constexpr (may_constrain<d>) {
      inside_ = inner_ > 0 && i > 0 && i < m_ - 1;
      if (!inside_) return;
      const Multipliers lambda = multiplier(w, i);
      Multipliers phi;
      if constexpr (second) {
        Map curvature;
        system_.constraint().hessian(q, lambda, phi, g_, curvature);
        hess.qq += curvature;
      } else {
        constraint_jacobian(system_.constraint(), q, d_, phi, g_);
      }
      g.q += g_.transpose() * lambda;
      const int row = r_ * n_ + (i - 1) * d_;
      for (int a = 0; a < d_; ++a) w.residual[at(row + a)] = phi[a];
    }
  }

  /// The left-hand sides of (stage) minus βⱼκ, the small parts last.
  void sum_rows(NewtonWorkspace& w, const V& kappa, const V& kappa_rest) {
    const SplitArray& row_W = X::flat ? k_.row_D : k_.row_W;
    for (int j = 0; j < r_; ++j) {
      SplitSum<V> impulse{V::Zero(n_), V::Zero(n_)};
      for (int i = 0; i < m_; ++i) {
        impulse.hi += row_W.hi[at(i, j)] * memory_.W[at(i)];
        impulse.lo += row_W.lo[at(i, j)] * memory_.W[at(i)];
      }
      V sum;
      if (k_.nodal) {
        sum = memory_.P[at(j)] - kappa;
        sum += h_ * impulse.hi;
        sum += h_ * impulse.lo - kappa_rest;
      } else {
        sum = -k_.row_beta.hi[at(j)] * kappa;
        V low =
            -k_.row_beta.hi[at(j)] * kappa_rest - k_.row_beta.lo[at(j)] * kappa + h_ * impulse.lo;
        for (int i = 0; i < m_; ++i) {
          sum += k_.row_P.hi[at(i, j)] * memory_.P[at(i)];
          low += k_.row_P.lo[at(i, j)] * memory_.P[at(i)];
        }
        sum += h_ * impulse.hi;
        sum += low;
      }
      Eigen::Map<V>(&w.residual[at(j * n_)], n_) = sum;
    }
    w.magnitude = kappa.cwiseAbs().maxCoeff();
    for (int i = 0; i < m_; ++i)
      for (int a = 0; a < n_; ++a)
        w.magnitude = std::max(w.magnitude, std::max(std::abs(memory_.P[at(i)][a]),
                                                     std::abs(h_ * memory_.W[at(i)][a])));
  }

  auto block(DenseLU& jacobian, int j, int k) const {
    using Block = Eigen::Matrix<double, n_static, n_static,
                                n_static == 1 ? Eigen::ColMajor : Eigen::RowMajor>;
    return Eigen::Map<Block, Eigen::Unaligned, Eigen::OuterStride<>>(
        &jacobian(j * n_, k * n_), n_, n_, Eigen::OuterStride<>(jacobian.size()));
  }

  /// ∂/∂u_k of row_P Pⁱ + h row_W Wⁱ, given the derivatives of P and W in (Ξ, H).
  void add_jacobian(NewtonWorkspace& w, int i, const SplitArray& row_W, const Map& P_X,
                    const Map& P_H, const Map& W_X, const Map& W_H) {
    for (int j = 0; j < r_; ++j) {
      const double p = k_.row_P.hi[at(i, j)];
      const double c = h_ * row_W.hi[at(i, j)];
      for (int k = 0; k < r_; ++k) {
        const double x = h_ * k_.A.hi[at(i, k)];
        const double y = k_.B.hi[at(i, k)];
        auto entry = block(w.jacobian, j, k);
        entry += (c * x) * W_X;
        if (p * y != 0.0) entry += (p * y) * P_H;
        if constexpr (!decoupled) {
          if (p * x != 0.0) entry += (p * x) * P_X;
          if (c * y != 0.0) entry += (c * y) * W_H;
        }
      }
    }
  }

  template <bool second>
  void add_flat(NewtonWorkspace& w, int i, const GradientOf<Q>& g, const HessianOf<Q>& hess,
                const V& force, const Map& force_q, const Map& force_v) {
    V W = g.q;
    if constexpr (S::forced) W += force;
    impulse_.hi += k_.b.hi[at(i)] * W;
    impulse_.lo += k_.b.lo[at(i)] * W;
    memory_.P[at(i)] = g.v;
    memory_.W[at(i)] = W;
    if constexpr (second) {
      if constexpr (decoupled) {
        add_jacobian(w, i, k_.row_D, hess.qv, hess.vv, hess.qq, hess.qv);
      } else {
        Map W_X = hess.qq;
        Map W_H = hess.qv;
        if constexpr (S::forced) {
          W_X += force_q;
          W_H += force_v;
        }
        add_jacobian(w, i, k_.row_D, hess.qv.transpose(), hess.vv, W_X, W_H);
      }
      if constexpr (may_constrain<d>)
        if (inside_)
          add_inner_constraint(w, i, Map(Map::Identity(n_, n_)), Map(Map::Zero(n_, n_)), k_.row_D);
    }
  }

  /// See docs/theory/equations.md, (chart), for the derivatives.
  template <bool second>
  void add_curved(NewtonWorkspace& w, int i, const Chart<Q>& chart, const V& H, const Map& D,
                  const GradientOf<Q>& g, const HessianOf<Q>& hess, const V& force,
                  const Map& force_q, const Map& force_v) {
    V N = g.q;
    if constexpr (S::forced) N += force;
    const V& pi = g.v;
    const Map E = chart.dtau_derivative(H);
    const V P = D.transpose() * pi;
    const V W = D.transpose() * N + E.transpose() * pi;
    const Map A = chart.coadjoint();
    const double hb = h_ * k_.b.hi[at(i)];
    const V moved = A * N;
    impulse_.hi += k_.b.hi[at(i)] * moved;
    impulse_.lo += k_.b.lo[at(i)] * moved;
    memory_.P[at(i)] = P;
    memory_.W[at(i)] = W;
    if constexpr (second) {
      // N along δ = q⁻¹dq: the Hessian in exponential coordinates plus the half bracket
      Map N_q = hess.qq + 0.5 * AtPoint<Q>::ad_star(start_.q, g.q);
      if constexpr (S::forced) N_q += force_q;
      Map N_X = N_q * D;
      Map pi_X = hess.vv * E;
      if constexpr (!(S::separable && !S::forced)) {
        Map N_v = hess.qv;
        if constexpr (S::forced) N_v += force_v;
        N_X += N_v * E;
        pi_X += hess.qv.transpose() * D;
        const Map m_H = A * (N_v * D);
        for (int k = 0; k < r_; ++k) memory_.dm[at(k)] += (hb * k_.B.hi[at(i, k)]) * m_H;
      }
      const Map P_X = D.transpose() * pi_X + chart.dtau_transpose_derivative(pi);
      const Map P_H = D.transpose() * (hess.vv * D);
      const Map W_X = D.transpose() * N_X + chart.dtau_transpose_derivative(N) +
                      E.transpose() * pi_X + chart.dtau_hessian(pi, H);
      Map W_H = P_X.transpose();  // S has a symmetric Hessian
      if constexpr (S::forced) W_H += D.transpose() * (force_v * D);
      add_jacobian(w, i, k_.row_W, P_X, P_H, W_X, W_H);
      const Map m_X = A * (N_X - AtPoint<Q>::ad_star(start_.q, N) * D);
      for (int k = 0; k < r_; ++k) memory_.dm[at(k)] += (hb * h_ * k_.A.hi[at(i, k)]) * m_X;
      if constexpr (may_constrain<d>)
        if (inside_) add_inner_constraint(w, i, D, A, k_.row_W);
    }
  }

  /// Columns of λᵢ and rows of φ(Qⁱ).
  void add_inner_constraint(NewtonWorkspace& w, int i, const Map& D, const Map& A,
                            const SplitArray& row_W) {
    if constexpr (may_constrain<d>) {
      const int column = r_ * n_ + i * d_;
      const int row = r_ * n_ + (i - 1) * d_;
      const Matrix<double, n_static, d> pull = D.transpose() * g_.transpose();
      const ConstraintMap push = g_ * D;
      Matrix<double, n_static, d> along;
      if constexpr (!X::flat)
        along = (h_ * k_.b.hi[at(i)]) *
                (AtPoint<Q>::dtau(start_.q, V(-xi_.hi), tau_).transpose() * (A * g_.transpose()));
      for (int j = 0; j < r_; ++j)
        for (int a = 0; a < n_; ++a)
          for (int b = 0; b < d_; ++b) {
            double entry = h_ * row_W.hi[at(i, j)] * pull(a, b);
            if constexpr (!X::flat) entry -= k_.row_beta.hi[at(j)] * along(a, b);
            w.jacobian(j * n_ + a, column + b) += entry;
            w.jacobian(row + b, j * n_ + a) += h_ * k_.A.hi[at(i, j)] * push(b, a);
          }
    }
  }

  /// The right-hand side βⱼκ of (stage), and φ(q₁) = 0.
  void end(NewtonWorkspace& w, bool fresh) {
    if constexpr (X::flat) {
      V rest = start_.p_rest;
      if constexpr (may_constrain<d>)
        if (d_ > 0) rest += weight0_ * (g0_.transpose() * multiplier(w, 0));
      sum_rows(w, start_.p, rest);
      if constexpr (may_constrain<d>)
        if (d_ > 0)
          finish_constraints(w, fresh, Map(Map::Identity(n_, n_)), Map(Map::Identity(n_, n_)));
    } else {
      const V xi = xi_.hi + xi_.lo;
      const V m = start_.p + (impulse_.hi + (impulse_.lo + start_.p_rest));
      const Chart<Q> back = AtPoint<Q>::chart(start_.q, V(-xi), tau_);
      const Map D = back.dtau();
      sum_rows(w, D.transpose() * m, V::Zero(n_));
      if (fresh) {
        const Map T = back.dtau_transpose_derivative(m);
        for (int k = 0; k < r_; ++k) {
          const Map dkappa = D.transpose() * memory_.dm[at(k)] - (h_ * k_.beta.hi[at(k)]) * T;
          for (int j = 0; j < r_; ++j) block(w.jacobian, j, k) -= k_.row_beta.hi[at(j)] * dkappa;
        }
      }
      if constexpr (may_constrain<d>)
        if (d_ > 0) finish_constraints(w, fresh, D, AtPoint<Q>::dtau(start_.q, xi, tau_));
    }
  }

  void finish_constraints(NewtonWorkspace& w, bool fresh, const Map& D_back, const Map& D) {
    if constexpr (may_constrain<d>) {
      const Q q1 = X::retract(start_.q, V(xi_.hi + (xi_.lo + start_.q_rest)), tau_);
      Multipliers phi;
      ConstraintMap g1;
      constraint_jacobian(system_.constraint(), q1, d_, phi, g1);
      const int row = r_ * n_ + inner_ * d_;
      for (int a = 0; a < d_; ++a) w.residual[at(row + a)] = phi[a];
      if (!fresh) return;
      const ConstraintMap push = g1 * D;
      const Matrix<double, n_static, d> pull = weight0_ * (D_back.transpose() * g0_.transpose());
      for (int j = 0; j < r_; ++j)
        for (int a = 0; a < n_; ++a)
          for (int b = 0; b < d_; ++b) {
            w.jacobian(row + b, j * n_ + a) += h_ * k_.beta.hi[at(j)] * push(b, a);
            w.jacobian(j * n_ + a, r_ * n_ + b) -= k_.row_beta.hi[at(j)] * pull(a, b);
          }
    }
  }

  const S& system_;
  const StageCoefficients& k_;
  Retraction tau_;
  const State<Q, d>& start_;
  double h_;
  StageMemory<Q>& memory_;
  Size<n_static> n_;  ///< n
  Size<d> d_;         ///< number of constraints
  int r_, m_;
  int inner_ = 0;
  bool inside_ = false;
  double weight0_ = 0.0;
  double weight1_ = 0.0;
  SplitSum<V> xi_, impulse_;
  ConstraintMap g0_, g_;
};

}  // namespace varia::detail
