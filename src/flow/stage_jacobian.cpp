// SPDX-License-Identifier: BSD-3-Clause
// The Jacobian of the equations of a step.
#include <algorithm>

#include "short_sums.hpp"
#include "stages.hpp"

namespace varia::detail {

/// The weights of the derivatives of P and W at the points in the Jacobian, for steps of size h.
void Stages::weigh(double h) {
  h_ = weighed_ = h;
  if (dense_ != nullptr) {
    dense_->weigh(k, curved_.empty() ? k.row_D : k.row_W, h);
    return;
  }
  weigh(vector_rows_);
  if (!curved_.empty()) weigh(curved_rows_);
}

/// The blocks (v, q), (v, v), (q, q), (q, v) of a symmetric matrix in (q, v) from its lower triangle.
template <int N> void expand_triangle(const double* lower, double* out) {
  const auto entry = [lower](int i, int j) { return lower[i * (i + 1) / 2 + j]; };
  unrolled<N * N>([&](int e) {
    const int a = e / N;
    const int b = e % N;
    const int row = a > b ? a : b;
    const int column = a > b ? b : a;
    out[e] = entry(N + a, b);
    out[N * N + e] = entry(N + row, N + column);
    out[2 * N * N + e] = entry(row, column);
    out[3 * N * N + e] = entry(N + b, a);
  });
}

/// On ℝⁿ, as whole blocks; N is n.
template <int N> void Stages::keep_dense(double* out) {
  const double* const values = second_ + 2 * n;
  if (f.acts() || d > 0) std::fill(out, out + 4 * n * n, 0.0);
  if (full_second_)
    expand_triangle<N>(values, out);
  else
    for (const auto& [value, place] : dense_second_) out[place] = values[value];
  double* const W_X = out + 2 * n * n;
  const auto add = [this](const PatternBlock& block, const double* from, double* into) {
    for (std::size_t e = 0; e < block.slot.size(); ++e)
      into[block.row[e] * n + block.column[e]] += from[block.value[e]];
  };
  if (f.acts()) {
    add(vector_rows_.force_q, force_ + n, W_X);
    add(vector_rows_.force_v, force_ + n, W_X + n * n);
  }
  if (inside_) add(vector_rows_.curvature, curve_, W_X);
}

/// What the Jacobian needs of the point beside the derivatives of L.
template <int N> void Stages::keep_derivatives(int i) {
  if (curved_.empty()) {
    if constexpr (N > 0) keep_dense<N>(blocks_of_points_.data() + i * 4 * n * n);
  } else {
    blocks_->gather(second_ + 2 * n, f.acts() ? force_ + n : nullptr, inside_ ? curve_ : nullptr);
    for (int a = 0; a < n; ++a) potential_[sz(a)] = second_[a] - (f.acts() ? force_[a] : 0.0);
    blocks_->pull_back(curved_, second_, potential_.data(), second_ + n);
    blocks_->copy(blocks_of_points_.data() + sz(i) * 4 * sz(blocks_->size()));
    add_momentum_rates(i);
  }
  if (inside_) add_inner_constraint(i);
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
  if (f.acts()) {
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
  if (momenta_ != nullptr) return add_phase_jacobian();
  if constexpr (N > 0) {
    dense_->sum<N>(blocks_of_points_.data(), newton.jacobian.data());
  } else {
    const Derivatives values = derivatives();
    add_rows(vector_rows_, values);
    if (!curved_.empty()) add_rows(curved_rows_, values);
  }
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
    if (diagonal) c.factor->transpose_derivative(c.back, &end_momentum_[sz(c.degree)], T);
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

template void Stages::keep_derivatives<0>(int i);
template void Stages::add_jacobian<0>();
template void Stages::keep_derivatives<1>(int i);
template void Stages::add_jacobian<1>();
template void Stages::keep_derivatives<2>(int i);
template void Stages::add_jacobian<2>();
template void Stages::keep_derivatives<3>(int i);
template void Stages::add_jacobian<3>();
template void Stages::keep_derivatives<4>(int i);
template void Stages::add_jacobian<4>();
template void Stages::keep_derivatives<5>(int i);
template void Stages::add_jacobian<5>();
template void Stages::keep_derivatives<6>(int i);
template void Stages::add_jacobian<6>();

}  // namespace varia::detail
