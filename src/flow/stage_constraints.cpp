// SPDX-License-Identifier: BSD-3-Clause
// The constraints of a step: reactions at its points, φ = 0 there and at its end, work of what drives them.
#include <algorithm>
#include <cmath>

#include "short_sums.hpp"
#include "stages.hpp"

namespace varia::detail {

/// rest_ ← what rounding took from q = q₀ + displacement. A long chain has large coordinates and
/// constraints on their small differences: φ(q) + G(q) rest is exact where φ(q) has lost digits.
void Stages::lost_in_sum(const SplitVector& displacement, const double* q) {
  for (const auto& s : f.space.vectors())
    for (int i = 0; i < s.count; ++i) {
      const int a = s.degree + i;
      const int e = s.entry + i;
      rest_[sz(a)] = (displacement.hi[sz(a)] - (q[e] - start_->q[e])) +
                     (displacement.lo[sz(a)] + start_->q_rest[a]);
    }
}

/// φ + G rest
void Stages::add_rest(double* phi) const {
  const double* const g = phi + d;
  for (int e = 0; e < f.constraint_pattern.size(); ++e)
    phi[f.constraint_pattern.row[sz(e)]] += g[e] * rest_[sz(f.constraint_pattern.column[sz(e)])];
}

/// φ + ∂φ/∂t rest at a point (t, q), rest = what rounding took from t = t₀ + `since`.
void Stages::add_time_rest(const double* point, double since, double* phi) {
  f.constraint_rate(point, rate_.data());
  const double rest = since - (point[0] - start_->t);
  for (int a = 0; a < d; ++a) phi[a] += rate_[sz(a)] * rest;
}

/// out += w Gᵀλ; the result is the largest term, whose round-off no residual can be below.
double Stages::add_reaction(const Pattern& pattern, const double* g, const double* lambda,
                            double weight, double* out) const {
  double largest = 0.0;
  for (int e = 0; e < pattern.size(); ++e) {
    const double term = weight * (g[e] * lambda[pattern.row[sz(e)]]);
    out[pattern.column[sz(e)]] += term;
    largest = std::max(largest, std::abs(term));
  }
  return largest;
}

/// The same with the constraints that react at q₀.
double Stages::add_start_reaction(double weight, double* out) const {
  return add_reaction(start_pattern_, start_slopes_.data(), multiplier(0), weight, out);
}

/// out += ∂(Gᵀλ)/∂q rest
void Stages::add_curvature_rest(double* out) const {
  for (int e = 0; e < f.curvature_pattern.size(); ++e) {
    const int i = f.curvature_pattern.row[sz(e)];
    const int j = f.curvature_pattern.column[sz(e)];
    out[i] += curve_[e] * rest_[sz(j)];
    if (i != j) out[j] += curve_[e] * rest_[sz(i)];
  }
}

/// Gᵀλ at an inner quadrature point, and the equation φ = 0 there.
void Stages::add_constraint(int i) {
  inside_ = i > 0 && i <= inner;
  if (!inside_) return;
  f.constraint(x_.data(), phi_.data());
  largest_reaction_ =
      std::max(largest_reaction_, std::abs(h_) * add_reaction(f.constraint_pattern, phi_.data() + d,
                                                              multiplier(i), 1.0, second_));
  std::copy(x_.begin(), x_.begin() + 1 + f.entries, lambda_point_.begin());
  std::copy(multiplier(i), multiplier(i) + d, lambda_point_.begin() + 1 + f.entries);
  f.constraint_curvature(lambda_point_.data(), curve_);
  add_curvature_rest(second_);
  add_rest(phi_.data());
  if (f.rheonomic()) {
    add_time_rest(x_.data(), start_->t_rest + h_ * k.c.hi[sz(i)], phi_.data());
    work_ -= h_ * k.b.hi[sz(i)] * dot(multiplier(i), 1, rate_.data(), 1, d);
  }
  std::copy(phi_.begin(), phi_.begin() + d, &newton.residual[sz(multiplier_place(i - 1))]);
}

/// λ = 0 instead of φ = 0 for the constraints that are left out.
void Stages::replace_left_out(int row0, int column0, bool fresh) {
  for (int a = 0; a < d; ++a) {
    if (!left_out_[sz(a)]) continue;
    newton.residual[sz(row0 + a)] = newton.x[sz(column0 + a)];
    if (fresh) newton.jacobian.data()[newton.jacobian.slot(row0 + a, column0 + a)] = 1.0;
  }
}

/// The covectors g of constraints at the point at hand: in the chart, and moved to q₀.
void Stages::pull_back(const double* g, Reactions& y) const {
  y.rows.expand(g, y.g.data());
  y.pulled = y.moved = y.g;
  std::fill(y.along.begin(), y.along.end(), 0.0);
  y.rows.map_curved(
      [&](int curved, double* covector) {
        const CurvedPlace& c = curved_[sz(curved)];
        const auto place = sz(covector - y.g.data());
        multiply(c.chart.A, covector, c.dof, &y.moved[place]);
        multiply_transposed(c.back.D, &y.moved[place], c.dof, &y.along[place]);
        multiply_transposed(c.chart.D, covector, c.dof, &y.pulled[place]);
      },
      y.g.data());
}

/// The columns of the multipliers of reactions at point i.
void Stages::add_reaction_columns(int i, const Reactions& y, int column0) {
  double* const a = newton.jacobian.data();
  const double hb = h_ * k.b.hi[sz(i)];
  for (int e = 0; e < y.rows.pattern.size(); ++e) {
    const int column = column0 + y.rows.pattern.row[sz(e)];
    const int degree = y.rows.pattern.column[sz(e)];
    const SplitArray& weights = weights_of(degree);
    for (int j = 0; j < r; ++j)
      a[newton.jacobian.slot(j * n + degree, column)] +=
          h_ * weights.hi[at(i, j)] * y.pulled[sz(e)] -
          k.row_beta.hi[sz(j)] * (hb * y.along[sz(e)]);
    for (int j = 1; rolling_ != nullptr && j < r; ++j)
      a[newton.jacobian.slot(rolling_row(j) + degree, column)] -=
          h_ * k.A.hi[at(j, i)] * y.moved[sz(e)];
  }
}

/// Columns of λᵢ and rows of φ(Qⁱ).
void Stages::add_inner_constraint(int i) {
  pull_back(phi_.data() + d, holonomic_);
  add_reaction_columns(i, holonomic_, multiplier_place(i));
  add_position_rows(i, holonomic_, multiplier_place(i - 1), left_out_);
}

/// Rows of functions of Qⁱ whose slopes are pulled back.
void Stages::add_position_rows(int i, const Reactions& y, int row0,
                               const std::vector<char>& left_out) {
  double* const a = newton.jacobian.data();
  for (int e = 0; e < y.rows.pattern.size(); ++e) {
    const int row = y.rows.pattern.row[sz(e)];
    if (!left_out.empty() && left_out[sz(row)]) continue;
    for (int j = 0; j < r; ++j)
      a[newton.jacobian.slot(row0 + row, j * n + y.rows.pattern.column[sz(e)])] +=
          h_ * k.A.hi[at(i, j)] * y.pulled[sz(e)];
  }
}

/// φ(q₁) = 0.
void Stages::end_rows(bool fresh) {
  double* const q1 = &point1_[1];
  point1_[0] = start_->t + (start_->t_rest + h_);
  for (const auto& s : f.space.vectors())
    for (int b = 0; b < s.count; ++b) {
      const int a = s.degree + b;
      const int e = s.entry + b;
      q1[e] = start_->q[e] + (xi_.hi[sz(a)] + (xi_.lo[sz(a)] + start_->q_rest[a]));
    }
  for (CurvedPlace& c : curved_) {
    double xi[FactorChart::most];
    for (int b = 0; b < c.dof; ++b)
      xi[b] = xi_.hi[sz(c.degree + b)] + (xi_.lo[sz(c.degree + b)] + start_->q_rest[c.degree + b]);
    c.factor->retract(start_->q.data() + c.entry, xi, tau_, q1 + c.entry);
    c.factor->tangent(xi, tau_, c.chart);
  }
  f.constraint(point1_.data(), phi1_.data());
  lost_in_sum(xi_, q1);
  add_rest(phi1_.data());
  if (f.rheonomic()) add_time_rest(point1_.data(), start_->t_rest + h_, phi1_.data());
  const int row0 = multiplier_place(inner);
  std::copy(phi1_.begin(), phi1_.begin() + d, &newton.residual[sz(row0)]);
  if (fresh) add_end_rows(row0);
}

/// Replaces the parts of curved factors in the rows g by Dᵀ of a chart of theirs.
void Stages::pull_by(const FactorChart CurvedPlace::*chart, const ConstraintRows& rows,
                     std::vector<double>& g) const {
  rows.map_curved(
      [this, chart](int curved, double* covector) {
        const CurvedPlace& c = curved_[sz(curved)];
        double result[FactorChart::most];
        multiply_transposed((c.*chart).D, covector, c.dof, result);
        std::copy(result, result + c.dof, covector);
      },
      g.data());
}

void Stages::add_end_rows(int row0) {
  double* const a = newton.jacobian.data();
  const ConstraintRows& rows = holonomic_.rows;
  rows.expand(phi1_.data() + d, holonomic_.pulled.data());
  pull_by(&CurvedPlace::chart, rows, holonomic_.pulled);
  for (int e = 0; e < rows.pattern.size(); ++e) {
    const int constraint = rows.pattern.row[sz(e)];
    for (int j = 0; j < r && !left_out_[sz(constraint)]; ++j)
      a[newton.jacobian.slot(row0 + constraint, j * n + rows.pattern.column[sz(e)])] +=
          h_ * k.beta.hi[sz(j)] * holonomic_.pulled[sz(e)];
  }
}

/// The columns of λ₀.
void Stages::add_start_columns() {
  double* const a = newton.jacobian.data();
  Reactions& y = start_reactions_;
  const ConstraintRows& rows = y.rows;
  rows.expand(start_slopes_.data(), y.g.data());
  y.along = y.g;
  pull_by(&CurvedPlace::back, rows, y.along);
  for (int e = 0; e < rows.pattern.size(); ++e) {
    const int degree = rows.pattern.column[sz(e)];
    const int column = multiplier_place(0) + rows.pattern.row[sz(e)];
    for (int j = 0; j < r; ++j)
      a[newton.jacobian.slot(j * n + degree, column)] -=
          k.row_beta.hi[sz(j)] * (weight0_ * y.along[sz(e)]);
    for (int j = 1; rolling_ != nullptr && j < r; ++j)
      a[newton.jacobian.slot(rolling_row(j) + degree, column)] -=
          h_ * k.A.hi[at(j, 0)] * y.g[sz(e)];
  }
}

}  // namespace varia::detail
