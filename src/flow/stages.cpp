// SPDX-License-Identifier: BSD-3-Clause
#include "stages.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "short_sums.hpp"
#include "varia/core/round_off.hpp"
#include "varia/flow/failure.hpp"
#include "varia/space/euclidean.hpp"

namespace varia::detail {

/// The weights of the derivatives of P and W at the points in the Jacobian, for steps of size h.
void Stages::weigh(double h) {
  h_ = weighed_ = h;
  if (dense_ != nullptr) {
    dense_->weigh(k, curved_.empty() ? k.row_D : k.row_W, h);
    return;
  }
  weigh(flat_rows_);
  if (!curved_.empty()) weigh(curved_rows_);
}

void Stages::begin(const FlatState& s, double h) {
  start_ = &s;
  h_ = h;
  if (h != weighed_) weigh(h);
  if (d == 0) return;
  weight0_ = h * (k.ends ? k.b.hi[0] : 0.5);
  weight1_ = h * (k.ends ? k.b.hi[sz(m - 1)] : 0.5);
  point1_[0] = s.t;
  std::copy(s.q.data(), s.q.data() + f.entries, point1_.begin() + 1);
  f.constraint(point1_.data(), phi0_.data());
  if (f.rheonomic()) f.constraint_rate(point1_.data(), rate0_.data());
}

void Stages::guess(const double* v) {
  for (int j = 0; j < r; ++j) std::copy(v, v + n, &newton.x[sz(j * n)]);
  for (std::size_t i = sz(r * n); i < newton.x.size(); ++i)
    newton.x[i] = start_->lambda[static_cast<Eigen::Index>((i - sz(r * n)) % sz(d))];
}

/// h Σⱼ aⱼuⱼ. h multiplies the sum: h times a coefficient would be rounded alike in every step, and
/// the energy would drift; so it would without the low parts of the coefficients [HMR08].
template <int N> void Stages::combine(const SplitArray& a, int row, SplitVector& sum) const {
  const SplitSum<N> total =
      SplitSum<N>::of(&a.hi[at(row, 0)], &a.lo[at(row, 0)], 1, newton.x.data(), r);
  for (int b = 0; b < N; ++b) {
    sum.hi[sz(b)] = total.hi[b] * h_;
    sum.lo[sz(b)] = total.lo[b] * h_;
  }
}

template <> void Stages::combine<0>(const SplitArray& a, int row, SplitVector& sum) const {
  sum_of(&a.hi[at(row, 0)], 1, newton.x.data(), n, r, n, sum.hi.data());
  for (double& x : sum.hi) x *= h_;
  if (keep_low_) return;
  sum_of(&a.lo[at(row, 0)], 1, newton.x.data(), n, r, n, sum.lo.data());
  for (double& x : sum.lo) x *= h_;
}

/// x_ ← (t, Qⁱ, Vⁱ)
template <int N> void Stages::place(int i) {
  SplitVector& displacement = displacements_[sz(i)];
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
  else
    for (const auto& s : f.space.vectors()) {
      const auto at = [&](const double* x) { return array(x + s.degree, s.count); };
      array(q + s.entry, s.count) = array(q0 + s.entry, s.count) + (at(hi) + (at(lo) + at(rest)));
    }
  if (inner > 0) lost_in_sum(displacement, q);
  chart_velocity<N>(i, v);
  if (!curved_.empty()) place_curved(displacement, q, v);
}

/// Hⁱ = Σⱼ Bᵢⱼuⱼ
template <int N> void Stages::chart_velocity(int i, double* v) const {
  if (k.nodal) {
    const double* const u = unknown(i);
    for (int a = 0; a < size<N>(); ++a) v[a] = u[a];
    return;
  }
  for (int a = 0; a < size<N>(); ++a) {
    double sum = 0.0;
    for (int j = 0; j < r; ++j)
      sum += k.B.hi[at(i, j)] * unknown(j)[a] + k.B.lo[at(i, j)] * unknown(j)[a];
    v[a] = sum;
  }
}

/// q₀ ⊕ Ξ and dτ_Ξ H of the curved factors; v holds H.
void Stages::place_curved(const SplitVector& displacement, double* q, double* v) {
  for (CurvedPlace& c : curved_) {
    double xi[FactorChart::most];
    for (int b = 0; b < c.dof; ++b) {
      xi[b] = displacement.hi[sz(c.degree + b)] + displacement.lo[sz(c.degree + b)];
      c.H[b] = v[c.degree + b];
    }
    c.factor->place(start_->q.data() + c.entry, xi, c.H, tau_, c.chart, q + c.entry, v + c.degree);
  }
}

template <bool second> void Stages::evaluate_lagrangian() {
  if constexpr (second)
    f.hessian(x_.data(), second_);
  else
    f.gradient(x_.data(), second_);
}

template <bool second> void Stages::evaluate_force() {
  if constexpr (second)
    f.force_derivative(x_.data(), force_);
  else
    f.force(x_.data(), force_);
  for (int a = 0; a < n; ++a) second_[a] += force_[a];
}

/// P = D*π and W = D*N + E*π on the curved factors; the result is Ad* N.
const double* Stages::pull_back(double* P, double* W) {
  const double* const N = second_;
  const double* const pi = N + n;
  std::copy(N, N + n, moved_.begin());
  for (const CurvedPlace& c : curved_) {
    double by_velocity[FactorChart::most];
    multiply_transposed(c.chart.D, pi + c.degree, c.dof, P + c.degree);
    multiply_transposed(c.chart.D, N + c.degree, c.dof, W + c.degree);
    multiply_transposed(c.chart.E, pi + c.degree, c.dof, by_velocity);
    for (int b = 0; b < c.dof; ++b) W[c.degree + b] += by_velocity[b];
    multiply(c.chart.A, N + c.degree, c.dof, &moved_[sz(c.degree)]);
  }
  return moved_.data();
}

/// The blocks (v, q), (v, v), (q, q), (q, v) of a symmetric matrix in (q, v) from its lower triangle.
template <int N> void expand_triangle(const double* lower, double* out) {
  const auto entry = [lower](int i, int j) { return lower[i * (i + 1) / 2 + j]; };
  for (int a = 0; a < N; ++a)
    for (int b = 0; b < N; ++b) {
      double* const place = out + a * N + b;
      const int row = std::max(a, b);
      const int column = std::min(a, b);
      place[0] = entry(N + a, b);
      place[N * N] = entry(N + row, N + column);
      place[2 * N * N] = entry(row, column);
      place[3 * N * N] = entry(N + b, a);
    }
}

/// On ℝⁿ, as whole blocks.
template <int N> void Stages::keep_dense(double* out) {
  const double* const values = second_ + 2 * n;
  if (f.forced || d > 0) std::fill(out, out + 4 * n * n, 0.0);
  if (N > 0 && full_second_)
    expand_triangle<N>(values, out);
  else
    for (const auto& [value, place] : dense_second_) out[place] = values[value];
  double* const W_X = out + 2 * n * n;
  const auto add = [](const PatternBlock& block, const double* from, double* into) {
    for (std::size_t e = 0; e < block.slot.size(); ++e)
      into[block.dense[e]] += from[block.value[e]];
  };
  if (f.forced) {
    add(flat_rows_.force_q, force_ + n, W_X);
    add(flat_rows_.force_v, force_ + n, W_X + n * n);
  }
  if (inside_) add(flat_rows_.curvature, curve_, W_X);
}

/// What the Jacobian needs of the point beside the derivatives of L.
template <int N> void Stages::keep_derivatives(int i) {
  if (curved_.empty()) {
    if (dense_ != nullptr) keep_dense<N>(blocks_of_points_.data() + i * 4 * n * n);
  } else {
    blocks_->gather(second_ + 2 * n, f.forced ? force_ + n : nullptr, inside_ ? curve_ : nullptr);
    for (int a = 0; a < n; ++a) potential_[sz(a)] = second_[a] - (f.forced ? force_[a] : 0.0);
    blocks_->pull_back(curved_, second_, potential_.data(), second_ + n);
    blocks_->copy(blocks_of_points_.data() + sz(i) * 4 * sz(blocks_->size()));
    add_momentum_rates(i);
  }
  if (inside_) add_inner_constraint(i);
}

template <bool second, int N> void Stages::point(int i) {
  second_ = seconds_.data() + i * second_size_;
  force_ = forces_.data() + i * force_size_;
  curve_ = curves_.data() + i * curve_size_;
  place<N>(i);
  evaluate_lagrangian<second>();
  if (f.forced) evaluate_force<second>();
  if (d > 0) add_constraint(i);
  double* const W = &W_[sz(i * n)];
  double* const P = &P_[sz(i * n)];
  const double b_hi = k.b.hi[sz(i)];
  const double b_lo = k.b.lo[sz(i)];
  for (int a = 0; a < size<N>(); ++a) {
    W[a] = second_[a];
    P[a] = second_[size<N>() + a];
  }
  const double* const moved = curved_.empty() ? W : pull_back(P, W);
  double* const impulse_hi = impulse_.hi.data();
  double* const impulse_lo = impulse_.lo.data();
  if constexpr (N > 0) {
    for (int a = 0; a < N; ++a) {
      impulse_hi[a] += b_hi * moved[a];
      impulse_lo[a] += b_lo * moved[a];
    }
  } else {
    array(impulse_hi, n) += b_hi * array(moved, n);
    array(impulse_lo, n) += b_lo * array(moved, n);
  }
  if constexpr (second) keep_derivatives<N>(i);
}

/// The derivatives of P and W in (Ξ, H).
Stages::Derivatives Stages::derivatives() const {
  const double* const values = seconds_.data() + 2 * n;
  if (curved_.empty()) return {values, values, values, values, second_size_};
  const double* const c = blocks_of_points_.data();
  const std::ptrdiff_t size = blocks_->size();
  return {c, c + size, c + 2 * size, c + 3 * size, 4 * size};
}

/// The weights of the derivatives in ∂/∂u_l of Σᵢ row_P Pⁱ + h row_W Wⁱ.
void Stages::weigh(Rows& rows) {
  for (StageWeights* w : {&rows.of_P_X, &rows.of_P_H, &rows.of_W_X, &rows.of_W_H, &rows.of_inner})
    w->clear();
  point_factors_.resize(sz(m));
  for (int j = 0; j < r; ++j)
    for (int l = 0; l < r; ++l) {
      const auto add = [&](StageWeights& weights, const auto& factor) {
        for (int i = 0; i < m; ++i) point_factors_[sz(i)] = factor(i);
        weights.add(sz(j) * row_stride_ + sz(l) * column_stride_, point_factors_);
      };
      const auto p = [&](int i) { return k.row_P.hi[at(i, j)]; };
      const auto c = [&](int i) { return h_ * rows.row_W->hi[at(i, j)]; };
      const auto x = [&](int i) { return h_ * k.A.hi[at(i, l)]; };
      const auto y = [&](int i) { return k.B.hi[at(i, l)]; };
      add(rows.of_P_X, [&](int i) { return p(i) * x(i); });
      add(rows.of_P_H, [&](int i) { return p(i) * y(i); });
      add(rows.of_W_X, [&](int i) { return c(i) * x(i); });
      add(rows.of_W_H, [&](int i) { return c(i) * y(i); });
      add(rows.of_inner, [&](int i) { return i > 0 && i <= inner ? c(i) * x(i) : 0.0; });
    }
}

void Stages::add_rows(const Rows& rows, const Derivatives& values) {
  double* const a = newton.jacobian.data();
  rows.of_W_X.scatter(rows.W_X, values.W_X, values.stride, a);
  rows.of_P_H.scatter(rows.P_H, values.P_H, values.stride, a);
  rows.of_P_X.scatter(rows.P_X, values.P_X, values.stride, a);
  rows.of_W_H.scatter(rows.W_H, values.W_H, values.stride, a);
  if (f.forced) {
    rows.of_W_X.scatter(rows.force_q, forces_.data() + n, force_size_, a);
    rows.of_W_H.scatter(rows.force_v, forces_.data() + n, force_size_, a);
  }
  rows.of_inner.scatter(rows.curvature, curves_.data(), curve_size_, a);
}

/// ∂m/∂u_l of the curved factors
void Stages::add_momentum_rates(int i) {
  const double hb = h_ * k.b.hi[sz(i)];
  const auto first = sz(blocks_->pairs()[blocks_->first_curved_pair()].at);
  for (int l = 0; l < r; ++l) {
    const double x = hb * h_ * k.A.hi[at(i, l)];
    const double y = hb * k.B.hi[at(i, l)];
    std::vector<double>& out = dm_[sz(l)];
    for (std::size_t e = first; e < out.size(); ++e)
      out[e] += x * blocks_->m_X()[e] + y * blocks_->m_H()[e];
  }
}

template <int N> void Stages::add_jacobian() {
  if (dense_ != nullptr) {
    dense_->sum<N>(blocks_of_points_.data(), newton.jacobian.data());
    return;
  }
  const Derivatives values = derivatives();
  add_rows(flat_rows_, values);
  if (!curved_.empty()) add_rows(curved_rows_, values);
}

template <bool second, int N> void Stages::points() {
  if constexpr (second) {
    if (dense_ == nullptr || d > 0) newton.jacobian.set_zero();
    for (auto& x : dm_) std::fill(x.begin(), x.end(), 0.0);
  }
  combine<N>(k.beta, 0, xi_);
  for (CurvedPlace& c : curved_) {
    double xi[FactorChart::most];
    for (int b = 0; b < c.dof; ++b) xi[b] = -(xi_.hi[sz(c.degree + b)] + xi_.lo[sz(c.degree + b)]);
    c.factor->tangent(xi, tau_, c.back);
  }
  impulse_.set_zero();
  largest_reaction_ = 0.0;
  work_ = 0.0;
  for (int i = 0; i < m; ++i) point<second, N>(i);
  if constexpr (second) add_jacobian<N>();
  for (int a = 0; a < size<N>(); ++a) {
    impulse_.hi[sz(a)] *= h_;
    impulse_.lo[sz(a)] *= h_;
  }
  if (d > 0) add_reaction(phi0_.data() + d, multiplier(0), weight0_, impulse_.lo.data());
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
    double* const large = &sums_[sz(j)].hi[sz(first)];
    double* const small = &sums_[sz(j)].lo[sz(first)];
    sum_of(w_hi, r, W, n, m, count, large);
    if (!keep_low_) sum_of(w_lo, r, W, n, m, count, small);
    if (!k.nodal) {
      for (int a = 0; a < count; ++a) out[a] = row_entry(j, first + a, large[a], small[a]);
      return;
    }
    const auto at = [&](const double* x) { return array(x + first, count); };
    array(out, count) = ((at(P_.data() + j * n) - at(kappa_.data())) + h_ * array(large, count)) +
                        (h_ * array(small, count) - at(kappa_rest_.data()));
  }
}

