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
double Stages::add_reaction(const double* g, const double* lambda, double weight,
                            double* out) const {
  double largest = 0.0;
  for (int e = 0; e < f.constraint_pattern.size(); ++e) {
    const double term = weight * (g[e] * lambda[f.constraint_pattern.row[sz(e)]]);
    out[f.constraint_pattern.column[sz(e)]] += term;
    largest = std::max(largest, std::abs(term));
  }
  return largest;
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
  inside_ = inner > 0 && i > 0 && i < m - 1;
  if (!inside_) return;
  f.constraint(x_.data(), phi_.data());
  largest_reaction_ = std::max(
      largest_reaction_, std::abs(h_) * add_reaction(phi_.data() + d, multiplier(i), 1.0, second_));
  std::copy(x_.begin(), x_.begin() + 1 + f.entries, lambda_point_.begin());
  std::copy(multiplier(i), multiplier(i) + d, lambda_point_.begin() + 1 + f.entries);
  f.constraint_curvature(lambda_point_.data(), curve_);
  add_curvature_rest(second_);
  add_rest(phi_.data());
  if (f.rheonomic()) {
    add_time_rest(x_.data(), start_->t_rest + h_ * k.c.hi[sz(i)], phi_.data());
    work_ -= h_ * k.b.hi[sz(i)] * dot(multiplier(i), 1, rate_.data(), 1, d);
  }
  std::copy(phi_.begin(), phi_.begin() + d, &newton.residual[sz(r * n + (i - 1) * d)]);
}

/// λ = 0 instead of φ = 0 for the constraints that are left out.
void Stages::replace_left_out(int row0, int column0, bool fresh) {
  for (int a = 0; a < d; ++a) {
    if (!left_out_[sz(a)]) continue;
    newton.residual[sz(row0 + a)] = newton.x[sz(column0 + a)];
    if (fresh) newton.jacobian.data()[newton.jacobian.slot(row0 + a, column0 + a)] = 1.0;
  }
}

/// Columns of λᵢ and rows of φ(Qⁱ).
void Stages::add_inner_constraint(int i) {
  double* const a = newton.jacobian.data();
  rows_.expand(phi_.data() + d, g_.data());
  pulled_ = g_;
  std::fill(along_.begin(), along_.end(), 0.0);
  rows_.map_curved(
      [&](int curved, double* g) {
        const CurvedPlace& c = curved_[sz(curved)];
        double moved[FactorChart::most];
        multiply(c.chart.A, g, c.dof, moved);
        multiply_transposed(c.back.D, moved, c.dof, &along_[sz(g - g_.data())]);
        multiply_transposed(c.chart.D, g, c.dof, &pulled_[sz(g - g_.data())]);
      },
      g_.data());
  const double hb = h_ * k.b.hi[sz(i)];
  for (int e = 0; e < rows_.pattern.size(); ++e) {
    const int constraint = rows_.pattern.row[sz(e)];
    const int degree = rows_.pattern.column[sz(e)];
    const int column = r * n + i * d + constraint;
    const int row = column - d;
    const SplitArray& weights = weights_of(degree);
    for (int j = 0; j < r; ++j) {
      const int u = j * n + degree;
      a[newton.jacobian.slot(u, column)] +=
          h_ * weights.hi[at(i, j)] * pulled_[sz(e)] - k.row_beta.hi[sz(j)] * (hb * along_[sz(e)]);
      if (!left_out_[sz(constraint)])
        a[newton.jacobian.slot(row, u)] += h_ * k.A.hi[at(i, j)] * pulled_[sz(e)];
    }
  }
}

/// φ(q₁) = 0 and the columns of λ₀.
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
  const int row0 = r * n + inner * d;
  std::copy(phi1_.begin(), phi1_.begin() + d, &newton.residual[sz(row0)]);
  if (fresh) add_end_rows(row0);
}

void Stages::add_end_rows(int row0) {
  double* const a = newton.jacobian.data();
  rows_.expand(phi1_.data() + d, pulled_.data());
  rows_.expand(phi0_.data() + d, along_.data());
  const auto pull = [&](const FactorChart CurvedPlace::*chart) {
    return [this, chart](int curved, double* g) {
      const CurvedPlace& c = curved_[sz(curved)];
      double result[FactorChart::most];
      multiply_transposed((c.*chart).D, g, c.dof, result);
      std::copy(result, result + c.dof, g);
    };
  };
  rows_.map_curved(pull(&CurvedPlace::chart), pulled_.data());
  rows_.map_curved(pull(&CurvedPlace::back), along_.data());
  for (int e = 0; e < rows_.pattern.size(); ++e) {
    const int constraint = rows_.pattern.row[sz(e)];
    for (int j = 0; j < r; ++j) {
      const int u = j * n + rows_.pattern.column[sz(e)];
      if (!left_out_[sz(constraint)])
        a[newton.jacobian.slot(row0 + constraint, u)] += h_ * k.beta.hi[sz(j)] * pulled_[sz(e)];
      a[newton.jacobian.slot(u, r * n + constraint)] -=
          k.row_beta.hi[sz(j)] * (weight0_ * along_[sz(e)]);
    }
  }
}

}  // namespace varia::detail
