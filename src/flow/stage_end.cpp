// SPDX-License-Identifier: BSD-3-Clause
// The end of a step, (balance), from the solution of its equations. Where the last step of Newton's method was
// short, the impulse follows it by the derivatives at hand instead of a further evaluation.
#include "short_sums.hpp"
#include "stage_sums.hpp"
#include "stages.hpp"
#include "varia/core/round_off.hpp"
#include "varia/flow/failure.hpp"

namespace varia::detail {

/// out ← out - weight A x, A row by row.
template <int N>
void subtract_product(const double* A, const Eigen::Array<double, N, 1>& x, double weight,
                      double* out) {
  for (int a = 0; a < N; ++a) {
    double sum = 0.0;
    for (int b = 0; b < N; ++b) sum += A[a * N + b] * x[b];
    out[a] -= weight * sum;
  }
}

/// The impulse of the last evaluation becomes that of the solution by way of the last step of Newton's
/// method, on ℝⁿ: it was short enough for the derivatives at hand.
template <int N> void Stages::correct_impulse() {
  const double* const step = newton.residual.data();  // was subtracted
  double* const out = impulse_.lo.data();
  if constexpr (N > 0) {
    const double* blocks = blocks_of_points_.data();
    for (int i = 0; i < m; ++i, blocks += 4 * N * N) {
      const double weight = h_ * k.b.hi[sz(i)];
      subtract_product<N>(blocks + 2 * N * N, part_of_sum<N>(&k.A.hi[at(i, 0)], 1, step, N, r),
                          h_ * weight, out);
      if (!dense_->mixed()) continue;
      subtract_product<N>(blocks + 3 * N * N, part_of_sum<N>(&k.B.hi[at(i, 0)], 1, step, N, r),
                          weight, out);
    }
    return;
  }
  const auto subtract = [&](const PatternBlock& block, const double* values, double weight) {
    for (std::size_t e = 0; e < block.slot.size(); ++e)
      out[block.row[e]] -= weight * (values[block.value[e]] * along_step_[sz(block.column[e])]);
  };
  for (int i = 0; i < m; ++i) {
    const double* const values = seconds_.data() + i * second_size_ + 2 * n;
    const std::size_t force = sz(i * force_size_ + n);
    const double weight = h_ * k.b.hi[sz(i)];
    sum_of(&k.A.hi[at(i, 0)], 1, step, n, r, n, along_step_.data());
    subtract(vector_rows_.W_X, values, h_ * weight);
    if (f.forced) subtract(vector_rows_.force_q, forces_.data() + force, h_ * weight);
    sum_of(&k.B.hi[at(i, 0)], 1, step, n, r, n, along_step_.data());
    subtract(vector_rows_.W_H, values, weight);
    if (f.forced) subtract(vector_rows_.force_v, forces_.data() + force, weight);
  }
}

/// out ← out - weight A x of a block of rows and columns.
void subtract_block(const ChartBlocks::Pair& pair, const double* A, const double* x, double weight,
                    double* out) {
  const int columns = pair.column.dof;
  for (int b = 0; b < pair.row.dof; ++b)
    out[pair.row.degree + b] -=
        weight * dot(A + b * columns, 1, x + pair.column.degree, 1, columns);
}

/// As correct_impulse, with curved factors: m changes by ∂m/∂u there, and by ∂W elsewhere.
void Stages::correct_pulled_impulse() {
  const double* const step = newton.residual.data();  // was subtracted
  double* const out = impulse_.lo.data();
  const auto& pairs = blocks_->pairs();
  const std::size_t first = blocks_->first_curved_pair();
  for (std::size_t q = first; q < pairs.size(); ++q)
    for (int l = 0; l < r; ++l)
      subtract_block(pairs[q], dm_[sz(l)].data() + pairs[q].at, step + l * n, 1.0, out);
  if (first == 0) return;
  const Derivatives values = derivatives();
  for (int i = 0; i < m; ++i) {
    const double weight = h_ * k.b.hi[sz(i)];
    const auto subtract = [&](const SplitArray& coefficients, const double* blocks, double factor) {
      sum_of(&coefficients.hi[at(i, 0)], 1, step, n, r, n, along_step_.data());
      for (std::size_t q = 0; q < first; ++q)
        subtract_block(pairs[q], blocks + i * values.stride + pairs[q].at, along_step_.data(),
                       factor, out);
    };
    subtract(k.A, values.W_X, h_ * weight);
    subtract(k.B, values.W_H, weight);
  }
}

void Stages::finish(double last_update) {
  keep_low_ = false;
  // what the last step changed counts, however little: it is the same share of the motion in every step
  const bool moved = d > 0 || f.e > 0 || momenta_ != nullptr || last_update > 4 * eps;
  const bool linear =
      linear_ && inner == 0 && momenta_ == nullptr && f.e == 0 && (curved_.empty() || d == 0);
  if (moved && !linear) evaluate_points();
  with_size([&]<int N>() {
    if (!moved || linear || !ends_in_equations()) combine<N>(k.beta, 0, xi_);
    if (linear && !curved_.empty()) return correct_pulled_impulse();
    if (linear || !ends_in_equations()) sum_impulse<N>();
    if (linear) correct_impulse<N>();
  });
}

void Stages::end_step(VectorState& s) {
  for (int a = 0; a < n; ++a) {
    s.q_rest[a] += xi_.lo[sz(a)];
    s.p_rest[a] += impulse_.lo[sz(a)];
  }
  f.space.update(s.q.data(), s.q_rest.data(), s.p.data(), s.p_rest.data(), xi_.hi.data(),
                 impulse_.hi.data(), tau_);
  compensated_add(s.t, s.t_rest, h_);
  if (rolling_ != nullptr) {
    end_rolling(s);
  } else if (reactions_at_ends() > 0) {
    double* const v = &point1_[1];
    for (int a = 0; a < n; ++a) v[a] = xi_.hi[sz(a)] / h_;
    end_.make_tangent(f, s, h_, v, weight1_);
  }
  if (f.rheonomic()) work_ -= weight0_ * dot(multiplier(0), 1, rate0_.data(), 1, d);
  if (f.rheonomic() && rolling_ == nullptr)
    work_ -= weight1_ * dot(s.lambda.data(), 1, end_.rate(), 1, d);
  if (middle_ != nullptr) end_middle(s);
  if (!s.p.allFinite()) overflow(s.t - h_, h_);
}

double Stages::action() {
  double sum = 0.0;
  for (int i = 0; i < m; ++i) {
    place<0>(i);
    double term = 0.0;
    f.value(x_.data(), &term);
    if (momenta_ != nullptr) term = dot(&x_[sz(1 + n)], 1, momenta_->velocity.data(), 1, n) - term;
    sum += k.b.hi[sz(i)] * term;
  }
  return h_ * sum;
}

}  // namespace varia::detail
