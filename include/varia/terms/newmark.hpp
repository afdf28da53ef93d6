// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Explicit Newmark (β = 0, γ = ½) on the same terms: the synchronous baseline of [LMOW03], one step for all.
//
//   v ← v + (h/2) a,  x ← x + h v,  a = -M⁻¹ Σ_K ∂V_K/∂x(x, t),  v ← v + (h/2) a
//
// Equal to the asynchronous integrator with equal steps and (AVI-start), up to round-off.
#include <cstdint>
#include <vector>

#include "varia/terms/system.hpp"

namespace varia::terms {

template <int D> struct NewmarkState {
  double t0 = 0.0, step = 0.0;
  std::int64_t count = 0;  ///< steps done; t = t0 + count·step
  std::vector<double> x, v;
  Supports<D> supports;
  double t() const { return t0 + static_cast<double>(count) * step; }
};

template <int D> class Newmark {
 public:
  /// Positions and velocities as for start(); supported components are placed.
  Newmark(const System<D>& system, const std::vector<double>& x, const std::vector<double>& v,
          double step, const Supports<D>& supports = {}, double t0 = 0.0);
  /// Goes on from a state that was saved.
  Newmark(const System<D>& system, NewmarkState<D> state);

  void advance(std::int64_t steps);
  const NewmarkState<D>& state() const { return state_; }
  /// The present state, with the velocities of supports.
  Synchronised<D> synchronised() const { return {state_.t(), state_.x, state_.v}; }

 private:
  void accelerate();
  void half_kick();
  void place_supports();

  const System<D>& system_;
  NewmarkState<D> state_;
  std::vector<double> force_;  ///< -Σ_K ∂V_K/∂x at the present positions
};

}  // namespace varia::terms
