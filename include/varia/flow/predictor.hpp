// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Starting guesses: each unknown of a step, seen from step to step, is a smooth sequence, and its
// backward differences extrapolate it. The order is as high as the differences keep shrinking.
#include <cstddef>
#include <vector>

#include "varia/core/saved_numbers.hpp"

namespace varia {

class Predictor {
 public:
  void resize(int n) {
    n_ = n;
    differences_.assign(static_cast<std::size_t>(n) * max_terms, 0.0);
    count_ = 0;
  }

  /// Everything the next prediction depends on: read again, it continues to the bit.
  void exchange(SavedNumbers& numbers) { numbers(count_, terms_, h_, differences_); }

  /// x ← x₋₁ + ∇x₋₁ + ∇²x₋₁ + …; false when there is no earlier step of the same size.
  bool predict(double h, std::vector<double>& x) const;

  /// The solution of a step of size h.
  void push(double h, const std::vector<double>& x);

 private:
  static constexpr int max_terms = 8;
  int n_ = 0;
  std::vector<double> differences_;  ///< x, then ∇x, then ∇²x, …
  int count_ = 0;
  int terms_ = 0;
  double h_ = 0.0;
};

}  // namespace varia
