// SPDX-License-Identifier: BSD-3-Clause
#include "collocation_stages.hpp"

#include <algorithm>
#include <cmath>

#include "varia/core/index.hpp"
#include "varia/core/norm.hpp"
#include "varia/core/round_off.hpp"

namespace varia::detail {

namespace {

using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

auto map_of(const double* numbers, int dof) {
  return Eigen::Map<const RowMajor>(numbers, dof, dof);
}

}  // namespace

CollocationStages::CollocationStages(const KernelSystem& system, const Tableau& rule,
                                     Retraction tau)
    : f_(system),
      tau_(tau),
      s_(rule.stages),
      b_(rule.stages),
      c_(rule.stages),
      a_(rule.stages, rule.stages),
      legendre_(system),
      points_(sz(rule.stages)),
      charts_(system.space.curved().size()),
      x_(sz(1 + system.entries + system.n), 0.0),
      second_(sz(2 * system.n + system.second.size()), 0.0),
      force_(sz(system.n + system.force_pattern.size()), 0.0),
      D_(Eigen::MatrixXd::Identity(system.n, system.n)),
      E_(Eigen::MatrixXd::Zero(system.n, system.n)) {
  for (int i = 0; i < s_; ++i) {
    b_[i] = double(rule.b[sz(i)]);
    c_[i] = double(rule.c[sz(i)]);
    for (int j = 0; j < s_; ++j) a_(i, j) = double(rule.a(i, j));
  }
  newton.resize(s_ * f_.n, s_ * f_.n);
  predictor.resize(s_ * f_.n);
}

void CollocationStages::begin(const VectorState& s, double h) {
  start_ = &s;
  h_ = h;
}

void CollocationStages::guess() {
  if (predictor.predict(h_, newton.x)) return;
  Vn v = Vn::Zero(f_.n);
  legendre_.velocity(*start_, v.data());
  for (int i = 0; i < s_; ++i) std::copy_n(v.data(), f_.n, &newton.x[sz(i * f_.n)]);
}

/// h Σⱼ wⱼ uⱼ
Vn CollocationStages::along(const Vn& weights) const {
  return h_ * (Eigen::Map<const Eigen::MatrixXd>(newton.x.data(), f_.n, s_) * weights);
}

/// π, k and, when fresh, their derivatives at point i.
void CollocationStages::place(int i, Point& point, bool fresh) {
  const int n = f_.n;
  const Vn xi = along(a_.row(i)) + start_->q_rest;
  x_[0] = start_->t + (start_->t_rest + h_ * c_[i]);
  double* const q = &x_[1];
  double* const v = q + f_.entries;
  const double* const u = &newton.x[sz(i * n)];
  std::copy_n(u, n, v);
  f_.space.retract(start_->q.data(), xi.data(), tau_, q);
  for (std::size_t k = 0; k < charts_.size(); ++k) {
    const auto& c = f_.space.curved()[k];
    c.factor->place(start_->q.data() + c.entry, &xi[c.degree], u + c.degree, tau_, charts_[k],
                    q + c.entry, v + c.degree);
    D_.block(c.degree, c.degree, c.dof, c.dof) = map_of(charts_[k].D, c.dof);
    E_.block(c.degree, c.degree, c.dof, c.dof) = map_of(charts_[k].E, c.dof);
  }
  (fresh ? f_.hessian : f_.gradient)(x_.data(), second_.data());
  const Vn potential = Eigen::Map<const Vn>(second_.data(), n);
  point.momentum = Eigen::Map<const Vn>(second_.data() + n, n);
  point.rate = potential;
  if (f_.forced) {
    (fresh ? f_.force_derivative : f_.force)(x_.data(), force_.data());
    point.rate += Eigen::Map<const Vn>(force_.data(), n);
  }
  f_.space.add_coadjoint(point.momentum.data(), v, point.rate.data());
  if (fresh) differentiate(potential, point);
}

/// π ↦ ad*_v π
Eigen::MatrixXd CollocationStages::coadjoint_of(const Vn& v) const {
  Eigen::MatrixXd result(f_.n, f_.n);
  for (int j = 0; j < f_.n; ++j) {
    const Vn unit = Vn::Unit(f_.n, j);
    Vn column = Vn::Zero(f_.n);
    f_.space.add_coadjoint(unit.data(), v.data(), column.data());
    result.col(j) = column;
  }
  return result;
}

/// δ ↦ ad*_δ π
Eigen::MatrixXd CollocationStages::coadjoint_along(const Vn& pi) const {
  Eigen::MatrixXd result = Eigen::MatrixXd::Zero(f_.n, f_.n);
  for (const auto& c : f_.space.curved()) {
    FactorChart::Map map;
    c.factor->ad_star(pi.data() + c.degree, map);
    result.block(c.degree, c.degree, c.dof, c.dof) = map_of(map, c.dof);
  }
  return result;
}

/// With δ = D dΞ and dv = E dΞ + D dH; ∂L/∂q has the half bracket, see docs/theory/stage-equations.md.
void CollocationStages::differentiate(const Vn& potential, Point& point) {
  const int n = f_.n;
  Eigen::MatrixXd second = Eigen::MatrixXd::Zero(2 * n, 2 * n);
  for (int e = 0; e < f_.second.size(); ++e) {
    const int i = f_.second.row[sz(e)];
    const int j = f_.second.column[sz(e)];
    second(i, j) = second(j, i) = second_[sz(2 * n + e)];
  }
  Eigen::MatrixXd rate = second.topRows(n);
  rate.leftCols(n) += 0.5 * coadjoint_along(potential);
  for (int e = 0; f_.forced && e < f_.force_pattern.size(); ++e)
    rate(f_.force_pattern.row[sz(e)], f_.force_pattern.column[sz(e)]) += force_[sz(n + e)];
  const Eigen::MatrixXd momentum = second.bottomRows(n);
  rate.rightCols(n) += coadjoint_along(point.momentum);
  rate += coadjoint_of(Eigen::Map<const Vn>(&x_[sz(1 + f_.entries)], n)) * momentum;
  point.momentum_X = momentum.leftCols(n) * D_ + momentum.rightCols(n) * E_;
  point.momentum_H = momentum.rightCols(n) * D_;
  point.rate_X = rate.leftCols(n) * D_ + rate.rightCols(n) * E_;
  point.rate_H = rate.rightCols(n) * D_;
}

void CollocationStages::operator()(NewtonWorkspace& w, bool fresh) {
  const int n = f_.n;
  for (int i = 0; i < s_; ++i) place(i, points_[sz(i)], fresh);
  w.magnitude = 0.0;
  for (int i = 0; i < s_; ++i) {
    Vn sum = start_->p_rest;
    for (int j = 0; j < s_; ++j) sum += h_ * a_(i, j) * points_[sz(j)].rate;
    const Vn& momentum = points_[sz(i)].momentum;
    Eigen::Map<Vn>(&w.residual[sz(i * n)], n) = (momentum - start_->p) - sum;
    w.magnitude = std::max({w.magnitude, largest(momentum), largest(start_->p), largest(sum)});
  }
  if (fresh) add_jacobian();
}

void CollocationStages::add_jacobian() {
  const int n = f_.n;
  for (int i = 0; i < s_; ++i)
    for (int k = 0; k < s_; ++k) {
      const Point& at = points_[sz(i)];
      Eigen::MatrixXd block = h_ * a_(i, k) * (at.momentum_X - points_[sz(k)].rate_H);
      if (i == k) block += at.momentum_H;
      for (int j = 0; j < s_; ++j) block -= h_ * h_ * a_(i, j) * a_(j, k) * points_[sz(j)].rate_X;
      for (int row = 0; row < n; ++row)
        for (int column = 0; column < n; ++column)
          newton.jacobian(i * n + row, k * n + column) = block(row, column);
    }
}

void CollocationStages::end_step(VectorState& s) {
  const Vn xi = along(b_);
  Vn impulse = Vn::Zero(f_.n);
  for (int j = 0; j < s_; ++j) impulse += h_ * b_[j] * points_[sz(j)].rate;
  const Vn none = Vn::Zero(f_.n);
  Vn p = none;  // the momentum does not go along: it is in the frame of the body already
  Vn p_rest = none;
  f_.space.update(s.q.data(), s.q_rest.data(), p.data(), p_rest.data(), xi.data(), none.data(),
                  tau_);
  for (int a = 0; a < f_.n; ++a) exact_add(s.p[a], s.p_rest[a], impulse[a]);
  compensated_add(s.t, s.t_rest, h_);
}

}  // namespace varia::detail
