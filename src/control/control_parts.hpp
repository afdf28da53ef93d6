// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a control problem is made of.
#include <string>
#include <vector>

#include "step_layout.hpp"

namespace varia::detail {

struct ControlParts {
  ControlParts(expr::Graph& graph, const ControlFormulas& formulas, const Method& method,
               const ControlTime& time, Retraction tau);

  const StepKind& kind(int k) const;
  /// The entries of xₖ.
  const double* node(const ChainPoint& at, int k) const;

  ControlSizes sizes;
  ControlTime time;
  ProductSpace space;
  StepLayouts layouts;
  Method method;
  std::vector<ControlRange> inputs, parameters;
  std::vector<ControlInequality> path;
  std::vector<std::string> start_names, end_names;
  StepPiece departure, arrival, point, end, multipliers, start_conditions, end_conditions;
  std::vector<StepKind> kinds;  ///< departure, first, middle, last step, arrival
  LinearMap start_map, end_map;

 private:
  void make_kinds(bool recompute);
};

}  // namespace varia::detail

namespace varia {

struct ControlProblem::Parts : detail::ControlParts {
  using detail::ControlParts::ControlParts;
};

}  // namespace varia
