// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The system L = Σ_a ½ m_a |ẋ_a|² - Σ_K V_K(x_K, t) and a state of it, every part at its own time.
//
// Terms are numbered family after family. A State is all the further motion depends on: with the
// same system, the same state continues to the same bits under every schedule.
#include <cstdint>
#include <memory>
#include <vector>

#include "varia/terms/family.hpp"

namespace varia::terms {

/// The times of one term: t_K^j = t0 + j·step where the step is fixed.
struct Clock {
  double next = 0.0;       ///< when it acts
  double last = 0.0;       ///< when it acted, or the start
  double step = 0.0;       ///< from last to next
  std::int64_t count = 0;  ///< how often it acted
};

template <int D> struct State {
  double t0 = 0.0;
  std::vector<Node<D>> nodes;
  std::vector<Clock> clocks;
  /// Impulse that the start gave in advance, as a time: half a first step, or 0 (AVI-start).
  std::vector<double> lead;
  bool variable_steps = false;  ///< a rule has set steps: times are no multiples of them any more
  Supports<D> supports;
};

template <int D> class System {
 public:
  System() = default;

  /// Terms follow those that are there; returns the number of the first.
  int add(std::unique_ptr<Family<D>> family);

  int term_count() const { return first_.back(); }
  int node_count() const { return static_cast<int>(masses_.size()); }
  const std::vector<std::unique_ptr<Family<D>>>& families() const { return families_; }
  /// The first term of each family, and the number of terms at the end.
  const std::vector<int>& first() const { return first_; }

  void set_masses(std::vector<double> masses);
  const std::vector<double>& masses() const { return masses_; }

  /// The family of a term, and its number there.
  struct Place {
    const Family<D>* family;
    int k;
  };
  Place place(int term) const {
    int f = 0;
    while (term >= first_[f + 1]) ++f;
    return {families_[f].get(), term - first_[f]};
  }

 private:
  std::vector<std::unique_ptr<Family<D>>> families_;
  std::vector<int> first_{0};
  std::vector<double> masses_;
};

/// Throws InvalidArgument when a term has a node that does not exist or one twice, or a support is
/// not of this system.
template <int D> void check(const System<D>& system, const Supports<D>& supports);

/// How a motion begins.
struct StartOptions {
  double t0 = 0.0;
  /// (AVI-start)  v_a ← v_a + (1/2m_a) Σ_K I_Ka^0: half a step of impulse in advance, order 2; without it order 1.
  bool half_kick = true;
};

/// The state at t0 with positions x and velocities v (D numbers a node) and one step for each term.
template <int D>
State<D> start(const System<D>& system, const std::vector<double>& x, const std::vector<double>& v,
               const std::vector<double>& steps, Supports<D> supports = {},
               const StartOptions& options = {});

/// Positions and velocities of all nodes at one time, not earlier than any node's own.
template <int D> struct Synchronised {
  double t = 0.0;
  std::vector<double> x, v;
};

/// Throws Divergence when a number of it is not finite.
template <int D> void check_finite_motion(const Synchronised<D>& at);

/// (AVI-sync)  x_a + v_a (t - τ_a), and on the velocities the impulse each term still owes,
///             -(t - t_K - lead_K) ∂V_K/∂x(x(t), t): without it velocities are of first order.
/// Throws Divergence when the motion has left the finite numbers.
template <int D>
Synchronised<D> synchronise(const System<D>& system, const State<D>& state, double t);

}  // namespace varia::terms
