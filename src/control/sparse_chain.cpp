// SPDX-License-Identifier: BSD-3-Clause
#include "sparse_chain.hpp"

#include <algorithm>
#include <cmath>
#include <random>

#include "chain_values.hpp"
#include "varia/core/error.hpp"
#include "varia/core/index.hpp"

namespace varia::detail {

using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

constexpr int sampled_points = 2;  ///< beside the guess
constexpr double sample_size = 0.3;
constexpr double sum_error = 1e-12;  ///< of a move that is a sum

class Samples {
 public:
  VectorXd operator()(Eigen::Index count, double size) {
    VectorXd x(count);
    for (double& number : x)
      number = size * (2.0 * (static_cast<double>(generator_()) / 4294967295.0) - 1.0);
    return x;
  }

 private:
  std::mt19937 generator_{1};
};

void require_vector(const VectorXd& from, const VectorXd& d, const VectorXd& to) {
  if (from.size() == d.size() &&
      largest(to - from - d) <= sum_error * (1.0 + largest(from) + largest(d)))
    return;
  throw InvalidArgument(
      "Ipopt needs coordinates in which states are vectors, and a state of this problem lies on a "
      "manifold: take the solver of Varia");
}

void require_vectors(const ChainProblem& problem, const ChainPoint& guess) {
  Samples samples;
  VectorXd moved;
  VectorXd d = samples(problem.sizes(0).x, sample_size);
  problem.move_start(guess.x0, d, 1.0, moved);
  require_vector(guess.x0, d, moved);
  for (int k = 0; k < problem.steps(); ++k) {
    d = samples(problem.sizes(k).y, sample_size);
    problem.move_step(k, guess.y[sz(k)], d, 1.0, moved);
    require_vector(guess.y[sz(k)], d, moved);
  }
}

/// f(i, j) for the entries that a pattern has, column by column.
template <class P, class F> void for_each_place(const P& pattern, const F& f) {
  for (Eigen::Index j = 0; j < pattern.cols(); ++j)
    for (Eigen::Index i = 0; i < pattern.rows(); ++i)
      if (pattern(i, j)) f(static_cast<int>(i), static_cast<int>(j));
}

}  // namespace

SparseChain::SparseChain(const ChainProblem& problem, const ChainPoint& guess) : problem_(problem) {
  require_vectors(problem, guess);
  lay_out();
  learn(guess);
}

void SparseChain::lay_out() {
  const int count = problem_.steps();
  blocks_.resize(sz(count) + 2);
  blocks_[0].columns = problem_.sizes(0).x;
  blocks_[0].rows = problem_.start_rows();
  int variable = 0, row = blocks_[0].rows;
  for (int k = 0; k <= count; ++k) {
    Block& block = blocks_[sz(k) + 1];
    block.variable = variable;
    block.row = row;
    if (k < count) {
      const ChainStepSizes size = problem_.sizes(k);
      block.columns = size.variables();
      block.rows = size.y + size.g;
      variable += block.columns - (k + 1 < count ? problem_.sizes(k + 1).x : problem_.end_size());
    } else {
      block.columns = problem_.end_size();
      block.rows = problem_.end_rows();
    }
    row += block.rows;
  }
  variables_ = variable + problem_.end_size();
  rows_ = row;
  for (Block& block : blocks_) {
    block.jacobian_pattern = Pattern::Constant(block.rows, block.columns, false);
    block.hessian_pattern = Pattern::Constant(block.columns, block.columns, false);
  }
}

/// Sums may cancel and factors vanish at the guess, not at points beside it with multipliers at random.
void SparseChain::learn(const ChainPoint& guess) {
  Samples samples;
  const VectorXd from = flat(guess);
  for (int i = 0; i <= sampled_points; ++i) {
    at_ = point(from + samples(variables_, i == 0 ? 0.0 : sample_size));
    const VectorXd lambda = samples(rows_, 1.0);
    evaluate_blocks(lambda.data(), 1.0, ChainOrder::all);
    for (Block& block : blocks_) {
      grow(block.jacobian_pattern, block.jacobian, false);
      grow(block.hessian_pattern, block.hessian, true);
    }
  }
  settle();
}

