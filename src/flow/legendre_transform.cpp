// SPDX-License-Identifier: BSD-3-Clause
#include "varia/flow/legendre_transform.hpp"

#include <Eigen/Cholesky>
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

/// Above this number of coordinates the mass matrix is not looked at as a whole.
constexpr int largest_whole = 200;

[[noreturn]] void branch_ends(double t) {
  throw SingularMass(
      "the mass matrix d2L/dv2 becomes singular near t = " + to_text(t) +
      ": the velocity comes to the end of its branch of the Legendre transform, beyond which no "
      "velocity nearby has the momentum. The motion of this Lagrangian ends there; stop the run "
      "before, or start where the mass stays regular");
}

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

namespace {

/// ∂²L/∂v² of the values of the Hessian.
void put_mass(const KernelSystem& f, const std::vector<double>& second, Eigen::MatrixXd& m) {
  m.setZero(f.n, f.n);
  for (int e = 0; e < f.second.size(); ++e) {
    const int i = f.second.row[sz(e)] - f.n;
    const int j = f.second.column[sz(e)] - f.n;
    if (i >= 0 && j >= 0) m(i, j) = m(j, i) = second[sz(2 * f.n + e)];
  }
}

}  // namespace

/// ∂²L/∂v² at the last point.
Eigen::MatrixXd LegendreTransform::mass() const {
  Eigen::MatrixXd m;
  put_mass(f_, second_, m);
  return m;
}

void LegendreTransform::singular(double t) const {
  detail::require_regular(mass(), " at t = " + to_text(t));
  throw SingularMass("the mass matrix d2L/dv2 could not be factored at t = " + to_text(t));
}

void LegendreTransform::velocity(double t, const double* q, const double* p, double* v) {
  const int n = f_.n;
  if (f_.separable) {
    if (f_.mass_diagonal.empty())
      Eigen::Map<Vn>(v, n).noalias() = inverse_ * Eigen::Map<const Vn>(p, n);
    else
      for (int a = 0; a < n; ++a) v[a] = p[a] / f_.mass_diagonal[sz(a)];
    return;
  }
  constexpr int max_iterations = 100;
  using detail::eps;
  double last = std::numeric_limits<double>::infinity();
  place(t, q, v);
  f_.hessian(x_.data(), second_.data());
  const Eigen::Map<const Vn> given(p, n);
  const auto off = [&] { return (given - Eigen::Map<const Vn>(second_.data() + n, n)).norm(); };
  const double far = std::max(given.norm(), off());
  for (int k = 1; k <= max_iterations; ++k) {
    if (!factor_mass()) singular(t);
    for (int a = 0; a < n; ++a) trial_[sz(a)] = p[a] - second_[sz(n + a)];
    mass_.solve(trial_.data());
    if (!detail::all_finite(trial_.data(), n)) break;
    // a step that leaves the domain of L is halved until it stays inside, and not too close to the edge:
    // masses grow there without bound, and steps are short though the momentum is far away
    for (int halving = 0; halving < 60; ++halving) {
      for (int a = 0; a < n; ++a) x_[sz(1 + f_.entries + a)] = v[a] + trial_[sz(a)];
      f_.hessian(x_.data(), second_.data());
      if (detail::all_finite(second_.data() + n, n) && off() <= far) break;
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

void LegendreTransform::velocity(const VectorState& s, double* v) {
  if (s.branch.size() > 0) std::copy(s.branch.data(), s.branch.data() + f_.n, v);
  velocity(s.t, s.q.data(), s.p.data(), v);
  if (s.branch.size() > 0) require_same_branch(s.t, s.q.data(), s.branch.data(), v);
}

namespace {

/// Of a step on a branch; scratch of the calling thread, so that steps allocate nothing.
struct BranchScratch {
  Vn pivots, between, found;
  Eigen::MatrixXd mass;
  Eigen::LDLT<Eigen::MatrixXd> factors;

  static BranchScratch& of_thread() {
    thread_local BranchScratch scratch;
    return scratch;
  }
};

}  // namespace

/// The number of negative eigenvalues of ∂²L/∂v²; -1 where it is singular, -2 where it has no value.
int LegendreTransform::negative_masses(double t, const double* q, const double* v) {
  const int n = f_.n;
  place(t, q, v);
  f_.hessian(x_.data(), second_.data());
  BranchScratch& scratch = BranchScratch::of_thread();
  Vn& pivots = scratch.pivots;
  pivots.resize(n);
  if (mass_slot_.size() == sz(n)) {  // the diagonal alone
    pivots.setZero();
    for (const int e : mass_value_) pivots[f_.second.row[sz(e - 2 * n)] - n] = second_[sz(e)];
  } else if (n <= largest_whole) {
    // Sylvester's law of inertia: L D Lᵀ has as many negative pivots as the matrix eigenvalues
    put_mass(f_, second_, scratch.mass);
    pivots = scratch.factors.compute(scratch.mass).vectorD();
  } else {
    pivots.setOnes();
  }
  if (!pivots.allFinite()) return -2;
  if ((pivots.array() == 0.0).any()) return -1;
  return static_cast<int>((pivots.array() < 0.0).count());
}

/// On the straight line between them, more closely where it is long.
void LegendreTransform::require_same_branch(double t, const double* q, const double* v,
                                            const double* w) {
  const int n = f_.n;
  double change = 0.0;
  double size = 0.0;
  for (int a = 0; a < n; ++a) {
    change = std::max(change, std::abs(w[a] - v[a]));
    size = std::max(size, std::abs(w[a]));
  }
  if (change <= 16 * detail::eps * size) return;
  const int parts = change > 0.1 * size ? 16 : 1;
  const int here = negative_masses(t, q, v);
  Vn& between = BranchScratch::of_thread().between;
  between.resize(n);
  for (int i = 1; i <= parts; ++i) {
    const double x = static_cast<double>(i) / parts;
    for (int a = 0; a < n; ++a) between[a] = v[a] + x * (w[a] - v[a]);
    if (negative_masses(t, q, between.data()) != here) branch_ends(t);
  }
}

void LegendreTransform::follow(VectorState& s, const double* guess) {
  Vn& v = BranchScratch::of_thread().found;
  v = Eigen::Map<const Vn>(guess, f_.n);
  try {
    velocity(s.t, s.q.data(), s.p.data(), v.data());
  } catch (const NoConvergence&) {
    branch_ends(s.t);
  }
  require_same_branch(s.t, s.q.data(), s.branch.data(), v.data());
  s.branch = v;
}

void LegendreTransform::require_branch_ahead(const VectorState& s, double h) {
  if (f_.d > 0) return;
  Vn a(f_.n);
  if (!acceleration(s.t, s.q.data(), s.branch.data(), a.data())) branch_ends(s.t);
  // v - v* goes to 0 like the root of the time left: its tangent reaches 0 at twice that time
  const Vn ahead = s.branch + 3 * h * a;
  const int here = negative_masses(s.t, s.q.data(), s.branch.data());
  const int there = negative_masses(s.t, s.q.data(), ahead.data());
  // a velocity beyond all that L knows, as beyond that of light, says nothing: the step is too large
  if (there != here && there != -2) branch_ends(s.t);
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
