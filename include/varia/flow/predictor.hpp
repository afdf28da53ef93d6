// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Starting guesses: each unknown of a step, seen from step to step, is a smooth sequence, and its
// backward differences extrapolate it. The order is as high as the differences keep shrinking.
#include <algorithm>
#include <cstddef>
#include <vector>

namespace varia {

class Predictor {
 public:
  void resize(int n) {
    n_ = n;
    differences_.assign(static_cast<std::size_t>(n) * max_terms, 0.0);
    count_ = 0;
  }

  /// Everything the next prediction depends on, for a checkpoint: load() of what save() gave
  /// continues to the bit.
  void save(std::vector<double>& out) const {
    out.insert(out.end(), {static_cast<double>(count_), static_cast<double>(terms_), h_});
    out.insert(out.end(), differences_.begin(), differences_.end());
  }
  /// Reads from `data` and returns where it stopped; null when there are too few numbers.
  const double* load(const double* data, const double* end) {
    const auto need = static_cast<std::ptrdiff_t>(3 + differences_.size());
    if (end - data < need) return nullptr;
    count_ = static_cast<int>(data[0]);
    terms_ = static_cast<int>(data[1]);
    h_ = data[2];
    std::copy(data + 3, data + need, differences_.begin());
    return data + need;
  }

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
