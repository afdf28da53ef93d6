// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The discrete Lagrangian of Newmark's method with γ = ½, to be used with DiscreteFlow.
//
//   (L-beta)   L^β(q₀, q₁, h) = (h/2) wᵀMw - h Ṽ(η(q₀)),   w = (η(q₁) - η(q₀))/h,
//              Ṽ(η(q)) = V(q) + ½βh² ∂V/∂qᵀ M⁻¹ ∂V/∂q       with η of (eta)                [MW01]
//
// ∂Ṽ/∂x at x = η(q) is ∂V/∂q at q, so the discrete Euler-Lagrange equations, divided by η′, are the
// two-step form of (Newmark). The momenta of L^β are η′(q)ᵀ M times velocities, not M v.
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "varia/flow/newmark_form.hpp"
#include "varia/verify/typed_view.hpp"

namespace varia {

class NewmarkLagrangian {
 public:
  NewmarkLagrangian(std::shared_ptr<const KernelSystem> system, double beta)
      : system_(std::move(system)), beta_(beta) {
    detail::require_newmark_system(*system_, "the discrete Lagrangian of Newmark's method");
    if (system_->uses_time)
      throw InvalidArgument(
          "the discrete Lagrangian of Newmark's method: the potential depends on time, and "
          "L_d(q0, q1, h) does not know it");
    if (system_->mass_diagonal.empty()) inverse_mass_ = system_->mass.inverse();
  }

  template <class Q0, class Q1> auto operator()(const Q0& q0, const Q1& q1, double h) const {
    using S = std::decay_t<decltype(q0[0] + q1[0])>;
    const double shift = beta_ * h * h;
    const auto [x0, slope] = shifted<S>(q0, shift);
    const auto x1 = shifted<S>(q1, shift).first;
    Vector<S, Dynamic> w(system_->n);
    for (int i = 0; i < system_->n; ++i) w[i] = (x1[i] - x0[i]) / h;
    Vector<S, Dynamic> at(system_->n);
    for (int i = 0; i < system_->n; ++i) at[i] = S(q0[i]);
    const S lagrangian = detail::evaluate(system_->value, detail::kernel_point(0.0, at, w))[0];
    return S(h * (lagrangian - 0.5 * shift * slope));
  }

 private:
  /// η(q), and ∂V/∂qᵀ M⁻¹ ∂V/∂q.
  template <class S, class Q>
  std::pair<Vector<S, Dynamic>, S> shifted(const Q& q, double by) const {
    const int n = system_->n;
    std::vector<S> x{S(0.0)};
    for (int i = 0; i < n; ++i) x.push_back(S(q[i]));
    const auto g = detail::evaluate(system_->potential_gradient, x);
    Vector<S, Dynamic> eta(n);
    S slope(0.0);
    for (int i = 0; i < n; ++i) {
      S a(0.0);  // of M⁻¹ ∂V/∂q
      if (!system_->mass_diagonal.empty())
        a = g[at(i)] / system_->mass_diagonal[at(i)];
      else
        for (int j = 0; j < n; ++j) a += inverse_mass_(i, j) * g[at(j)];
      slope += g[at(i)] * a;
      eta[i] = x[at(i + 1)] + by * a;
    }
    return {eta, slope};
  }
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }

  std::shared_ptr<const KernelSystem> system_;
  double beta_;
  Eigen::MatrixXd inverse_mass_;
};

}  // namespace varia
