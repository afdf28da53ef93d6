// SPDX-License-Identifier: BSD-3-Clause
#include "flat_stages.hpp"

#include <algorithm>
#include <cmath>

#include "varia/core/round_off.hpp"
#include "varia/flow/failure.hpp"
#include "varia/space/euclidean.hpp"

namespace varia::detail {

// ---------------------------------------------------------------- set-up

FlatStages::FlatStages(const FlatSystem& system, const StageCoefficients& coefficients,
                       const std::vector<int>& left_out)
    : f(system),
      k(coefficients),
      n(system.n),
      r(coefficients.unknowns),
      m(coefficients.points),
      d(system.d),
      inner(system.d > 0 && coefficients.ends ? coefficients.points - 2 : 0),
      left_out_(static_cast<std::size_t>(system.d), 0) {
  for (const int a : left_out) left_out_[sz(a)] = 1;
  const int size = r * n + d * (d > 0 ? inner + 1 : 0);
  newton.resize_vectors(size, r * n);
  newton.jacobian.resize(couplings());
  predictor.resize(size);
  make_blocks();
  for (SplitVector* v : {&xi_, &impulse_, &displacement_, &row_}) v->resize(n);
  x_.assign(sz(1 + 2 * n), 0.0);
  second_.assign(sz(2 * n + f.second.size()), 0.0);
  force_.assign(sz(n + f.force_pattern.size()), 0.0);
  P_.assign(sz(m * n), 0.0);
  W_ = P_;
  kappa_rest_.assign(sz(n), 0.0);
  if (d > 0) {
    phi_.assign(sz(d + f.constraint_pattern.size()), 0.0);
    phi0_ = phi_;
    phi1_ = phi_;
    curve_.assign(sz(f.curvature_pattern.size()), 0.0);
    q1_.assign(sz(n), 0.0);
    lambda_point_.assign(sz(n + d), 0.0);
    rest_.assign(sz(n), 0.0);
    end_.resize(f, left_out_);
  }
}

Couplings FlatStages::couplings() const {
  Couplings c;
  for (int a = 0; a < n; ++a) {
    c.groups.emplace_back();
    for (int j = 0; j < r; ++j) c.groups.back().push_back(j * n + a);
  }
  for (int a = 0; a < d; ++a) {
    c.groups.emplace_back();
    for (int i = 0; i <= inner; ++i) c.groups.back().push_back(r * n + i * d + a);
  }
  for (const int row0 : {0, n})
    for (const int column0 : {0, n}) meet(both_triangles(f.second, row0, column0, n), c);
  if (f.forced)
    for (const int column0 : {0, n}) meet(columns_of(f.force_pattern, column0, n), c);
  if (d > 0) {
    meet(both_triangles(f.curvature_pattern, 0, 0, n), c);
    meet_constraints(f, c);
  }
  return c;
}

Block FlatStages::block(const std::vector<Scatter>& places) const {
  Block result;
  for (const Scatter& s : places) {
    result.value.push_back(s.value);
    result.slot.push_back(newton.jacobian.slot(s.row, s.column));
  }
  return result;
}

void FlatStages::make_blocks() {
  // the stage values of a coordinate stand next to each other: blocks are at constant distances
  if (r > 1) {
    row_stride_ = newton.jacobian.slot(n, 0) - newton.jacobian.slot(0, 0);
    column_stride_ = newton.jacobian.slot(0, n) - newton.jacobian.slot(0, 0);
  }
  qq_ = block(both_triangles(f.second, 0, 0, n));
  vv_ = block(both_triangles(f.second, n, n, n));
  vq_ = block(both_triangles(f.second, n, 0, n));
  qv_ = block(both_triangles(f.second, 0, n, n));
  if (f.forced) {
    force_q_ = block(columns_of(f.force_pattern, 0, n));
    force_v_ = block(columns_of(f.force_pattern, n, n));
  }
  if (d > 0) curvature_ = block(both_triangles(f.curvature_pattern, 0, 0, n));
}

// ---------------------------------------------------------------- evaluation

void FlatStages::begin(const FlatState& s, double h) {
  start_ = &s;
  h_ = h;
  if (d == 0) return;
  weight0_ = h * (k.ends ? k.b.hi[0] : 0.5);
  weight1_ = h * (k.ends ? k.b.hi[sz(m - 1)] : 0.5);
  f.constraint(s.q.data(), phi0_.data());
}

void FlatStages::guess(const double* v) {
  for (int j = 0; j < r; ++j) std::copy(v, v + n, &newton.x[sz(j * n)]);
  for (std::size_t i = sz(r * n); i < newton.x.size(); ++i)
    newton.x[i] = start_->lambda[static_cast<Eigen::Index>((i - sz(r * n)) % sz(d))];
}

/// h Σⱼ aⱼuⱼ; see StageEquations::combine for why h multiplies the sum.
void FlatStages::combine(const SplitArray& a, int row, SplitVector& sum) const {
  double* const hi = sum.hi.data();
  double* const lo = sum.lo.data();
  const double* const a_hi = &a.hi[at(row, 0)];
  const double* const a_lo = &a.lo[at(row, 0)];
  const double* const u = newton.x.data();
  for (int b = 0; b < n; ++b) {
    double large = 0.0;
    double small = 0.0;
    for (int j = 0; j < r; ++j) {
      large += a_hi[j] * u[j * n + b];
      small += a_lo[j] * u[j * n + b];
    }
    hi[b] = large * h_;
    lo[b] = small * h_;
  }
}

/// rest_ ← what rounding took from q = q₀ + displacement. A long chain has large coordinates and
/// constraints on their small differences: φ(q) + G(q) rest is exact where φ(q) has lost digits.
void FlatStages::lost_in_sum(const SplitVector& displacement, const double* q) {
  for (int a = 0; a < n; ++a)
    rest_[sz(a)] = (displacement.hi[sz(a)] - (q[a] - start_->q[a])) +
                   (displacement.lo[sz(a)] + start_->q_rest[a]);
}

/// φ + G rest
void FlatStages::add_rest(double* phi) const {
  const double* const g = phi + d;
  for (int e = 0; e < f.constraint_pattern.size(); ++e)
    phi[f.constraint_pattern.row[sz(e)]] += g[e] * rest_[sz(f.constraint_pattern.column[sz(e)])];
}

/// x_ ← (t, Qⁱ, Vⁱ)
void FlatStages::place(int i) {
  combine(k.A, i, displacement_);
  x_[0] = start_->t + (start_->t_rest + h_ * k.c.hi[sz(i)]);
  double* const q = &x_[1];
  double* const v = q + n;
  for (int a = 0; a < n; ++a)
    q[a] = start_->q[a] + (displacement_.hi[sz(a)] + (displacement_.lo[sz(a)] + start_->q_rest[a]));
  if (inner > 0) lost_in_sum(displacement_, q);
  if (k.nodal) {
    std::copy(unknown(i), unknown(i) + n, v);
    return;
  }
  for (int a = 0; a < n; ++a) {
    double sum = 0.0;
    for (int j = 0; j < r; ++j)
      sum += k.B.hi[at(i, j)] * unknown(j)[a] + k.B.lo[at(i, j)] * unknown(j)[a];
    v[a] = sum;
  }
}

template <bool second> void FlatStages::evaluate_lagrangian() {
  if constexpr (second)
    f.hessian(x_.data(), second_.data());
  else
    f.gradient(x_.data(), second_.data());
}

template <bool second> void FlatStages::evaluate_force() {
  if constexpr (second)
    f.force_derivative(x_.data(), force_.data());
  else
    f.force(x_.data(), force_.data());
  for (int a = 0; a < n; ++a) second_[sz(a)] += force_[sz(a)];
}

/// out += w Gᵀλ; the result is the largest term, whose round-off no residual can be below.
double FlatStages::add_reaction(const double* g, const double* lambda, double weight,
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
void FlatStages::add_curvature_rest(double* out) const {
  for (int e = 0; e < f.curvature_pattern.size(); ++e) {
    const int i = f.curvature_pattern.row[sz(e)];
    const int j = f.curvature_pattern.column[sz(e)];
    out[i] += curve_[sz(e)] * rest_[sz(j)];
    if (i != j) out[j] += curve_[sz(e)] * rest_[sz(i)];
  }
}

/// Gᵀλ at an inner quadrature point, and the equation φ = 0 there.
void FlatStages::add_constraint(int i) {
  inside_ = inner > 0 && i > 0 && i < m - 1;
  if (!inside_) return;
  const double* const q = &x_[1];
  f.constraint(q, phi_.data());
  largest_reaction_ =
      std::max(largest_reaction_,
               std::abs(h_) * add_reaction(phi_.data() + d, multiplier(i), 1.0, second_.data()));
  std::copy(q, q + n, lambda_point_.begin());
  std::copy(multiplier(i), multiplier(i) + d, lambda_point_.begin() + n);
  f.constraint_curvature(lambda_point_.data(), curve_.data());
  add_curvature_rest(second_.data());
  add_rest(phi_.data());
  std::copy(phi_.begin(), phi_.begin() + d, &newton.residual[sz(r * n + (i - 1) * d)]);
}

/// λ = 0 instead of φ = 0 for the constraints that are left out.
void FlatStages::replace_left_out(int row0, int column0, bool fresh) {
  for (int a = 0; a < d; ++a) {
    if (!left_out_[sz(a)]) continue;
    newton.residual[sz(row0 + a)] = newton.x[sz(column0 + a)];
    if (fresh) newton.jacobian.data()[newton.jacobian.slot(row0 + a, column0 + a)] = 1.0;
  }
}

template <bool second> void FlatStages::point(int i) {
  place(i);
  evaluate_lagrangian<second>();
  if (f.forced) evaluate_force<second>();
  if (d > 0) add_constraint(i);
  double* const W = &W_[sz(i * n)];
  double* const P = &P_[sz(i * n)];
  const double b_hi = k.b.hi[sz(i)];
  const double b_lo = k.b.lo[sz(i)];
  for (int a = 0; a < n; ++a) {
    W[a] = second_[sz(a)];
    P[a] = second_[sz(n + a)];
    impulse_.hi[sz(a)] += b_hi * W[a];
    impulse_.lo[sz(a)] += b_lo * W[a];
  }
  if constexpr (second) add_jacobian(i);
}

/// ∂/∂u_k of row_P Pⁱ + h row_D Wⁱ
void FlatStages::add_jacobian(int i) {
  const double* const values = second_.data() + sz(2 * n);
  const double* const forces = force_.data() + n;
  double* const a = newton.jacobian.data();
  for (int j = 0; j < r; ++j) {
    const double p = k.row_P.hi[at(i, j)];
    const double c = h_ * k.row_D.hi[at(i, j)];
    for (int l = 0; l < r; ++l) {
      const double x = h_ * k.A.hi[at(i, l)];
      const double y = k.B.hi[at(i, l)];
      double* const place = a + sz(j) * row_stride_ + sz(l) * column_stride_;
      if (c * x != 0.0) {
        qq_.add(place, c * x, values);
        if (f.forced) force_q_.add(place, c * x, forces);
        if (inside_) curvature_.add(place, c * x, curve_.data());
      }
      if (p * y != 0.0) vv_.add(place, p * y, values);
      if (p * x != 0.0) vq_.add(place, p * x, values);
      if (c * y != 0.0) {
        qv_.add(place, c * y, values);
        if (f.forced) force_v_.add(place, c * y, forces);
      }
    }
  }
  if (!inside_) return;
  // columns of λᵢ and rows of φ(Qⁱ)
  for (int e = 0; e < f.constraint_pattern.size(); ++e) {
    const double g = phi_[sz(d + e)];
    const int column = r * n + i * d + f.constraint_pattern.row[sz(e)];
    const int row = column - d;
    for (int j = 0; j < r; ++j) {
      const int u = j * n + f.constraint_pattern.column[sz(e)];
      a[newton.jacobian.slot(u, column)] += h_ * k.row_D.hi[at(i, j)] * g;
      if (!left_out_[sz(f.constraint_pattern.row[sz(e)])])
        a[newton.jacobian.slot(row, u)] += h_ * k.A.hi[at(i, j)] * g;
    }
  }
}

template <bool second> void FlatStages::points() {
  if constexpr (second) newton.jacobian.set_zero();
  combine(k.beta, 0, xi_);
  impulse_.set_zero();
  largest_reaction_ = 0.0;
  for (int i = 0; i < m; ++i) point<second>(i);
  for (int a = 0; a < n; ++a) {
    impulse_.hi[sz(a)] *= h_;
    impulse_.lo[sz(a)] *= h_;
  }
  if (d > 0) add_reaction(phi0_.data() + d, multiplier(0), weight0_, impulse_.lo.data());
}

/// Row j of (stage) minus βⱼκ, the small parts last.
void FlatStages::sum_row(int j) {
  double* const out = &newton.residual[sz(j * n)];
  const double* const kappa = start_->p.data();
  const double* const W = W_.data();
  const double* const P = P_.data();
  const double beta_hi = k.row_beta.hi[sz(j)];
  const double beta_lo = k.row_beta.lo[sz(j)];
  for (int a = 0; a < n; ++a) {
    double large = 0.0;
    double small = 0.0;
    for (int i = 0; i < m; ++i) {
      large += k.row_D.hi[at(i, j)] * W[i * n + a];
      small += k.row_D.lo[at(i, j)] * W[i * n + a];
    }
    if (k.nodal) {
      out[a] = ((P[j * n + a] - kappa[a]) + h_ * large) + (h_ * small - kappa_rest_[sz(a)]);
      continue;
    }
    double sum = -beta_hi * kappa[a];
    double low = -beta_hi * kappa_rest_[sz(a)] - beta_lo * kappa[a] + h_ * small;
    for (int i = 0; i < m; ++i) {
      sum += k.row_P.hi[at(i, j)] * P[i * n + a];
      low += k.row_P.lo[at(i, j)] * P[i * n + a];
    }
    out[a] = (sum + h_ * large) + low;
  }
}

void FlatStages::sum_rows() {
  std::copy(start_->p_rest.data(), start_->p_rest.data() + n, kappa_rest_.begin());
  double largest = largest_reaction_;
  if (d > 0)
    largest = std::max(largest,
                       add_reaction(phi0_.data() + d, multiplier(0), weight0_, kappa_rest_.data()));
  for (int j = 0; j < r; ++j) sum_row(j);
  for (int a = 0; a < n; ++a) largest = std::max(largest, std::abs(start_->p[a]));
  for (std::size_t i = 0; i < P_.size(); ++i)
    largest = std::max({largest, std::abs(P_[i]), std::abs(h_ * W_[i])});
  newton.magnitude = largest;
}

/// φ(q₁) = 0 and the columns of λ₀.
void FlatStages::end_rows(bool fresh) {
  for (int a = 0; a < n; ++a)
    q1_[sz(a)] = start_->q[a] + (xi_.hi[sz(a)] + (xi_.lo[sz(a)] + start_->q_rest[a]));
  f.constraint(q1_.data(), phi1_.data());
  lost_in_sum(xi_, q1_.data());
  add_rest(phi1_.data());
  const int row0 = r * n + inner * d;
  std::copy(phi1_.begin(), phi1_.begin() + d, &newton.residual[sz(row0)]);
  if (!fresh) return;
  double* const a = newton.jacobian.data();
  for (int e = 0; e < f.constraint_pattern.size(); ++e) {
    const int constraint = f.constraint_pattern.row[sz(e)];
    for (int j = 0; j < r; ++j) {
      const int u = j * n + f.constraint_pattern.column[sz(e)];
      if (!left_out_[sz(constraint)])
        a[newton.jacobian.slot(row0 + constraint, u)] += h_ * k.beta.hi[sz(j)] * phi1_[sz(d + e)];
      a[newton.jacobian.slot(u, r * n + constraint)] -=
          k.row_beta.hi[sz(j)] * (weight0_ * phi0_[sz(d + e)]);
    }
  }
}

void FlatStages::evaluate(bool fresh) {
  if (fresh)
    points<true>();
  else
    points<false>();
  sum_rows();
  if (d == 0) return;
  end_rows(fresh);
  for (int i = 1; i <= inner; ++i) replace_left_out(r * n + (i - 1) * d, r * n + i * d, fresh);
  replace_left_out(r * n + inner * d, r * n, fresh);
}

void FlatStages::finish(double last_update) {
  if (d > 0 || last_update > 4 * eps)
    points<false>();
  else
    combine(k.beta, 0, xi_);
}

void FlatStages::end_step(FlatState& s) {
  for (int a = 0; a < n; ++a) {
    s.q_rest[a] += xi_.lo[sz(a)];
    s.p_rest[a] += impulse_.lo[sz(a)];
    exact_add(s.q[a], s.q_rest[a], xi_.hi[sz(a)]);
    exact_add(s.p[a], s.p_rest[a], impulse_.hi[sz(a)]);
  }
  const double y = h_ + s.t_rest;
  const double sum = s.t + y;
  s.t_rest = y - (sum - s.t);
  s.t = sum;
  if (d > 0) {
    for (int a = 0; a < n; ++a) q1_[sz(a)] = xi_.hi[sz(a)] / h_;
    end_.make_tangent(f, s, h_, q1_.data(), weight1_);
  }
  if (!s.p.allFinite()) overflow(s.t - h_, h_);
}

}  // namespace varia::detail
