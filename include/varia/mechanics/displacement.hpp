// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Derivatives of formulas on a product space: with respect to coordinates in ℝ, and to δ of the
// displaced point q exp(δ) on curved factors.
//
// Variables of the graph: 0 is t, then the entries of q, then v; from first_helper on they are ours.
#include <utility>
#include <vector>

#include "varia/expr/derivative.hpp"
#include "varia/space/product_space.hpp"

namespace varia {

class Displacement {
 public:
  Displacement(expr::Graph& graph, const ProductSpace& space, int first_helper);

  /// The variable of each degree of freedom: a coordinate itself, or δ.
  const std::vector<int>& variables() const { return variables_; }
  /// f at q exp(δ); f itself on ℝⁿ.
  std::vector<expr::Id> displaced(const std::vector<expr::Id>& f) const;
  expr::Id displaced(expr::Id f) const { return displaced(std::vector<expr::Id>{f})[0]; }
  /// At δ = 0.
  std::vector<expr::Id> at_rest(const std::vector<expr::Id>& f) const;
  std::vector<expr::Entry> at_rest(std::vector<expr::Entry> entries) const;

 private:
  expr::Graph& graph_;
  std::vector<int> variables_;
  std::vector<std::pair<int, expr::Id>> moved_, rest_;
};

}  // namespace varia