void SparseChain::settle() {
  jacobian_count_ = hessian_count_ = 0;
  for (const Block& block : blocks_) {
    jacobian_count_ += static_cast<int>(block.jacobian_pattern.count());
    hessian_count_ += static_cast<int>(block.hessian_pattern.count());
  }
  grown_ = known_ = false;
}

void SparseChain::grow(Pattern& pattern, const MatrixXd& entries, bool lower) {
  if (entries.size() == 0) return;
  for (Eigen::Index j = 0; j < pattern.cols(); ++j)
    for (Eigen::Index i = lower ? j : 0; i < pattern.rows(); ++i)
      if (entries(i, j) != 0.0 && !pattern(i, j)) pattern(i, j) = grown_ = true;
}

ChainBounds SparseChain::bounds() const {
  ChainBounds all{VectorXd::Constant(variables_, -HUGE_VAL),
                  VectorXd::Constant(variables_, HUGE_VAL)};
  for (int k = 0; k < problem_.steps(); ++k) {
    const ChainStepSizes size = problem_.sizes(k);
    const ChainBounds inputs = problem_.input_bounds(k);
    all.lower.segment(first_variable(k) + size.x, size.w) = inputs.lower;
    all.upper.segment(first_variable(k) + size.x, size.w) = inputs.upper;
  }
  return all;
}

ChainBounds SparseChain::row_bounds() const {
  ChainBounds all{VectorXd::Zero(rows_), VectorXd::Zero(rows_)};
  for (int k = 0; k < problem_.steps(); ++k) {
    const ChainStepSizes size = problem_.sizes(k);
    const ChainBounds limits = problem_.inequality_bounds(k);
    all.lower.segment(first_row(k) + size.y, size.g) = limits.lower;
    all.upper.segment(first_row(k) + size.y, size.g) = limits.upper;
  }
  return all;
}

VectorXd SparseChain::flat(const ChainPoint& at) const {
  VectorXd x(variables_);
  x.head(at.x0.size()) = at.x0;
  for (int k = 0; k < problem_.steps(); ++k) {
    const int first = first_variable(k) + problem_.sizes(k).x;
    x.segment(first, at.w[sz(k)].size() + at.y[sz(k)].size()) << at.w[sz(k)], at.y[sz(k)];
  }
  return x;
}

ChainPoint SparseChain::point(const VectorXd& x) const {
  ChainPoint at;
  at.x0 = x.head(problem_.sizes(0).x);
  for (int k = 0; k < problem_.steps(); ++k) {
    const ChainStepSizes size = problem_.sizes(k);
    const int first = first_variable(k) + size.x;
    at.w.emplace_back(x.segment(first, size.w));
    at.y.emplace_back(x.segment(first + size.w, size.y));
  }
  return at;
}

void SparseChain::jacobian_places(int* row, int* column) const {
  for (const Block& block : blocks_)
    for_each_place(block.jacobian_pattern, [&](int i, int j) {
      *row++ = block.row + i;
      *column++ = block.variable + j;
    });
}

void SparseChain::hessian_places(int* row, int* column) const {
  for (const Block& block : blocks_)
    for_each_place(block.hessian_pattern, [&](int i, int j) {
      *row++ = block.variable + i;
      *column++ = block.variable + j;
    });
}

void SparseChain::evaluate_step(int k, const VectorXd& lambda, ChainOrder order, Block& out) {
  const ChainStepSizes size = problem_.sizes(k);
  if (order == ChainOrder::all)
    problem_.evaluate(k, at_, lambda.head(size.y), lambda.tail(size.g), order, step_);
  else
    problem_.evaluate(k, at_, {}, {}, order, step_);
  out.cost = step_.cost;
  out.values.resize(out.rows);
  out.values << step_.rows, step_.inequalities;
  if (order == ChainOrder::values) return;
  out.gradient = step_.gradient;
  out.jacobian.resize(out.rows, out.columns);
  out.jacobian.topRows(size.y) = step_.jacobian;
  if (size.g > 0) out.jacobian.bottomRows(size.g) = step_.inequality_slopes;
  if (order == ChainOrder::all) out.hessian = step_.hessian;
}

