// SPDX-License-Identifier: BSD-3-Clause
#include "step_evaluation.hpp"

#include <algorithm>

#include "varia/core/index.hpp"

namespace varia::detail {

/// The numbers of a step by degree of freedom; 0 in the place of points.
void put_node(const double* node, const NodeLayout& layout, int n, int entries, double* out) {
  std::fill(out, out + n, 0.0);
  std::copy(node + entries, node + layout.entries(), out + n);
}

StepEvaluation& StepEvaluation::at(const double* x, const double* w, const double* y) {
  const ControlSizes& z = parts_.sizes;
  q0_ = x;
  q1_ = y + kind_.inner;
  values_.resize(sz(kind_.sizes().variables()));
  put_node(x, kind_.start, z.n, z.entries, values_.data());
  std::copy(w, w + kind_.inputs, values_.data() + kind_.w());
  std::copy(y, y + kind_.inner, values_.data() + kind_.y());
  put_node(q1_, kind_.end, z.n, z.entries, values_.data() + kind_.x1());
  return *this;
}

void StepEvaluation::run(const Eigen::VectorXd& rho, const Eigen::VectorXd& z, ChainOrder order,
                         ChainStep& out) {
  const ChainStepSizes s = kind_.sizes();
  const int rows = s.y + s.g;
  out.cost = 0.0;
  all_rows_.setZero(rows);
  if (order != ChainOrder::values) {
    out.gradient.setZero(s.variables());
    all_slopes_.setZero(rows, s.variables());
  }
  if (order == ChainOrder::all) {
    out.hessian.setZero(s.variables(), s.variables());
    multipliers_.resize(rows);
    multipliers_ << rho, z;
  }
  for (const PieceUse& use : kind_.uses) add(use, order, out);
  for (const LinearRow& row : kind_.linear) {
    all_rows_[row.row] += row.factor * values_[sz(row.place)];
    if (order != ChainOrder::values) all_slopes_(row.row, row.place) += row.factor;
  }
  out.rows = all_rows_.head(s.y);
  out.inequalities = all_rows_.tail(s.g);
  if (order == ChainOrder::values) return;
  out.jacobian = all_slopes_.topRows(s.y);
  out.inequality_slopes = all_slopes_.bottomRows(s.g);
  if (order == ChainOrder::all)
    out.hessian.triangularView<Eigen::StrictlyUpper>() = out.hessian.transpose();
}

void StepEvaluation::add(const PieceUse& use, ChainOrder order, ChainStep& out) {
  const Piece& piece = use.piece->piece;
  gather(use);
  const int rows = piece.multipliers();
  const int variables = piece.variables();
  const bool sloped = order != ChainOrder::values;
  const int slopes = sloped ? variables + piece.jacobian.size() : 0;
  output_.resize(sz(1 + rows + slopes));
  (sloped ? piece.slopes : piece.values)(input_.data(), output_.data());
  const double* value = output_.data();
  out.cost += *value++;
  for (int i = 0; i < rows; ++i, ++value)
    for (const LinearTerm& r : use.rows[sz(i)]) all_rows_[r.place] += r.factor * *value;
  if (!sloped) return;
  for (int i = 0; i < variables; ++i, ++value)
    for (const LinearTerm& v : use.variables[sz(i)]) out.gradient[v.place] += v.factor * *value;
  for (int e = 0; e < piece.jacobian.size(); ++e, ++value)
    for (const LinearTerm& r : use.rows[sz(piece.jacobian.row[sz(e)])])
      for (const LinearTerm& v : use.variables[sz(piece.jacobian.column[sz(e)])])
        all_slopes_(r.place, v.place) += r.factor * v.factor * *value;
  if (order == ChainOrder::all) add_hessian(use, out);
}

/// Into the lower triangle.
void StepEvaluation::add_hessian(const PieceUse& use, ChainStep& out) {
  const Piece& piece = use.piece->piece;
  for (int i = 0; i < piece.multipliers(); ++i) {
    double sum = 0.0;
    for (const LinearTerm& r : use.rows[sz(i)]) sum += r.factor * multipliers_[r.place];
    input_[sz(piece.constants() + piece.variables() + i)] = sum;
  }
  output_.resize(sz(piece.hessian.size()));
  piece.second(input_.data(), output_.data());
  for (int e = 0; e < piece.hessian.size(); ++e) {
    const double value = output_[sz(e)];
    const int i = piece.hessian.row[sz(e)];
    const int j = piece.hessian.column[sz(e)];
    for (const LinearTerm& a : use.variables[sz(i)])
      for (const LinearTerm& b : use.variables[sz(j)]) {
        if (i == j && b.place > a.place) continue;  // the pair comes the other way round too
        const double product = a.factor * b.factor * value;
        out.hessian(std::max(a.place, b.place), std::min(a.place, b.place)) +=
            i != j && a.place == b.place ? 2.0 * product : product;
      }
  }
}

void StepEvaluation::gather(const PieceUse& use) {
  const Piece& piece = use.piece->piece;
  input_.assign(sz(piece.constants() + piece.variables() + piece.multipliers()), 0.0);
  double* to = input_.data();
  *to++ = step_;
  *to++ = use.c;
  *to++ = use.b;
  const int entries = parts_.sizes.entries;
  to = std::copy(q0_, q0_ + entries, to);
  if (piece.constants() > PieceConstants::points + entries) to = std::copy(q1_, q1_ + entries, to);
  for (const auto& terms : use.variables) {
    double sum = 0.0;
    for (const LinearTerm& v : terms) sum += v.factor * values_[sz(v.place)];
    *to++ = sum;
  }
}

}  // namespace varia::detail
