// SPDX-License-Identifier: BSD-3-Clause
// 03 · A heavy top on SO(3): the same program, another space.
//
//   L(R, ω) = ½ ω·Iω - c e₃·R e₃      R the attitude, ω the body angular velocity
//
// Velocities and momenta live in the body frame. Two momenta are conserved: about the vertical
// (left rotations, ξ = Rᵀe₃) and, for a symmetric top, about its own axis (ξ = e₃).
//
// Read first: 01, 02. Try: Retraction::cayley in the options of the flow.
#include <cmath>
#include <cstdio>
#include <varia/varia.hpp>

using namespace varia;

int main() {
  // 1. Constant inertia plus a potential: only the potential is differentiated.
  const Vector<double, 3> inertia(1.0, 1.0, 0.4);
  const System top{
      Separable{inertia, [](const auto& R) { return 2.0 * R(2, 2); }},
      Symmetry{"vertical", [](const auto& R) { return R.matrix.row(2).transpose().eval(); }},
      Symmetry{"own axis", [](const auto& R) {
                 return Vector<Scalar<std::decay_t<decltype(R)>>, 3>(0.0, 0.0, 1.0);
               }}};

  // 2. Tilted by 0.5 about the x axis, spinning fast.
  const SO3<double> tilted(rotation(Vector<double, 3>(0.5, 0.0, 0.0), Retraction::exponential));
  const auto start = initial(top, tilted, Vector<double, 3>(0.0, 0.2, 12.0));

  // 3. Run, and watch nutation and momenta.
  const Flow flow(gauss(2), top);
  const double e0 = energy(top, start);
  std::printf("%6s %12s %14s\n", "t", "tilt", "energy error");
  advance(flow, start, 0.01, 1000, every(100, [&](const auto& s) {
            std::printf("%6.1f %12.8f %14.3e\n", s.t, std::acos(s.q(2, 2)), energy(top, s) - e0);
          }));
  for (const auto& m : check_noether(flow, start, 0.01, 1000).momenta)
    std::printf("momentum %-9s %14.10f, kept to round-off: %s\n", m.name.c_str(), m.initial,
                m.drift < 1e-12 ? "yes" : "no");
  return 0;
}