/// With second derivatives of f + ⟨λ/factor, c⟩.
void SparseChain::evaluate_blocks(const double* lambda, double factor, ChainOrder order) {
  VectorXd part;
  const auto multipliers = [&](const Block& block) -> const VectorXd& {
    if (order == ChainOrder::all)
      part = Map<const VectorXd>(lambda + block.row, block.rows) / factor;
    return part;
  };
  const auto take = [&](Block& block) {
    block.cost = end_.cost;
    block.values = end_.rows;
    if (order == ChainOrder::values) return;
    block.gradient = end_.gradient;
    block.jacobian = end_.jacobian;
    if (order == ChainOrder::all) block.hessian = end_.hessian;
  };
  problem_.evaluate_start(at_, multipliers(blocks_.front()), order, end_);
  take(blocks_.front());
  for (int k = 0; k < problem_.steps(); ++k) {
    Block& block = blocks_[sz(k) + 1];
    evaluate_step(k, multipliers(block), order, block);
  }
  problem_.evaluate_end(at_, multipliers(blocks_.back()), order, end_);
  take(blocks_.back());
  finite_ = std::all_of(blocks_.begin(), blocks_.end(), [&](const Block& b) {
    if (!std::isfinite(b.cost) || !b.values.allFinite()) return false;
    if (order == ChainOrder::values) return true;
    return b.gradient.allFinite() && b.jacobian.allFinite() &&
           (order != ChainOrder::all || b.hessian.allFinite());
  });
}

bool SparseChain::evaluate(const double* x, ChainOrder order) {
  if (grown_) return false;
  const Map<const VectorXd> here(x, variables_);
  if (known_ && order <= order_ && here == x_) return finite_;
  x_ = here;
  at_ = point(x_);
  evaluate_blocks(nullptr, 1.0, order);
  order_ = order;
  known_ = true;
  return finite_;
}

bool SparseChain::cost(const double* x, double& out) {
  if (!evaluate(x, ChainOrder::values)) return false;
  out = 0.0;
  for (const Block& block : blocks_) out += block.cost;
  return true;
}

bool SparseChain::gradient(const double* x, double* out) {
  if (!evaluate(x, ChainOrder::slopes)) return false;
  Map<VectorXd> sum(out, variables_);
  sum.setZero();
  for (const Block& block : blocks_)
    if (block.gradient.size() > 0) sum.segment(block.variable, block.columns) += block.gradient;
  return true;
}

bool SparseChain::values(const double* x, double* out) {
  if (!evaluate(x, ChainOrder::values)) return false;
  for (const Block& block : blocks_) Map<VectorXd>(out + block.row, block.rows) = block.values;
  return true;
}

bool SparseChain::jacobian(const double* x, double* out) {
  if (!evaluate(x, ChainOrder::slopes)) return false;
  for (Block& block : blocks_) grow(block.jacobian_pattern, block.jacobian, false);
  if (grown_) return false;
  for (const Block& block : blocks_)
    for_each_place(block.jacobian_pattern, [&](int i, int j) { *out++ = block.jacobian(i, j); });
  return true;
}

/// Problems give that of f + ⟨λ, c⟩; where f is left out it is a difference.
bool SparseChain::hessian(const double* x, double factor, const double* lambda, double* out) {
  if (grown_) return false;
  x_ = Map<const VectorXd>(x, variables_);
  at_ = point(x_);
  std::vector<MatrixXd> of_cost;
  if (factor == 0.0) {
    const VectorXd none = VectorXd::Zero(rows_);
    evaluate_blocks(none.data(), 1.0, ChainOrder::all);
    for (const Block& block : blocks_) of_cost.push_back(block.hessian);
  }
  const double scale = factor == 0.0 ? 1.0 : factor;
  evaluate_blocks(lambda, scale, ChainOrder::all);
  order_ = ChainOrder::all;
  known_ = true;
  if (!finite_) return false;
  for (std::size_t b = 0; b < of_cost.size(); ++b) blocks_[b].hessian -= of_cost[b];
  for (Block& block : blocks_) grow(block.hessian_pattern, block.hessian, true);
  if (grown_) return false;
  for (const Block& block : blocks_)
    for_each_place(block.hessian_pattern,
                   [&](int i, int j) { *out++ = scale * block.hessian(i, j); });
  return true;
}

}  // namespace varia::detail
