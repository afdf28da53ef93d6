// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// First variations of an asynchronous motion: each (AVI-drift) and (AVI-kick), differentiated.
//
//   (AVI-tangent)  δx_a ← δx_a + δv_a (t - τ_a),   δv_a ← δv_a - w Σ_b ∂²V_K/∂x_a∂x_b δx_b / m_a
//
// Prescribed components do not vary. Every update is a symplectic map of (x_a, m_a v_a), each node
// at its own time, if and only if ∂²V_K is symmetric: forces that are no gradients are seen here.
#include <functional>
#include <vector>

#include "varia/terms/schedule.hpp"

namespace varia::terms {

/// Second derivatives of V_K at x: (N·D)² numbers, row after row.
template <int D>
using Hessian =
    std::function<void(const Family<D>& family, int k, const double* x, double t, double* h)>;

/// By central differences of the gradient, extrapolated to step zero: 12 digits for smooth terms.
/// The result is not made symmetric.
template <int D>
void difference_hessian(const Family<D>& family, int k, const double* x, double t, double* h);

/// Variations of all positions or velocities, D numbers a node.
struct Variation {
  std::vector<double> x, v;
};

/// Carries variations along with the motion it observes.
template <int D> class Tangents final : public Observer<D> {
 public:
  /// Without a Hessian differences are taken.
  Tangents(const System<D>& system, const State<D>& state, const std::vector<Variation>& variations,
           Hessian<D> hessian = {});

  void before(int term, double t, double weight, const State<D>& state) override;
  void after(int, double, double, const State<D>&) override {}

  /// Component c of the variation i at node a, at the time of the node.
  double x(int i, int a, int c) const { return x_[at(i, a, c)]; }
  double v(int i, int a, int c) const { return v_[at(i, a, c)]; }
  int count() const { return count_; }

 private:
  std::size_t at(int i, int a, int c) const {
    return (static_cast<std::size_t>(a) * D + static_cast<std::size_t>(c)) *
               static_cast<std::size_t>(count_) +
           static_cast<std::size_t>(i);
  }
  void drift(int node, double t);
  void hold(int node, const State<D>& state);

  const System<D>& system_;
  int count_;
  Hessian<D> hessian_;
  std::vector<double> x_, v_, time_;
};

/// Σ_a m_a (δx_a·δ'v_a - δv_a·δ'x_a) for two of the variations, and the sum of the sizes of all summands.
struct SymplecticForm {
  double value = 0.0, scale = 0.0;
};
template <int D>
SymplecticForm symplectic_form(const System<D>& system, const Tangents<D>& tangents, int i, int j);

/// The largest entry of JᵀΩJ - Ω, J the tangent map of the free components in (x, m v) from the
/// state to that at `until`; each entry relative to the sizes of its summands. For small systems.
template <int D>
double symplectic_defect(const System<D>& system, State<D> state, double until,
                         const Hessian<D>& hessian = {});

}  // namespace varia::terms
