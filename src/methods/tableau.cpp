// SPDX-License-Identifier: BSD-3-Clause
#include "varia/methods/tableau.hpp"

#include <string>

#include "varia/core/error.hpp"
#include "varia/methods/lagrange_basis.hpp"

namespace varia {

Tableau collocation(const Quadrature& rule) {
  const int order = quadrature_order(rule.c, rule.b);
  if (order < rule.size()) {
    throw InvalidArgument("collocation: the rule '" + rule.name + "' with " +
                          std::to_string(rule.size()) + " nodes has order " +
                          std::to_string(order) +
                          " only; make its weights with interpolatory_quadrature(nodes)");
  }
  const LagrangeBasis basis(rule.c);
  Tableau t{"collocation(" + rule.name + ")", rule.c, rule.b, {}, rule.size(), order};
  for (const DoubleDouble& node : rule.c) {
    const std::vector<DoubleDouble> row = node == 1.0 ? rule.b : basis.integrals(node);
    t.A.insert(t.A.end(), row.begin(), row.end());
  }
  return t;
}

}  // namespace varia