/// κ: p₀ with the reaction λ₀ on ℝⁿ, dτ_{-ξ}* m on the curved factors.
void Stages::end_momentum(bool fresh) {
  std::copy(start_->p.data(), start_->p.data() + n, kappa_.begin());
  std::copy(start_->p_rest.data(), start_->p_rest.data() + n, kappa_rest_.begin());
  if (d > 0)
    largest_reaction_ = std::max(largest_reaction_, add_reaction(phi0_.data() + d, multiplier(0),
                                                                 weight0_, kappa_rest_.data()));
  for (CurvedPlace& c : curved_) {
    double end[FactorChart::most];
    for (int b = 0; b < c.dof; ++b) {
      const auto a = sz(c.degree + b);
      end[b] = start_->p[c.degree + b] +
               (impulse_.hi[a] + (impulse_.lo[a] + start_->p_rest[c.degree + b]));
      moved_[a] = end[b];
      kappa_rest_[a] = 0.0;
    }
    multiply_transposed(c.back.D, end, c.dof, &kappa_[sz(c.degree)]);
  }
  if (!curved_.empty() && fresh) subtract_end_momentum();
}

/// out = Dᵀ dm, D of the row's chart at -ξ.
void Stages::pull_back_end(const ChartBlocks::Pair& pair, const double* dm, double* out) const {
  const double* const D = curved_[sz(pair.row.curved)].back.D;
  const int rows = pair.row.dof;
  const int columns = pair.column.dof;
  std::fill(out, out + rows * columns, 0.0);
  if (rows == 3 && columns == 3) return add_transposed_product<3, 3, 3>(D, dm, out);
  for (int b = 0; b < rows; ++b)
    for (int i = 0; i < rows; ++i)
      for (int j = 0; j < columns; ++j)
        out[i * columns + j] += D[b * rows + i] * dm[b * columns + j];
}

