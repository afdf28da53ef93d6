// SPDX-License-Identifier: BSD-3-Clause
#include "stages.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

#include "short_sums.hpp"
#include "stage_sums.hpp"
#include "varia/solve/damped_newton.hpp"

namespace varia::detail {

void Stages::begin(const VectorState& s, double h) {
  start_ = &s;
  h_ = h;
  if (momenta_ == nullptr && h != weighed_) weigh(h);
  if (reactions_at_ends() == 0) return;
  weight0_ = h * (k.ends ? k.b.hi[0] : 0.5);
  weight1_ = h * (k.ends ? k.b.hi[sz(m - 1)] : 0.5);
  if (middle_ != nullptr) begin_middle();
  if (d == 0) return;
  point1_[0] = s.t;
  std::copy(s.q.data(), s.q.data() + f.entries, point1_.begin() + 1);
  f.constraint(point1_.data(), phi0_.data());
  std::copy_n(phi0_.begin() + d, f.constraint_pattern.size(), start_slopes_.begin());
  if (f.rheonomic()) f.constraint_rate(point1_.data(), rate0_.data());
}

NewtonReport Stages::solve(const Newton& options) {
  return renewed(varia::solve(options, newton, *this));
}

NewtonReport Stages::solve_damped(const Newton& options) {
  return renewed(varia::solve_damped(options, newton, *this));
}

NewtonReport Stages::renewed(const NewtonReport& report) {
  if (kept.has_room()) kept.set_start(*start_, h_);
  kept.count_new(report);
  linear_ = report.linear;
  return report;
}

NewtonReport Stages::solve_kept(const Newton& options) {
  const NewtonReport report = varia::solve(options, newton, *this, true);
  if (report.renewed) kept.set_start(*start_, h_);
  kept.count_kept(report);
  linear_ = report.linear;
  return report;
}

void Stages::restore_kept() {
  if (!kept.ready()) return;
  begin(kept.start(), kept.h());
  newton.x = kept.x();
  evaluate(true);
  newton.jacobian.factor();
}

bool Stages::predict() {
  if (!predictor.predict(h_, newton.x)) return false;
  if (momenta_ != nullptr) choose_units();
  return true;
}

void Stages::set_unknowns(const std::vector<double>& x) {
  newton.x = x;
  if (momenta_ != nullptr) choose_units();
}

void Stages::guess(const double* v) {
  for (int j = 0; j < r; ++j) std::copy(v, v + n, &newton.x[sz(j * n)]);
  for (int i = 0; i <= inner; ++i)
    std::copy_n(start_->lambda.data(), reactions_at_ends(), &newton.x[sz(multiplier_place(i))]);
  if (rolling_ != nullptr) guess_rolling(v);
}

/// x_ ← (t, Qⁱ, Vⁱ)
template <int N> void Stages::place(int i, bool maps) {
  SplitVector& displacement = displacements_[sz(i)];
  const bool in_one_pass = N == 0 && curved_.empty();
  if (in_one_pass)
    place_vectors(i, displacement);
  else
    combine<N>(k.A, i, displacement);
  x_[0] = start_->t + (start_->t_rest + h_ * k.c.hi[sz(i)]);
  double* const q = &x_[1];
  double* const v = q + f.entries;
  const double* const hi = displacement.hi.data();
  const double* const lo = displacement.lo.data();
  const double* const rest = start_->q_rest.data();
  const double* const q0 = start_->q.data();
  if (N > 0 && curved_.empty())
    for (int b = 0; b < N; ++b) q[b] = q0[b] + (hi[b] + (lo[b] + rest[b]));
  else if (!in_one_pass)
    for (const auto& s : f.space.vectors()) {
      const auto at = [&](const double* x) { return array(x + s.degree, s.count); };
      array(q + s.entry, s.count) = array(q0 + s.entry, s.count) + (at(hi) + (at(lo) + at(rest)));
    }
  if (inner > 0) lost_in_sum(displacement, q);
  chart_velocity<N>(i, v);
  if (!curved_.empty()) place_curved(displacement, maps, q, v);
  if (momenta_ != nullptr) exchange_velocity(i);
  if (rolling_ != nullptr) std::copy_n(nonholonomic_multiplier(i), f.e, v + n);
}

/// Ξⁱ and Qⁱ = q₀ + Ξⁱ on ℝⁿ.
void Stages::place_vectors(int i, SplitVector& displacement) {
  const double* const a_lo = &k.A.lo[at(i, 0)];
  double* const lo = displacement.lo.data();
  const double* const u = newton.x.data();
  if (!keep_low_) scaled_sum_of(h_, a_lo, 1, u, n, r, n, lo);
  const double* const q0 = start_->q.data();
  const double* const rest = start_->q_rest.data();
  double* const q = &x_[1];
  function_of_sum(
      &k.A.hi[at(i, 0)], 1, u, n, r, n, displacement.hi.data(), [=, this](const auto& sum, int b) {
        using Part = std::decay_t<decltype(sum)>;
        const auto part = [b](const double* x) { return Eigen::Map<const Part>(x + b); };
        Part hi = sum * h_;
        Eigen::Map<Part>(q + b) = part(q0) + (hi + (part(lo) + part(rest)));
        return hi;
      });
}

/// n numbers
template <int N> void Stages::copy(const double* from, double* to) const {
  if constexpr (N > 0)
    unrolled<N>([&](int a) { to[a] = from[a]; });
  else
    std::copy_n(from, n, to);
}

/// Hⁱ = Σⱼ Bᵢⱼuⱼ
template <int N> void Stages::chart_velocity(int i, double* v) const {
  if (k.nodal) {
    copy<N>(unknown(i), v);
    return;
  }
  for (int a = 0; a < size<N>(); ++a) {
    double sum = 0.0;
    for (int j = 0; j < r; ++j)
      sum += k.B.hi[at(i, j)] * unknown(j)[a] + k.B.lo[at(i, j)] * unknown(j)[a];
    v[a] = sum;
  }
}

/// q₀ ⊕ Ξ and dτ_Ξ H of the curved factors; v holds H. Without maps of the chart a residual is quicker.
void Stages::place_curved(const SplitVector& displacement, bool maps, double* q, double* v) {
  for (CurvedPlace& c : curved_) {
    double xi[FactorChart::most];
    for (int b = 0; b < c.dof; ++b) {
      xi[b] = displacement.hi[sz(c.degree + b)] + displacement.lo[sz(c.degree + b)];
      c.H[b] = v[c.degree + b];
    }
    const double* const q0 = start_->q.data() + c.entry;
    if (maps)
      c.factor->place(q0, xi, c.H, tau_, c.chart, q + c.entry, v + c.degree);
    else
      c.factor->locate(q0, xi, c.H, tau_, c.chart, q + c.entry, v + c.degree);
  }
}

template <bool second> void Stages::evaluate_lagrangian() {
  if constexpr (second)
    f.hessian(x_.data(), second_);
  else
    f.gradient(x_.data(), second_);
  if (momenta_ != nullptr)  // W = -∂H/∂q
    for (std::ptrdiff_t i = 0; i < (second ? second_size_ : 2 * n); ++i) second_[i] = -second_[i];
}

template <bool second> void Stages::evaluate_force() {
  if constexpr (second)
    f.acting_derivative()(x_.data(), force_);
  else
    f.acting()(x_.data(), force_);
  for (int a = 0; a < n; ++a) second_[a] += force_[a];
}

/// P = D*π and W = D*N + E*π on the curved factors, and Ad* N.
void Stages::pull_back(double* P, double* W, double* moved) {
  const double* const N = second_;
  const double* const pi = N + n;
  std::copy(N, N + n, moved);
  for (const CurvedPlace& c : curved_)
    c.factor->pull_back(c.chart, c.H, N + c.degree, pi + c.degree, P + c.degree, W + c.degree,
                        moved + c.degree);
}

template <bool second, int N> void Stages::point(int i) {
  second_ = seconds_.data() + i * second_size_;
  force_ = forces_.data() + i * force_size_;
  curve_ = curves_.data() + i * curve_size_;
  place<N>(i, second || reacts());
  evaluate_lagrangian<second>();
  if (f.acts()) evaluate_force<second>();
  if (d > 0) add_constraint(i);
  double* const W = &W_[sz(i * n)];
  double* const P = &P_[sz(i * n)];
  copy<N>(second_, W);
  copy<N>(second_ + size<N>(), P);
  if (momenta_ != nullptr) momentum_of_point(i);
  if (!curved_.empty()) pull_back(P, W, &moved_[sz(i * n)]);
  if constexpr (second) keep_derivatives<N>(i);
  if (rolling_ != nullptr) rolling_point(i, second);
  if (middle_ != nullptr) middle_point(second);
}

template <bool second, int N> void Stages::points() {
  if constexpr (second) {
    if (dense_ == nullptr || d > 0) newton.jacobian.set_zero();
    for (auto& x : dm_) std::fill(x.begin(), x.end(), 0.0);
  }
  if (ends_in_equations()) {
    combine<N>(k.beta, 0, xi_);
    if (second || reacts()) tangents_at_end();
  }
  largest_reaction_ = 0.0;
  work_ = 0.0;
  for (int i = 0; i < m; ++i) point<second, N>(i);
  if constexpr (second) add_jacobian<N>();
  if (ends_in_equations()) sum_impulse<N>();
}

/// dτ at -ξ
void Stages::tangents_at_end() {
  for (CurvedPlace& c : curved_) {
    double xi[FactorChart::most];
    for (int b = 0; b < c.dof; ++b) xi[b] = -(xi_.hi[sz(c.degree + b)] + xi_.lo[sz(c.degree + b)]);
    c.factor->tangent(xi, tau_, c.back);
  }
}

/// Entry a of row j of (stage) minus βⱼκ, given Σᵢ row_W Wⁱ.
inline double Stages::row_entry(int j, int a, double large, double small) const {
  const double* const P = P_.data() + a;
  const double kappa = kappa_[sz(a)];
  const double rest = kappa_rest_[sz(a)];
  if (k.nodal) return ((P[j * n] - kappa) + h_ * large) + (h_ * small - rest);
  const double beta = k.row_beta.hi[sz(j)];
  double sum = -beta * kappa;
  double low = -beta * rest - k.row_beta.lo[sz(j)] * kappa + h_ * small;
  for (int i = 0; i < m; ++i) {
    sum += k.row_P.hi[at(i, j)] * P[i * n];
    low += k.row_P.lo[at(i, j)] * P[i * n];
  }
  return (sum + h_ * large) + low;
}

/// Row j of (stage) minus βⱼκ for some degrees of freedom, the small parts last.
template <int N> void Stages::sum_row(int j, int first, int count, const SplitArray& weights) {
  double* const out = &newton.residual[sz(j * n + first)];
  const double* const W = W_.data() + first;
  const double* const w_hi = &weights.hi[sz(j)];
  const double* const w_lo = &weights.lo[sz(j)];
  if constexpr (N > 0) {
    const SplitSum<N> sum = SplitSum<N>::of(w_hi, w_lo, r, W, m);
    if (!k.nodal) {
      for (int a = 0; a < N; ++a) out[a] = row_entry(j, a, sum.hi[a], sum.lo[a]);
      return;
    }
    const double* const P = P_.data() + j * N;
    const double* const kappa = kappa_.data();
    const double* const rest = kappa_rest_.data();
    for (int a = 0; a < N; ++a)
      out[a] = ((P[a] - kappa[a]) + h_ * sum.hi[a]) + (h_ * sum.lo[a] - rest[a]);
  } else {
    double* const small = &sums_[sz(j)].lo[sz(first)];
    if (!keep_low_) sum_of(w_lo, r, W, n, m, count, small);
    if (!k.nodal) {
      double* const large = &sums_[sz(j)].hi[sz(first)];
      sum_of(w_hi, r, W, n, m, count, large);
      for (int a = 0; a < count; ++a) out[a] = row_entry(j, first + a, large[a], small[a]);
      return;
    }
    const double* const P = P_.data() + j * n + first;
    const double* const kappa = kappa_.data() + first;
    const double* const rest = kappa_rest_.data() + first;
    function_of_sum(w_hi, r, W, n, m, count, out, [&](const auto& sum, int b) {
      using Part = std::decay_t<decltype(sum)>;
      const auto at = [b](const double* x) { return Eigen::Map<const Part>(x + b); };
      return (((at(P) - at(kappa)) + h_ * sum) + (h_ * at(small) - at(rest))).eval();
    });
  }
}

/// κ: p₀ with the reaction λ₀ on ℝⁿ, dτ_{-ξ}* m on the curved factors.
void Stages::end_momentum(bool fresh) {
  std::copy(start_->p.data(), start_->p.data() + n, kappa_.begin());
  std::copy(start_->p_rest.data(), start_->p_rest.data() + n, kappa_rest_.begin());
  if (reactions_at_ends() > 0)
    largest_reaction_ =
        std::max(largest_reaction_, add_start_reaction(weight0_, kappa_rest_.data()));
  for (CurvedPlace& c : curved_) {
    double end[FactorChart::most];
    double xi[FactorChart::most];
    for (int b = 0; b < c.dof; ++b) {
      const auto a = sz(c.degree + b);
      xi[b] = -(xi_.hi[a] + xi_.lo[a]);
      end[b] = start_->p[c.degree + b] +
               (impulse_.hi[a] + (impulse_.lo[a] + start_->p_rest[c.degree + b]));
      end_momentum_[a] = end[b];
      kappa_rest_[a] = 0.0;
    }
    c.factor->pull_momentum(xi, tau_, end, &kappa_[sz(c.degree)]);
  }
  if (!curved_.empty() && fresh) subtract_end_momentum();
}

template <int N> void Stages::sum_rows() {
  for (int j = 0; j < r; ++j) {
    if constexpr (N > 0) {
      sum_row<N>(j, 0, N, curved_.empty() ? k.row_D : k.row_W);
      continue;
    }
    for (const auto& s : f.space.vectors()) sum_row<0>(j, s.degree, s.count, k.row_D);
    for (const CurvedPlace& c : curved_) sum_row<0>(j, c.degree, c.dof, k.row_W);
  }
  if (momenta_ != nullptr) rows_in_units();
}

/// The terms that P and W are made of count too: ∂L/∂q of a smooth chain is a small difference of
/// large forces, and carries their round-off eps |∂²L| |q|.
bool Stages::has_term(double bound) const {
  if (momenta_ != nullptr) return newton.magnitude >= bound;
  double largest = largest_reaction_;
  for (const double x : kappa_) largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < P_.size(); ++i)
    largest = std::max({largest, std::abs(P_[i]), std::abs(h_ * W_[i])});
  for (int i = 0; i < m && !(largest >= bound); ++i) largest = std::max(largest, largest_term(i));
  return largest >= bound;
}

