// SPDX-License-Identifier: BSD-3-Clause
#include "constrained_motion.hpp"

#include <algorithm>

#include "varia/core/index.hpp"

namespace varia::detail {

ConstrainedMotion::ConstrainedMotion(const KernelSystem& f)
    : f_(f),
      kkt_(f),
      x_(sz(1 + f.entries + f.n), 0.0),
      second_(sz(2 * f.n + f.second.size()), 0.0),
      more_(Vn::Zero(f.n)),
      both_(Vn::Zero(f.n + f.d + f.e)) {}

void ConstrainedMotion::place(double t, const Vn& q, const Vn& v) {
  x_[0] = t;
  std::copy_n(q.data(), f_.entries, x_.begin() + 1);
  std::copy_n(v.data(), f_.n, x_.begin() + 1 + f_.entries);
  f_.hessian(x_.data(), second_.data());
  kkt_.place(t, q, v);
}

/// The right-hand side of (EL) without reactions.
void ConstrainedMotion::set_applied() {
  const double* const v = &x_[sz(1 + f_.entries)];
  auto rhs = both_.head(f_.n);
  rhs = Eigen::Map<const Vn>(second_.data(), f_.n);
  for (int e = 0; e < f_.second.size(); ++e) {
    const int i = f_.second.row[sz(e)] - f_.n;  // lower triangle: (v, q) entries
    const int j = f_.second.column[sz(e)];
    if (i >= 0 && j < f_.n) rhs[i] -= second_[sz(2 * f_.n + e)] * v[j];
  }
  if (f_.forced) {
    f_.force(x_.data(), more_.data());
    rhs += more_;
  }
  if (f_.mass_rate) {
    f_.mass_rate(x_.data(), more_.data());
    rhs -= more_;
  }
  f_.space.add_coadjoint(second_.data() + f_.n, v, both_.data());
}

void ConstrainedMotion::solve(const std::vector<int>& left_out) {
  const bool regular = kkt_.factor(second_.data() + 2 * f_.n, 0.0, left_out);
  if (regular) {
    set_applied();
    if (f_.d > 0) {  // φ″(v, v) along (t + s, q exp(s v))
      f_.constraint_acceleration(x_.data(), both_.data() + f_.n);
      both_.segment(f_.n, f_.d) *= -1.0;
    }
    both_.tail(f_.e) = -kkt_.drift();
    kkt_.solve(both_);
  }
  if (!regular || !both_.allFinite())
    throw SingularMass(
        "the mass matrix d2L/dv2 is singular along velocities that the constraints "
        "admit: the accelerations and the multipliers are not determined");
}

}  // namespace varia::detail
