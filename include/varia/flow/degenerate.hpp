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
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "varia/flow/degenerate_equations.hpp"
#include "varia/flow/discrete_flow.hpp"

namespace varia {

/// What happens to p = θ(q).
enum class OneFormProjection {
  none,       ///< nothing: the flow of the discrete Lagrangian, consistent at the start only
  each_step,  ///< p₁ is replaced by θ(q₁); not symmetric, loses order
  symmetric   ///< (degenerate-projection)
};

/// Theta and H take a Vector<S, n>, generic in S, and return a Vector<S, n> and an S.
template <class Theta, class H> class DegenerateFlow {
 public:
  /// The method has one tableau for q and p: gauss(s), midpoint. Throws InvalidArgument for others.
  DegenerateFlow(const Method& method, Theta theta, H hamiltonian,
                 OneFormProjection projection = OneFormProjection::symmetric)
      : method_(method),
        theta_(std::move(theta)),
        hamiltonian_(std::move(hamiltonian)),
        projection_(projection) {
    require_one_tableau();
  }

  struct Memory {
    NewtonWorkspace newton;
    Predictor predictor;
    FlowStatistics statistics;
  };

  const Method& method() const { return method_; }
  OneFormProjection projection() const { return projection_; }

  /// The state at q: p = θ(q).
  template <int N>
  State<Vector<double, N>> start(const Vector<double, N>& q, double t = 0.0) const {
    return make_state(q, Vector<double, N>(theta_(q)), t);
  }

  template <int N, int M> Memory memory(const State<Vector<double, N>, M>& s) const {
    static_assert(M <= 0, "a degenerate Lagrangian takes no constraints");
    if (s.q.size() % 2 != 0 || s.p.size() != s.q.size() || s.lambda.size() != 0)
      throw InvalidArgument(
          "a Lagrangian that is linear in the velocities needs an even number of coordinates, as "
          "many momenta and no multipliers; the state has " +
          std::to_string(s.q.size()) + ", " + std::to_string(s.p.size()) + " and " +
          std::to_string(s.lambda.size()) + " (d theta is singular for an odd number)");
    Memory memory;
    const int groups = method_.stages()->unknowns + (projects() ? 1 : 0);
    const int unknowns = static_cast<int>(s.q.size()) * groups;
    memory.newton.resize(unknowns, unknowns);
    memory.predictor.resize(unknowns);
    return memory;
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
    using V = Vector<double, N>;
    detail::require_step(h);
    detail::DegenerateEquations<Theta, H, V> equations(*method_.stages(), theta_, hamiltonian_,
                                                       projects());
    equations.begin(s.q, keeps_momenta() ? s.p : V(theta_(s.q)));
    const V v = equations.velocity(s.t);
    NewtonWorkspace& w = memory.newton;
    const auto evaluate = [&](NewtonWorkspace& at, bool fresh) {
      equations.evaluate(h, at, fresh);
    };
    NewtonReport report;
    if (memory.predictor.predict(h, w.x)) report = solve(newton_, w, evaluate);
    if (!report.converged) {
      const auto n = static_cast<std::size_t>(v.size());
      const std::size_t velocities = n * static_cast<std::size_t>(method_.stages()->unknowns);
      for (std::size_t i = 0; i < w.x.size(); ++i)
        w.x[i] = i < velocities ? v[static_cast<Eigen::Index>(i % n)] : 0.0;
      report = solve(newton_, w, evaluate);
    }
    memory.statistics.iterations += report.iterations;
    memory.statistics.max_iterations =
        std::max(memory.statistics.max_iterations, report.iterations);
    if (!report.converged) fail(s.t, h, report);
    memory.predictor.push(h, w.x);
    ++memory.statistics.steps;
    equations.evaluate(h, w, false);
    return finish(s, h, equations.shift, equations.p1);
  }

 private:
  bool projects() const { return projection_ == OneFormProjection::symmetric; }
  bool keeps_momenta() const { return projection_ == OneFormProjection::none; }

  template <class StateT, class V>
  StateT finish(const StateT& s, double h, const V& shift, const V& p1) const {
    StateT next = s;
    detail::exact_add(next.q, next.q_rest, shift);
    next.p = keeps_momenta() ? p1 : V(theta_(next.q));
    next.p_rest.setZero();
    detail::advance_time(next, h);
    if (!next.q.allFinite() || !next.p.allFinite()) detail::overflow(s.t, h);
    return next;
  }

  /// bᵢ(aᵢⱼ - bⱼ)/bⱼ = -aⱼᵢ. With two tableaux the velocities at the ends of a step depend on the
  /// choice of θ up to gradients, or are not determined.
  void require_one_tableau() const {
    const StageCoefficients* s = method_.stages();
    bool one = s != nullptr && s->nodal;
    const auto at = [&](int i, int j) { return static_cast<std::size_t>(i * s->unknowns + j); };
    for (int i = 0; one && i < s->points; ++i)
      for (int j = 0; j < s->unknowns; ++j)
        one = one && std::abs(s->row_D.hi[at(i, j)] + s->A.hi[at(j, i)]) < 1e-14;
    if (!one)
      throw InvalidArgument(method_.name() +
                            " cannot be used for a Lagrangian that is linear in the velocities; "
                            "use gauss(s) or midpoint, which treat q and p alike");
  }

  [[noreturn]] void fail(double t, double h, const NewtonReport& report) const {
    throw NoConvergence(
        method_.name() + ": the step from t = " + to_text(t) + " with h = " + to_text(h) +
            (report.singular ? " has singular equations; is the two-form d theta regular there?"
                             : " was not solved by Newton's method; try a smaller step"),
        t, h, report.iterations, report.last_update);
  }

  Method method_;
  Theta theta_;
  H hamiltonian_;
  OneFormProjection projection_;
  Newton newton_;
};

}  // namespace varia
