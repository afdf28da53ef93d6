// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A program evaluated on power series in time, one coefficient after the other, up to any order.
//
//   (series)   (f∘x)_k = 1/k Σⱼ j xⱼ (f′∘x)_{k-j},  j = 1, …, k                        [Griewank00]
//
// The k-th coefficients of all slots follow from those of the inputs up to k in one sweep: K
// coefficients cost O(K²) an operation. So an equation x′ = f(x) can feed its own coefficients back.
// Where a coefficient does not exist (|x| at 0, a tie of min) it is NaN: the caller must look.
#include <vector>

#include "varia/expr/tape.hpp"

namespace varia::expr {

class TapeSeries {
 public:
  /// The tape must outlive this; coefficients 0, …, order.
  TapeSeries(const Tape& tape, int order);
  TapeSeries(Tape&&, int) = delete;

  int order() const { return length_ - 1; }
  /// Coefficients k of all slots from those of the inputs; 0, …, k-1 must have been done before.
  void extend(int k, const double* x);
  /// Coefficient k of an output.
  double coefficient(int output, int k) const {
    return row(tape_->output_slots()[static_cast<std::size_t>(output)])[k];
  }

 private:
  const double* row(std::size_t slot) const {
    return values_.data() + slot * static_cast<std::size_t>(length_);
  }
  double* row(std::size_t slot) {
    return values_.data() + slot * static_cast<std::size_t>(length_);
  }

  const Tape* tape_;
  int length_;
  std::vector<double> values_;      ///< slots, then series that functions need besides
  std::vector<std::size_t> extra_;  ///< first of these, by instruction
};

}  // namespace varia::expr
