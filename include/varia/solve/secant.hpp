// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What the factors of an earlier Jacobian J are off by, along one direction.
//
// A step of Newton's method by such factors is y = J⁻¹F, where (I - C)⁻¹y would lead to the solution,
// C = I - J⁻¹F′. Two residuals of one solve show C along the first step s:
//
//   C s = s - y + y₂
//
// From one step of a motion to the next both C and the direction in which the prediction is off change
// by little. So the next solve begins with y + (s·y / s·s) C s, the secant step of [Broyden65].
#include <cstddef>
#include <vector>

#include "varia/core/saved_numbers.hpp"

namespace varia {

class Secant {
 public:
  void resize(int n) {
    step_.assign(static_cast<std::size_t>(n), 0.0);
    first_ = lost_ = step_;
    known_ = 0.0;
  }

  /// There are new factors.
  void forget() { known_ = 0.0; }

  /// y ← y + (s·y / s·s) C s, the first step of a solve.
  void improve(double* y) {
    double along = 0.0;
    if (known_ > 0.0)
      for (std::size_t i = 0; i < step_.size(); ++i) along += step_[i] * y[i];
    if (known_ > 0.0) along /= known_;
    for (std::size_t i = 0; i < step_.size(); ++i) {
      first_[i] = y[i];
      step_[i] = y[i] += along * lost_[i];
    }
  }

  /// C s from the second step of the solve, as the factors give it.
  void learn(const double* y) {
    double square = 0.0;
    for (std::size_t i = 0; i < step_.size(); ++i) {
      lost_[i] = (step_[i] - first_[i]) + y[i];
      square += step_[i] * step_[i];
    }
    known_ = square;
  }

  /// What the next solve depends on.
  void exchange(SavedNumbers& numbers) { numbers(known_, step_, lost_); }

 private:
  double known_ = 0.0;                       ///< s·s; 0: nothing is known of C
  std::vector<double> step_, first_, lost_;  ///< s, y, C s
};

}  // namespace varia
