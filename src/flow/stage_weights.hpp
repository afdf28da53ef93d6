// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How the derivatives at the quadrature points add up to the Jacobian of a step.
#include <cstddef>
#include <vector>

#include "scatter.hpp"

namespace varia::detail {

/// What a derivative at the quadrature points is multiplied by in the blocks (j, l) of the stages,
/// each of which is found by its distance from the first one.
class StageWeights {
 public:
  void clear() {
    terms_.clear();
    factors_.clear();
  }
  /// A block with a factor for each point; zeros at the ends are left out.
  void add(std::size_t offset, const std::vector<double>& factors);
  /// Adds the values of a pattern, which are a stride apart from point to point, to all blocks.
  void scatter(const PatternBlock& block, const double* values, std::ptrdiff_t stride,
               double* jacobian) const;

 private:
  struct Term {
    std::size_t offset;
    int first, count;  ///< points
  };
  std::vector<Term> terms_;
  std::vector<double> factors_;
};

}  // namespace varia::detail