/// The columns of βⱼκ: dκ = dτ_{-ξ}* dm - T_{-ξ}(m) dξ
void Stages::subtract_end_momentum() {
  double* const a = newton.jacobian.data();
  const auto& pairs = blocks_->pairs();
  const std::size_t first = blocks_->first_curved_pair();
  const std::size_t* slots = curved_rows_.P_X.slot.data();
  FactorChart::Map T;
  FactorChart::Map dkappa;
  for (std::size_t q = first; q < pairs.size(); ++q) {
    const ChartBlocks::Pair& pair = pairs[q];
    const int size = pair.row.dof * pair.column.dof;
    const bool diagonal = pair.row.degree == pair.column.degree;
    const CurvedPlace& c = curved_[sz(pair.row.curved)];
    if (diagonal) c.factor->transpose_derivative(c.back, &moved_[sz(c.degree)], T);
    for (int l = 0; l < r; ++l) {
      pull_back_end(pair, dm_[sz(l)].data() + pair.at, dkappa);
      const double xi = h_ * k.beta.hi[sz(l)];
      for (int e = 0; diagonal && e < size; ++e) dkappa[e] -= xi * T[e];
      double* const column = a + sz(l) * column_stride_;
      for (int stage = 0; stage < r; ++stage) {
        const double beta = k.row_beta.hi[sz(stage)];
        double* const block = column + sz(stage) * row_stride_;
        for (int e = 0; e < size; ++e) block[slots[e]] -= beta * dkappa[e];
      }
    }
    slots += size;
  }
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
}

