// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The problems on which the laws are tested: nonlinear, with and without separable Lagrangian,
// force, constraint and curvature. Each is a system, a start, a step and a duration.
#include "varia/varia.hpp"

namespace varia::problems {

template <class S, class StateT> struct Problem {
  S system;
  StateT start;
  double h;         ///< a step of middling size
  double duration;  ///< for the measurement of orders
};
template <class S, class StateT> Problem(S, StateT, double, double) -> Problem<S, StateT>;

/// L = v²/2 + cos q
inline auto pendulum() {
  const System system{[](const auto& q, const auto& v) { return 0.5 * v.dot(v) + cos(q[0]); }};
  return Problem{system, initial(system, Vector<double, 1>(1.0), Vector<double, 1>(0.4)), 0.2, 7.0};
}

/// Kepler's problem in the plane, e = 0.6, from the pericentre; rotational symmetry.
inline auto kepler() {
  const System system{
      [](const auto& q, const auto& v) { return 0.5 * v.dot(v) + 1.0 / sqrt(q.dot(q)); },
      Symmetry{"rotation", [](const auto& q) {
                 using S = std::decay_t<decltype(q[0])>;
                 return Vector<S, 2>(-q[1], q[0]);
               }}};
  return Problem{system, initial(system, Vector<double, 2>(0.4, 0.0), Vector<double, 2>(0.0, 2.0)),
                 0.05, 0.5};
}

/// The same, declared separable.
inline auto separable_kepler() {
  const System system{Separable{1.0, [](const auto& q) { return -1.0 / sqrt(q.dot(q)); }},
                      Symmetry{"rotation", [](const auto& q) {
                                 using S = std::decay_t<decltype(q[0])>;
                                 return Vector<S, 2>(-q[1], q[0]);
                               }}};
  return Problem{system, initial(system, Vector<double, 2>(0.4, 0.0), Vector<double, 2>(0.0, 2.0)),
                 0.05, 0.5};
}

/// The oscillator of Hénon and Heiles, declared separable: a potential without singularity.
inline auto henon_heiles() {
  const System system{Separable{1.0, [](const auto& q) {
                                  return 0.5 * (q[0] * q[0] + q[1] * q[1]) + q[0] * q[0] * q[1] -
                                         q[1] * q[1] * q[1] / 3.0;
                                }}};
  return Problem{system, initial(system, Vector<double, 2>(0.1, 0.3), Vector<double, 2>(0.4, 0.1)),
                 0.2, 5.0};
}

/// Double pendulum with equal rods and masses, in angles: the mass matrix depends on q.
inline auto double_pendulum() {
  const System system{[](const auto& q, const auto& v) {
    return v[0] * v[0] + 0.5 * v[1] * v[1] + v[0] * v[1] * cos(q[0] - q[1]) + 2.0 * cos(q[0]) +
           cos(q[1]);
  }};
  return Problem{system, initial(system, Vector<double, 2>(0.7, -0.3), Vector<double, 2>(0.2, 0.3)),
                 0.1, 2.0};
}

/// Coupled van der Pol oscillators of [Sato19], section 4.4.2.
inline auto van_der_pol() {
  const System system{[](const auto& q, const auto& v) {
                        const auto d = q[0] - q[1];
                        return 0.5 * v.dot(v) - 0.5 * (q[0] * q[0] + 1.02 * q[1] * q[1]) -
                               0.8 * d * d;
                      },
                      Force{[](const auto& q, const auto& v) {
                        using S = std::decay_t<decltype(q[0])>;
                        return Vector<S, 2>((0.5 - q[0] * q[0]) * v[0], (0.5 - q[1] * q[1]) * v[1]);
                      }}};
  return Problem{system,
                 initial(system, Vector<double, 2>(-0.5, -0.25), Vector<double, 2>(0.0, 4.0)),
                 0.0625, 1.0};
}

inline SO3<double> tilted() {
  return SO3<double>(rotation(Vector<double, 3>(0.3, -0.8, 0.5), Retraction::cayley));
}

/// Heavy top: symmetric about the vertical, not about its own axis.
inline auto heavy_top(double duration = 4.0) {
  const System system{
      [](const auto& R, const auto& w) {
        const Vector<double, 3> inertia(1.0, 1.4, 0.6);
        return 0.5 * w.dot(inertia.cwiseProduct(w)) - 1.3 * (R(2, 2) + 0.3 * R(2, 0));
      },
      Symmetry{"vertical", [](const auto& R) { return R.matrix.row(2).transpose().eval(); }}};
  return Problem{system, initial(system, tilted(), Vector<double, 3>(0.4, 0.9, 2.0)), 0.1,
                 duration};
}

/// Spherical pendulum as a point of ℝ³ on the unit sphere; rotation about the vertical.
inline auto spherical_pendulum() {
  const System system{[](const auto& q, const auto& v) { return 0.5 * v.dot(v) - q[2]; },
                      Holonomic{[](const auto& q) { return q.dot(q) - 1.0; }},
                      Symmetry{"vertical", [](const auto& q) {
                                 using S = std::decay_t<decltype(q[0])>;
                                 return Vector<S, 3>(-q[1], q[0], S(0.0));
                               }}};
  const double angle = 1.2;
  const Vector<double, 3> q(std::sin(angle), 0.0, -std::cos(angle));
  const Vector<double, 3> v(0.3 * std::cos(angle), 0.7, 0.3 * std::sin(angle));
  return Problem{system, initial(system, q, v), 0.1, 5.0};
}

/// Every variational method instance of the list that applies to the system, a composition and an
/// adjoint.
template <class S> std::vector<Method> methods_for(bool symmetric_parts = true) {
  std::vector<Method> methods;
  for (const Descriptor& row : method_list())
    for (const std::string& text : row.examples) {
      const Method method = parse_method(text);
      if (method.baseline() || method.has_own_flow() ||
          (method.rests_on_symmetry() && !symmetric_parts))
        continue;
      if (method.needs_separable() && !(S::separable && !S::forced && !S::constrained)) continue;
      if (!S::constrained || method.constrained_order() > 0) methods.push_back(method);
    }
  methods.push_back(compose({{euler_b(), 0.5}, {euler_a(), 0.5}}, 2, "euler_b, euler_a"));
  methods.push_back(adjoint(midpoint(0.3)));
  return methods;
}

}  // namespace varia::problems
