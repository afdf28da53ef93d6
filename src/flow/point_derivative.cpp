// SPDX-License-Identifier: BSD-3-Clause
#include "point_derivative.hpp"

#include "varia/core/index.hpp"

namespace varia::detail {

namespace {

void assign(std::vector<double>& to, const double* from, std::ptrdiff_t count) {
  if (from == nullptr)
    to.clear();
  else
    to.assign(from, from + count);
}

void assign(Eigen::MatrixXd& to, const double* from, int rows, int columns) {
  if (from == nullptr)
    to.resize(rows, 0);
  else
    to = Eigen::Map<const Eigen::MatrixXd>(from, rows, columns);
}

}  // namespace

Eigen::MatrixXd ad_star(const CurvedFactor& factor, const double* pi) {
  FactorChart::Map map;
  factor.ad_star(pi, map);
  return square(map, factor.dof());
}

Vn parameters_of(const PhaseVector& z, double t, int free) {
  Vn s = Vn::Zero(1 + free);
  s[0] = t;
  if (z.free.size() > 0) s.tail(free) = z.free;
  return s;
}

void add_parameters(const Vn& s, PhaseVector& z) {
  z.t += s[0];
  z.free += s.tail(z.free.size());
}

PointPatterns::PointPatterns(const KernelSystem& f)
    : qq(both_triangles(f.second, 0, 0, f.n)),
      qv(both_triangles(f.second, 0, f.n, f.n)),
      vq(both_triangles(f.second, f.n, 0, f.n)),
      vv(both_triangles(f.second, f.n, f.n, f.n)),
      force_q(columns_of(f.acting_pattern(), 0, f.n)),
      force_v(columns_of(f.acting_pattern(), f.n, f.n)),
      curvature(both_triangles(f.curvature_pattern, 0, 0, f.n)),
      constraint(columns_of(f.constraint_pattern, 0, f.n)),
      rolling_q(columns_of(f.nonholonomic_pattern, 0, f.n)),
      rolling_v(columns_of(f.nonholonomic_pattern, f.n, f.n)),
      hidden_q(columns_of(f.hidden_pattern, 0, f.n)),
      hidden_v(columns_of(f.hidden_pattern, f.n, f.n)) {}

void add_product(const std::vector<Scatter>& a, const double* values, const Vn& x, Vn& out) {
  for (const Scatter& s : a) out[s.row] += values[s.value] * x[s.column];
}

void add_transposed_product(const std::vector<Scatter>& a, const double* values, const Vn& x,
                            Vn& out) {
  for (const Scatter& s : a) out[s.column] += values[s.value] * x[s.row];
}

void PointDerivative::set(const Values& values, const std::vector<CurvedPlace>& curved) {
  const int n = f_->n;
  assign(second_, values.second, 2 * n + f_->second.size());
  assign(force_, values.force, n + f_->acting_pattern().size());
  assign(curvature_, values.curvature, f_->curvature_pattern.size());
  assign(constraint_, values.constraint, f_->constraint_pattern.size());
  assign(rates_, values.rates, 2 * n, 1 + f_->free);
  assign(constraint_rates_, values.constraint_rates, 2 * f_->d + n, 1 + f_->free);
  assign(rolling_, values.rolling, f_->nonholonomic_pattern.size());
  assign(rolling_rates_, values.rolling_rates, f_->e + n, 1 + f_->free);
  moved_ = Eigen::Map<const Vn>(second_.data(), n);
  curved_.resize(curved.size());
  for (std::size_t i = 0; i < curved.size(); ++i) {
    const CurvedPlace& c = curved[i];
    const int k = c.dof;
    const double* const N = second_.data() + c.degree;
    const double* const pi = N + n;
    double potential[FactorChart::most];
    for (int b = 0; b < k; ++b)
      potential[b] = N[b] - (force_.empty() ? 0.0 : force_[sz(c.degree + b)]);
    FactorChart::Map map;
    Curved& to = curved_[i];
    to.degree = c.degree;
    to.dof = k;
    to.D = square(c.chart.D, k);
    to.E = square(c.chart.E, k);
    to.A = square(c.chart.A, k);
    c.factor->transpose_derivative(c.chart, pi, map);
    to.T_pi = square(map, k);
    c.factor->transpose_derivative(c.chart, N, map);
    to.T_N = square(map, k);
    c.factor->hessian(c.chart, pi, c.H, map);
    to.hessian = square(map, k);
    c.factor->ad_star(N, map);
    to.bracket = square(map, k);
    c.factor->ad_star(potential, map);
    to.half_bracket = 0.5 * square(map, k);
    moved_.segment(c.degree, k) = to.A * moved_.segment(c.degree, k);
  }
}

/// f(block, values, …) for the derivatives of N or π (of_pi) by q or v (by_v).
template <class F> void PointDerivative::each_block(const F& f) const {
  const double* const second = second_.data() + 2 * f_->n;
  f(patterns_->qq, second, false, false);
  f(patterns_->qv, second, false, true);
  f(patterns_->vq, second, true, false);
  f(patterns_->vv, second, true, true);
  if (!force_.empty()) {
    f(patterns_->force_q, force_.data() + f_->n, false, false);
    f(patterns_->force_v, force_.data() + f_->n, false, true);
  }
  if (!curvature_.empty()) f(patterns_->curvature, curvature_.data(), false, false);
}

PointDerivative::Out PointDerivative::forward(const In& in) const {
  const int n = f_->n;
  Vn a = in.X + in.delta;  // the displacement of the point in its own frame
  Vn v = in.H;
  for (const Curved& c : curved_) {
    const auto at = [&c](const Vn& x) { return x.segment(c.degree, c.dof); };
    a.segment(c.degree, c.dof) = c.D * at(in.X) + c.A.transpose() * at(in.delta);
    v.segment(c.degree, c.dof) = c.E * at(in.X) + c.D * at(in.H);
  }
  Vn N = Vn::Zero(n);
  Vn pi = Vn::Zero(n);
  Out out;
  each_block([&](const auto& block, const double* values, bool of_pi, bool by_v) {
    add_product(block, values, by_v ? v : a, of_pi ? pi : N);
  });
  if (!constraint_.empty()) {
    out.phi = Vn::Zero(f_->d);
    add_product(patterns_->constraint, constraint_.data(), a, out.phi);
    add_transposed_product(patterns_->constraint, constraint_.data(), in.lambda, N);
  }
  for (int s = 0; s < rates_.cols(); ++s) {
    N += in.s[s] * rates_.col(s).head(n);
    pi += in.s[s] * rates_.col(s).tail(n);
  }
  for (int s = 0; s < constraint_rates_.cols(); ++s) {
    out.phi += in.s[s] * constraint_rates_.col(s).head(f_->d);
    N += in.s[s] * constraint_rates_.col(s).tail(n);
  }
  if (!rolling_.empty())
    add_transposed_product(patterns_->rolling_v, rolling_.data(), in.rolling, N);
  if (rolling_rates_.cols() > 0) N += rolling_rates_.bottomRows(n) * in.s;
  for (const Curved& c : curved_)
    N.segment(c.degree, c.dof) += c.half_bracket * a.segment(c.degree, c.dof);
  out.P = pi;
  out.W = N;
  out.M = N;
  for (const Curved& c : curved_) {
    const auto at = [&c](const Vn& x) { return x.segment(c.degree, c.dof); };
    const Vn X = at(in.X);
    out.P.segment(c.degree, c.dof) = c.D.transpose() * at(pi) + c.T_pi * X;
    out.W.segment(c.degree, c.dof) = c.D.transpose() * at(N) + c.E.transpose() * at(pi) +
                                     (c.T_N + c.hessian) * X + c.T_pi.transpose() * at(in.H);
    out.M.segment(c.degree, c.dof) = c.A * (at(N) - c.bracket * (c.D * X));
  }
  return out;
}

PointDerivative::In PointDerivative::transposed(const Out& out) const {
  const int n = f_->n;
  In in{Vn::Zero(n), Vn::Zero(n), Vn::Zero(n), {}, Vn::Zero(1 + f_->free), {}};
  Vn pi = out.P;
  Vn N = out.W + out.M;
  for (const Curved& c : curved_) {
    const auto at = [&c](const Vn& x) { return x.segment(c.degree, c.dof); };
    const Vn M = c.A.transpose() * at(out.M);
    pi.segment(c.degree, c.dof) = c.D * at(out.P) + c.E * at(out.W);
    N.segment(c.degree, c.dof) = c.D * at(out.W) + M;
    in.X.segment(c.degree, c.dof) = c.T_pi.transpose() * at(out.P) +
                                    (c.T_N + c.hessian).transpose() * at(out.W) -
                                    c.D.transpose() * (c.bracket.transpose() * M);
    in.H.segment(c.degree, c.dof) = c.T_pi * at(out.W);
  }
  Vn a = Vn::Zero(n);
  Vn v = Vn::Zero(n);
  each_block([&](const auto& block, const double* values, bool of_pi, bool by_v) {
    add_transposed_product(block, values, of_pi ? pi : N, by_v ? v : a);
  });
  if (!constraint_.empty()) {
    in.lambda = Vn::Zero(f_->d);
    add_product(patterns_->constraint, constraint_.data(), N, in.lambda);
    add_transposed_product(patterns_->constraint, constraint_.data(), out.phi, a);
  }
  for (int s = 0; s < rates_.cols(); ++s)
    in.s[s] = rates_.col(s).head(n).dot(N) + rates_.col(s).tail(n).dot(pi);
  for (int s = 0; s < constraint_rates_.cols(); ++s)
    in.s[s] +=
        constraint_rates_.col(s).head(f_->d).dot(out.phi) + constraint_rates_.col(s).tail(n).dot(N);
  if (!rolling_.empty()) {
    in.rolling = Vn::Zero(f_->e);
    add_product(patterns_->rolling_v, rolling_.data(), N, in.rolling);
  }
  if (rolling_rates_.cols() > 0) in.s += rolling_rates_.bottomRows(n).transpose() * N;
  for (const Curved& c : curved_)
    a.segment(c.degree, c.dof) += c.half_bracket.transpose() * N.segment(c.degree, c.dof);
  Vn X = a;
  Vn H = v;
  in.delta = a;
  for (const Curved& c : curved_) {
    const auto at = [&c](const Vn& x) { return x.segment(c.degree, c.dof); };
    X.segment(c.degree, c.dof) = c.D.transpose() * at(a) + c.E.transpose() * at(v);
    H.segment(c.degree, c.dof) = c.D.transpose() * at(v);
    in.delta.segment(c.degree, c.dof) = c.A * at(a);
  }
  in.X += X;
  in.H += H;
  return in;
}

}  // namespace varia::detail
