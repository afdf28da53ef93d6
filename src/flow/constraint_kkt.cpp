// SPDX-License-Identifier: BSD-3-Clause
#include "constraint_kkt.hpp"

#include <algorithm>

#include "constraint_rows.hpp"
#include "varia/core/index.hpp"

namespace varia::detail {

ConstraintKkt::ConstraintKkt(const KernelSystem& f)
    : f_(f),
      pattern_(reaction_pattern(f)),
      point_(sz(1 + f.entries + f.n), 0.0),
      phi_(sz(f.d + f.constraint_pattern.size()), 0.0),
      rolling_(sz(f.e + f.nonholonomic_pattern.size()), 0.0),
      phi_t_(Vn::Zero(f.d)),
      drift_(Vn::Zero(f.e)),
      out_(sz(f.d + f.e), 0) {
  gradient_.assign(sz(pattern_.size()), 0.0);
  Couplings c;
  for (int a = 0; a < f.n + count(); ++a) c.groups.push_back({a});
  for (int e = 0; e < f.second.size(); ++e)
    if (f.second.column[sz(e)] >= f.n)
      c.meeting.emplace_back(f.second.row[sz(e)] - f.n, f.second.column[sz(e)] - f.n);
  for (int e = 0; e < pattern_.size(); ++e)
    c.meeting.emplace_back(pattern_.column[sz(e)], f.n + pattern_.row[sz(e)]);
  lu_.resize(c);
}

void ConstraintKkt::place(double t, const Vn& q) {
  point_[0] = t;
  std::copy_n(q.data(), f_.entries, point_.begin() + 1);
  if (f_.d == 0) return;
  f_.constraint(point_.data(), phi_.data());
  std::copy_n(phi_.begin() + f_.d, f_.constraint_pattern.size(), gradient_.begin());
  if (f_.rheonomic()) f_.constraint_rate(point_.data(), phi_t_.data());
}

void ConstraintKkt::place(double t, const Vn& q, const Vn& v) {
  place(t, q);
  if (f_.e == 0) return;
  std::copy_n(v.data(), f_.n, point_.begin() + 1 + f_.entries);
  f_.nonholonomic(point_.data(), rolling_.data());
  drift_.setZero();
  if (f_.nonholonomic_in_time()) f_.nonholonomic_rate(point_.data(), drift_.data());
  auto slope = gradient_.begin() + f_.constraint_pattern.size();
  for (int e = 0; e < f_.nonholonomic_pattern.size(); ++e) {
    const int column = f_.nonholonomic_pattern.column[sz(e)];
    const double value = rolling_[sz(f_.e + e)];
    if (column < f_.n)
      drift_[f_.nonholonomic_pattern.row[sz(e)]] += value * v[column];
    else
      *slope++ = value;
  }
}

void ConstraintKkt::along(const Vn& x, Vn& out) const {
  out.setZero(count());
  for (int e = 0; e < pattern_.size(); ++e)
    out[pattern_.row[sz(e)]] += gradient(e) * x[pattern_.column[sz(e)]];
}

void ConstraintKkt::reaction(const double* lambda, Vn& out) const {
  out.setZero(f_.n);
  for (int e = 0; e < pattern_.size(); ++e)
    out[pattern_.column[sz(e)]] += gradient(e) * lambda[pattern_.row[sz(e)]];
}

void ConstraintKkt::rates(const Vn& v, Vn& out) const {
  along(v, out);
  out.head(f_.d) += phi_t_;
  out.tail(f_.e) = Eigen::Map<const Vn>(rolling_.data(), f_.e);
}

ConstraintRank ConstraintKkt::rank() const {
  std::vector<double> values = phi_;
  values.resize(sz(f_.d));
  values.insert(values.end(), rolling_.begin(), rolling_.begin() + f_.e);
  return dependent_constraints(pattern_, count(), f_.n, values.data(), gradient_.data());
}

ConstraintRank ConstraintKkt::holonomic_rank(const double* values) const {
  return dependent_constraints(f_.constraint_pattern, f_.d, f_.n, values, phi_.data() + f_.d);
}

bool ConstraintKkt::factor(const double* second, double mu, const std::vector<int>& left_out) {
  out_.assign(sz(count()), 0);
  for (const int a : left_out) out_[sz(a)] = 1;
  lu_.set_zero();
  double* const a = lu_.data();
  for (int i = 0; second == nullptr && i < f_.n; ++i) a[lu_.slot(i, i)] = 1.0;
  for (int e = 0; second != nullptr && e < f_.second.size(); ++e) {
    const int i = f_.second.row[sz(e)] - f_.n;
    const int j = f_.second.column[sz(e)] - f_.n;
    if (i < 0 || j < 0) continue;
    a[lu_.slot(i, j)] = second[e];
    a[lu_.slot(j, i)] = second[e];
  }
  for (int e = 0; e < pattern_.size(); ++e) {
    const int row = pattern_.row[sz(e)];
    const int column = pattern_.column[sz(e)];
    a[lu_.slot(column, f_.n + row)] -= gradient(e);
    if (!out_[sz(row)]) a[lu_.slot(f_.n + row, column)] += gradient(e);
  }
  for (int b = 0; b < count(); ++b) a[lu_.slot(f_.n + b, f_.n + b)] = out_[sz(b)] ? 1.0 : mu;
  return lu_.factor();
}

void ConstraintKkt::solve(Vn& both) const {
  for (int b = 0; b < count(); ++b)
    if (out_[sz(b)]) both[f_.n + b] = 0.0;
  lu_.solve(both.data());
}

Vn ConstraintKkt::solve(const Vn& top, const Vn& bottom) const {
  Vn both(f_.n + count());
  both << top, bottom;
  solve(both);
  return both;
}

Vn ConstraintKkt::move(const Vn& bottom) const {
  Vn all = Vn::Zero(count());
  all.head(f_.d) = bottom;
  return solve(Vn::Zero(f_.n), all).head(f_.n);
}

}  // namespace varia::detail
