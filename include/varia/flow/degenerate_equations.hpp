// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The equations of one step for L = ⟨θ(t, q), v⟩ - H(t, q): (degenerate-step), and with the
// multipliers λ also (degenerate-projection); see flow/degenerate.hpp. Unknowns are the velocities
// uⱼ, then λ. With time in L, ∂θ/∂t joins ∇H in (degenerate); the step has θ at its own times.
//
// A Form says what is known of θ and H, wherever the derivatives come from:
//   value(t, q) = θ,   slope(t, q) = Dθ,   push(t, q) = ∇H + ∂θ/∂t,
//   at(t, q, u, e, second) = θ, W = Dθᵀu - e∇H and, if second, Dθ and ∂W/∂q
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "varia/core/error.hpp"
#include "varia/core/linear.hpp"
#include "varia/methods/method.hpp"
#include "varia/solve/newton.hpp"

namespace varia::detail {

/// θ, W, Dθ and ∂W/∂Q at one point.
template <class V> struct FormAt {
  V theta, force;
  Matrix<double, V::RowsAtCompileTime> slope, curvature;
};

/// The velocity of (degenerate) from Dθᵀ and ∇H + ∂θ/∂t. Where ω is singular there is none, though
/// the equations of a step may have solutions: jumps to stationary points of H.
template <int N>
Vector<double, N> form_velocity(const Matrix<double, N>& slope, const Vector<double, N>& push,
                                double t) {
  Matrix<double, N> omega = slope;
  for (Eigen::Index i = 0; i < slope.rows(); ++i)
    for (Eigen::Index j = 0; j < slope.rows(); ++j) omega(i, j) -= slope(j, i);
  Vector<double, N> v = LinearSolver<N>(omega).solve(push);
  // beyond that size v is the rounding of Dθ
  const double rounding = std::numeric_limits<double>::epsilon() * slope.cwiseAbs().maxCoeff();
  if (!v.allFinite() || v.cwiseAbs().maxCoeff() * rounding > push.cwiseAbs().maxCoeff())
    throw DomainError("the two-form d theta is singular at t = " + to_text(t) +
                      ": the Lagrangian does not determine the velocity there. An exact theta, "
                      "the gradient of a function, says nothing about the motion");
  return v;
}

template <class Form, class V> class DegenerateEquations {
 public:
  static constexpr int N = V::RowsAtCompileTime;
  using Square = Matrix<double, N>;

  DegenerateEquations(const StageCoefficients& k, const Form& form, bool projects)
      : k_(k), form_(form), projects_(projects) {}

  void begin(double t, const V& q0, const V& p0) {
    t0_ = t;
    q0_ = q0;
    p0_ = p0;
    slope0_ = transposed(Square(form_.slope(t, q0)));
  }

  /// At the beginning of the step.
  V velocity() const { return form_velocity<N>(slope0_, V(form_.push(t0_, q0_)), t0_); }

  /// Residuals: the stages, then p₁ - θ(q₁) if λ is among the unknowns.
  void evaluate(double h, NewtonWorkspace& w, bool fresh);

  V shift, p1;  ///< q₁ - q₀ and p₁ of the last evaluation

 private:
  using AtStage = FormAt<V>;

  static std::size_t sz(Eigen::Index i) { return static_cast<std::size_t>(i); }
  static Square transposed(const Square& a) {
    Square b = a;
    for (Eigen::Index i = 0; i < a.rows(); ++i)
      for (Eigen::Index j = 0; j < a.rows(); ++j) b(i, j) = a(j, i);
    return b;
  }
  /// R(∞) of a Gauss method: what becomes of a deviation from p = θ(q) in one step.
  double back() const { return k_.points % 2 == 0 ? 1.0 : -1.0; }

  void add_jacobian(const std::vector<AtStage>& at, const AtStage& end, double h,
                    NewtonWorkspace& w) const;
  void add_end_row(const std::vector<AtStage>& at, const AtStage& end, double h, int l,
                   NewtonWorkspace& w) const;
  /// ∂Qⁱ/∂(unknown l) over h: λ shifts all Qⁱ alike.
  double shift_of(int i, int l) const {
    return l < k_.unknowns ? k_.A.hi[sz(i * k_.unknowns + l)] : 1.0;
  }
  static void put(NewtonWorkspace& w, int row, int column, const Square& block) {
    const int n = static_cast<int>(block.rows());
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) w.jacobian(row * n + a, column * n + b) = block(a, b);
  }

