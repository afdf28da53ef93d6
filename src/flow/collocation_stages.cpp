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
      second_(sz(2 * system.n + system.second.size()), 0.0),
      force_(sz(system.n + system.force_pattern.size()), 0.0) {
  for (int i = 0; i < s_; ++i) {
    b_[i] = double(rule.b[sz(i)]);
    c_[i] = double(rule.c[sz(i)]);
    for (int j = 0; j < s_; ++j) a_(i, j) = double(rule.a(i, j));
  }
  const int n = f_.n;
  for (Vn* x : {&v_, &xi_, &sum_, &none_, &p_, &p_rest_}) x->setZero(n);
  coadjoint_.setZero(n, n);
  block_.setZero(n, n);
  for (Point& point : points_) {
    point.x.assign(sz(1 + f_.entries + n), 0.0);
    for (Vn* x : {&point.xi, &point.momentum, &point.rate}) x->setZero(n);
    for (Eigen::MatrixXd* m :
         {&point.momentum_q, &point.momentum_v, &point.rate_q, &point.rate_v, &point.momentum_X,
          &point.momentum_H, &point.rate_X, &point.rate_H, &point.E})
      m->setZero(n, n);
    point.D.setIdentity(n, n);
    point.A.setIdentity(n, n);
  }
  newton.resize(s_ * n, s_ * n);
  predictor.resize(s_ * n);
}

void CollocationStages::begin(const VectorState& s, double h) {
  start_ = &s;
  h_ = h;
}

void CollocationStages::guess() {
  if (predictor.predict(h_, newton.x)) return;
  v_.setZero();
  legendre_.velocity(*start_, v_.data());
  for (int i = 0; i < s_; ++i) std::copy_n(v_.data(), f_.n, &newton.x[sz(i * f_.n)]);
}

/// out ← h Σⱼ wⱼ uⱼ
template <class Weights> void CollocationStages::along(const Weights& weights, Vn& out) const {
  out.noalias() = Eigen::Map<const Eigen::MatrixXd>(newton.x.data(), f_.n, s_) * weights;
  out *= h_;
}

/// π, k and, when fresh, their derivatives at point i.
void CollocationStages::place(int i, Point& point, bool fresh) {
  const int n = f_.n;
  along(a_.row(i).transpose(), point.xi);
  point.xi += start_->q_rest;
  point.x[0] = start_->t + (start_->t_rest + h_ * c_[i]);
  double* const q = &point.x[1];
  double* const v = q + f_.entries;
  const double* const u = &newton.x[sz(i * n)];
  std::copy_n(u, n, v);
  f_.space.retract(start_->q.data(), point.xi.data(), tau_, q);
  for (std::size_t k = 0; k < charts_.size(); ++k) {
    const auto& c = f_.space.curved()[k];
    c.factor->place(start_->q.data() + c.entry, &point.xi[c.degree], u + c.degree, tau_, charts_[k],
                    q + c.entry, v + c.degree);
    const auto put = [&](Eigen::MatrixXd& to, const double* map) {
      to.block(c.degree, c.degree, c.dof, c.dof) = map_of(map, c.dof);
    };
    put(point.D, charts_[k].D);
    put(point.E, charts_[k].E);
    put(point.A, charts_[k].A);
  }
  (fresh ? f_.hessian : f_.gradient)(point.x.data(), second_.data());
  const Eigen::Map<const Vn> potential(second_.data(), n);
  point.momentum = Eigen::Map<const Vn>(second_.data() + n, n);
  point.rate = potential;
  if (f_.forced) {
    (fresh ? f_.force_derivative : f_.force)(point.x.data(), force_.data());
    point.rate += Eigen::Map<const Vn>(force_.data(), n);
  }
  f_.space.add_coadjoint(point.momentum.data(), v, point.rate.data());
  if (fresh) differentiate(point);
}

/// out ← (π ↦ ad*_v π)
void CollocationStages::coadjoint_of(const double* v, Eigen::MatrixXd& out) {
  out.setZero();
  for (int j = 0; j < f_.n; ++j) {
    v_ = Vn::Unit(f_.n, j);
    f_.space.add_coadjoint(v_.data(), v, out.col(j).data());
  }
}

/// out += factor (δ ↦ ad*_δ π)
void CollocationStages::add_coadjoint_along(double factor, const double* pi,
                                            Eigen::MatrixXd& out) const {
  for (const auto& c : f_.space.curved()) {
    FactorChart::Map map;
    c.factor->ad_star(pi + c.degree, map);
    out.block(c.degree, c.degree, c.dof, c.dof) += factor * map_of(map, c.dof);
  }
}

