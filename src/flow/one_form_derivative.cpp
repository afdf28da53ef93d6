// SPDX-License-Identifier: BSD-3-Clause
#include "one_form_derivative.hpp"

#include <utility>

#include "point_derivative.hpp"
#include "varia/core/index.hpp"

namespace varia::detail {

namespace {

using V = Vn;

}  // namespace

FormAt::FormAt(const KernelSystem& f, double t, const V& q, const V& lambda) {
  const int n = f.n;
  const V zero = V::Zero(n);
  const auto at_rest = f.point(t, q.data(), zero.data());
  const auto moving = f.point(t, q.data(), lambda.data());
  V rest(2 * n + f.second.size());
  V along(2 * n + f.second.size());
  f.hessian(at_rest.data(), rest.data());
  f.hessian(moving.data(), along.data());
  theta = rest.segment(n, n);
  push = -rest.head(n);
  pull = along.head(n) - rest.head(n);
  slope = Eigen::MatrixXd::Zero(n, n);
  curvature = slope;
  for (int e = 0; e < f.second.size(); ++e) {
    const int i = f.second.row[sz(e)];
    const int j = f.second.column[sz(e)];
    if (i >= n && j < n) slope(i - n, j) = rest[2 * n + e];
    if (i < n) curvature(i, j) = curvature(j, i) = along[2 * n + e] - rest[2 * n + e];
  }
  rates = Eigen::MatrixXd::Zero(n, 1 + f.free);
  pull_rates = rates;
  if (!f.rates) return;
  Eigen::MatrixXd by_rest(2 * n, 1 + f.free);
  Eigen::MatrixXd by_moving(2 * n, 1 + f.free);
  f.rates(at_rest.data(), by_rest.data());
  f.rates(moving.data(), by_moving.data());
  rates = by_rest.bottomRows(n);
  pull_rates = (by_moving - by_rest).topRows(n);
  push += rates.col(0);
}

ProjectionSlope::ProjectionSlope(const StepDerivative& step, const FormAt& start, const FormAt& end,
                                 double h, double back)
    : q(start.slope), p(start.slope) {
  const auto n = static_cast<int>(start.theta.size());
  for (int k = 0; k < n; ++k) {
    PhaseVector z = PhaseVector::zero(n, static_cast<int>(start.rates.cols()) - 1);
    z.delta[k] = h;
    z.nu = h * start.slope.row(k).transpose();
    step.forward(z);
    q.col(k) = z.delta;
    p.col(k) = z.nu;
  }
  const Eigen::MatrixXd shift = q + h * back * Eigen::MatrixXd::Identity(n, n);
  slope = p + h * back * (end.slope.transpose() + end.curvature * shift) - end.slope * shift;
}

OneFormDerivative::OneFormDerivative(const StepDerivative& step, FormAt start, FormAt end, double h,
                                     double back, V lambda)
    : step_(step),
      start_(std::move(start)),
      end_(std::move(end)),
      h_(h),
      back_(back),
      lambda_(std::move(lambda)) {
  if (!projects()) return;
  const ProjectionSlope by_lambda(step_, start_, end_, h_, back_);
  const Eigen::Index n = lambda_.size();
  response_ = by_lambda.q + h_ * back_ * Eigen::MatrixXd::Identity(n, n);
  slope_.compute(by_lambda.slope);
}

Eigen::MatrixXd OneFormDerivative::by_end() const {
  return h_ * back_ * end_.curvature - end_.slope;
}

Eigen::MatrixXd OneFormDerivative::by_end_rates() const {
  return h_ * back_ * end_.pull_rates - end_.rates;
}

void OneFormDerivative::forward(PhaseVector& z) const {
  const int free = static_cast<int>(start_.rates.cols()) - 1;
  const V before = parameters_of(z, z.t, free);
  z.nu = start_.slope * z.delta + start_.rates * before;
  if (projects()) {
    z.nu += h_ * (start_.curvature * z.delta + start_.pull_rates * before) + z.h * start_.pull;
    z.delta += z.h * lambda_;
  }
  step_.forward(z);
  const V after = parameters_of(z, z.t, free);
  if (projects()) {
    z.delta += (back_ * z.h) * lambda_;
    const V off = z.nu + by_end() * z.delta + by_end_rates() * after + (back_ * z.h) * end_.pull;
    z.delta -= response_ * slope_.solve(off);
  }
  z.nu = end_.slope * z.delta + end_.rates * after;
}

void OneFormDerivative::transposed(PhaseVector& z) const {
  const V out = z.nu;
  z.delta += end_.slope.transpose() * out;
  V after = end_.rates.transpose() * out;
  z.nu.setZero();
  double step = 0.0;
  if (projects()) {
    const V along = response_.transpose() * z.delta;
    z.nu = slope_.transpose().solve(V(-along));
    z.delta += by_end().transpose() * z.nu;
    after += by_end_rates().transpose() * z.nu;
    step = back_ * (lambda_.dot(z.delta) + end_.pull.dot(z.nu));
  }
  add_parameters(after, z);
  step_.transposed(z);
  z.h += step;
  V before = start_.rates.transpose() * z.nu;
  V delta = start_.slope.transpose() * z.nu;
  if (projects()) {
    delta += h_ * (start_.curvature.transpose() * z.nu);
    before += h_ * (start_.pull_rates.transpose() * z.nu);
    z.h += lambda_.dot(z.delta) + start_.pull.dot(z.nu);
  }
  z.delta += delta;
  add_parameters(before, z);
  z.nu.setZero();
}

}  // namespace varia::detail
