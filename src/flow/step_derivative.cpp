// SPDX-License-Identifier: BSD-3-Clause
#include "varia/flow/step_derivative.hpp"

#include <Eigen/LU>
#include <algorithm>

namespace varia {

namespace {

Vn stacked(const PhaseVector& z) {
  Vn both(z.delta.size() + z.nu.size());
  both << z.delta, z.nu;
  return both;
}

void unstack(const Vn& both, PhaseVector& z) {
  z.delta = both.head(z.delta.size());
  z.nu = both.tail(z.nu.size());
}

}  // namespace

PhaseVector PhaseVector::zero(int n, int free) {
  return {Vn::Zero(n), Vn::Zero(n), 0.0, 0.0, Vn::Zero(free), 0.0, {}};
}

double PhaseVector::dot(const PhaseVector& other) const {
  const Eigen::Index both = std::min(free.size(), other.free.size());
  const Eigen::Index multipliers = std::min(lambda.size(), other.lambda.size());
  return delta.dot(other.delta) + nu.dot(other.nu) + t * other.t + h * other.h +
         free.head(both).dot(other.free.head(both)) + memory * other.memory +
         lambda.head(multipliers).dot(other.lambda.head(multipliers));
}

void PhaseVector::add(double factor, const PhaseVector& other) {
  const Eigen::Index both = std::min(free.size(), other.free.size());
  delta += factor * other.delta;
  nu += factor * other.nu;
  t += factor * other.t;
  h += factor * other.h;
  free.head(both) += factor * other.free.head(both);
  memory += factor * other.memory;
  if (other.lambda.size() == 0) return;
  if (lambda.size() == 0) lambda = Vn::Zero(other.lambda.size());
  lambda += factor * other.lambda;
}

Eigen::MatrixXd StepDerivative::matrix(int n) const {
  Eigen::MatrixXd result(2 * n, 2 * n);
  for (int k = 0; k < 2 * n; ++k) {
    PhaseVector z = PhaseVector::zero(n);
    (k < n ? z.delta[k] : z.nu[k - n]) = 1.0;
    forward(z);
    result.col(k) = stacked(z);
  }
  return result;
}

namespace detail {

void ChainedDerivative::forward(PhaseVector& z) const {
  const double h = z.h;
  for (const Part& part : parts_) {
    z.h = part.fraction * h;
    part.derivative->forward(z);
  }
  z.h = h;
}

void ChainedDerivative::transposed(PhaseVector& z) const {
  double h = z.h;
  for (std::size_t i = parts_.size(); i-- > 0;) {
    z.h = 0.0;
    parts_[i].derivative->transposed(z);
    h += parts_[i].fraction * z.h;
  }
  z.h = h;
}

void InverseDerivative::set(const StepDerivative& of, int n) {
  of_ = &of;
  factors_.compute(of.matrix(n));
}

/// F(z₁, t + h, -h, θ) = z₀: the rest of the derivative goes to the other side.
void InverseDerivative::forward(PhaseVector& z) const {
  PhaseVector rest = PhaseVector::zero(static_cast<int>(z.delta.size()));
  rest.t = z.t + z.h;
  rest.h = -z.h;
  rest.free = z.free;
  of_->forward(rest);
  unstack(factors_.solve(stacked(z) - stacked(rest)), z);
  z.t += z.h;
}

void InverseDerivative::transposed(PhaseVector& z) const {
  unstack(factors_.transpose().solve(stacked(z)), z);
  PhaseVector rest =
      PhaseVector::zero(static_cast<int>(z.delta.size()), static_cast<int>(z.free.size()));
  rest.delta = -z.delta;
  rest.nu = -z.nu;
  of_->transposed(rest);
  z.h += z.t + rest.t - rest.h;
  z.t += rest.t;
  z.free += rest.free;
}

}  // namespace detail

}  // namespace varia
