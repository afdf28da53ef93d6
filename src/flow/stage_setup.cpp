// SPDX-License-Identifier: BSD-3-Clause
// Which unknowns of a step meet, and room for all of it.
#include <algorithm>
#include <utility>

#include "stages.hpp"

namespace varia::detail {

Stages::Stages(const KernelSystem& system, const StageCoefficients& coefficients, Retraction tau,
               const std::vector<int>& left_out)
    : f(system),
      k(coefficients),
      n(system.n),
      r(coefficients.unknowns),
      m(coefficients.points),
      d(system.d),
      inner(system.d > 0 && coefficients.ends ? coefficients.points - (system.e > 0 ? 1 : 2) : 0),
      groups_(system.space),
      tau_(tau),
      left_out_(static_cast<std::size_t>(system.d), 0) {
  for (const int a : left_out) left_out_[sz(a)] = 1;
  for (const auto& c : f.space.curved())
    curved_.push_back({c.factor, c.entry, c.degree, c.dof, {}, {}, {}});
  if (!curved_.empty()) blocks_ = std::make_unique<ChartBlocks>(f, groups_);
  if (f.e > 0 && !k.ends) middle_ = std::make_unique<MiddleConstraint>(f);
  multipliers_at_ = n * (r + (f.hamiltonian ? m : f.e > 0 ? r - 1 : 0));
  const int size = multipliers_at_ + d * (inner + 1) + f.e * (middle_ != nullptr ? 1 : r - 1);
  newton.resize_vectors(size, multipliers_at_);
  newton.jacobian.resize(couplings());
  predictor.resize(size);
  // measured: the second derivatives of charts cost more than those of ℝⁿ
  if (d == 0 && f.e == 0 && !f.hamiltonian)
    kept.resize(f.entries, n, size, curved_.empty() ? 1 : 3);
  // the stage values of a coordinate stand next to each other: blocks are at constant distances
  if (r > 1 || f.hamiltonian) {
    row_stride_ = newton.jacobian.slot(n, 0) - newton.jacobian.slot(0, 0);
    column_stride_ = newton.jacobian.slot(0, n) - newton.jacobian.slot(0, 0);
  }
  curved_.empty() ? make_blocks() : make_chart_blocks();
  make_dense_sum();
  if (f.hamiltonian)
    make_momenta();
  else
    weigh(1.0);  // makes room
  make_room();
  if (f.e > 0 && middle_ == nullptr) make_rolling();
}

void Stages::make_room() {
  displacements_.resize(sz(m));
  sums_.resize(sz(r));
  for (SplitVector* v : {&xi_, &impulse_}) v->resize(n);
  for (auto* list : {&displacements_, &sums_})
    for (SplitVector& v : *list) v.resize(n);
  x_.assign(sz(1 + f.entries + n + f.e), 0.0);
  second_size_ = 2 * n + f.second.size();
  force_size_ = f.acts() ? n + f.acting_pattern().size() : 0;
  curve_size_ = f.curvature_pattern.size();
  seconds_.assign(sz(m * second_size_), 0.0);
  forces_.assign(sz(m * force_size_), 0.0);
  curves_.assign(sz(m * curve_size_), 0.0);
  P_.assign(sz(m * n), 0.0);
  W_ = P_;
  along_step_.assign(sz(n), 0.0);
  kappa_.assign(sz(n), 0.0);
  kappa_rest_ = kappa_;
  start_pattern_ = middle_ != nullptr ? reaction_pattern(f) : f.constraint_pattern;
  start_slopes_.assign(sz(start_pattern_.size()), 0.0);
  start_reactions_.resize(f.space, start_pattern_);
  if (reactions_at_ends() > 0) {
    point1_.assign(sz(1 + std::max(n, f.entries)), 0.0);
    end_.resize(f, left_out_);
  }
  if (d > 0) {
    phi_.assign(sz(d + f.constraint_pattern.size()), 0.0);
    phi0_ = phi_;
    phi1_ = phi_;
    lambda_point_.assign(sz(1 + f.entries + d), 0.0);
    rest_.assign(sz(n), 0.0);
    rate_.assign(sz(d), 0.0);
    rate0_ = rate_;
    holonomic_.resize(f.space, f.constraint_pattern);
  }
}

/// Where all degrees of freedom meet, and are few.
void Stages::make_dense_sum() {
  const int groups = curved_.empty() ? n : 1;
  if (n > DenseSum::most || f.hamiltonian || f.e > 0 || newton.jacobian.banded() ||
      groups_.size() != groups)
    return;
  const bool may_mix = !curved_.empty() || f.acts() || !vector_rows_.P_X.slot.empty();
  dense_ = std::make_unique<DenseSum>(n, newton.jacobian.size(), may_mix);
  blocks_of_points_.assign(sz(m * 4 * n * n), 0.0);
  if (!curved_.empty()) return;
  full_second_ = f.second.size() == n * (2 * n + 1);
  for (int e = 0, i = 0, j = 0; full_second_ && e < f.second.size(); ++e) {
    full_second_ = f.second.row[sz(e)] == i && f.second.column[sz(e)] == j;
    j = i == j ? 0 : j + 1;
    i += j == 0 ? 1 : 0;
  }
  int first = 0;
  for (const PatternBlock* b :
       {&vector_rows_.P_X, &vector_rows_.P_H, &vector_rows_.W_X, &vector_rows_.W_H}) {
    for (std::size_t e = 0; e < b->slot.size(); ++e)
      dense_second_.emplace_back(b->value[e], first + b->row[e] * n + b->column[e]);
    first += n * n;
  }
}

Couplings Stages::couplings() const {
  Couplings c;
  for (const Groups::Group& group : groups_.list()) {
    c.groups.emplace_back();
    for (int i = 0; i < group.dof; ++i)
      for (int j = 0; j < multipliers_at_ / n; ++j)
        c.groups.back().push_back(j * n + group.degree + i);
  }
  for (int a = 0; a < d; ++a) {
    c.groups.emplace_back();
    for (int i = 0; i <= inner; ++i) c.groups.back().push_back(multiplier_place(i) + a);
  }
  const auto meet_groups = [&](const std::vector<Scatter>& places) {
    for (const Scatter& s : places) c.meeting.emplace_back(groups_.of(s.row), groups_.of(s.column));
  };
  for (const int row0 : {0, n})
    for (const int column0 : {0, n}) meet_groups(both_triangles(f.second, row0, column0, n));
  if (f.acts())
    for (const int column0 : {0, n}) meet_groups(columns_of(f.acting_pattern(), column0, n));
  if (d > 0) {
    meet_groups(both_triangles(f.curvature_pattern, 0, 0, n));
    for (int e = 0; e < f.constraint_pattern.size(); ++e)
      c.meeting.emplace_back(groups_.of(f.constraint_pattern.column[sz(e)]),
                             groups_.size() + f.constraint_pattern.row[sz(e)]);
  }
  if (middle_ != nullptr)
    couple_middle(c);
  else if (f.e > 0)
    couple_rolling(c);
  return c;
}

PatternBlock Stages::block(const std::vector<Scatter>& places) const {
  PatternBlock result;
  for (const Scatter& s : places) {
    result.value.push_back(s.value);
    result.slot.push_back(newton.jacobian.slot(s.row, s.column));
    result.row.push_back(s.row);
    result.column.push_back(s.column);
  }
  return result;
}

/// On ℝⁿ the derivatives of P and W are those of L themselves.
void Stages::make_blocks() {
  Rows& rows = vector_rows_;
  rows.row_W = &k.row_D;
  rows.W_X = block(both_triangles(f.second, 0, 0, n));
  rows.P_H = block(both_triangles(f.second, n, n, n));
  rows.P_X = block(both_triangles(f.second, n, 0, n));
  rows.W_H = block(both_triangles(f.second, 0, n, n));
  if (f.acts()) {
    rows.force_q = block(columns_of(f.acting_pattern(), 0, n));
    rows.force_v = block(columns_of(f.acting_pattern(), n, n));
  }
  if (d > 0) rows.curvature = block(both_triangles(f.curvature_pattern, 0, 0, n));
}

void Stages::make_chart_blocks() {
  vector_rows_.row_W = &k.row_D;
  curved_rows_.row_W = &k.row_W;
  for (const ChartBlocks::Pair& pair : blocks_->pairs()) {
    PatternBlock& rows = (pair.row.curved < 0 ? vector_rows_ : curved_rows_).P_X;
    for (int i = 0; i < pair.row.dof; ++i)
      for (int j = 0; j < pair.column.dof; ++j) {
        rows.value.push_back(pair.at + i * pair.column.dof + j);
        rows.slot.push_back(newton.jacobian.slot(pair.row.degree + i, pair.column.degree + j));
      }
  }
  for (Rows* rows : {&vector_rows_, &curved_rows_}) rows->P_H = rows->W_X = rows->W_H = rows->P_X;
  blocks_of_points_.assign(sz(m) * 4 * sz(blocks_->size()), 0.0);
  dm_.assign(sz(r), std::vector<double>(sz(blocks_->size()), 0.0));
  moved_.assign(sz(m * n), 0.0);
  potential_.assign(sz(n), 0.0);
  end_momentum_ = potential_;
}

}  // namespace varia::detail
