// SPDX-License-Identifier: BSD-3-Clause
#include "shooting_derivative.hpp"

#include <Eigen/LU>

#include "varia/core/error.hpp"
#include "varia/core/index.hpp"

namespace varia::detail {

ShootingDerivative::ShootingDerivative(const KernelSystem& system, const ShootingScheme& scheme)
    : n_(system.n), free_(system.free), lifts_(tangent_lifts(system)) {
  for (const TangentLift& lift : lifts_)
    paths_.push_back(std::make_unique<ShootingPath>(*lift.lagrangian, *lift.acceleration, scheme));
}

/// (S_q, S_v, Q) differentiated in the direction of a lift that starts with (δ, u).
Vn ShootingDerivative::column(std::size_t lift, const Vn& delta, const Vn& u) {
  const auto both = [](const Vn& a, const Vn& b) {
    Vn x(a.size() + b.size());
    x << a, b;
    return x;
  };
  const Vn q = both(start_.q, delta);
  const Vn rest = both(start_.q_rest, Vn::Zero(n_));
  const Vn v = both(v0_, u);
  ShootingPath& path = *paths_[lift];
  if (!path.walk(start_.t, start_.t_rest, q.data(), rest.data(), v.data(), h_))
    throw DomainError("the step from t = " + to_text(start_.t) + " with h = " + to_text(h_) +
                      " has no derivative: that of its path is not finite");
  const Eigen::MatrixXd& dq = path.end().dq;  // columns: q, δ, v, u
  Vn result(3 * n_);
  result << dq.block(n_, 0, n_, n_).transpose() * p1_ - path.gradient().head(n_),
      dq.block(n_, 2 * n_, n_, n_).transpose() * p1_ - path.gradient().segment(2 * n_, n_),
      path.end().q.tail(n_) + delta;
  return result;
}

void ShootingDerivative::set(const VectorState& s, double h, const Vn& v0,
                             const ShootingPath& solved) {
  start_ = s;
  h_ = h;
  v0_ = v0;
  p1_ = solved.momentum();
  const int n = n_;
  const Vn none = Vn::Zero(n);
  Eigen::MatrixXd all(3 * n, 2 * n + 2 + free_);
  for (int k = 0; k < n; ++k) {
    all.col(k) = column(0, Vn::Unit(n, k), none);
    all.col(n + k) = column(0, none, Vn::Unit(n, k));
  }
  for (int k = 0; k < 2 + free_; ++k)
    all.col(2 * n + k) = column(sz(1 + k), none, k == 1 ? v0_ : none);
  // u = v of the length changes with v₀: S_v there has Q_vᵀp₁ - G_v besides, which is 0
  all.col(2 * n + 1) -= (s.t + s.t_rest) * all.col(2 * n);
  all.col(2 * n + 1) /= h;
  const auto by_s = all.rightCols(2 + free_);
  const auto Q = [&](int from) { return all.block(2 * n, from, n, n); };
  Eigen::MatrixXd known = Eigen::MatrixXd::Zero(2 * n, 2 * n + 2 + free_);
  known.topLeftCorner(n, n) = -all.block(n, 0, n, n);
  known.bottomLeftCorner(n, n) = -all.block(0, 0, n, n);
  known.block(n, n, n, n).setIdentity();
  known.topRightCorner(n, 2 + free_) = -by_s.middleRows(n, n);
  known.bottomRightCorner(n, 2 + free_) = -by_s.topRows(n);
  Eigen::MatrixXd unknown(2 * n, 2 * n);
  unknown << all.block(n, n, n, n), Q(n).transpose(), all.block(0, n, n, n), Q(0).transpose();
  const Eigen::MatrixXd solution = unknown.partialPivLu().solve(known);  // (dv₀, ν₁)
  matrix_.setZero(2 * n, known.cols());
  matrix_.bottomRows(n) = solution.bottomRows(n);
  matrix_.topRows(n) = Q(n) * solution.topRows(n);
  matrix_.topLeftCorner(n, n) += Q(0);
  matrix_.topRightCorner(n, 2 + free_) += by_s.bottomRows(n);
}

void ShootingDerivative::forward(PhaseVector& z) const {
  Vn all = Vn::Zero(matrix_.cols());
  all.head(2 * n_ + 2) << z.delta, z.nu, z.t, z.h;
  all.tail(free_).head(z.free.size()) = z.free;
  const Vn end = matrix_ * all;
  z.delta = end.head(n_);
  z.nu = end.tail(n_);
  z.t += z.h;
}

void ShootingDerivative::transposed(PhaseVector& z) const {
  Vn end(2 * n_);
  end << z.delta, z.nu;
  const Vn all = matrix_.transpose() * end;
  z.delta = all.head(n_);
  z.nu = all.segment(n_, n_);
  z.h += z.t + all[2 * n_ + 1];
  z.t += all[2 * n_];
  z.free += all.tail(free_).head(z.free.size());
}

}  // namespace varia::detail
