// SPDX-License-Identifier: BSD-3-Clause
#include "fixed_point.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "varia/core/round_off.hpp"
#include "varia/solve/subtraction.hpp"

namespace varia::detail {

namespace {

/// More iterations than this are not cheaper than Newton's method for any system.
constexpr int max_iterations = 25;

/// Above this the iteration is not relied on.
constexpr double poor_contraction = 0.2;

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  double largest = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

}  // namespace

FixedPoint::FixedPoint(const KernelSystem& system, const StageCoefficients& k)
    : f_(system),
      n_(system.n),
      r_(k.unknowns),
      points_(k.points),
      nodal_(k.nodal),
      constant_mass_(system.separable) {
  for (const double mass : f_.mass_diagonal) inverse_mass_.push_back(1.0 / mass);
  Eigen::MatrixXd K = Eigen::MatrixXd::Zero(r_, r_);
  for (int i = 0; i < k.points; ++i)
    for (int j = 0; j < r_; ++j)
      for (int l = 0; l < r_; ++l) K(j, l) += k.row_P.hi[sz(i * r_ + j)] * k.B.hi[sz(i * r_ + l)];
  const Eigen::MatrixXd inverse = K.inverse();
  for (int j = 0; j < r_; ++j)
    for (int l = 0; l < r_; ++l) inverse_K_.push_back(inverse(j, l));
  Couplings c;
  for (int a = 0; a < n_; ++a) c.groups.push_back({a});
  const std::vector<Scatter> places = both_triangles(f_.second, n_, n_, n_);
  for (const Scatter& s : places) c.meeting.emplace_back(s.row, s.column);
  mass_.resize(c);
  for (const Scatter& s : places) {
    mass_value_.push_back(2 * n_ + s.value);
    mass_slot_.push_back(mass_.slot(s.row, s.column));
  }
  x_.assign(sz(1 + f_.entries + n_), 0.0);
  second_.assign(sz(2 * n_ + f_.second.size()), 0.0);
  row_.assign(sz(r_), 0.0);
  kept_.reserve(sz(r_ * n_));
  kept_mass_.resize(f_.entries, n_, r_ * n_, price_of_mass());
}

/// The mass at the start of a step with velocity v; false where it has no inverse.
bool FixedPoint::factor_mass(const VectorState& s, const double* v) {
  if (!inverse_mass_.empty() || (constant_mass_ && factored_)) return true;
  x_[0] = s.t;
  std::copy(s.q.data(), s.q.data() + f_.entries, x_.begin() + 1);
  std::copy(v, v + n_, x_.begin() + 1 + f_.entries);
  f_.hessian(x_.data(), second_.data());
  mass_.set_zero();
  for (std::size_t e = 0; e < mass_slot_.size(); ++e)
    mass_.data()[mass_slot_[e]] = second_[sz(mass_value_[e])];
  factored_ = mass_.factor();
  return factored_;
}

void FixedPoint::exchange(SavedNumbers& numbers) {
  numbers(kept_mass_);
  if (numbers.reading() && kept_mass_.ready())
    factor_mass(kept_mass_.start(), kept_mass_.x().data());
}

/// x ← (K ⊗ M)⁻¹ x
void FixedPoint::apply_inverse(double* x) {
  for (int j = 0; j < r_; ++j) {
    double* const block = x + j * n_;
    if (inverse_mass_.empty())
      mass_.solve(block);
    else
      array(block, n_) *= array(inverse_mass_.data(), n_);
  }
  if (nodal_) return;
  for (int a = 0; a < n_; ++a) {
    for (int j = 0; j < r_; ++j) row_[sz(j)] = x[j * n_ + a];
    for (int j = 0; j < r_; ++j)
      x[j * n_ + a] = dot(&inverse_K_[sz(j * r_)], 1, row_.data(), 1, r_);
  }
}

FixedPoint::Step FixedPoint::step(Stages& stages, bool keep_low) {
  stages.evaluate(false, keep_low);
  double* const x = stages.newton.x.data();
  double* const residual = stages.newton.residual.data();
  Subtraction subtract;
  if (nodal_ && !inverse_mass_.empty()) {
    const double* const inverse = inverse_mass_.data();
    for (int first = 0; first < r_ * n_; first += n_)
      subtract(
          [&]<int W>(int i) { return numbers<W>(residual + first + i) * numbers<W>(inverse + i); },
          x + first, n_);
  } else {
    apply_inverse(residual);
    subtract([&]<int W>(int i) { return numbers<W>(residual + i); }, x, r_ * n_);
  }
  return {subtract.largest_step(), subtract.largest_unknown(), subtract.finite()};
}

NewtonReport FixedPoint::solve(Stages& stages, const VectorState& s, double h) {
  if (kept_mass_.usable(h)) {
    const NewtonReport report = iterate(stages, poor_contraction);
    kept_mass_.count_kept(report);
    return report;
  }
  if (kept_mass_.has_room()) kept_mass_.set_point(s, h, stages.newton.x);
  NewtonReport report;
  if (factor_mass(s, stages.newton.x.data())) report = iterate(stages, 1.0);
  kept_mass_.count_new(report);
  return report;
}

NewtonReport FixedPoint::iterate(Stages& stages, double worst_rate) {
  NewtonReport report;
  double last = 0.0;
  double scale = 0.0;
  for (int i = 1; i <= max_iterations; ++i) {
    const Step done = step(stages, i > 1 && last <= 1e-3 * scale);
    const double size = done.size;
    scale = done.scale;
    report.iterations = i;
    report.last_update = scale > 0.0 ? size / scale : size;
    if (!done.finite) return report;
    const double rate = i > 1 && last > 0.0 ? size / last : 1.0;
    const double floor = eps * scale;
    const bool lost = rate < 0.5 && (size <= floor || size * rate <= 0.03 * floor);
    const bool small = size <= 1e-10 * scale;
    const bool stopped = i > 1 && rate >= 0.5 && small;
    if (size == 0.0 || lost || stopped) {
      report.converged = true;
      return report;
    }
    if (i > 2 && rate > (small ? 1.0 : worst_rate)) return report;
    last = size;
  }
  return report;
}

double FixedPoint::contraction(Stages& stages, const VectorState& s, const double* v) {
  std::vector<double>& x = stages.newton.x;
  kept_ = x;
  stages.guess(v);
  double worst = 0.0;
  kept_mass_.drop();
  if (factor_mass(s, x.data())) {
    double before = largest_difference(x, kept_);
    for (int i = 0; i < 2; ++i) {
      step(stages, false);
      const double after = largest_difference(x, kept_);
      // at the size of round-off there is nothing to see
      if (before > 1e-10 * array(kept_.data(), stages.newton.size).abs().maxCoeff())
        worst = std::max(worst, after / before);
      before = after;
    }
  } else {
    worst = 1.0;
  }
  x = kept_;
  stages.evaluate(false);
  return std::isfinite(worst) ? worst : 1.0;
}

FixedPoint::Work FixedPoint::work() const {
  const auto operations = [](const expr::Kernel& k, double without_tape) {
    return k.formula() != nullptr ? k.operations() : without_tape;
  };
  const double gradient = operations(f_.gradient, 20.0 * n_ * n_);
  const double sums = 8.0 * points_ * r_ * n_;
  return {points_ * gradient + sums, operations(f_.hessian, gradient * (n_ + 1))};
}

/// What a new mass costs in iterations; 0 where it is constant.
int FixedPoint::price_of_mass() const {
  if (constant_mass_) return 0;
  const Work cost = work();
  const double width = mass_.banded() ? mass_.bandwidth() : n_ / 2.0;
  return 1 + static_cast<int>((cost.second + 2.0 * n_ * width * width) / cost.residual);
}

bool FixedPoint::worthwhile(const Stages& stages, double contraction) const {
  if (contraction > poor_contraction) return false;
  // from an extrapolated guess, right to some digits, to round-off
  const double digits = 10.0;
  const double iterations = 2.0 + digits / std::max(1.0, -std::log10(std::max(contraction, 1e-16)));
  const Work cost = work();
  const double size = r_ * n_;
  const double width =
      stages.newton.jacobian.banded() ? stages.newton.jacobian.bandwidth() : size / 2;
  const double factorisation = 2.0 * size * width * width;
  const double newton =
      3.0 * cost.residual + points_ * cost.second + factorisation + 6.0 * size * width;
  return iterations * cost.residual < 0.8 * newton;
}

}  // namespace varia::detail
