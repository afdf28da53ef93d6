// SPDX-License-Identifier: BSD-3-Clause
#include "collocation_derivative.hpp"

#include "point_derivative.hpp"
#include "varia/core/error.hpp"
#include "varia/core/index.hpp"

namespace varia::detail {

CollocationDerivative::CollocationDerivative(const KernelSystem& system, const Tableau& rule,
                                             Retraction tau)
    : f_(system),
      stages_(system, rule, tau),
      rates_(sz(rule.stages)),
      xi_(Vn::Zero(system.n)),
      D_(Eigen::MatrixXd::Identity(system.n, system.n)),
      A_(D_) {}

void CollocationDerivative::set(const VectorState& s, double h, const std::vector<double>& x) {
  h_ = h;
  stages_.begin(s, h);
  stages_.newton.x = x;
  stages_(stages_.newton, true);
  for (std::size_t i = 0; i < rates_.size(); ++i) set_rates(stages_.points_[i], rates_[i]);
  set_end(s);
  if (!stages_.newton.jacobian.factor())
    throw SingularMass("the step from t = " + to_text(s.t) + " with h = " + to_text(h) +
                       " has no derivative: the Jacobian of its equations is singular");
}

void CollocationDerivative::set_rates(const CollocationStages::Point& point, Rates& to) {
  const int n = f_.n;
  Eigen::MatrixXd all = Eigen::MatrixXd::Zero(2 * n, 1 + f_.free);
  if (f_.rates) f_.rates(point.x.data(), all.data());
  to.momentum = all.bottomRows(n);
  to.rate = all.topRows(n);
  for (Eigen::Index k = 0; k < all.cols(); ++k)
    f_.space.add_coadjoint(to.momentum.col(k).data(), &point.x[sz(1 + f_.entries)],
                           to.rate.col(k).data());
}

void CollocationDerivative::set_end(const VectorState& s) {
  stages_.along(stages_.b_, xi_);
  for (const auto& c : f_.space.curved()) {
    const Vn rest = Vn::Zero(c.dof);
    FactorChart chart;
    std::vector<double> q(sz(f_.entries));
    double v[FactorChart::most];
    c.factor->place(s.q.data() + c.entry, &xi_[c.degree], rest.data(), stages_.tau_, chart,
                    q.data() + c.entry, v);
    D_.block(c.degree, c.degree, c.dof, c.dof) = square(chart.D, c.dof);
    A_.block(c.degree, c.degree, c.dof, c.dof) = square(chart.A, c.dof);
  }
}

/// The change of the rows for that of z₀ and x; z becomes that of the end.
Vn CollocationDerivative::apply(PhaseVector& z, const Vn& x) const {
  const int n = f_.n;
  const int count = stages_.s_;
  const Eigen::MatrixXd& a = stages_.a_;
  const auto u = [&](int j) { return x.segment(j * n, n); };
  Vn rows(x.size());
  Vn s = parameters_of(z, z.t, f_.free);
  std::vector<Vn> rates;  // h dk + k dh
  for (int i = 0; i < count; ++i) {
    const CollocationStages::Point& point = stages_.points_[sz(i)];
    Vn X = (z.h / h_) * point.xi;
    for (int j = 0; j < count; ++j) X += h_ * a(i, j) * u(j);
    s[0] = z.t + stages_.c_[i] * z.h;
    const Vn place = point.D * X + point.A.transpose() * z.delta;
    const Vn velocity = point.E * X + point.D * u(i);
    rows.segment(i * n, n) =
        point.momentum_q * place + point.momentum_v * velocity + rates_[sz(i)].momentum * s - z.nu;
    rates.emplace_back(
        h_ * (point.rate_q * place + point.rate_v * velocity + rates_[sz(i)].rate * s) +
        z.h * point.rate);
  }
  Vn xi = (z.h / h_) * xi_;
  for (int j = 0; j < count; ++j) {
    for (int i = 0; i < count; ++i) rows.segment(i * n, n) -= a(i, j) * rates[sz(j)];
    z.nu += stages_.b_[j] * rates[sz(j)];
    xi += h_ * stages_.b_[j] * u(j);
  }
  z.delta = A_.transpose() * z.delta + D_ * xi;
  z.t += z.h;
  return rows;
}

/// The transposed map: z from covectors of the end to those of the start; the result are those of x.
Vn CollocationDerivative::apply_transposed(const Vn& rows, PhaseVector& z) const {
  const int n = f_.n;
  const int count = stages_.s_;
  const Eigen::MatrixXd& a = stages_.a_;
  Vn x = Vn::Zero(rows.size());
  Vn s = Vn::Zero(1 + f_.free);
  const Vn xi = D_.transpose() * z.delta;
  z.h += z.t + xi.dot(xi_) / h_;
  z.delta = A_ * z.delta;
  Vn nu = z.nu;
  for (int i = 0; i < count; ++i) {
    const CollocationStages::Point& point = stages_.points_[sz(i)];
    const auto row = rows.segment(i * n, n);
    nu -= row;
    x.segment(i * n, n) += h_ * stages_.b_[i] * xi;
    Vn rate = stages_.b_[i] * z.nu;
    for (int j = 0; j < count; ++j) rate -= a(j, i) * rows.segment(j * n, n);
    z.h += rate.dot(point.rate);
    rate *= h_;
    const Vn place = point.momentum_q.transpose() * row + point.rate_q.transpose() * rate;
    const Vn velocity = point.momentum_v.transpose() * row + point.rate_v.transpose() * rate;
    const Vn by_s =
        rates_[sz(i)].momentum.transpose() * row + rates_[sz(i)].rate.transpose() * rate;
    const Vn X = point.D.transpose() * place + point.E.transpose() * velocity;
    s += by_s;
    z.h += stages_.c_[i] * by_s[0] + X.dot(point.xi) / h_;
    z.delta += point.A * place;
    x.segment(i * n, n) += point.D.transpose() * velocity;
    for (int j = 0; j < count; ++j) x.segment(j * n, n) += h_ * a(i, j) * X;
  }
  z.nu = nu;
  add_parameters(s, z);
  return x;
}

void CollocationDerivative::forward(PhaseVector& z) const {
  PhaseVector start = z;
  Vn x = -apply(start, Vn::Zero(stages_.newton.size));
  stages_.newton.jacobian.solve(x.data());
  apply(z, x);
}

void CollocationDerivative::transposed(PhaseVector& z) const {
  const Vn x = -apply_transposed(Vn::Zero(stages_.newton.size), z);
  Vn rows = x;
  stages_.newton.jacobian.solve_transposed(rows.data());
  PhaseVector more = PhaseVector::zero(f_.n, static_cast<int>(z.free.size()));
  apply_transposed(rows, more);
  z.add(1.0, more);
}

}  // namespace varia::detail
