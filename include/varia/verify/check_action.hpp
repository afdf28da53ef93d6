// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The discrete Lagrangian as certificate of a flow.
//
//   (pm-), (pm+)   p₀ = -D₁L_d - f_d⁻,  p₁ = D₂L_d + f_d⁺  along the flow                  [MW01]
//   (exact)        |L_d(q(0), q(h), h) - ∫₀ʰ L dt| = O(h^{r+1}) along exact solutions        [MW01]
//
// L_d is differentiated as a whole by the certificate tier, independently of the stage equations.
// With constraints only the components along the manifold are determined, and compared. A flow
// offers method(), options(), with_method(method) and its system.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "varia/flow/certificate.hpp"
#include "varia/flow/discrete_flow.hpp"
#include "varia/verify/check_order.hpp"

namespace varia {

struct ActionReport {
  double p0_defect = 0.0;  ///< |p₀ + D₁L_d + f_d⁻|, largest component over the substeps
  double p1_defect = 0.0;  ///< |p₁ - D₂L_d - f_d⁺|
  bool passes(double tolerance = 1e-12) const {
    return p0_defect <= tolerance && p1_defect <= tolerance;
  }
};

namespace detail {

/// L_d, D₁, D₂ of a method that is not a composition; the adjoint is -L_d(q₁, q₀, -h).
template <class F, Point Q>
DiscreteAction<Q> discrete_action(const Method& method, const F& flow, const Q& q0, const Q& q1,
                                  double t, double h) {
  const Retraction tau = flow.options().retraction;
  if (const Method* original = method.adjoint_of()) {
    const auto a = Certificate(*original, typed_system(flow), tau).at(q1, q0, t + h, -h);
    return {-a.value, -a.d2, -a.d1};
  }
  return Certificate(method, typed_system(flow), tau).at(q0, q1, t, h);
}

/// The part of a covector that acts on tangent vectors of the constraint manifold.
template <class S, Point Q>
Tangent<Q> tangential(const S& system, const Q& q, const Tangent<Q>& p, double t) {
  constexpr int d = S::template constraints<Q>();
  if constexpr (may_constrain<d>) {
    Vector<double, d> phi;
    Matrix<double, d, dof<Q>> g;
    system.constraint().jacobian(t, q, phi, g);
    if (phi.size() == 0) return p;
    const LinearSolver<dof<Q>> mass(
        mass_matrix(system, q, Tangent<Q>(Tangent<Q>::Zero(p.size())), t));
    const Matrix<double, d> schur = g * mass.solve(g.transpose());
    return p - g.transpose() * LinearSolver<d>(schur).solve(g * mass.solve(p));
  } else {
    return p;
  }
}

template <class F, Point Q, int M>
void add_action_defect(const Method& method, const F& flow, State<Q, M>& z, double h,
                       ActionReport& report) {
  if (!method.substeps().empty()) {
    for (const auto& [part, fraction] : method.substeps())
      add_action_defect(part, flow, z, fraction * h, report);
    return;
  }
  const State<Q, M> next = flow.with_method(method)(z, h);
  const auto a = discrete_action(method, flow, z.q, next.q, z.t, h);
  const auto& system = typed_system(flow);
  const Tangent<Q> before = tangential(system, z.q, Tangent<Q>(z.p + a.d1), z.t);
  const Tangent<Q> after = tangential(system, next.q, Tangent<Q>(next.p - a.d2), next.t);
  report.p0_defect = std::max(report.p0_defect, before.cwiseAbs().maxCoeff());
  report.p1_defect = std::max(report.p1_defect, after.cwiseAbs().maxCoeff());
  z = next;
}

}  // namespace detail

/// (pm-) and (pm+) for one step of size h from start.
template <class F, Point Q, int M>
ActionReport check_action(const F& flow, const State<Q, M>& start, double h) {
  ActionReport report;
  State<Q, M> z = start;
  detail::add_action_defect(flow.method(), flow, z, h, report);
  return report;
}

/// The same for a flow made from L_d itself.
template <class Ld, Point Q>
ActionReport check_action(const DiscreteFlow<Ld>& flow, const State<Q, 0>& start, double h) {
  const auto next = flow(start, h);
  const auto d = slot_derivatives(flow.discrete_lagrangian(), start.q, next.q, h);
  return {(start.p + d.d1).cwiseAbs().maxCoeff(), (next.p - d.d2).cwiseAbs().maxCoeff()};
}

namespace detail {

/// exact_action by a flow of high order.
template <class F, Point Q, int M>
std::pair<State<Q, M>, double> action_along(const F& flow, const State<Q, M>& start, double h) {
  const Certificate certificate(flow.method(), typed_system(flow));
  const int substeps = 4 + static_cast<int>(std::abs(h) * 16.0);
  const double step = h / substeps;
  auto memory = flow.memory(start);
  State<Q, M> z = start;
  double action = 0.0;
  for (int k = 0; k < substeps; ++k) {
    const State<Q, M> before = z;
    z = flow.step(z, step, memory);
    if constexpr (requires { memory.velocities(); })
      action += certificate.action(before.q, memory.velocities(), before.t, step);
    else
      action += certificate.at(before.q, z.q, before.t, step).value;
  }
  return {z, action};
}

/// The measured r, for a callable exact(step) that gives the end state and ∫ L dt.
template <class Exact, class Ld, Point Q, int M>
OrderReport measured_action_order(const Exact& exact, const Ld& ld, const State<Q, M>& start,
                                  double h, int declared) {
  OrderReport report;
  report.declared = declared;
  double step = h;
  for (int k = 0; k < 16; ++k, step /= 1.5) {
    const auto [end, action] = exact(step);
    const double error = std::abs(ld(start.q, end.q, start.t, step) - action);
    if (error < 1e-14 * std::max(1.0, std::abs(action))) break;
    report.steps.push_back(std::lround(1e6 / std::abs(step)));  // per 10⁶ units of time
    report.errors.push_back(error);
  }
  const std::size_t n = report.errors.size();
  if (n < 3)
    throw InvalidArgument(
        "check_action_order: L_d is exact to round-off from h on; take a larger h");
  report.measured = std::log(report.errors[n - 2] / report.errors[n - 1]) / std::log(1.5) - 1.0;
  return report;
}

}  // namespace detail

/// The exact discrete Lagrangian along the solution from start: its end state and ∫ L dt over h,
/// by a method of order 14 with enough substeps.
template <class S, Point Q, int M>
std::pair<State<Q, M>, double> exact_action(const S& system, const State<Q, M>& start, double h) {
  const Flow<S> flow(detail::reference_method(system, start), system);
  return detail::action_along(flow, start, h);
}

/// (exact): the measured r of L_d = L_d^E + O(h^{r+1}), for any callable value L_d(q₀, q₁, t, h).
template <class S, class Ld, Point Q, int M>
OrderReport check_action_order(const S& system, const Ld& ld, const State<Q, M>& start, double h,
                               int declared) {
  const auto exact = [&](double step) { return exact_action(system, start, step); };
  return detail::measured_action_order(exact, ld, start, h, declared);
}

/// The same for the discrete Lagrangian of a stage method.
template <class F, Point Q, int M>
OrderReport check_action_order(const F& flow, const State<Q, M>& start, double h) {
  using System = std::remove_cvref_t<decltype(detail::typed_system(flow))>;
  static_assert(!System::forced,
                "with forces L_d alone does not determine the order; use check_order");
  const auto reference = detail::reference_flow(flow, start);
  const auto exact = [&](double step) { return detail::action_along(reference, start, step); };
  const auto ld = [&](const Q& q0, const Q& q1, double t, double step) {
    return detail::discrete_action(flow.method(), flow, q0, q1, t, step).value;
  };
  return detail::measured_action_order(exact, ld, start, h,
                                       detail::declared_order(flow.method(), start));
}

}  // namespace varia
