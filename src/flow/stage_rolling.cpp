// SPDX-License-Identifier: BSD-3-Clause
// Nonholonomic constraints in a step: velocities vⁱ at its points, which satisfy them, as unknowns.
//
//   (rolling)   Nⁱ has the reaction (∂Φ/∂v)ᵀΛⁱ at (Qⁱ, Vⁱ),   Λ⁰ = λ₀ is given, λ₁ = Λˢ
//               mⁱ = p₀ + h Σⱼ aᵢⱼ Ad*_{τ(-Ξʲ)} Nʲ,   Ad*_{τ(-Ξⁱ)} ∂L/∂v(Qⁱ, vⁱ) = mⁱ
//               Φ(tⁱ, Qⁱ, vⁱ) = 0                               at all points but the first  [Sato19]
//
// The momenta mⁱ are those of the collocation a, of order s at the points, and not the Pⁱ of (stage),
// which are of order s - 2 there: asking Φ of Vⁱ would lose the order. The last one is m of (balance).
// With holonomic constraints too, their reactions stand at every point, φ(Qⁱ) = 0 at all but the first,
// and G(q₁) v₁ + ∂φ/∂t = 0 joins the equations: the end cannot be projected afterwards, since its
// reaction is in every mⁱ.
#include <algorithm>
#include <cmath>

#include "short_sums.hpp"
#include "stages.hpp"
#include "varia/core/norm.hpp"
#include "varia/core/round_off.hpp"