/// The terms that P and W are made of count too: ∂L/∂q of a smooth chain is a small difference of
/// large forces, and carries their round-off eps |∂²L| |q|.
double Stages::magnitude() const {
  double largest = largest_reaction_;
  for (const double x : kappa_) largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < P_.size(); ++i)
    largest = std::max({largest, std::abs(P_[i]), std::abs(h_ * W_[i])});
  for (int i = 0; i < m; ++i) largest = std::max(largest, largest_term(i));
  return largest;
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
  switch (dense_ != nullptr ? n : 0) {
    case 1:
      evaluate_as<1>(fresh);
      break;
    case 2:
      evaluate_as<2>(fresh);
      break;
    case 3:
      evaluate_as<3>(fresh);
      break;
    case 6:
      evaluate_as<6>(fresh);
      break;
    default:
      evaluate_as<0>(fresh);
  }
  if (d == 0) return;
  end_rows(fresh);
  for (int i = 1; i <= inner; ++i) replace_left_out(r * n + (i - 1) * d, r * n + i * d, fresh);
  replace_left_out(r * n + inner * d, r * n, fresh);
}

template void Stages::place<0>(int i);  // for the derivative of a step

void Stages::finish(double last_update) {
  keep_low_ = false;
  if (d > 0 || last_update > 4 * eps)
    points<false, 0>();
  else
    combine<0>(k.beta, 0, xi_);
}

