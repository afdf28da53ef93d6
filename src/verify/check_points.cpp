// SPDX-License-Identifier: BSD-3-Clause
#include "varia/verify/check_points.hpp"

#include "point_flow.hpp"
#include "varia/verify/check_action.hpp"
#include "varia/verify/check_symplectic.hpp"

namespace varia {

SymplecticReport check_symplectic(const FlatFlow& flow, const FlatState& z, double h,
                                  const Eigen::VectorXd& units) {
  if (flow.flat_system()->flat()) return check_symplectic<FlatFlow>(flow, z, h, units);
  const detail::PointFlow points(flow);
  return check_symplectic(points, points.on_points(z), h, units);
}

ActionReport check_action(const FlatFlow& flow, const FlatState& start, double h) {
  if (flow.flat_system()->flat()) return check_action<FlatFlow>(flow, start, h);
  const detail::PointFlow points(flow);
  return check_action(points, points.on_points(start), h);
}

}  // namespace varia