  const StageCoefficients& k_;
  const Form& form_;
  bool projects_;
  double t0_ = 0.0;
  V q0_, p0_;
  Square slope0_;  ///< Dθ(q₀)ᵀ
};

template <class Form, class V>
void DegenerateEquations<Form, V>::evaluate(double h, NewtonWorkspace& w, bool fresh) {
  const int r = k_.unknowns;
  const Eigen::Index n = q0_.size();
  const auto unknown = [&](int j) { return V(Eigen::Map<const V>(&w.x[sz(j * n)], n)); };
  const V lambda = projects_ ? unknown(r) : V(V::Zero(n));
  const V p0 = p0_ + h * (slope0_ * lambda);
  std::vector<AtStage> at;
  V impulse = V::Zero(n);
  V mean = V::Zero(n);
  for (int i = 0; i < r; ++i) {
    V sum = lambda;
    for (int j = 0; j < r; ++j) sum += k_.A.hi[sz(i * r + j)] * unknown(j);
    at.push_back(form_.at(t0_ + h * k_.c.hi[sz(i)], V(q0_ + h * sum), V(unknown(i)), 1.0, fresh));
    impulse += k_.b.hi[sz(i)] * at.back().force;
    mean += k_.beta.hi[sz(i)] * unknown(i);
  }
  w.magnitude = p0.cwiseAbs().maxCoeff();
  for (int j = 0; j < r; ++j) {
    V row = V::Zero(n);
    for (int i = 0; i < r; ++i) row += k_.row_D.hi[sz(i * r + j)] * at[sz(i)].force;
    row = (at[sz(j)].theta - p0) + h * row;
    w.magnitude = std::max(w.magnitude, at[sz(j)].theta.cwiseAbs().maxCoeff());
    for (Eigen::Index a = 0; a < n; ++a) w.residual[sz(j * n + a)] = row[a];
  }
  shift = h * (mean + (projects_ ? 1.0 + back() : 0.0) * lambda);
  p1 = p0 + h * impulse;
  AtStage end;
  if (projects_) {
    end = form_.at(t0_ + h, V(q0_ + shift), lambda, 0.0, fresh);
    p1 += h * back() * end.force;  // Dθ(q₁)ᵀλ
    for (Eigen::Index a = 0; a < n; ++a) w.residual[sz(r * n + a)] = p1[a] - end.theta[a];
  }
  if (fresh) add_jacobian(at, end, h, w);
}

template <class Form, class V>
void DegenerateEquations<Form, V>::add_jacobian(const std::vector<AtStage>& at, const AtStage& end,
                                                double h, NewtonWorkspace& w) const {
  const int r = k_.unknowns;
  for (int l = 0; l < (projects_ ? r + 1 : r); ++l) {
    for (int j = 0; j < r; ++j) {
      Square block = shift_of(j, l) * at[sz(j)].slope;
      for (int i = 0; i < r; ++i)
        block += (k_.row_D.hi[sz(i * r + j)] * h * shift_of(i, l)) * at[sz(i)].curvature;
      if (l < r) block += k_.row_D.hi[sz(l * r + j)] * transposed(at[sz(l)].slope);
      if (l == r) block -= slope0_;
      put(w, j, l, Square(h * block));
    }
    if (projects_) add_end_row(at, end, h, l, w);
  }
}

/// ∂(p₁ - θ(q₁)) with respect to unknown l.
template <class Form, class V>
void DegenerateEquations<Form, V>::add_end_row(const std::vector<AtStage>& at, const AtStage& end,
                                               double h, int l, NewtonWorkspace& w) const {
  const int r = k_.unknowns;
  Square block =
      (l < r ? k_.beta.hi[sz(l)] : 1.0 + back()) * Square((h * back()) * end.curvature - end.slope);
  for (int i = 0; i < r; ++i) block += (k_.b.hi[sz(i)] * h * shift_of(i, l)) * at[sz(i)].curvature;
  if (l < r) block += k_.b.hi[sz(l)] * transposed(at[sz(l)].slope);
  if (l == r) block += slope0_ + back() * transposed(end.slope);
  put(w, r, l, Square(h * block));
}

}  // namespace varia::detail