/// With δ = D dΞ and dv = E dΞ + D dH; ∂L/∂q has the half bracket, see docs/theory/stage-equations.md.
void CollocationStages::differentiate(Point& point) {
  const int n = f_.n;
  Eigen::MatrixXd* const blocks[2][2] = {{&point.rate_q, &point.rate_v},
                                         {&point.momentum_q, &point.momentum_v}};
  for (const auto& row : blocks)
    for (Eigen::MatrixXd* block : row) block->setZero();
  for (int e = 0; e < f_.second.size(); ++e) {
    const int i = f_.second.row[sz(e)];
    const int j = f_.second.column[sz(e)];
    (*blocks[i / n][j / n])(i % n, j % n) = second_[sz(2 * n + e)];
    (*blocks[j / n][i / n])(j % n, i % n) = second_[sz(2 * n + e)];
  }
  add_coadjoint_along(0.5, second_.data(), point.rate_q);
  for (int e = 0; f_.forced && e < f_.force_pattern.size(); ++e) {
    const int j = f_.force_pattern.column[sz(e)];
    (*blocks[0][j / n])(f_.force_pattern.row[sz(e)], j % n) += force_[sz(n + e)];
  }
  add_coadjoint_along(1.0, point.momentum.data(), point.rate_v);
  coadjoint_of(&point.x[sz(1 + f_.entries)], coadjoint_);
  point.rate_q.noalias() += coadjoint_ * point.momentum_q;
  point.rate_v.noalias() += coadjoint_ * point.momentum_v;
  const auto in_chart = [&](const Eigen::MatrixXd& by_q, const Eigen::MatrixXd& by_v,
                            Eigen::MatrixXd& by_X, Eigen::MatrixXd& by_H) {
    by_X.noalias() = by_q * point.D;
    by_X.noalias() += by_v * point.E;
    by_H.noalias() = by_v * point.D;
  };
  in_chart(point.momentum_q, point.momentum_v, point.momentum_X, point.momentum_H);
  in_chart(point.rate_q, point.rate_v, point.rate_X, point.rate_H);
}

void CollocationStages::operator()(NewtonWorkspace& w, bool fresh) {
  const int n = f_.n;
  for (int i = 0; i < s_; ++i) place(i, points_[sz(i)], fresh);
  w.magnitude = 0.0;
  for (int i = 0; i < s_; ++i) {
    sum_ = start_->p_rest;
    for (int j = 0; j < s_; ++j) sum_ += h_ * a_(i, j) * points_[sz(j)].rate;
    const Vn& momentum = points_[sz(i)].momentum;
    Eigen::Map<Vn>(&w.residual[sz(i * n)], n) = (momentum - start_->p) - sum_;
    w.magnitude = std::max({w.magnitude, largest(momentum), largest(start_->p), largest(sum_)});
  }
  if (fresh) add_jacobian();
}

void CollocationStages::add_jacobian() {
  const int n = f_.n;
  for (int i = 0; i < s_; ++i)
    for (int k = 0; k < s_; ++k) {
      const Point& at = points_[sz(i)];
      block_ = h_ * a_(i, k) * (at.momentum_X - points_[sz(k)].rate_H);
      if (i == k) block_ += at.momentum_H;
      for (int j = 0; j < s_; ++j) block_ -= h_ * h_ * a_(i, j) * a_(j, k) * points_[sz(j)].rate_X;
      for (int row = 0; row < n; ++row)
        for (int column = 0; column < n; ++column)
          newton.jacobian(i * n + row, k * n + column) = block_(row, column);
    }
}

void CollocationStages::end_step(VectorState& s) {
  along(b_, xi_);
  sum_.setZero();
  for (int j = 0; j < s_; ++j) sum_ += h_ * b_[j] * points_[sz(j)].rate;
  p_.setZero();  // the momentum does not go along: it is in the frame of the body already
  p_rest_.setZero();
  f_.space.update(s.q.data(), s.q_rest.data(), p_.data(), p_rest_.data(), xi_.data(), none_.data(),
                  tau_);
  for (int a = 0; a < f_.n; ++a) exact_add(s.p[a], s.p_rest[a], sum_[a]);
  compensated_add(s.t, s.t_rest, h_);
}

}  // namespace varia::detail
