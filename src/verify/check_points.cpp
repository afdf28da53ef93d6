// SPDX-License-Identifier: BSD-3-Clause
#include "varia/verify/check_points.hpp"

#include <vector>

#include "point_flow.hpp"
#include "varia/verify/check_action.hpp"
#include "varia/verify/check_symplectic.hpp"

namespace varia {

namespace {

/// (omega) at the state s
double form(const KernelSystem& f, const VectorState& s, const PhaseVector& a,
            const PhaseVector& b) {
  Vn bracket = Vn::Zero(f.n);
  f.space.add_coadjoint(s.p.data(), a.delta.data(), bracket.data());
  return b.nu.dot(a.delta) - a.nu.dot(b.delta) + bracket.dot(b.delta);
}

}  // namespace

SymplecticReport check_symplectic(const AnyFlow& flow, const VectorState& z, double h,
                                  const Vn& units) {
  detail::require_units(units, z.p.size());
  if (!flow.differentiable())
    return detail::check_symplectic(flow, detail::NoSystem{}, z, h, units);
  const KernelSystem& f = flow.system();
  std::vector<PhaseVector> after;
  for (int k = 0; k < 2 * f.n; ++k) {
    after.push_back(PhaseVector::zero(f.n));
    (k < f.n ? after.back().delta[k] : after.back().nu[k - f.n]) =
        units.size() > 0 ? units[k] : 1.0;
  }
  VectorState s = z;
  auto memory = flow.memory(s);
  const auto step = [&] {
    const StepDerivative& derivative = flow.differentiate(s, h, memory);
    for (PhaseVector& a : after) derivative.forward(a);
  };
  // a step leads onto the constraints, its derivative to their tangent vectors: the next is judged
  if (f.d > 0) step();
  const std::vector<PhaseVector> before = after;
  const VectorState start = s;
  step();
  return detail::largest_change(2 * f.n, units, [&](std::size_t i, std::size_t j) {
    return form(f, s, after[i], after[j]) - form(f, start, before[i], before[j]);
  });
}

SymplecticReport check_symplectic(const StageFlow& flow, const VectorState& z, double h,
                                  const Vn& units) {
  return check_symplectic(AnyFlow(flow), z, h, units);
}

ActionReport check_action(const StageFlow& flow, const VectorState& start, double h) {
  if (!flow.system().space.reduced().empty())
    throw InvalidArgument(
        "check_action: L_d is a function of points, which a reduced group has not; check the flow "
        "on the group");
  const detail::PointFlow points(flow);
  return check_action(points, points.on_points(start), h);
}

}  // namespace varia
