// SPDX-License-Identifier: BSD-3-Clause
#include "varia/verify/exact_lagrangian.hpp"

namespace varia::detail {

PanelRule panel_rule() {
  const Quadrature rule = lobatto_quadrature(7);
  PanelRule panel;
  for (int i = 0; i < rule.size(); ++i) {
    panel.c.push_back(rule.c[static_cast<std::size_t>(i)].hi);
    panel.b.push_back(rule.b[static_cast<std::size_t>(i)].hi);
  }
  return panel;
}

void no_exact_motion(double t, double h, double change) {
  throw NoConvergence(
      "exact discrete Lagrangian: action and momenta over h = " + to_text(h) + " still change by " +
          to_text(change) +
          " when the motion is refined; it may be chaotic or singular there, take a shorter time",
      t, h, 0, change);
}

}  // namespace varia::detail