void Stages::end_step(FlatState& s) {
  for (int a = 0; a < n; ++a) {
    s.q_rest[a] += xi_.lo[sz(a)];
    s.p_rest[a] += impulse_.lo[sz(a)];
  }
  for (const auto& v : f.space.vectors())
    for (int b = 0; b < v.count; ++b) {
      const int a = v.degree + b;
      exact_add(s.q[v.entry + b], s.q_rest[a], xi_.hi[sz(a)]);
      exact_add(s.p[a], s.p_rest[a], impulse_.hi[sz(a)]);
    }
  for (const CurvedPlace& c : curved_)
    c.factor->update(s.q.data() + c.entry, s.q_rest.data() + c.degree, s.p.data() + c.degree,
                     s.p_rest.data() + c.degree, &xi_.hi[sz(c.degree)], &impulse_.hi[sz(c.degree)],
                     tau_);
  compensated_add(s.t, s.t_rest, h_);
  if (d > 0) {
    double* const v = &point1_[1];
    for (int a = 0; a < n; ++a) v[a] = xi_.hi[sz(a)] / h_;
    end_.make_tangent(f, s, h_, v, weight1_);
  }
  if (f.rheonomic())
    work_ -= weight0_ * dot(multiplier(0), 1, rate0_.data(), 1, d) +
             weight1_ * dot(s.lambda.data(), 1, end_.rate(), 1, d);
  if (!s.p.allFinite()) overflow(s.t - h_, h_);
}

}  // namespace varia::detail
