// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The exact discrete Lagrangian of any system: the action along the motion between two points.
//
//   (LdE)    L_d^E(q₀, q₁, h) = ∫₀ʰ L(q, q̇) dt,  q(0) = q₀, q(h) = q₁ a solution of (EL)      [MW01]
//   (LdE±)   p(0) = -D₁L_d^E - f^{E-},  p(h) = D₂L_d^E + f^{E+}                       [MW01; West04]
//   (fE)     f^{E-} = ∫ f·∂q/∂q₀ dt,  f^{E+} = ∫ f·∂q/∂q₁ dt along the forced motion  [MW01; West04]
//
//   const ExactLagrangian exact(system);   const auto a = exact.at(q0, q1, h);   // a.value, a.start.p
//
// The motion is found by shooting with a flow of order 10 and integrated by a Lobatto rule of order
// 12 over panels that are halved until nothing changes above round-off. With constraints the motion
// is the constrained one, and only what covectors do to tangent vectors of the manifold is determined:
// the momenta of the motion are the projected Legendre transforms. For a Lagrangian of time t is the
// time at q₀, and L_d^E is that of extended mechanics.
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "varia/core/round_off.hpp"
#include "varia/methods/quadrature.hpp"
#include "varia/verify/check_order.hpp"
#include "varia/verify/shoot.hpp"

namespace varia {

/// L_d^E for one pair of end points, with the motion between them.
template <Point Q, int M> struct ExactAction {
  double value = 0.0;
  double magnitude = 0.0;  ///< ∫ |L| dt, against which the value is accurate
  State<Q, M> start, end;  ///< their momenta are -D₁L_d^E - f^{E-} and D₂L_d^E + f^{E+}
  long panels = 0;
  double change = 0.0;  ///< of value and momenta in the last refinement, relative
};

namespace detail {

/// Lobatto nodes and weights of a panel in double precision.
struct PanelRule {
  std::vector<double> c, b;
};
PanelRule panel_rule();

[[noreturn]] void no_exact_motion(double t, double h, double change);

template <class S> Method exact_method([[maybe_unused]] const S& system) {
  if constexpr (S::constrained)
    if (declared_constraint_count(system) != 0) return lobatto(6);
  return gauss(5);
}

}  // namespace detail

/// F is a Flow or StageFlow: what steps the system.
template <class F> class ExactLagrangian {
 public:
  /// Of a system of the template API.
  template <class S>
  requires std::is_same_v<F, Flow<S>>
  explicit ExactLagrangian(const S& system)
      : flow_(detail::exact_method(system), system), rule_(detail::panel_rule()) {}
  /// Of the system of a flow; its method does not matter.
  explicit ExactLagrangian(const F& flow)
      : flow_(flow.with_method(detail::exact_method(detail::typed_system(flow)))),
        rule_(detail::panel_rule()) {}

  decltype(auto) system() const { return detail::typed_system(flow_); }

  /// L_d^E along the motion from a state: no boundary-value problem.
  template <Point Q, int M> ExactAction<Q, M> along(const State<Q, M>& start, double h) const {
    require_step(h);
    return refined(start.t, h, [&](long panels) { return measured(start, h, panels); });
  }

  /// L_d^E(q₀, q₁, h) at the time t.
  template <Point Q> auto at(const Q& q0, const Q& q1, double h, double t = 0.0) const {
    require_step(h);
    detail::require_ends(system(), q0, q1, t + h, "exact discrete Lagrangian");
    detail::Shooting shooting;
    return refined(t, h, [&](long panels) {
      const auto arrive = [&](const auto& s) { return walk(s, h, panels, [](double, auto&) {}); };
      return measured(detail::shoot(system(), arrive, q0, q1, t, h, shooting), h, panels);
    });
  }

  /// The value.
  template <Point Q>
  requires std::is_same_v < Scalar<Q>,
  double > double operator()(const Q& q0, const Q& q1, double h, double t = 0.0) const {
    return at(q0, q1, h, t).value;
  }

  /// Calls visit(weight, state) at the nodes of the rule, in order of time, from start over h; gives
  /// the state at the end.
  template <Point Q, int M, class Visit>
  State<Q, M> walk(const State<Q, M>& start, double h, long panels, const Visit& visit) const {
    const double panel = h / static_cast<double>(panels);
    const std::size_t last = rule_.c.size() - 1;
    auto memory = flow_.memory(start);
    State<Q, M> z = start;
    double carried = 0.0;  // a node between two panels belongs to both
    for (long k = 0; k < panels; ++k) {
      for (std::size_t i = 0; i < last; ++i) {
        visit(panel * rule_.b[i] + (i == 0 ? carried : 0.0), std::as_const(z));
        z = flow_.step(z, panel * (rule_.c[i + 1] - rule_.c[i]), memory);
      }
      carried = panel * rule_.b[last];
    }
    visit(carried, std::as_const(z));
    return z;
  }

 private:
  static void require_step(double h) {
    if (!std::isfinite(h) || h == 0.0)
      throw InvalidArgument(
          "exact discrete Lagrangian: h must be a finite number other than 0, got " + to_text(h));
  }

  template <Point Q, int M>
  ExactAction<Q, M> measured(const State<Q, M>& start, double h, long panels) const {
    ExactAction<Q, M> a;
    a.start = start;
    a.panels = panels;
    double rest = 0.0;
    a.end = walk(start, h, panels, [&](double weight, const State<Q, M>& z) {
      const double l = system().lagrangian()(z.t, z.q, velocity(system(), z));
      a.magnitude += std::abs(weight * l);
      detail::compensated_add(a.value, rest, weight * l);
    });
    a.value += rest;
    return a;
  }

  /// Panels are halved until value and momenta stay.
  template <class Measure> auto refined(double t, double h, const Measure& measure) const {
    constexpr long most = 4096;
    double last = std::numeric_limits<double>::infinity();
    auto coarse = measure(1);
    for (long panels = 2; panels <= most; panels *= 2) {
      auto fine = measure(panels);
      double change = std::max(detail::distance(fine.start, coarse.start),
                               detail::distance(fine.end, coarse.end));
      if (fine.value != coarse.value)
        change = std::max(change, std::abs(fine.value - coarse.value) / fine.magnitude);
      if (change < 2e-15 || (change < 1e-12 && change > 0.25 * last)) {
        fine.change = change;
        return fine;
      }
      last = change;
      coarse = std::move(fine);
    }
    detail::no_exact_motion(t, h, last);
  }

  F flow_;
  detail::PanelRule rule_;
};
template <class S>
requires requires { typename S::LagrangianType; }
ExactLagrangian(const S&)->ExactLagrangian<Flow<S>>;
template <class F>
requires requires(const F& f) { f.with_method(f.method()); }
ExactLagrangian(const F&)->ExactLagrangian<F>;

}  // namespace varia