/// The largest |∂²L/∂xᵢ∂xⱼ xⱼ| in P and h W at a point, by the last second derivatives.
double Stages::largest_term(int i) const {
  const double* const second = seconds_.data() + i * second_size_ + 2 * n;
  const double* const v = unknown(std::min(i, r - 1));
  const auto size = [&](int variable) {
    if (variable >= n) return std::abs(v[variable - n]);
    return std::abs(start_->q[groups_.entry(variable)]);
  };
  double largest = 0.0;
  for (int e = 0; e < f.second.size(); ++e) {
    const int row = f.second.row[sz(e)];
    const int column = f.second.column[sz(e)];
    const double weight = row < n ? std::abs(h_ * second[e]) : std::abs(second[e]);
    largest = std::max(largest, weight * size(column));
    if (column < n && row != column)
      largest = std::max(largest, std::abs(h_ * second[e]) * size(row));
  }
  return largest;
}

template <int N> void Stages::evaluate_as(bool fresh) {
  if (fresh)
    points<true, N>();
  else
    points<false, N>();
  end_momentum(fresh);
  sum_rows<N>();
}

void Stages::evaluate(bool fresh, bool keep_low) {
  keep_low_ = keep_low;
  linear_ = false;
  if (fresh && kept.has_room()) kept.set_unknowns(newton.x);
  with_size([&]<int N>() { evaluate_as<N>(fresh); });
  if (rolling_ != nullptr) rolling_rows();
  if (reactions_at_ends() == 0) return;
  if (d > 0 && rolling_ == nullptr) end_rows(fresh);
  if (fresh) add_start_columns();
  for (int i = 1; i <= inner; ++i)
    replace_left_out(multiplier_place(i - 1), multiplier_place(i), fresh);
  replace_left_out(multiplier_place(inner), multiplier_place(0), fresh);
}

void Stages::evaluate_points() {
  with_size([&]<int N>() { points<false, N>(); });
}

// for other sources
template void Stages::place<0>(int i, bool maps);
template void Stages::chart_velocity<0>(int i, double* v) const;

}  // namespace varia::detail