namespace varia::detail {

void Stages::make_rolling() {
  rolling_ = std::make_unique<RollingUnknowns>(f);
  RollingUnknowns& y = *rolling_;
  y.constraint.resize(f.space, f.nonholonomic_pattern, f.e);
  y.reaction.resize(f.space, y.constraint.velocity);
  y.at_point = y.constraint.out;
  if (d > 0) y.hidden.resize(f.space, f.hidden_pattern, d);
  y.x.assign(sz(1 + f.entries + n), 0.0);
  y.second.assign(sz(2 * n + f.second.size()), 0.0);
  y.momenta.assign(sz((r - 1) * n), 0.0);
  for (int a = 0; a < d; ++a)
    if (left_out_[sz(a)]) y.left_out.push_back(a);
}

void Stages::couple_rolling(Couplings& c) const {
  const auto first = static_cast<int>(c.groups.size());
  for (int a = 0; a < f.e; ++a) {
    c.groups.emplace_back();
    for (int i = 1; i < r; ++i) c.groups.back().push_back(rolling_place(i) + a);
  }
  for (int e = 0; e < f.nonholonomic_pattern.size(); ++e)
    c.meeting.emplace_back(groups_.of(f.nonholonomic_pattern.column[sz(e)] % n),
                           first + f.nonholonomic_pattern.row[sz(e)]);
}

void Stages::guess_rolling(const double* v) {
  for (int i = 1; i < r; ++i) {
    std::copy_n(v, n, &newton.x[sz(rolling_row(i))]);
    std::copy_n(start_->lambda.data() + d, f.e, &newton.x[sz(rolling_place(i))]);
  }
}

/// What the rows of (rolling) need of the point at hand.
void Stages::rolling_point(int i, bool fresh) {
  RollingUnknowns& y = *rolling_;
  if (fresh) add_momentum_columns(i);
  if (i == 0) return;
  if (fresh) {
    f.nonholonomic(x_.data(), y.at_point.data());
    pull_back(y.constraint.gathered(y.at_point, y.constraint.of_velocity), y.reaction);
    add_reaction_columns(i, y.reaction, rolling_place(i));
  }
  std::copy_n(x_.begin(), 1 + f.entries, y.x.begin());
  std::copy_n(&newton.x[sz(rolling_row(i))], n, &y.x[sz(1 + f.entries)]);
  (fresh ? f.hessian : f.gradient)(y.x.data(), y.second.data());
  double* const momentum = &y.momenta[sz((i - 1) * n)];
  std::copy_n(&y.second[sz(n)], n, momentum);
  for (const CurvedPlace& c : curved_)
    multiply(c.chart.A, &y.second[sz(n + c.degree)], c.dof, momentum + c.degree);
  if (fresh) add_velocity_columns(i);
  const auto vanish = [&](const expr::Kernel& kernel, RollingRows& rows, int count, int row0) {
    kernel(y.x.data(), rows.out.data());
    std::copy_n(rows.out.begin(), count, &newton.residual[sz(row0)]);
    if (fresh) add_rolling_rows(i, rows, row0);
  };
  vanish(f.nonholonomic, y.constraint, f.e, rolling_place(i));
  if (d > 0 && i == r - 1) vanish(f.hidden, y.hidden, d, multiplier_place(inner));
}

/// The columns of u in mʲ, for the force at point i.
void Stages::add_momentum_columns(int i) {
  const bool flat = curved_.empty();
  const double* const second = second_ + 2 * n;
  const double* const blocks =
      flat ? nullptr : blocks_of_points_.data() + sz(i) * 4 * sz(blocks_->size());
  const double* const W_X = flat ? second : blocks + 2 * blocks_->size();
  const double* const W_H = flat ? second : blocks + 3 * blocks_->size();
  for (int j = 1; j < r; ++j) {
    const double weight = -h_ * k.A.hi[at(j, i)];
    if (weight == 0.0) continue;
    double* const row = newton.jacobian.data() + sz(r + j - 1) * row_stride_;
    for (int l = 0; l < r; ++l) {
      const double x = weight * (h_ * k.A.hi[at(i, l)]);
      if (x == 0.0) continue;
      double* const a = row + sz(l) * column_stride_;
      vector_rows_.W_X.add(a, x, W_X);
      if (flat && f.acts()) vector_rows_.force_q.add(a, x, force_ + n);
      if (flat && inside_) vector_rows_.curvature.add(a, x, curve_);
      if (!flat) curved_rows_.P_X.add(a, x, blocks_->m_X());
    }
    double* const a = row + sz(i) * column_stride_;
    vector_rows_.W_H.add(a, weight, W_H);
    if (flat && f.acts()) vector_rows_.force_v.add(a, weight, force_ + n);
    if (!flat) curved_rows_.P_X.add(a, weight, blocks_->m_H());
  }
}

/// The columns of u and vⁱ in Ad* ∂L/∂v(Qⁱ, vⁱ).
void Stages::add_velocity_columns(int i) {
  const double* const second = &rolling_->second[sz(2 * n)];
  const double *by_place = second, *by_velocity = second;
  if (!curved_.empty()) {
    blocks_->gather(second, nullptr, nullptr);
    blocks_->move_momentum(curved_, &rolling_->second[sz(n)]);
    by_place = blocks_->P_X();
    by_velocity = blocks_->P_H();
  }
  double* const row = newton.jacobian.data() + sz(r + i - 1) * row_stride_;
  for (const Rows* rows : {&vector_rows_, &curved_rows_}) {
    for (int l = 0; l < r; ++l)
      rows->P_X.add(row + sz(l) * column_stride_, h_ * k.A.hi[at(i, l)], by_place);
    rows->P_H.add(row + sz(r + i - 1) * column_stride_, 1.0, by_velocity);
  }
}

/// The rows of functions of (Qⁱ, vⁱ).
void Stages::add_rolling_rows(int i, RollingRows& rows, int row0) {
  const bool holonomic = &rows == &rolling_->hidden;
  const std::vector<char> none;
  const std::vector<char>& left_out = holonomic ? left_out_ : none;
  pull_back(rows.gathered(rows.out, rows.of_place), rows.place);
  add_position_rows(i, rows.place, row0, left_out);
  double* const a = newton.jacobian.data();
  for (int e = 0; e < rows.velocity.size(); ++e) {
    const int row = rows.velocity.row[sz(e)];
    if (!left_out.empty() && left_out[sz(row)]) continue;
    a[newton.jacobian.slot(row0 + row, rolling_row(i) + rows.velocity.column[sz(e)])] +=
        rows.out[sz(rows.of_velocity[sz(e)])];
  }
}

/// Ad* ∂L/∂v(Qⁱ, vⁱ) - mⁱ
void Stages::rolling_rows() {
  const double* const moved = curved_.empty() ? W_.data() : moved_.data();
  SplitVector& sum = sums_[0];
  for (int i = 1; i < r; ++i) {
    weighted_sum<0>(k.A, at(i, 0), moved, m, sum);
    double* const out = &newton.residual[sz(rolling_row(i))];
    const double* const momentum = &rolling_->momenta[sz((i - 1) * n)];
    for (int a = 0; a < n; ++a)
      out[a] = ((momentum[a] - start_->p[a]) - sum.hi[sz(a)]) - (sum.lo[sz(a)] + start_->p_rest[a]);
    add_start_reaction(-h_ * k.A.hi[at(i, 0)], out);
  }
}

/// λ₁ = Λˢ; the momentum is that of the solution.
void Stages::end_rolling(VectorState& s) {
  std::copy_n(multiplier(inner), d, s.lambda.data());
  std::copy_n(nonholonomic_multiplier(r - 1), f.e, s.lambda.data() + d);
  if (leaves_constraints(s)) return_to_constraints(s);
}

/// Whether the end is farther from the last velocity and its constraints than round-off. An angle of
/// thousands is rounded to 1e-12, the turn of a step with it: where the last correction of a solution takes
/// the sum to the next number, the momentum is turned by so much against what was solved.
bool Stages::leaves_constraints(const VectorState& s) const {
  constexpr double bound = 64 * eps;
  const RollingUnknowns& y = *rolling_;
  const double* const momentum = &y.second[sz(n)];  // of the last point
  double size = 0.0;
  double away = 0.0;
  for (int a = 0; a < n; ++a) {
    size = std::max(size, std::abs(momentum[a]));
    away = std::max(away, std::abs((s.p[a] - momentum[a]) + s.p_rest[a]));
  }
  if (away > bound * size) return true;
  const double speed = largest(&y.x[sz(1 + f.entries)], n);
  for (int a = 0; a < f.e; ++a) {
    double slope = 0.0;
    for (int e = 0; e < y.constraint.velocity.size(); ++e)
      if (y.constraint.velocity.row[sz(e)] == a)
        slope = std::max(slope, std::abs(y.constraint.out[sz(y.constraint.of_velocity[sz(e)])]));
    if (std::abs(y.constraint.out[sz(a)]) > bound * slope * speed) return true;
  }
  return false;
}

/// By an impulse of reactions, so that momenta along which none acts stay: Newton's method for
/// ∂L/∂v(q₁, v) = p₁ + (G; ∂Φ/∂v)ᵀμ, G v + ∂φ/∂t = 0, Φ = 0.
void Stages::return_to_constraints(VectorState& s) {
  RollingUnknowns& y = *rolling_;
  y.v = Eigen::Map<const Vn>(&newton.x[sz(rolling_row(r - 1))], n);
  y.x[0] = s.t;
  std::copy_n(s.q.data(), f.entries, y.x.begin() + 1);
  for (int twice = 0; twice < 2; ++twice) {
    std::copy_n(y.v.data(), n, &y.x[sz(1 + f.entries)]);
    f.hessian(y.x.data(), y.second.data());
    y.kkt.place(s.t, s.q, y.v);
    if (!y.kkt.factor(&y.second[sz(2 * n)], 0.0, y.left_out)) return;
    y.kkt.rates(y.v, y.rates);
    y.unknown.head(n) = (s.p - Eigen::Map<const Vn>(&y.second[sz(n)], n)) + s.p_rest;
    y.unknown.tail(d + f.e) = -y.rates;
    y.kkt.solve(y.unknown);
    y.v += y.unknown.head(n);
    y.kkt.reaction(&y.unknown[n], y.impulse);
    for (int a = 0; a < n; ++a) exact_add(s.p[a], s.p_rest[a], y.impulse[a]);
  }
}

}  // namespace varia::detail
