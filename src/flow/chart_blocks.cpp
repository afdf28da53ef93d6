// SPDX-License-Identifier: BSD-3-Clause
#include "chart_blocks.hpp"

#include <algorithm>
#include <set>

#include "varia/core/index.hpp"

namespace varia::detail {

Groups::Groups(const ProductSpace& space) {
  int curved = 0;
  for (const auto& at : space.factors()) {
    const int dof = at.factor->dof();
    const bool together = at.factor->curved() != nullptr;
    for (int i = 0; i < dof; ++i) {
      if (i == 0 || !together)
        list_.push_back({at.degree + i, together ? dof : 1, together ? curved : -1});
      of_.push_back(static_cast<int>(list_.size()) - 1);
      entry_.push_back(at.entry + std::min(i, at.factor->entries() - 1));
    }
    if (together) ++curved;
  }
}

ChartBlocks::ChartBlocks(const KernelSystem& f, const Groups& groups) : groups_(groups) {
  std::vector<std::vector<Scatter>> parts;
  for (const int row0 : {0, f.n})
    for (const int column0 : {0, f.n})
      parts.push_back(both_triangles(f.second, row0, column0, f.n));
  const Pattern force = f.acts() ? f.acting_pattern() : Pattern{};
  for (const int column0 : {0, f.n}) parts.push_back(columns_of(force, column0, f.n));
  parts.push_back(both_triangles(f.curvature_pattern, 0, 0, f.n));
  for (int g = 0; g < groups.size(); ++g)
    if (groups.list()[sz(g)].curved >= 0) at_[{g, g}] = 0;
  for (const auto& places : parts) meet(places, at_);
  std::set<std::pair<int, int>> mixed;
  for (const std::size_t part : {1, 2, 5})
    for (const Scatter& s : parts[part]) mixed.emplace(groups.of(s.row), groups.of(s.column));
  for (const bool curved : {false, true}) {
    if (curved) first_curved_ = pairs_.size();
    for (auto& [pair, at] : at_) {
      const Groups::Group& row = groups.list()[sz(pair.first)];
      const Groups::Group& column = groups.list()[sz(pair.second)];
      if ((row.curved >= 0) != curved) continue;
      at = size_;
      pairs_.push_back({row, column, at, mixed.contains(pair)});
      size_ += row.dof * column.dof;
    }
  }
  qq_in_ = gather_of(parts[0]);
  qv_in_ = gather_of(parts[1]);
  vq_in_ = gather_of(parts[2]);
  vv_in_ = gather_of(parts[3]);
  force_q_ = gather_of(parts[4]);
  force_v_ = gather_of(parts[5]);
  curvature_ = gather_of(parts[6]);
  for (auto* x : {&qq_, &qv_, &vq_, &vv_, &P_X_, &P_H_, &W_X_, &W_H_, &m_X_, &m_H_})
    x->assign(sz(size_), 0.0);
}

void ChartBlocks::meet(const std::vector<Scatter>& places,
                       std::map<std::pair<int, int>, int>& pairs) const {
  for (const Scatter& s : places) {
    pairs[{groups_.of(s.row), groups_.of(s.column)}] = 0;
    pairs[{groups_.of(s.column), groups_.of(s.row)}] = 0;
  }
}

int ChartBlocks::place(int i, int j) const {
  const Groups::Group& row = groups_.list()[sz(groups_.of(i))];
  const Groups::Group& column = groups_.list()[sz(groups_.of(j))];
  return at_.at({groups_.of(i), groups_.of(j)}) + (i - row.degree) * column.dof +
         (j - column.degree);
}

ChartBlocks::Gather ChartBlocks::gather_of(const std::vector<Scatter>& places) const {
  Gather result;
  for (const Scatter& s : places) {
    result.value.push_back(s.value);
    result.place.push_back(place(s.row, s.column));
  }
  return result;
}

void ChartBlocks::gather(const double* second, const double* force, const double* curvature) {
  for (auto* x : {&qq_, &qv_, &vq_, &vv_}) std::fill(x->begin(), x->end(), 0.0);
  qq_in_.add(second, qq_);
  qv_in_.add(second, qv_);
  vq_in_.add(second, vq_);
  vv_in_.add(second, vv_);
  if (force != nullptr) {
    force_q_.add(force, qq_);
    force_v_.add(force, qv_);
  }
  if (curvature != nullptr) curvature_.add(curvature, qq_);
}

/// N_X, π_X and their likes for one pair, without the terms of the diagonal.
template <int M, int N>
void ChartBlocks::pull_back_pair(const Pair& pair, const std::vector<CurvedPlace>& curved) {
  constexpr int size = M * N;
  const auto at = sz(pair.at);
  const double* const qq = &qq_[at];
  const double* const qv = &qv_[at];
  const double* const vq = &vq_[at];
  const double* const vv = &vv_[at];
  double N_X[size] = {};
  double pi_X[size] = {};
  double qv_D[size] = {};
  double vv_D[size] = {};
  if (pair.column.curved >= 0) {
    const FactorChart& b = curved[sz(pair.column.curved)].chart;
    add_product<M, N, N>(qq, b.D, N_X);
    add_product<M, N, N>(vv, b.E, pi_X);
    add_product<M, N, N>(vv, b.D, vv_D);
    if (pair.mixed) {
      add_product<M, N, N>(qv, b.E, N_X);
      add_product<M, N, N>(vq, b.D, pi_X);
      add_product<M, N, N>(qv, b.D, qv_D);
    }
  } else {
    std::copy(qq, qq + size, N_X);
    std::copy(vq, vq + size, pi_X);
    std::copy(qv, qv + size, qv_D);
    std::copy(vv, vv + size, vv_D);
  }
  double* const P_X = &P_X_[at];
  double* const P_H = &P_H_[at];
  double* const W_X = &W_X_[at];
  double* const W_H = &W_H_[at];
  if (pair.row.curved < 0) {
    std::copy(pi_X, pi_X + size, P_X);
    std::copy(vv_D, vv_D + size, P_H);
    std::copy(N_X, N_X + size, W_X);
    std::copy(qv_D, qv_D + size, W_H);
    return;
  }
  const FactorChart& a = curved[sz(pair.row.curved)].chart;
  for (double* x : {P_X, P_H, W_X, W_H}) std::fill(x, x + size, 0.0);
  add_transposed_product<M, M, N>(a.D, pi_X, P_X);
  add_transposed_product<M, M, N>(a.D, vv_D, P_H);
  add_transposed_product<M, M, N>(a.D, N_X, W_X);
  add_transposed_product<M, M, N>(a.E, pi_X, W_X);
  add_transposed_product<M, M, N>(a.E, vv_D, W_H);
  double* const m_X = &m_X_[at];
  double* const m_H = &m_H_[at];
  std::fill(m_X, m_X + size, 0.0);
  std::fill(m_H, m_H + size, 0.0);
  if (pair.mixed) {
    add_transposed_product<M, M, N>(a.D, qv_D, W_H);
    add_product<M, M, N>(a.A, qv_D, m_H);
  }
  if (pair.row.degree == pair.column.degree) {
    double moved[size] = {};  // ad*_(·)N D
    add_product<M, M, N>(bracket_, a.D, moved);
    for (int i = 0; i < size; ++i) N_X[i] -= moved[i];
  }
  add_product<M, M, N>(a.A, N_X, m_X);
}

template <int M>
void ChartBlocks::pull_back_row(const Pair& pair, const std::vector<CurvedPlace>& curved) {
  switch (pair.column.dof) {
    case 1:
      return pull_back_pair<M, 1>(pair, curved);
    case 2:
      return pull_back_pair<M, 2>(pair, curved);
    case 3:
      return pull_back_pair<M, 3>(pair, curved);
    case 4:
      return pull_back_pair<M, 4>(pair, curved);
    case 5:
      return pull_back_pair<M, 5>(pair, curved);
    default:
      return pull_back_pair<M, 6>(pair, curved);
  }
}

/// T(π) of P_X and of its transpose in W_H, T(N) and the Hessian of ⟨π, dτ H⟩ of W_X.
void ChartBlocks::add_diagonal(const Pair& pair, const CurvedPlace& c, const double* N,
                               const double* pi) {
  const int k = pair.row.dof;
  FactorChart::Map T;
  FactorChart::Map hessian;
  c.factor->transpose_derivative(c.chart, pi, T);
  double* const P_X = &P_X_[sz(pair.at)];
  double* const W_H = &W_H_[sz(pair.at)];
  for (int i = 0; i < k; ++i)
    for (int j = 0; j < k; ++j) {
      P_X[i * k + j] += T[i * k + j];
      W_H[i * k + j] += T[j * k + i];
    }
  c.factor->transpose_derivative(c.chart, N, T);
  c.factor->hessian(c.chart, pi, c.H, hessian);
  double* const W_X = &W_X_[sz(pair.at)];
  for (int i = 0; i < k * k; ++i) W_X[i] += T[i] + hessian[i];
}

/// out += a b, with a of so many rows and columns and b of so many columns.
void add_any_product(const double* a, const double* b, int rows, int inner, int columns,
                     double* out) {
  for (int i = 0; i < rows; ++i)
    for (int l = 0; l < columns; ++l)
      out[i * columns + l] += dot(a + i * inner, 1, b + l, columns, inner);
}

/// d(Aπ) = A (L_vq D dΞ + L_vv dv - ad*_{D dΞ} π)
void ChartBlocks::move_momentum(const std::vector<CurvedPlace>& curved, const double* pi) {
  for (const Pair& pair : pairs_) {
    const int rows = pair.row.dof;
    const int columns = pair.column.dof;
    const double* const vq = &vq_[sz(pair.at)];
    const double* const vv = &vv_[sz(pair.at)];
    FactorChart::Map slope{};
    std::copy_n(vq, rows * columns, slope);
    if (pair.column.curved >= 0) {
      const double* const D = curved[sz(pair.column.curved)].chart.D;
      std::fill_n(slope, rows * columns, 0.0);
      if (pair.mixed) add_any_product(vq, D, rows, columns, columns, slope);
      if (pair.row.degree == pair.column.degree) {
        FactorChart::Map minus_bracket;
        curved[sz(pair.row.curved)].factor->ad_star(pi + pair.row.degree, minus_bracket);
        for (int i = 0; i < rows * rows; ++i) minus_bracket[i] = -minus_bracket[i];
        add_any_product(minus_bracket, D, rows, rows, rows, slope);
      }
    }
    double* const X = &P_X_[sz(pair.at)];
    double* const V = &P_H_[sz(pair.at)];
    if (pair.row.curved < 0) {
      std::copy_n(slope, rows * columns, X);
      std::copy_n(vv, rows * columns, V);
      continue;
    }
    const double* const A = curved[sz(pair.row.curved)].chart.A;
    std::fill_n(X, rows * columns, 0.0);
    std::fill_n(V, rows * columns, 0.0);
    add_any_product(A, slope, rows, rows, columns, X);
    add_any_product(A, vv, rows, rows, columns, V);
  }
}

void ChartBlocks::pull_back(const std::vector<CurvedPlace>& curved, const double* N,
                            const double* potential, const double* pi) {
  for (const Pair& pair : pairs_) {
    const CurvedPlace* diagonal = nullptr;
    if (pair.row.curved >= 0 && pair.row.degree == pair.column.degree) {
      diagonal = &curved[sz(pair.row.curved)];
      const int k = pair.row.dof;
      // N along δ = q⁻¹dq: the Hessian in exponential coordinates plus the half bracket
      diagonal->factor->ad_star(potential + pair.row.degree, bracket_);
      for (int i = 0; i < k * k; ++i) qq_[sz(pair.at + i)] += 0.5 * bracket_[i];
      diagonal->factor->ad_star(N + pair.row.degree, bracket_);
    }
    switch (pair.row.dof) {
      case 1:
        pull_back_row<1>(pair, curved);
        break;
      case 2:
        pull_back_row<2>(pair, curved);
        break;
      case 3:
        pull_back_row<3>(pair, curved);
        break;
      case 4:
        pull_back_row<4>(pair, curved);
        break;
      case 5:
        pull_back_row<5>(pair, curved);
        break;
      default:
        pull_back_row<6>(pair, curved);
        break;
    }
    if (diagonal != nullptr)
      add_diagonal(pair, *diagonal, N + pair.row.degree, pi + pair.row.degree);
  }
}

}  // namespace varia::detail
