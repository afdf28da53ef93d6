// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The equations of one step for L = ⟨θ(q), v⟩ - H(q): (degenerate-step), and with the multipliers λ
// also (degenerate-projection); see flow/degenerate.hpp. Unknowns are the velocities uⱼ, then λ.
#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "varia/ad/derivative.hpp"
#include "varia/core/error.hpp"
#include "varia/core/linear.hpp"
#include "varia/methods/method.hpp"
#include "varia/solve/newton.hpp"

namespace varia::detail {

template <class Theta, class H, class V> class DegenerateEquations {
 public:
  static constexpr int N = V::RowsAtCompileTime;
  using Square = Matrix<double, N>;

  DegenerateEquations(const StageCoefficients& k, const Theta& theta, const H& hamiltonian,
                      bool projects)
      : k_(k), theta_(theta), hamiltonian_(hamiltonian), projects_(projects) {}

  void begin(const V& q0, const V& p0) {
    q0_ = q0;
    p0_ = p0;
    slope0_ = transposed(Square(jacobian(theta_, q0)));
  }

  /// The velocity of (degenerate) at q₀. Where ω is singular there is none, though the equations of
  /// the step may have solutions: jumps to stationary points of H.
  V velocity(double t) const {
    const V force = gradient(hamiltonian_, q0_);
    const V v = LinearSolver<N>(Square(slope0_ - transposed(slope0_))).solve(force);
    // beyond that size v is the rounding of Dθ
    const double rounding = std::numeric_limits<double>::epsilon() * slope0_.cwiseAbs().maxCoeff();
    if (!v.allFinite() || v.cwiseAbs().maxCoeff() * rounding > force.cwiseAbs().maxCoeff())
      throw DomainError("the two-form d theta is singular at t = " + to_text(t) +
                        ": the Lagrangian does not determine the velocity there. An exact theta, "
                        "the gradient of a function, says nothing about the motion");
    return v;
  }

  /// Residuals: the stages, then p₁ - θ(q₁) if λ is among the unknowns.
  void evaluate(double h, NewtonWorkspace& w, bool fresh);

  V shift, p1;  ///< q₁ - q₀ and p₁ of the last evaluation

 private:
  /// θ, W, Dθ and ∂W/∂Q at one point.
  struct AtStage {
    V theta, force;
    Square slope, curvature;
  };

  static std::size_t sz(Eigen::Index i) { return static_cast<std::size_t>(i); }
  static Square transposed(const Square& a) {
    Square b = a;
    for (Eigen::Index i = 0; i < a.rows(); ++i)
      for (Eigen::Index j = 0; j < a.rows(); ++j) b(i, j) = a(j, i);
    return b;
  }
  /// R(∞) of a Gauss method: what becomes of a deviation from p = θ(q) in one step.
  double back() const { return k_.points % 2 == 0 ? 1.0 : -1.0; }

  AtStage at_stage(const V& q, const V& u, double with_energy) const {
    const auto lagrangian = [&](const auto& x) {
      using S = typename std::decay_t<decltype(x)>::Scalar;
      const auto form = theta_(x);
      S sum = S(-with_energy) * hamiltonian_(x);
      for (Eigen::Index i = 0; i < u.size(); ++i) sum += form[i] * u[i];
      return sum;
    };
    const auto second = value_gradient_hessian(lagrangian, q);
    return {V(theta_(q)), second.gradient, jacobian(theta_, q), second.hessian};
  }

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
  const Theta& theta_;
  const H& hamiltonian_;
  bool projects_;
  V q0_, p0_;
  Square slope0_;  ///< Dθ(q₀)ᵀ
};

template <class Theta, class H, class V>
void DegenerateEquations<Theta, H, V>::evaluate(double h, NewtonWorkspace& w, bool fresh) {
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
    at.push_back(at_stage(V(q0_ + h * sum), unknown(i), 1.0));
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
    end = at_stage(V(q0_ + shift), lambda, 0.0);
    p1 += h * back() * end.force;  // Dθ(q₁)ᵀλ
    for (Eigen::Index a = 0; a < n; ++a) w.residual[sz(r * n + a)] = p1[a] - end.theta[a];
  }
  if (fresh) add_jacobian(at, end, h, w);
}

template <class Theta, class H, class V>
void DegenerateEquations<Theta, H, V>::add_jacobian(const std::vector<AtStage>& at,
                                                    const AtStage& end, double h,
                                                    NewtonWorkspace& w) const {
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
template <class Theta, class H, class V>
void DegenerateEquations<Theta, H, V>::add_end_row(const std::vector<AtStage>& at,
                                                   const AtStage& end, double h, int l,
                                                   NewtonWorkspace& w) const {
  const int r = k_.unknowns;
  Square block =
      (l < r ? k_.beta.hi[sz(l)] : 1.0 + back()) * Square((h * back()) * end.curvature - end.slope);
  for (int i = 0; i < r; ++i) block += (k_.b.hi[sz(i)] * h * shift_of(i, l)) * at[sz(i)].curvature;
  if (l < r) block += k_.b.hi[sz(l)] * transposed(at[sz(l)].slope);
  if (l == r) block += slope0_ + back() * transposed(end.slope);
  put(w, r, l, Square(h * block));
}

}  // namespace varia::detail
