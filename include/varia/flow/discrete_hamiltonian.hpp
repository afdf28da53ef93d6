// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Your own discrete Hamiltonian: any callable, generic in the scalar, is a flow on ℝⁿ × ℝⁿ.
//
//   (discrete-hamilton)   type II,  H_d⁺(q₀, p₁, h):   p₀ =  D₁H_d⁺ (solved for p₁),  q₁ =  D₂H_d⁺
//                         type III, H_d⁻(p₀, q₁, h):   q₀ = -D₁H_d⁻ (solved for q₁),  p₁ = -D₂H_d⁻
//   (type-adjoint)        the adjoint of the flow of H_d⁺ is that of H_d⁻(p₀, q₁, h) = -H_d⁺(q₁, p₀, -h)
//                                                                                           [LZ11]
// Needed: D₁D₂H_d invertible, which holds near the identity H_d⁺ = ⟨p₁, q₀⟩, H_d⁻ = -⟨p₀, q₁⟩ for
// every H, degenerate or not.
#include <algorithm>
#include <cmath>
#include <utility>

#include "varia/flow/discrete_flow.hpp"

namespace varia {

enum class HamiltonianType { two, three };

template <HamiltonianType type, class Hd> class DiscreteHamiltonian {
 public:
  explicit DiscreteHamiltonian(Hd hd) : hd_(std::move(hd)) {}

  struct Memory {
    NewtonWorkspace newton;
    Predictor predictor;
    FlowStatistics statistics;
  };

  const Hd& discrete_hamiltonian() const { return hd_; }

  template <int N, int M> Memory memory(const State<Vector<double, N>, M>& s) const {
    const int n = static_cast<int>(s.q.size());
    if (s.p.size() != n || s.lambda.size() != 0)
      throw InvalidArgument(
          "a discrete Hamiltonian needs as many momenta as coordinates and no "
          "multipliers; the state has " +
          std::to_string(n) + " coordinates, " + std::to_string(s.p.size()) + " momenta and " +
          std::to_string(s.lambda.size()) + " multipliers");
    Memory memory;
    memory.newton.resize(n + 1, n + 1);
    memory.predictor.resize(n + 1);
    return memory;
  }

  template <int N, int M>
  State<Vector<double, N>, M> operator()(const State<Vector<double, N>, M>& s, double h) const {
    Memory m = memory(s);
    return step(s, h, m);
  }

  template <int N, int M>
  State<Vector<double, N>, M> step(const State<Vector<double, N>, M>& s, double h,
                                   Memory& memory) const {
    using V = Vector<double, N>;
    detail::require_step(h);
    NewtonWorkspace& w = memory.newton;
    // known₀ = ±D₁H_d(other₀, unknown₁)
    const V& known = two ? s.p : s.q;
    const V& other = two ? s.q : s.p;
    DiscreteDerivatives<V> d;
    const auto equations = [&](NewtonWorkspace& work, bool fresh) {
      evaluate<V>(known, other, h, work, fresh, d);
    };
    const auto guess = [&] {
      for (Eigen::Index i = 0; i < known.size(); ++i) w.x[at(i)] = known[i];
    };
    if (!memory.predictor.predict(h, w.x)) guess();
    const double size = known.cwiseAbs().maxCoeff();
    w.x.back() = size;
    NewtonReport report = memory.statistics.counted(solve(newton_, w, equations));
    if (!report.converged) {
      guess();
      w.x.back() = size;
      report = memory.statistics.counted(solve(newton_, w, equations));
    }
    if (!report.converged) fail(s.t, h, report);
    memory.predictor.push(h, w.x);
    memory.statistics.end_step();
    evaluate<V>(known, other, h, w, false, d);
    return finish(s, h, w, d);
  }

 private:
  static constexpr bool two = type == HamiltonianType::two;
  static std::size_t at(Eigen::Index i) { return static_cast<std::size_t>(i); }

  /// The last unknown stands still at the size of what is known: steps are measured against it
  /// where the true unknown passes through zero.
  template <class V>
  void evaluate(const V& known, const V& other, double h, NewtonWorkspace& w, bool fresh,
                DiscreteDerivatives<V>& d) const {
    const Eigen::Index n = known.size();
    V unknown(n);
    for (Eigen::Index i = 0; i < n; ++i) unknown[i] = w.x[at(i)];
    d = slot_derivatives(hd_, other, unknown, h);
    constexpr double sign = two ? 1.0 : -1.0;
    for (Eigen::Index i = 0; i < n; ++i) w.residual[at(i)] = sign * d.d1[i] - known[i];
    w.residual.back() = 0.0;
    w.magnitude = std::max(known.cwiseAbs().maxCoeff(), d.d1.cwiseAbs().maxCoeff());
    if (!fresh) return;
    w.jacobian.set_zero();
    const int size = static_cast<int>(n);
    for (int i = 0; i < size; ++i)
      for (int j = 0; j < size; ++j) w.jacobian(i, j) = sign * d.d1d2(i, j);
    w.jacobian(size, size) = 1.0;
  }

  template <class StateT, class V>
  StateT finish(const StateT& s, double h, const NewtonWorkspace& w,
                const DiscreteDerivatives<V>& d) const {
    StateT next = s;
    V& solved = two ? next.p : next.q;
    for (Eigen::Index i = 0; i < solved.size(); ++i) solved[i] = w.x[at(i)];
    (two ? next.q : next.p) = two ? d.d2 : V(-d.d2);
    next.q_rest.setZero();
    next.p_rest.setZero();
    detail::compensated_add(next.t, next.t_rest, h);
    if (!next.q.allFinite() || !next.p.allFinite()) detail::overflow(s.t, h);
    return next;
  }

  [[noreturn]] static void fail(double t, double h, const NewtonReport& report) {
    throw NoConvergence(
        "discrete Hamiltonian: the step from t = " + to_text(t) + " with h = " + to_text(h) +
            (report.singular
                 ? std::string(" has a singular D1 D2 Hd: it does not determine ") +
                       (two ? "p1" : "q1") + " there"
                 : std::string(" was not solved by Newton's method; try a smaller step")),
        t, h, report.iterations, report.last_update);
  }

  Hd hd_;
  Newton newton_;
};

/// The flow of H_d⁺(q₀, p₁, h).
template <class Hd> auto type_two_flow(Hd hd) {
  return DiscreteHamiltonian<HamiltonianType::two, Hd>(std::move(hd));
}
/// The flow of H_d⁻(p₀, q₁, h).
template <class Hd> auto type_three_flow(Hd hd) {
  return DiscreteHamiltonian<HamiltonianType::three, Hd>(std::move(hd));
}

/// (type-adjoint) The adjoint is of the other type: -H_d(b, a, -h).
template <HamiltonianType type, class Hd> auto adjoint(const DiscreteHamiltonian<type, Hd>& flow) {
  const auto reversed = [hd = flow.discrete_hamiltonian()](const auto& a, const auto& b, double h) {
    return -1.0 * hd(b, a, -h);
  };
  constexpr auto other =
      type == HamiltonianType::two ? HamiltonianType::three : HamiltonianType::two;
  return DiscreteHamiltonian<other, decltype(reversed)>(reversed);
}

}  // namespace varia
