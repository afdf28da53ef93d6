// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Measured order of convergence against the declared one, on both sides.
//
//   (order)   |(F^{T/n})ⁿ(z₀) - z(T)| = C n^{-r} (1 + …)                                     [MW01]
//
// The number of steps grows by half until the error meets round-off; the order is the slope between
// the two finest runs that are still clear of it.
#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "varia/flow/any_flow.hpp"
#include "varia/flow/flow.hpp"
#include "varia/flow/integrate.hpp"
#include "varia/methods/methods.hpp"
#include "varia/verify/typed_view.hpp"

namespace varia {

struct OrderReport {
  int declared = 0;
  double measured = 0.0;
  std::vector<long> steps;
  std::vector<double> errors;  ///< relative to the size of the state
  /// Within the tolerance of the declared order, above and below.
  bool passes(double tolerance = 0.1) const { return std::abs(measured - declared) <= tolerance; }
};

namespace detail {

/// Distance of two states, configuration and momentum, relative to the size of the second.
template <Point Q, int M> double distance(const State<Q, M>& a, const State<Q, M>& b) {
  const Tangent<Q> dq = Space<Q>::difference(b.q, a.q);
  double size = 1.0;
  if constexpr (Space<Q>::is_vector_space && requires { b.q.cwiseAbs(); })
    size = std::max(size, b.q.template lpNorm<Eigen::Infinity>());
  const double dp = (a.p - b.p).cwiseAbs().maxCoeff() / std::max(1.0, b.p.cwiseAbs().maxCoeff());
  return std::max(dq.template lpNorm<Eigen::Infinity>() / size, dp);
}

}  // namespace detail

namespace detail {

/// A method of order 14 for references: gauss(7) where the system is known to have no constraints.
template <class S, Point Q, int M>
Method reference_method([[maybe_unused]] const S& system, const State<Q, M>& start) {
  bool constrained = start.lambda.size() > 0;
  if constexpr (M == Dynamic && requires { S::constrained; })
    constrained = declared_constraint_count(system) != 0;
  return constrained ? lobatto(8) : gauss(7);
}

/// The order a method declares for a system with the constraints of the given state.
template <Point Q, int M> int declared_order(const Method& method, const State<Q, M>& start) {
  return start.lambda.size() > 0 ? method.constrained_order() : method.order();
}

/// A flow of the same system for references; of Flow it does not inherit the user's options.
template <class F, Point Q, int M> auto reference_flow(const F& flow, const State<Q, M>& start) {
  if constexpr (requires { flow.system(); })
    return flow.with_method(reference_method(typed_system(flow), start));
  else
    return flow.with_method(gauss(7));  // a Hamiltonian system: no constraints
}
template <class S, Point Q, int M>
Flow<S> reference_flow(const Flow<S>& flow, const State<Q, M>& start) {
  return Flow<S>(reference_method(flow.system(), start), flow.system());
}

inline AnyFlow reference_flow(const AnyFlow& flow, const VectorState& start) {
  return flow.with_method(start.lambda.size() > 0 ? lobatto(8) : gauss(7));
}

/// The state at start.t + duration to round-off, by a flow of high order with enough steps.
template <class F, Point Q, int M>
State<Q, M> converged_state(const F& flow, const State<Q, M>& start, double duration) {
  State<Q, M> coarse = start;
  double last = std::numeric_limits<double>::infinity();
  for (long n = 8; n <= 65536; n *= 2) {
    try {
      State<Q, M> fine = advance(flow, start, duration / static_cast<double>(n), n);
      const double change = detail::distance(fine, coarse);
      if (change < 1e-14 || (change < 1e-12 && change > 0.25 * last)) return fine;
      last = change;
      coarse = std::move(fine);
    } catch (const NoConvergence&) {
      last = std::numeric_limits<double>::infinity();
    }
  }
  throw NoConvergence(
      "reference solution: no agreement to round-off over the given duration; the motion "
      "may be chaotic, take a shorter duration",
      start.t, duration, 0, last);
}

}  // namespace detail

/// The state at start.t + duration to round-off, by a method of order 14 with enough steps. The
/// first argument is a system, or a flow of it that offers with_method(method).
template <class S, Point Q, int M>
State<Q, M> reference_state(const S& system, const State<Q, M>& start, double duration) {
  if constexpr (requires { system.with_method(system.method()); }) {
    return detail::converged_state(detail::reference_flow(system, start), start, duration);
  } else {
    const Flow<S> flow(detail::reference_method(system, start), system);
    return detail::converged_state(flow, start, duration);
  }
}

/// Measures the order of a flow from start over the duration, against the given exact state there.
template <class F, Point Q, int M>
OrderReport check_order(const F& flow, const State<Q, M>& start, double duration,
                        const State<Q, M>& exact, int declared) {
  constexpr double coarsest = 2e-2;  // errors above are not yet in the asymptotic range
  constexpr long most = 4000;
  OrderReport report;
  report.declared = declared;
  for (double n = 2.0; n < most; n *= 1.5) {
    const long steps = std::lround(n);
    double error = 0.0;
    try {
      error = detail::distance(advance(flow, start, duration / static_cast<double>(steps), steps),
                               exact);
    } catch (const NoConvergence&) {
      continue;  // too few steps to be solvable at all: not part of the measurement
    }
    if (error > coarsest) continue;
    // round-off of a step is about 1e-16 of the state and adds up like a random walk
    if (error < 2e-13 * std::max(1.0, 0.25 * std::sqrt(n))) break;
    report.steps.push_back(steps);
    report.errors.push_back(error);
  }
  const std::size_t k = report.errors.size();
  if (k < 3)
    throw InvalidArgument(
        "check_order: fewer than three step sizes lie between 2% error and round-off; "
        "take a longer or shorter duration");
  report.measured =
      std::log(report.errors[k - 2] / report.errors[k - 1]) /
      std::log(static_cast<double>(report.steps[k - 1]) / static_cast<double>(report.steps[k - 2]));
  return report;
}

/// The same with the reference solution computed by Varia and the order the method declares.
/// The flow offers method() and with_method(method).
template <class F, Point Q, int M>
OrderReport check_order(const F& flow, const State<Q, M>& start, double duration) {
  return check_order(flow, start, duration, reference_state(flow, start, duration),
                     detail::declared_order(flow.method(), start));
}

}  // namespace varia
