// SPDX-License-Identifier: BSD-3-Clause
#include "varia/flow/shooting.hpp"

namespace varia::detail {

void no_shot(double h, int iterations, double miss) {
  throw NoConvergence(
      "shooting discrete Lagrangian: no motion of the one-step method found from q0 "
      "to q1 with h = " +
          to_text(h) + "; try a smaller step",
      0.0, h, iterations, miss);
}

void require_rule(const Quadrature& rule) {
  if (rule.c.empty() || rule.c.size() != rule.b.size())
    throw InvalidArgument(
        "shooting discrete Lagrangian: a quadrature needs as many weights as "
        "nodes, and one at least; got " +
        std::to_string(rule.c.size()) + " nodes and " + std::to_string(rule.b.size()) + " weights");
  double last = 0.0;
  for (const DoubleDouble& c : rule.c) {
    if (!(c.hi >= last && c.hi <= 1.0))
      throw InvalidArgument(
          "shooting discrete Lagrangian: the nodes of the quadrature must increase from 0 to 1, "
          "got " +
          to_text(c.hi) + " after " + to_text(last));
    last = c.hi;
  }
}

}  // namespace varia::detail
