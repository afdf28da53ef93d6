// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Starting guesses: each unknown of a step, seen from step to step, is a smooth sequence, and its
// backward differences extrapolate it. The order is as high as the differences keep shrinking.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace varia {

class Predictor {
 public:
  void resize(int n) {
    for (auto& row : differences_) row.assign(static_cast<std::size_t>(n), 0.0);
    count_ = 0;
  }
  void reset() { count_ = 0; }

  /// x ← x₋₁ + ∇x₋₁ + ∇²x₋₁ + …; false when there is no earlier step of the same size.
  bool predict(double h, std::vector<double>& x) const {
    if (count_ == 0 || h != h_) return false;
    x = differences_[0];
    for (int m = 1; m < terms_; ++m) {
      const auto& row = differences_[static_cast<std::size_t>(m)];
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += row[i];
    }
    return true;
  }

  /// The solution of a step of size h.
  void push(double h, const std::vector<double>& x) {
    if (h != h_) count_ = 0;
    h_ = h;
    count_ = std::min(count_ + 1, max_terms);
    terms_ = count_;
    std::array<double, max_terms> size{};
    for (std::size_t i = 0; i < x.size(); ++i) {
      double difference = x[i];
      for (int m = 0; m < count_; ++m) {
        double& entry = differences_[static_cast<std::size_t>(m)][i];
        const double earlier = entry;
        entry = difference;
        size[static_cast<std::size_t>(m)] = std::max(size[static_cast<std::size_t>(m)], std::abs(difference));
        difference -= earlier;
      }
    }
    // the next neglected difference is about the error: stop where the differences stop shrinking
    for (int m = 1; m < count_; ++m)
      if (size[static_cast<std::size_t>(m)] >= size[static_cast<std::size_t>(m - 1)]) {
        terms_ = m;
        break;
      }
  }

 private:
  static constexpr int max_terms = 8;
  std::array<std::vector<double>, max_terms> differences_;
  int count_ = 0;
  int terms_ = 0;
  double h_ = 0.0;
};

}  // namespace varia
