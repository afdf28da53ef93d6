// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The Jacobian of a step of a small system in which all degrees of freedom meet: sums of whole
// n × n blocks.
#include <vector>

#include "varia/methods/method.hpp"

namespace varia::detail {

class DenseSum {
 public:
  static constexpr int most = 6;  ///< degrees of freedom

  /// Of a matrix with so many columns. may_mix: ∂P/∂Ξ or ∂W/∂H may be nonzero.
  DenseSum(int n, int columns, bool may_mix) : n_(n), columns_(columns), may_mix_(may_mix) {}

  /// The factors of ∂P/∂Ξ, ∂P/∂H, ∂W/∂Ξ, ∂W/∂H of all points in ∂/∂u_l of Σᵢ row_P Pⁱ + h row_W Wⁱ.
  void weigh(const StageCoefficients& k, const SplitArray& row_W, double h);
  /// The blocks (j, l) of the Jacobian from those four blocks of each point; N is n.
  template <int N> void sum(const double* blocks, double* jacobian);
  /// Whether ∂P/∂Ξ or ∂W/∂H was not zero in the last sum.
  bool mixed() const { return mixed_; }

 private:
  struct Term {
    int first;  ///< of a block
    double factor;
  };
  struct Terms {
    std::vector<Term> list;
    std::vector<int> ends;  ///< of the terms of each (j, l)
  };

  int n_, columns_;
  int stages_ = 0, points_ = 0;
  bool may_mix_, mixed_ = false;
  Terms all_, unmixed_;  ///< without ∂P/∂Ξ and ∂W/∂H
};

}  // namespace varia::detail
