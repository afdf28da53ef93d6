// SPDX-License-Identifier: BSD-3-Clause
#include "shooting_path.hpp"

#include <algorithm>
#include <cmath>

#include "varia/core/index.hpp"

namespace varia::detail {

void PathPoint::resize(int n) {
  q.setZero(n);
  v.setZero(n);
  dq.setZero(n, 2 * n);
  dv.setZero(n, 2 * n);
}

void PathPoint::add(double factor, const PathPoint& rate) {
  if (factor == 0.0) return;
  q += factor * rate.q;
  v += factor * rate.v;
  dq += factor * rate.dq;
  dv += factor * rate.dv;
}

ShootingPath::ShootingPath(const KernelSystem& system, const AccelerationSystem& acceleration,
                           const ShootingScheme& scheme)
    : f_(system), a_(acceleration), scheme_(scheme), n_(system.n) {
  Couplings couplings;
  for (int i = 0; i < n_; ++i) couplings.groups.push_back({i});
  for (int e = 0; e < a_.mass.size(); ++e)
    couplings.meeting.emplace_back(a_.mass.row[sz(e)], a_.mass.column[sz(e)]);
  mass_.resize(couplings);
  start_mass_.resize(couplings);
  for (int e = 0; e < a_.mass.size(); ++e)
    mass_slot_.push_back(mass_.slot(a_.mass.row[sz(e)], a_.mass.column[sz(e)]));
  end_slope_.resize(n_);
  x_.assign(sz(1 + 3 * n_), 0.0);
  mass_b_.assign(sz(n_ + a_.mass.size()), 0.0);
  slope_.assign(sz(a_.slope_pattern.size()), 0.0);
  grad_.assign(sz(2 * n_), 0.0);
  z_.resize(n_);
  g_.setZero(2 * n_);
  p1_.setZero(n_);
  PathPoint zero;
  zero.resize(n_);
  if (scheme.step == ShootingScheme::Step::runge_kutta) {
    tableau_ = explicit_tableau(scheme.step_order);
    rates_.assign(tableau_.b.size(), zero);
    stage_ = zero;
    return;
  }
  const int r = scheme.step_order;
  series_.emplace_back(a_.equation.tape(), r);
  series_.emplace_back(a_.slope.tape(), r);
  coefficients_.assign(sz(r + 1), zero);
  a_k_.assign(sz(r), zero.q);
  da_k_.assign(sz(r), zero.dq);
}

/// x ← (t, q, v) at a point of the path
void ShootingPath::place(double t, const PathPoint& z) {
  x_[0] = t;
  for (int i = 0; i < n_; ++i) {
    x_[sz(1 + i)] = q0_[i] + (q_rest_[i] + z.q[i]);
    x_[sz(1 + n_ + i)] = v0_[i] + z.v[i];
  }
}

bool ShootingPath::assemble_mass(StructuredLU& lu, const double* entries) {
  lu.set_zero();
  double* const data = lu.data();
  for (std::size_t e = 0; e < mass_slot_.size(); ++e) data[mass_slot_[e]] = entries[e];
  const bool finite =
      std::all_of(entries, entries + mass_slot_.size(), [](double y) { return std::isfinite(y); });
  if (finite && lu.factor()) return true;
  singular_ = singular_ || finite;
  return false;
}

bool ShootingPath::factor_mass(double t, const double* q0, const double* v0) {
  x_[0] = t;
  std::copy(q0, q0 + n_, x_.begin() + 1);
  std::copy(v0, v0 + n_, x_.begin() + 1 + n_);
  a_.equation(x_.data(), mass_b_.data());
  return assemble_mass(start_mass_, mass_b_.data() + n_);
}

/// (EL) and its derivative: rate ← (v, a) with M a = b, M ∂a = -∂r/∂(q, v) ∂(q, v).
bool ShootingPath::accelerate(double t, const PathPoint& z, PathPoint& rate) {
  place(t, z);
  a_.equation(x_.data(), mass_b_.data());
  if (!assemble_mass(mass_, mass_b_.data() + n_)) return false;
  mass_.solve(mass_b_.data());
  std::copy(mass_b_.begin(), mass_b_.begin() + n_, x_.begin() + 1 + 2 * n_);
  a_.slope(x_.data(), slope_.data());
  for (int i = 0; i < n_; ++i) {
    rate.q[i] = x_[sz(1 + n_ + i)];
    rate.v[i] = mass_b_[sz(i)];
  }
  if (!rate.v.allFinite()) return false;
  rate.dq = z.dv;
  rate.dq.rightCols(n_).diagonal().array() += 1.0;
  rate.dv.setZero();
  const Pattern& at = a_.slope_pattern;
  for (int e = 0; e < at.size(); ++e) rate.dv(at.row[sz(e)], at.column[sz(e)]) -= slope_[sz(e)];
  for (int c = 0; c < 2 * n_; ++c) {
    for (int e = 0; e < at.size(); ++e) {
      const int j = at.column[sz(e)];
      rate.dv(at.row[sz(e)], c) -= slope_[sz(e)] * (j < n_ ? z.dq(j, c) : z.dv(j - n_, c));
    }
    mass_.solve(rate.dv.col(c).data());
  }
  return true;
}

bool ShootingPath::runge_kutta(double t, double h) {
  const double* a = tableau_.a.data();
  for (std::size_t i = 0; i < rates_.size(); ++i) {
    double c = 0.0;
    stage_ = z_;
    for (std::size_t j = 0; j < i; ++j) {
      c += *a;
      stage_.add(h * *a++, rates_[j]);
    }
    if (!accelerate(t + c * h, stage_, rates_[i])) return false;
  }
  for (std::size_t i = 0; i < rates_.size(); ++i) z_.add(h * tableau_.b[i], rates_[i]);
  return true;
}

/// a_k from Σⱼ M_{k-j} aⱼ = b_k; coefficients of q and v up to k are known.
bool ShootingPath::taylor_coefficient(int k, double t) {
  const PathPoint& z = coefficients_[sz(k)];
  x_[0] = k == 0 ? t : k == 1 ? 1.0 : 0.0;
  if (k == 0) {
    place(t, z_);
  } else {
    std::copy(z.q.data(), z.q.data() + n_, x_.begin() + 1);
    std::copy(z.v.data(), z.v.data() + n_, x_.begin() + 1 + n_);
  }
  series_[0].extend(k, x_.data());
  for (int i = 0; i < n_; ++i) mass_b_[sz(i)] = series_[0].coefficient(i, k);
  if (k == 0) {
    for (int e = 0; e < a_.mass.size(); ++e)
      mass_b_[sz(n_ + e)] = series_[0].coefficient(n_ + e, 0);
    if (!assemble_mass(mass_, mass_b_.data() + n_)) return false;
  }
  for (int e = 0; e < a_.mass.size(); ++e)
    for (int j = 0; j < k; ++j)
      mass_b_[sz(a_.mass.row[sz(e)])] -=
          series_[0].coefficient(n_ + e, k - j) * a_k_[sz(j)][a_.mass.column[sz(e)]];
  mass_.solve(mass_b_.data());
  std::copy(mass_b_.begin(), mass_b_.begin() + n_, a_k_[sz(k)].data());
  std::copy(mass_b_.begin(), mass_b_.begin() + n_, x_.begin() + 1 + 2 * n_);
  series_[1].extend(k, x_.data());
  return a_k_[sz(k)].allFinite();
}

/// The derivative of a_k in (q₀, v₀): Σⱼ M_{k-j} ∂aⱼ = -Σⱼ (∂r/∂(q, v))_{k-j} ∂(q, v)ⱼ.
void ShootingPath::taylor_variation(int k) {
  Eigen::MatrixXd& da = da_k_[sz(k)];
  da.setZero();
  const Pattern& at = a_.slope_pattern;
  for (int e = 0; e < at.size(); ++e)
    for (int j = 0; j <= k; ++j) {
      const PathPoint& z = coefficients_[sz(j)];
      const double entry = series_[1].coefficient(e, k - j);
      const int column = at.column[sz(e)];
      da.row(at.row[sz(e)]) -= entry * (column < n_ ? z.dq.row(column) : z.dv.row(column - n_));
    }
  for (int e = 0; e < a_.mass.size(); ++e)
    for (int j = 0; j < k; ++j)
      da.row(a_.mass.row[sz(e)]) -=
          series_[0].coefficient(n_ + e, k - j) * da_k_[sz(j)].row(a_.mass.column[sz(e)]);
  for (int c = 0; c < 2 * n_; ++c) mass_.solve(da.col(c).data());
}

/// (taylor)
bool ShootingPath::taylor(double t, double h) {
  const int r = scheme_.step_order;
  PathPoint& start = coefficients_[0];
  start.dq = z_.dq;
  start.dv = z_.dv;
  start.dq.leftCols(n_).diagonal().array() += 1.0;
  start.dv.rightCols(n_).diagonal().array() += 1.0;
  for (int i = 0; i < n_; ++i) start.v[i] = v0_[i] + z_.v[i];
  for (int k = 0; k < r; ++k) {
    if (!taylor_coefficient(k, t)) return false;
    taylor_variation(k);
    const double part = 1.0 / (k + 1);
    PathPoint& next = coefficients_[sz(k + 1)];
    next.q = part * coefficients_[sz(k)].v;
    next.dq = part * coefficients_[sz(k)].dv;
    next.v = part * a_k_[sz(k)];
    next.dv = part * da_k_[sz(k)];
  }
  stage_ = coefficients_[sz(r)];
  for (int k = r - 1; k >= 1; --k) {  // Horner's rule, without the term of order 0
    stage_.q = h * stage_.q + coefficients_[sz(k)].q;
    stage_.v = h * stage_.v + coefficients_[sz(k)].v;
    stage_.dq = h * stage_.dq + coefficients_[sz(k)].dq;
    stage_.dv = h * stage_.dv + coefficients_[sz(k)].dv;
  }
  z_.add(h, stage_);
  return true;
}

bool ShootingPath::step(double t, double h) {
  return scheme_.step == ShootingScheme::Step::taylor ? taylor(t, h) : runge_kutta(t, h);
}

/// Adds weight × L at the point to G, with derivatives.
bool ShootingPath::visit(double t, double weight) {
  place(t, z_);
  double value = 0.0;
  f_.value(x_.data(), &value);
  f_.gradient(x_.data(), grad_.data());
  const Eigen::Map<const Vn> lq(grad_.data(), n_);
  const Eigen::Map<const Vn> lv(grad_.data() + n_, n_);
  action_ += weight * value;
  g_.head(n_) += weight * lq;
  g_.tail(n_) += weight * lv;
  g_.noalias() += weight * (z_.dq.transpose() * lq);
  g_.noalias() += weight * (z_.dv.transpose() * lv);
  return std::isfinite(value);
}

bool ShootingPath::walk(double t, double t_rest, const double* q0, const double* q_rest,
                        const double* v0, double h) {
  q0_ = q0;
  q_rest_ = q_rest;
  v0_ = v0;
  singular_ = false;
  z_.resize(n_);
  action_ = 0.0;
  g_.setZero();
  double at = 0.0;
  const auto time = [&](double c) { return t + (t_rest + c * h); };
  for (std::size_t i = 0; i < scheme_.rule.c.size(); ++i) {
    const double c = scheme_.rule.c[i].hi;
    if (c != at && !step(time(at), (c - at) * h)) return false;
    at = c;
    if (!visit(time(c), scheme_.rule.b[i].hi * h)) return false;
  }
  if (at != 1.0 && !step(time(at), (1.0 - at) * h)) return false;
  return z_.q.allFinite() && z_.dq.allFinite() && z_.v.allFinite() && g_.allFinite();
}

bool ShootingPath::solve_momentum() {
  for (int i = 0; i < n_; ++i)
    for (int j = 0; j < n_; ++j) end_slope_(i, j) = z_.dq(j, n_ + i);
  if (!end_slope_.factor()) return false;
  p1_ = g_.tail(n_);
  end_slope_.solve(p1_.data());
  return p1_.allFinite();
}

}  // namespace varia::detail
