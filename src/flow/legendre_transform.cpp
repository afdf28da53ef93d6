// SPDX-License-Identifier: BSD-3-Clause
#include "varia/flow/legendre_transform.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "varia/core/index.hpp"
#include "varia/core/norm.hpp"
#include "varia/core/round_off.hpp"
#include "varia/mechanics/mass.hpp"

namespace varia {

namespace {
using detail::sz;
}  // namespace

LegendreTransform::LegendreTransform(const KernelSystem& system) : f_(system) {
  const int n = f_.n;
  Couplings c;
  std::vector<std::pair<int, int>> places;
  for (int a = 0; a < n; ++a) c.groups.push_back({a});
  for (int e = 0; e < f_.second.size(); ++e) {
    const int i = f_.second.row[sz(e)] - n;
    const int j = f_.second.column[sz(e)] - n;
    if (i < 0 || j < 0) continue;
    c.meeting.emplace_back(i, j);
    mass_value_.push_back(2 * n + e);
    places.emplace_back(i, j);
    if (i != j) {
      mass_value_.push_back(2 * n + e);
      places.emplace_back(j, i);
    }
  }
  mass_.resize(c);
  for (const auto& [i, j] : places) mass_slot_.push_back(mass_.slot(i, j));
  x_.assign(sz(1 + f_.entries + n), 0.0);
  second_.assign(sz(2 * n + f_.second.size()), 0.0);
  force_.assign(sz(n), 0.0);
  trial_.assign(sz(n), 0.0);
  if (f_.separable && f_.mass_diagonal.empty()) inverse_ = f_.mass.inverse();
}

void LegendreTransform::place(double t, const double* q, const double* v) {
  x_[0] = t;
  std::copy(q, q + f_.entries, x_.begin() + 1);
  std::copy(v, v + f_.n, x_.begin() + 1 + f_.entries);
}

void LegendreTransform::momentum(double t, const double* q, const double* v, double* p) {
  place(t, q, v);
  f_.gradient(x_.data(), second_.data());
  std::copy(second_.data() + sz(f_.n), second_.data() + sz(2 * f_.n), p);
}

double LegendreTransform::energy(double t, const double* q, const double* v) {
  place(t, q, v);
  f_.gradient(x_.data(), second_.data());
  double l = 0.0;
  f_.value(x_.data(), &l);
  double sum = 0.0;
  for (int a = 0; a < f_.n; ++a) sum += second_[sz(f_.n + a)] * v[a];
  return sum - l;
}

bool LegendreTransform::factor_mass() {
  mass_.set_zero();
  for (std::size_t e = 0; e < mass_slot_.size(); ++e)
    mass_.data()[mass_slot_[e]] += second_[sz(mass_value_[e])];
  return mass_.factor();
}

void LegendreTransform::singular(double t) const {
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(f_.n, f_.n);
  for (int e = 0; e < f_.second.size(); ++e) {
    const int i = f_.second.row[sz(e)] - f_.n;
    const int j = f_.second.column[sz(e)] - f_.n;
    if (i >= 0 && j >= 0) m(i, j) = m(j, i) = second_[sz(2 * f_.n + e)];
  }
  detail::require_regular(m, " at t = " + to_text(t));
  throw SingularMass("the mass matrix d2L/dv2 could not be factored at t = " + to_text(t));
}

void LegendreTransform::velocity(double t, const double* q, const double* p, double* v) {
  const int n = f_.n;
  if (f_.separable) {
    if (f_.mass_diagonal.empty())
      Eigen::Map<Vn>(v, n) = inverse_ * Eigen::Map<const Vn>(p, n);
    else
      for (int a = 0; a < n; ++a) v[a] = p[a] / f_.mass_diagonal[sz(a)];
    return;
  }
  constexpr int max_iterations = 100;
  using detail::eps;
  double last = std::numeric_limits<double>::infinity();
  place(t, q, v);
  f_.hessian(x_.data(), second_.data());
  for (int k = 1; k <= max_iterations; ++k) {
    if (!factor_mass()) singular(t);
    for (int a = 0; a < n; ++a) trial_[sz(a)] = p[a] - second_[sz(n + a)];
    mass_.solve(trial_.data());
    if (!detail::all_finite(trial_.data(), n)) break;
    // a step that leaves the domain of L is halved until it stays inside
    for (int halving = 0; halving < 60; ++halving) {
      for (int a = 0; a < n; ++a) x_[sz(1 + f_.entries + a)] = v[a] + trial_[sz(a)];
      f_.hessian(x_.data(), second_.data());
      if (detail::all_finite(second_.data() + n, n)) break;
      for (double& dv : trial_) dv *= 0.5;
    }
    double size = 0.0;
    double scale = 0.0;
    for (int a = 0; a < n; ++a) {
      v[a] += trial_[sz(a)];
      size = std::max(size, std::abs(trial_[sz(a)]));
      scale = std::max(scale, std::abs(v[a]));
    }
    if (size <= 2 * eps * scale || (size >= 0.5 * last && size <= 1e-10 * scale)) return;
    last = size;
  }
  throw NoConvergence(
      "inverse Legendre transform: no velocity with the given momentum was found; check that the "
      "momentum is in the range of dL/dv",
      t, 0.0, max_iterations, last);
}

bool LegendreTransform::acceleration(double t, const double* q, const double* v, double* a) {
  const int n = f_.n;
  place(t, q, v);
  f_.hessian(x_.data(), second_.data());
  if (!factor_mass()) return false;
  for (int i = 0; i < n; ++i) a[i] = second_[sz(i)];
  for (int e = 0; e < f_.second.size(); ++e) {
    const int i = f_.second.row[sz(e)] - n;  // lower triangle: (v, q) entries
    const int j = f_.second.column[sz(e)];
    if (i >= 0 && j < n) a[i] -= second_[sz(2 * n + e)] * v[j];
  }
  if (f_.forced) {
    f_.force(x_.data(), force_.data());
    for (int i = 0; i < n; ++i) a[i] += force_[sz(i)];
  }
  if (f_.mass_rate) {
    f_.mass_rate(x_.data(), force_.data());
    for (int i = 0; i < n; ++i) a[i] -= force_[sz(i)];
  }
  f_.space.add_coadjoint(second_.data() + n, v, a);
  mass_.solve(a);
  return detail::all_finite(a, n);
}

}  // namespace varia
