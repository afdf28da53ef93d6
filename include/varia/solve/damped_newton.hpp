// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Newton's method with damped steps, where whole ones fail: the unknown is far from the solution for the
// curvature of F, or F has a kink or changes much in a thin layer. Parts of steps follow the path along
// which F vanishes in proportion.
#include <algorithm>
#include <cmath>

#include "varia/solve/newton.hpp"

namespace varia {

namespace detail {

/// A part of a step that is shorter than this is none.
inline constexpr double shortest_part = 1e-14;

/// The steps d = J⁻¹F(x) of one point x, of which a part λ is taken.
template <class W, class F> class DampedStep {
 public:
  /// w.x and w.residual are x and d.
  DampedStep(W& w, F& evaluate) : w_(w), evaluate_(evaluate) {
    w.from = w.x;
    w.direction = w.residual;
    whole_ = rest_ = largest_residual(w);
    square_ = along();
  }

  /// Takes the largest part λ = most / 2ᵏ after which the next step with the same Jacobian is shorter,
  /// |J⁻¹F(x - λd)| <= (1 - λ/4) |d|, and neither there nor half way in the opposite direction. Where
  /// twice as much is in the opposite direction, a layer in which F changes much may lie between: it is
  /// divided until the rest is less than half. 0 if there is no such part.
  double take(double most) {
    double part = most;
    double beyond = 0.0;
    for (; !shortens(part, beyond); part *= 0.5)
      if (part < shortest_part) return 0.0;
    if (beyond > 0.0) part = divide(part, beyond);
    go(part);
    return part;
  }

  /// |J⁻¹F| after the part that was taken, over |d|.
  double rest() const { return rest_ / whole_; }
  /// x ← x - part d
  void go(double part) {
    for (std::size_t i = 0; i < w_.x.size(); ++i) w_.x[i] = w_.from[i] - part * w_.direction[i];
  }

 private:
  double along() const {
    double sum = 0.0;
    for (int i = 0; i < w_.tested_size; ++i)
      sum += w_.residual[static_cast<std::size_t>(i)] * w_.direction[static_cast<std::size_t>(i)];
    return sum;
  }
  /// ⟨J⁻¹F(x - part d), d⟩ / |d|², with its length as the rest.
  double next(double part) {
    go(part);
    evaluate_(w_, false);
    w_.jacobian.solve(w_.residual.data());
    rest_ = largest_residual(w_);
    return along() / square_;
  }
  bool shortens(double part, double& beyond) {
    const double there = next(part);
    const double rest = rest_;
    if (there < 0.0) beyond = part;
    if (!(rest <= (1.0 - 0.25 * part) * whole_) || !std::isfinite(there)) return false;
    const double half_way = next(0.5 * part);
    rest_ = rest;
    if (half_way < 0.0) beyond = 0.5 * part;
    return half_way >= 0.0;
  }
  double divide(double part, double beyond) {
    constexpr int most = 60;
    double rest = rest_;
    for (int i = 0; i < most && rest > 0.5 * whole_; ++i) {
      const double middle = 0.5 * (part + beyond);
      const double there = next(middle);
      if (there >= 0.0 && rest_ <= rest) {
        part = middle;
        rest = rest_;
      } else {
        beyond = middle;
      }
    }
    rest_ = rest;
    return part;
  }

  W& w_;
  F& evaluate_;
  double whole_ = 0.0, rest_ = 0.0, square_ = 0.0;
};

}  // namespace detail

/// F(x) = 0 from w.x by parts of the steps d = J⁻¹F(x), such that the next step with the same Jacobian is
/// shorter: the natural monotonicity test of [Deu04], in which units of F do not enter. Where whole steps
/// contract, `solve` goes on, and it alone decides what is a solution.
template <class W, class F> NewtonReport solve_damped(const Newton& options, W& w, F& evaluate) {
  NewtonReport report;
  const auto ended = [&](Damping how) {
    report.damping = how;
    return report;
  };
  double part = 1.0;
  for (int k = 1; k <= options.max_iterations; ++k) {
    evaluate(w, true);
    w.secant.forget();
    report.damped_iterations = k;
    if (!w.jacobian.factor()) return ended(Damping::singular);
    w.jacobian.solve(w.residual.data());
    detail::DampedStep<W, F> step(w, evaluate);
    part = step.take(std::min(1.0, 4.0 * part));
    if (part == 0.0) return ended(Damping::no_descent);
    if (part < 1.0 || step.rest() > 0.25) continue;
    report = solve(options, w, evaluate);
    report.damped_iterations = k;
    if (report.converged) return ended(Damping::solved);
    step.go(part);
  }
  return ended(Damping::too_slow);
}

/// What whole steps and then damped ones came to.
inline NewtonReport either(const NewtonReport& whole, const NewtonReport& damped) {
  NewtonReport report = damped.converged ? damped : whole;
  report.iterations = whole.iterations;
  report.damping = damped.damping;
  report.damped_iterations = damped.damped_iterations + (damped.converged ? damped.iterations : 0);
  return report;
}

/// Newton's method from where `begin` puts w.x, by whole steps and, where these fail, by damped ones.
template <class W, class F, class Begin>
NewtonReport solve_from(const Newton& options, W& w, F& evaluate, const Begin& begin) {
  begin();
  const NewtonReport whole = solve(options, w, evaluate);
  if (whole.converged) return whole;
  begin();
  return either(whole, solve_damped(options, w, evaluate));
}

}  // namespace varia
