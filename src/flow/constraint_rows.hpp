// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The rows of G as the charts of a step see them.
#include <vector>

#include "chart_blocks.hpp"

namespace varia::detail {

/// Of G and, below, ∂Φ/∂v: the directions in which constraints of both kinds react.
Pattern reaction_pattern(const KernelSystem& system);

/// G with a whole row of numbers wherever a constraint meets a curved factor: what the maps of a
/// chart make of it has other zeros.
class ConstraintRows {
 public:
  /// G has this pattern.
  void resize(const ProductSpace& space, const Pattern& given);
  /// The numbers of the pattern below from those of the system's.
  void expand(const double* g, double* out) const;
  /// Replaces the part g of each curved factor by f(factor, g).
  template <class F> void map_curved(const F& f, double* g) const {
    for (const Run& run : runs_) f(run.curved, g + run.at);
  }

  Pattern pattern;

 private:
  struct Run {
    int curved, at;
  };
  std::vector<Run> runs_;
  std::vector<int> source_;
};

/// Covectors of constraints at a point, which are slopes of functions and directions of reactions.
struct Reactions {
  ConstraintRows rows;
  std::vector<double> g;       ///< at the point
  std::vector<double> pulled;  ///< dτ* g: in the chart
  std::vector<double> moved;   ///< Ad* g: at q₀
  std::vector<double> along;   ///< dτ* of the last at -ξ, of curved factors alone

  void resize(const ProductSpace& space, const Pattern& given) {
    rows.resize(space, given);
    g.assign(static_cast<std::size_t>(rows.pattern.size()), 0.0);
    pulled = moved = along = g;
  }
};

}  // namespace varia::detail
