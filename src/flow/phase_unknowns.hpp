// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The momenta of the points as unknowns of a step, in units of their own: see stage_momenta.cpp.
#include <vector>

#include "scatter.hpp"

namespace varia::detail {

/// A block with a weight for each entry: the units of its row and column.
struct UnitBlock : PatternBlock {
  std::vector<double> weight;

  void weigh_rows(const std::vector<double>& unit) {
    for (std::size_t e = 0; e < weight.size(); ++e)
      weight[e] = unit[static_cast<std::size_t>(row[e])];
  }
  /// Alone, or times the weights of the rows.
  void weigh_columns(const std::vector<double>& unit, bool alone) {
    for (std::size_t e = 0; e < weight.size(); ++e)
      weight[e] = (alone ? 1.0 : weight[e]) * unit[static_cast<std::size_t>(column[e])];
  }
  void add(double* a, double factor, const double* values) const {
    for (std::size_t e = 0; e < slot.size(); ++e)
      a[slot[e]] += factor * (weight[e] * values[static_cast<std::size_t>(value[e])]);
  }
};

struct PhaseUnknowns {
  UnitBlock qq, qp, pq, pp;                ///< of the second derivatives
  std::vector<std::size_t> diagonal;       ///< of a block
  std::vector<double> unit, inverse_unit;  ///< σ, 1/σ
  std::vector<double> velocity;            ///< Hⁱ of the point at hand
  std::vector<double> raw;                 ///< all unknowns without units
};

}  // namespace varia::detail
