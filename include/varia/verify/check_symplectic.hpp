// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Symplecticity of one step: Ω₁(DF a, DF b) = Ω₀(a, b) for all tangent vectors of phase space.
//
//   (omega)   Ω((δ, ν), (δ′, ν′)) = ⟨ν′, δ⟩ - ⟨ν, δ′⟩ + ⟨p, [δ, δ′]⟩                       [Sato19]
//
// in left trivialisation; the bracket vanishes on ℝⁿ. With constraints the tangent vectors are
// those of the constraint manifold and its tangent momenta.
#include <algorithm>
#include <cmath>
#include <string>
#include <type_traits>
#include <vector>

#include "varia/core/index.hpp"
#include "varia/flow/flow.hpp"
#include "varia/verify/check_points.hpp"
#include "varia/verify/differences.hpp"
#include "varia/verify/typed_view.hpp"

namespace varia {

namespace detail {

/// (omega) at momentum p for stacked tangent vectors (δ, ν).
template <Point Q, int M> double symplectic_form(const State<Q, M>& z, const Vn& a, const Vn& b) {
  const Eigen::Index n = z.p.size();
  double omega = b.tail(n).dot(a.head(n)) - a.tail(n).dot(b.head(n));
  if constexpr (!Space<Q>::is_vector_space) {
    const Tangent<Q> delta = a.head(n);
    omega += (Space<Q>::ad_star(z.p) * delta).dot(b.head(n));
  }
  return omega;
}

/// z ⊕ (δ, ν), brought back to the constraint manifold where there is one.
struct NoSystem {};
template <class S, Point Q, int M>
State<Q, M> displaced(const S& system, const State<Q, M>& z, const Vn& a) {
  const Eigen::Index n = z.p.size();
  const Q q = Space<Q>::retract(z.q, Tangent<Q>(a.head(n)));
  const Tangent<Q> p = z.p + a.tail(n);
  const int d = static_cast<int>(z.lambda.size());
  if constexpr (std::is_same_v<S, NoSystem>) {
    static_assert(M <= 0, "with constraints check_symplectic needs a flow that has a system()");
    if (d > 0)
      throw InvalidArgument("check_symplectic: with constraints the flow must have a system()");
  } else if constexpr (may_constrain<M>) {
    if (d > 0) {
      const auto [on, v] = project(system, q, velocity(system, q, p, z.t), z.t);
      return make_state<Q, M>(z.t, on, momentum(system, on, v, z.t), d);
    }
  }
  State<Q, M> s = make_state<Q, M>(z.t, q, p, d);
  s.branch = z.branch;
  return s;
}

/// (δ, ν) of z relative to origin, to first order.
template <Point Q, int M> Vn phase_difference(const State<Q, M>& origin, const State<Q, M>& z) {
  Vn a(2 * z.p.size());
  a << Space<Q>::difference(origin.q, z.q), z.p - origin.p;
  return a;
}

inline void require_units(const Vn& units, Eigen::Index n) {
  if (units.size() != 0 && units.size() != 2 * n)
    throw InvalidArgument("check_symplectic: there must be " + std::to_string(2 * n) +
                          " units, got " + std::to_string(units.size()));
}

/// The size of the form on the directions i and j: the geometric mean of the actions that their
/// units make; 1 without units.
inline double form_size(const Vn& units, Eigen::Index i, Eigen::Index j) {
  if (units.size() == 0) return 1.0;
  const Eigen::Index n = units.size() / 2;
  const auto action = [&](Eigen::Index k) { return units[k % n] * units[n + k % n]; };
  return std::sqrt(action(i) * action(j));
}

/// The largest change(i, j) of the form on two directions, over its size.
template <class Change>
SymplecticReport largest_change(Eigen::Index directions, const Vn& units, const Change& change) {
  SymplecticReport report;
  for (Eigen::Index i = 0; i < directions; ++i)
    for (Eigen::Index j = 0; j < i; ++j)
      report.defect =
          std::max(report.defect, std::abs(change(sz(i), sz(j))) / form_size(units, i, j));
  return report;
}

template <class F, class S, Point Q, int M>
SymplecticReport check_symplectic(const F& flow, const S& system, const State<Q, M>& z0, double h,
                                  const Vn& units) {
  const State<Q, M> z1 = flow(z0, h);
  const int directions = static_cast<int>(2 * z0.p.size());
  std::vector<Vn> before;
  std::vector<Vn> after;
  for (int k = 0; k < directions; ++k) {
    Vn direction = Vn::Unit(directions, k);
    if (units.size() > 0) direction *= units[k];
    const auto start = [&](double size) { return displaced(system, z0, Vn(size * direction)); };
    const double scale = 0.5;
    before.push_back(
        z0.lambda.size() == 0
            ? direction
            : derivative_at_zero([&](double e) { return phase_difference(z0, start(e)); }, scale));
    after.push_back(derivative_at_zero(
        [&](double e) { return phase_difference(z1, flow(start(e), h)); }, scale));
  }
  return largest_change(directions, units, [&](std::size_t i, std::size_t j) {
    return symplectic_form(z1, after[i], after[j]) - symplectic_form(z0, before[i], before[j]);
  });
}

}  // namespace detail

/// check_symplectic() by differences of the flow, which may be any map (State, h) ↦ State; with
/// constraints it must know its system.
template <class F, Point Q, int M>
SymplecticReport check_symplectic_by_differences(const F& flow, const State<Q, M>& z, double h,
                                                 const Vn& units = {}) {
  detail::require_units(units, z.p.size());
  if constexpr (requires { flow.system(); })
    return detail::check_symplectic(flow, detail::typed_system(flow), z, h, units);
  else
    return detail::check_symplectic(flow, detail::NoSystem{}, z, h, units);
}

/// The defect of one step of size h from z; forces break the law, and the check shows it. By the exact
/// derivative of the step where the flow has one, else by differences. With constraints the step that
/// is judged follows on one from z.
/// Where coordinates and momenta have very different sizes, give the units of (q, p), 2n numbers; the
/// defect is then relative to the actions that the units make.
template <class F, Point Q, int M>
SymplecticReport check_symplectic(const F& flow, const State<Q, M>& z, double h,
                                  const Vn& units = {}) {
  if constexpr (requires { flow.stage_flow(z.q); })
    return check_symplectic(flow.stage_flow(z.q), detail::vector_state(z), h, units);
  else
    return check_symplectic_by_differences(flow, z, h, units);
}

}  // namespace varia
