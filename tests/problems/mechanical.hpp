// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Mechanical problems as C++ functions: nonlinear, with and without separable Lagrangian, force,
// constraint and curvature. Each is a system, a start, a step and a duration.
#include <cmath>
#include <type_traits>

#include "problems/texts.hpp"
#include "varia/flow/start.hpp"
#include "varia/mechanics/system.hpp"
#include "varia/space/so3.hpp"

namespace varia::problems {

/// The start of the texts as a state of the typed system.
template <int N, class S> auto typed_start(const S& system, const Texts& texts) {
  return initial(system, Vector<double, N>(texts.q), Vector<double, N>(texts.v), texts.t);
}

inline constexpr auto pendulum_lagrangian = [](const auto& q, const auto& v) {
  return 0.5 * v.dot(v) + cos(q[0]);
};
inline auto pendulum() {
  const System system{pendulum_lagrangian};
  return Problem{system, typed_start<1>(system, texts::pendulum()), 0.2, 7.0};
}

inline constexpr auto kepler_lagrangian = [](const auto& q, const auto& v) {
  return 0.5 * v.dot(v) + 1.0 / sqrt(q.dot(q));
};
/// Rotations of the plane.
inline auto plane_rotation() {
  return Symmetry{"rotation", [](const auto& q) {
                    using S = std::decay_t<decltype(q[0])>;
                    return Vector<S, 2>(-q[1], q[0]);
                  }};
}
inline auto kepler() {
  const System system{kepler_lagrangian, plane_rotation()};
  return Problem{system, typed_start<2>(system, texts::kepler()), 0.05, 0.5};
}

/// The same, declared separable.
inline auto separable_kepler() {
  const System system{Separable{1.0, [](const auto& q) { return -1.0 / sqrt(q.dot(q)); }},
                      plane_rotation()};
  return Problem{system, typed_start<2>(system, texts::kepler()), 0.05, 0.5};
}

/// Declared separable.
inline auto henon_heiles() {
  const System system{Separable{1.0, [](const auto& q) {
                                  return 0.5 * (q[0] * q[0] + q[1] * q[1]) + q[0] * q[0] * q[1] -
                                         q[1] * q[1] * q[1] / 3.0;
                                }}};
  return Problem{system, typed_start<2>(system, texts::henon_heiles()), 0.2, 5.0};
}

inline constexpr auto double_pendulum_lagrangian = [](const auto& q, const auto& v) {
  return v[0] * v[0] + 0.5 * v[1] * v[1] + v[0] * v[1] * cos(q[0] - q[1]) + 2.0 * cos(q[0]) +
         cos(q[1]);
};
inline auto double_pendulum() {
  const System system{double_pendulum_lagrangian};
  return Problem{system, typed_start<2>(system, texts::double_pendulum()), 0.1, 2.0};
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

inline constexpr auto heavy_top_lagrangian = [](const auto& R, const auto& w) {
  const Vector<double, 3> inertia(1.0, 1.4, 0.6);
  return 0.5 * w.dot(inertia.cwiseProduct(w)) - 1.3 * (R(2, 2) + 0.3 * R(2, 0));
};
inline auto heavy_top(double duration = 4.0) {
  const System system{heavy_top_lagrangian, Symmetry{"vertical", [](const auto& R) {
                                                       return R.matrix.row(2).transpose().eval();
                                                     }}};
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

}  // namespace varia::problems
