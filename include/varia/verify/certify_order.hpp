// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The order of any discrete Lagrangian, certified against the exact one.
//
//   (certify)   L_d(q(0), q(h), h) = L_d^E(q(0), q(h), h) + f(h) + O(h^{r+1})               [MW01]
//
// along exact motions q. A function f of h alone changes neither momenta nor flow and is allowed: it
// is common to several motions and taken out as their mean. L_d may be that of a method, compositions
// included (by shooting for their inner points), or any callable. The steps are centred, q(-h/2) to
// q(h/2): the error of a symmetric method then has no next power of h, and the slope is seen early. With forces L_d alone does not
// determine the order; then the error of one step of the flow, O(h^{r+1}) as well, is measured.
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "varia/verify/check_action.hpp"
#include "varia/verify/exact_lagrangian.hpp"

namespace varia {

struct CertifiedOrder {
  int declared = 0;
  double measured = 0.0;         ///< r
  std::vector<double> steps;     ///< decreasing step sizes
  std::vector<double> errors;    ///< |L_d - L_d^E - f(h)|, root mean square over the motions
  std::vector<double> additive;  ///< f(h), as far as the motions tell; empty with forces
  bool by_steps = false;         ///< forces act: errors are those of one step of the flow
  /// Within the tolerance of the declared order, above and below.
  bool passes(double tolerance = 0.1) const { return std::abs(measured - declared) <= tolerance; }
};

namespace detail {

/// One step size of a measurement: what is measured on each motion, and its round-off.
struct OrderSample {
  std::vector<double> defects;
  double round_off = 0.0;
};

/// The slope of the spread of the defects (of their size when by_steps) as h decreases from the given
/// one; sample(h, out) fills one sample and may throw NoConvergence where h is too large.
template <class Sample>
CertifiedOrder measure_order(double h, int declared, bool by_steps, const Sample& sample);

void add_sample(CertifiedOrder& report, double h, const OrderSample& sample);
/// Whether the errors have come down to round-off.
bool at_round_off(const CertifiedOrder& report, const OrderSample& sample);
void finish_order(CertifiedOrder& report);

template <class Sample>
CertifiedOrder measure_order(double h, int declared, bool by_steps, const Sample& sample) {
  constexpr int levels = 22;
  CertifiedOrder report;
  report.declared = declared;
  report.by_steps = by_steps;
  double step = h;
  for (int k = 0; k < levels; ++k, step /= 1.4) {
    OrderSample one;
    try {
      sample(step, one);
    } catch (const NoConvergence&) {
      if (!report.steps.empty()) throw;
      continue;  // too large a step to be solvable: not part of the measurement
    }
    if (at_round_off(report, one)) break;
    add_sample(report, step, one);
  }
  finish_order(report);
  return report;
}

/// Three starts at the same time: points of the motion from the given one.
template <class E, Point Q, int M>
std::vector<State<Q, M>> certifying_starts(const E& exact, const State<Q, M>& start, double h) {
  std::vector<State<Q, M>> starts{start};
  for (const double later : {1.0, 2.5}) {
    const State<Q, M> z = exact.along(start, later * h).end;
    const Tangent<Q> v = velocity(exact.system(), z);
    const auto [q, u] = project(exact.system(), z.q, v, start.t);
    starts.push_back(initial(exact.system(), q, u, start.t));
  }
  return starts;
}

template <class E, class Value, Point Q, int M>
CertifiedOrder certify_value(const E& exact, const Value& value, const State<Q, M>& start, double h,
                             int declared) {
  const auto starts = certifying_starts(exact, start, h);
  return measure_order(h, declared, false, [&](double step, OrderSample& sample) {
    for (const State<Q, M>& centre : starts) {
      const State<Q, M> z = exact.along(centre, -0.5 * step).end;
      const auto a = exact.along(z, step);
      sample.defects.push_back(value(z.q, a.end.q, z.t, step) - a.value);
      const double p = std::max(z.p.cwiseAbs().maxCoeff(), a.end.p.cwiseAbs().maxCoeff());
      sample.round_off = std::max(sample.round_off, a.magnitude + size_of(z.q) * p);
    }
  });
}

template <class E, class F, Point Q, int M>
CertifiedOrder certify_steps(const E& exact, const F& flow, const State<Q, M>& start, double h,
                             int declared) {
  return measure_order(h, declared, true, [&](double step, OrderSample& sample) {
    const State<Q, M> z = exact.along(start, -0.5 * step).end;
    sample.defects.push_back(distance(flow(z, step), exact.along(z, step).end));
    sample.round_off = 1.0;
  });
}

/// Σ L_d of the substeps of one step of the method from z, which becomes its end.
template <class F, Point Q, int M>
double value_along(const Method& method, const F& flow, State<Q, M>& z, double h) {
  double sum = 0.0;
  if (!method.substeps().empty()) {
    for (const auto& [part, fraction] : method.substeps())
      if (fraction * h != 0.0) sum += value_along(part, flow, z, fraction * h);
    return sum;
  }
  const State<Q, M> next = flow.with_method(method)(z, h);
  sum = discrete_action(method, flow, z.q, next.q, z.t, h).value;
  z = next;
  return sum;
}

/// L_d(q₀, q₁, h) of any variational method; that of a composition is the sum along its own motion.
template <class F, Point Q>
double method_value(const F& flow, const Q& q0, const Q& q1, double t, double h) {
  if (flow.method().substeps().empty())
    return discrete_action(flow.method(), flow, q0, q1, t, h).value;
  Shooting shooting;
  const auto arrive = [&](const auto& s) { return flow(s, h); };
  auto z = shoot(typed_system(flow), arrive, q0, q1, t, h, shooting);
  return value_along(flow.method(), flow, z, h);
}

/// Whether a force acts anywhere on the motion from start over h.
template <class E, Point Q, int M>
bool force_acts(const E& exact, [[maybe_unused]] const State<Q, M>& start,
                [[maybe_unused]] double h) {
  bool acts = false;
  using S = std::decay_t<decltype(exact.system())>;
  if constexpr (S::forced)
    exact.walk(start, h, 1, [&](double, const State<Q, M>& z) {
      Tangent<Q> f;
      exact.system().force().value(z.t, z.q, velocity(exact.system(), z), f);
      acts = acts || (f.array() != 0.0).any();
    });
  return acts;
}

/// before_value() is called before each evaluation of L_d; it may throw to end the measurement.
template <class F, Point Q, int M, class Before>
CertifiedOrder certify_method(const F& flow, const State<Q, M>& start, double h,
                              const Before& before_value) {
  const ExactLagrangian<F> exact(flow);
  const int declared = declared_order(flow.method(), start);
  if (force_acts(exact, start, h)) return certify_steps(exact, flow, start, h, declared);
  const auto value = [&](const Q& q0, const Q& q1, double t, double step) {
    before_value();
    return method_value(flow, q0, q1, t, step);
  };
  return certify_value(exact, value, start, h, declared);
}

}  // namespace detail

/// (certify) for the discrete Lagrangian of a flow's method, from the largest step h downwards.
template <class F, Point Q, int M>
requires requires(const F& f) { f.method(); }
CertifiedOrder certify_order(const F& flow, const State<Q, M>& start, double h) {
  return detail::certify_method(flow, start, h, [] {});
}

/// (certify) for any callable L_d(q₀, q₁, h) or L_d(q₀, q₁, t, h), as a DiscreteFlow takes it or over
/// doubles only, against the exact one of the system.
template <class S, class Ld, Point Q, int M>
CertifiedOrder certify_order(const S& system, const Ld& ld, const State<Q, M>& start, double h,
                             int declared) {
  const ExactLagrangian exact(system);
  if (detail::force_acts(exact, start, h))
    throw InvalidArgument(
        "certify_order: with forces L_d alone does not determine the order; use check_order");
  return detail::certify_value(
      exact,
      [&](const Q& q0, const Q& q1, [[maybe_unused]] double t, double step) -> double {
        if constexpr (std::is_invocable_v<const Ld&, const Q&, const Q&, double, double>)
          return ld(q0, q1, t, step);
        else
          return ld(q0, q1, step);
      },
      start, h, declared);
}

/// The same for a flow made from L_d itself.
template <class S, class Ld, Point Q, int M>
CertifiedOrder certify_order(const S& system, const DiscreteFlow<Ld>& flow,
                             const State<Q, M>& start, double h, int declared) {
  return certify_order(system, flow.discrete_lagrangian(), start, h, declared);
}

}  // namespace varia
