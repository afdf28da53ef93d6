// SPDX-License-Identifier: BSD-3-Clause
// Nonholonomic constraints in the middle of a step: the discrete Lagrange-d'Alembert principle.
//
//   (dla)   p₀ + h/2 R₀ᵀλ⁺ = -D₁L_d(q₀, q₁),   Φ(t₀ + h/2, Q, V) = 0                          [CM01]
//           p₁ = D₂L_d(q₀, q₁) + h/2 R₁ᵀλ⁻,   Φ(t₁, q₁, v₁) = 0,   p₁ = ∂L/∂v(t₁, q₁, v₁)
//           R = ∂Φ/∂v at (t, q, v) of the node,   λ₀ + λ₁ = λ⁺ + λ⁻
//
// L_d is that of the midpoint rule and (Q, V) its one point. The reactions act at the nodes, as those of
// holonomic constraints do, (rattle): both stand in one list at the start and in one projection at the end.
#include <algorithm>

#include "stages.hpp"

namespace varia::detail {

void Stages::couple_middle(Couplings& c) const {
  const auto first = static_cast<int>(c.groups.size());
  for (int a = 0; a < f.e; ++a) c.groups.push_back({multiplier_place(1) + a});
  for (int e = 0; e < f.nonholonomic_pattern.size(); ++e)
    c.meeting.emplace_back(groups_.of(f.nonholonomic_pattern.column[sz(e)] % n),
                           first + f.nonholonomic_pattern.row[sz(e)]);
}

/// R₀, at the velocity of the start.
void Stages::begin_middle() {
  MiddleConstraint& y = *middle_;
  y.lambda0 = start_->lambda;
  y.x0[0] = start_->t;
  std::copy_n(start_->q.data(), f.entries, y.x0.begin() + 1);
  double* const v = &y.x0[sz(1 + f.entries)];
  std::fill_n(v, n, 0.0);
  y.legendre.velocity(*start_, v);
  f.nonholonomic(y.x0.data(), y.at_start.data());
  std::copy_n(y.rows.gathered(y.at_start, y.rows.of_velocity), y.rows.velocity.size(),
              start_slopes_.begin() + f.constraint_pattern.size());
}

/// Φ at the point at hand.
void Stages::middle_point(bool fresh) {
  RollingRows& rows = middle_->rows;
  f.nonholonomic(x_.data(), rows.out.data());
  std::copy_n(rows.out.begin(), f.e, &newton.residual[sz(multiplier_place(1))]);
  if (fresh) add_middle_rows();
}

/// dQ = D dΞ and dV = E dΞ + D dH with Ξ = h/2 u, H = u.
void Stages::add_middle_rows() {
  RollingRows& rows = middle_->rows;
  const int row0 = multiplier_place(1);
  pull_back(rows.gathered(rows.out, rows.of_place), rows.place);
  add_position_rows(0, rows.place, row0, {});
  Reactions& y = middle_->velocity;
  pull_back(rows.gathered(rows.out, rows.of_velocity), y);
  y.rows.map_curved(
      [&](int curved, double* covector) {
        const CurvedPlace& c = curved_[sz(curved)];
        multiply_transposed(c.chart.E, covector, c.dof, &y.along[sz(covector - y.g.data())]);
      },
      y.g.data());
  for (int e = 0; e < y.rows.pattern.size(); ++e)
    newton.jacobian.data()[newton.jacobian.slot(row0 + y.rows.pattern.row[sz(e)],
                                                y.rows.pattern.column[sz(e)])] +=
        y.pulled[sz(e)] + h_ * k.A.hi[0] * y.along[sz(e)];
}

/// λ₁ = λ⁺ + λ⁻ - λ₀; s holds λ⁻.
void Stages::end_middle(VectorState& s) const {
  for (int a = 0; a < d + f.e; ++a) s.lambda[a] += multiplier(0)[a] - middle_->lambda0[a];
}

}  // namespace varia::detail
