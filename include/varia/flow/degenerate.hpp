// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Lagrangians linear in the velocities, L = ⟨θ(q), v⟩ - H(q): guiding centres, vortices, populations.
//
//   (degenerate)      ω(q) q̇ = ∇H(q),   ω = Dθᵀ - Dθ,   p = θ(q) at all times                [TD19]
//   (degenerate-step) θ(Qⁱ) = p₀ + h Σⱼ aᵢⱼ Wʲ,   Wʲ = Dθ(Qʲ)ᵀuⱼ - ∇H(Qʲ),   Qⁱ = q₀ + h Σⱼ aᵢⱼuⱼ
//                     q₁ = q₀ + h Σ bⱼuⱼ,   p₁ = p₀ + h Σ bⱼWʲ
//   (degenerate-projection)  (q₀, p₀) + hζ(q₀)λ ↦ step ↦ + h(-1)ˢζ(q₁)λ,  ζ(q)λ = (λ, Dθ(q)ᵀλ),
//                            λ such that p₁ = θ(q₁)                                        [Kraus17]
//
// ∂²L/∂v² = 0: momenta say nothing about velocities, the equations of motion are of first order, and
// the start is q₀ alone. The discrete Lagrangian does not know this: it is regular, its flow on (q, p)
// is symplectic there, and p = θ(q) is lost after one step unless θ is linear. The order falls to s
// or s + 1, and what was lost alternates from step to step. The projection restores order 2s, is
// symmetric in time and preserves ω up to h² d⟨λ, (Dθ(q₀) - Dθ(q₁)) dλ⟩, which is nothing at all
// where half of θ vanishes. docs/theory/hamiltonian-side.md derives this.
//
// Here θ and H are C++ functions, differentiated automatically; OneFormFlow takes expressions.
#include <type_traits>
#include <utility>

#include "varia/ad/derivative.hpp"
#include "varia/flow/discrete_flow.hpp"
#include "varia/flow/one_form_step.hpp"

namespace varia {

namespace detail {

/// The derivatives of θ and H by automatic differentiation; neither depends on time.
template <class Theta, class H> struct DifferentiatedForm {
  Theta theta;
  H hamiltonian;

  template <class V> V value(double, const V& q) const { return theta(q); }
  template <class V> auto slope(double, const V& q) const { return jacobian(theta, q); }
  template <class V> V push(double, const V& q) const { return gradient(hamiltonian, q); }
  template <class V>
  FormAt<V> at(double, const V& q, const V& u, double with_energy, bool /*second*/) const {
    const auto lagrangian = [&](const auto& x) {
      using S = typename std::decay_t<decltype(x)>::Scalar;
      const auto form = theta(x);
      S sum = S(-with_energy) * hamiltonian(x);
      for (Eigen::Index i = 0; i < u.size(); ++i) sum += form[i] * u[i];
      return sum;
    };
    const auto second = value_gradient_hessian(lagrangian, q);
    return {V(theta(q)), second.gradient, jacobian(theta, q), second.hessian};
  }
};

}  // namespace detail

/// Theta and H take a Vector<S, n>, generic in S, and return a Vector<S, n> and an S.
template <class Theta, class H> class DegenerateFlow {
 public:
  using Memory = OneFormMemory;

  /// The method has one tableau for q and p: gauss(s), midpoint. Throws InvalidArgument for others.
  DegenerateFlow(const Method& method, Theta theta, H hamiltonian,
                 OneFormProjection projection = OneFormProjection::symmetric)
      : step_(method, {std::move(theta), std::move(hamiltonian)}, projection) {}

  const Method& method() const { return step_.method(); }
  OneFormProjection projection() const { return step_.projection(); }

  /// The state at q: p = θ(q).
  template <int N>
  State<Vector<double, N>> start(const Vector<double, N>& q, double t = 0.0) const {
    return make_state(q, Vector<double, N>(step_.form().theta(q)), t);
  }

  template <int N, int M> Memory memory(const State<Vector<double, N>, M>& s) const {
    return step_.memory(s);
  }

  template <int N, int M>
  State<Vector<double, N>, M> operator()(const State<Vector<double, N>, M>& s, double h) const {
    Memory m = memory(s);
    return step(s, h, m);
  }

  /// One step. Throws DomainError where dθ is singular.
  template <int N, int M>
  State<Vector<double, N>, M> step(const State<Vector<double, N>, M>& s, double h,
                                   Memory& memory) const {
    return step_.step(s, h, memory);
  }

 private:
  detail::OneFormStep<detail::DifferentiatedForm<Theta, H>> step_;
};

}  // namespace varia
