// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Newton's method to round-off, stopped by the size of its steps.
//
// A residual bound would need the scaling of every problem; a step is measured against the unknown
// itself. The iteration ends when the next step is predicted to be below round-off (from the
// observed rate), or when the residual is at its own round-off and steps no longer shrink, or are there
// by kept factors that contract.
// Anything else is a failure that the caller turns into NoConvergence: no step is ever accepted
// half-solved.
// Where whole steps fail there are damped ones: see solve/damped_newton.hpp.
#include <algorithm>
#include <cmath>
#include <vector>

#include "varia/core/round_off.hpp"
#include "varia/solve/lu.hpp"
#include "varia/solve/secant.hpp"
#include "varia/solve/subtraction.hpp"

namespace varia {

/// Options of the solver.
struct Newton {
  int max_iterations = 50;
  /// Keep the Jacobian of the first iteration of a step while it contracts well.
  bool freeze_jacobian = false;
  /// Where the unknown is close to 0 it has no relative precision: the residual alone decides.
  bool near_rest = false;
};

/// The unknown and what the iteration needs; reused from step to step without allocation. Matrix
/// factors in place and solves: DenseLU, or one that knows its zeros.
template <class Matrix> struct NewtonWorkspaceOf {
  void resize(int n, int tested) {
    resize_vectors(n, tested);
    jacobian.resize(n);
  }
  /// All but the matrix.
  void resize_vectors(int n, int tested) {
    size = n;
    tested_size = tested;
    x.assign(static_cast<std::size_t>(n), 0.0);
    residual.assign(static_cast<std::size_t>(n), 0.0);
    from = direction = x;
    secant.resize(n);
  }

  int size = 0;
  int tested_size = 0;  ///< leading components whose steps decide (not the multipliers)
  std::vector<double> x, residual;
  std::vector<double> from, direction;  ///< of a damped step
  Matrix jacobian;
  double magnitude = 0.0;  ///< largest term in the residual: its round-off is eps times this
  Secant secant;           ///< of kept factors
};

using NewtonWorkspace = NewtonWorkspaceOf<DenseLU>;

/// How damped steps ended, where they were tried.
enum class Damping {
  not_tried,
  solved,
  no_descent,  ///< however short, no part of a step comes closer to a solution
  too_slow,    ///< the iterations were used up
  singular     ///< the Jacobian was
};

struct NewtonReport {
  bool converged = false;
  bool singular = false;
  bool renewed = false;  ///< the Jacobian was evaluated and factored
  /// The last step, which w.residual holds, was short: over it the equations are as good as linear.
  bool linear = false;
  int iterations = 0;
  double last_update = 0.0;  ///< relative to the unknown
  Damping damping = Damping::not_tried;
  int damped_iterations = 0;  ///< of damped steps, beside the others
};

/// Whether the largest term in the residual is at least so large: equations may offer to compute it when
/// it is asked for, and to look for it only until it is.
template <class W, class F> bool has_term(const W& w, const F& equations, double bound) {
  if constexpr (requires { equations.has_term(bound); })
    return equations.has_term(bound);
  else
    return w.magnitude >= bound;
}

namespace detail {

/// Factors of an earlier solve are given up where their first step is longer than this, relative to
/// the unknown: they belong to another place.
inline constexpr double far_for_kept_factors = 1e-3;

/// Whether steps that shrink by this rate reach round-off within three more, about what a new
/// Jacobian costs.
inline bool soon_at_round_off(double step, double rate, double floor) {
  return step <= 16.0 * floor || step * rate * rate * rate <= 1e-4 * floor;
}

/// The largest of the tested numbers of the residual.
template <class W> double largest_residual(const W& w) {
  double largest = 0.0;
  for (int i = 0; i < w.tested_size; ++i)
    largest = std::max(largest, std::abs(w.residual[static_cast<std::size_t>(i)]));
  return largest;
}

/// x ← x - residual; the sizes are those of the tested numbers.
template <class W> Subtraction subtract_residual(W& w) {
  const double* const step = w.residual.data();
  Subtraction tested;
  tested([step]<int P>(int i) { return numbers<P>(step + i); }, w.x.data(), w.tested_size);
  for (int i = w.tested_size; i < w.size; ++i)
    tested.sum[0] += w.x[static_cast<std::size_t>(i)] -= step[i];
  return tested;
}

}  // namespace detail

/// Solves F(x) = 0 from w.x. evaluate(w, fresh) fills w.residual, w.magnitude and, when fresh,
/// w.jacobian. kept: w.jacobian holds the factors of an earlier solve, with which the iteration
/// begins; its end is found by the same bounds.
template <class W, class F>
NewtonReport solve(const Newton& options, W& w, F&& evaluate, bool kept = false) {
  using detail::eps;
  constexpr double stagnation = 1e-6;  // steps above are a slow phase, not round-off
  NewtonReport report;
  double last = 0.0;
  bool fresh = !kept;
  for (int k = 1; k <= options.max_iterations; ++k) {
    evaluate(w, fresh);
    if (fresh) {
      kept = false;
      w.secant.forget();
      report.renewed = true;
      report.singular = !w.jacobian.factor();
      if (report.singular) return report;
    }
    const double largest_residual = detail::largest_residual(w);
    w.jacobian.solve(w.residual.data());
    if (kept && k == 1) w.secant.improve(w.residual.data());
    if (kept && k == 2) w.secant.learn(w.residual.data());
    const detail::Subtraction moved = detail::subtract_residual(w);
    const double step = moved.largest_step();
    const double scale = moved.largest_unknown();
    report.iterations = k;
    report.last_update = scale > 0.0 ? step / scale : step;
    if (!moved.finite() || (kept && step > detail::far_for_kept_factors * scale)) return report;
    const double floor = eps * scale;
    const double rate = k > 1 && last > 0.0 ? step / last : 1.0;
    const double next = fresh && !options.freeze_jacobian ? step * rate * rate : step * rate;
    const bool shrinking = rate < 0.5;
    const auto stalled = [&] {
      if (k == 1 || shrinking || (step > stagnation * scale && !options.near_rest)) return false;
      const double round_offs = step <= stagnation * scale ? 1e3 : 8.0;
      return has_term(w, evaluate, largest_residual / (round_offs * eps));
    };
    const bool solved = shrinking && next <= 1e-4 * floor;
    // the residual was at its own round-off, and the factors contract: what follows would be noise
    const bool settled = kept && rate <= 1e-2 && step <= 2.0 * floor &&
                         has_term(w, evaluate, largest_residual / (4.0 * eps));
    // a new Jacobian is at most 1e-5 away, see below
    report.linear = solved || step <= (kept ? 16.0 * floor : 1e-11 * scale);
    if (step <= 0.5 * floor || solved || settled || stalled()) {
      report.converged = true;
      return report;
    }
    // the Jacobian of a point at distance δ contracts by O(δ): near the solution a new one gains nothing
    const bool good = options.freeze_jacobian || step <= 1e-5 * scale;
    fresh = kept ? k > 1 && !detail::soon_at_round_off(step, rate, floor)
                 : !good || (k > 1 && rate > 0.1);
    last = step;
  }
  return report;
}

}  // namespace varia
