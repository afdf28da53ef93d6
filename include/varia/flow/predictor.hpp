// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Starting guesses: each unknown of a step, seen from step to step, is a smooth sequence, and its
// backward differences extrapolate it. The order is as high as the differences keep shrinking.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace varia {

class Predictor {
 public:
  void resize(int n) {
    differences_.assign(static_cast<std::size_t>(n), {});
    count_ = 0;
  }
  void reset() { count_ = 0; }

  /// Everything the next prediction depends on, for a checkpoint: load() of what save() gave
  /// continues to the bit.
  void save(std::vector<double>& out) const {
    out.insert(out.end(), {static_cast<double>(count_), static_cast<double>(terms_), h_});
    for (const auto& entry : differences_) out.insert(out.end(), entry.begin(), entry.end());
  }
  /// Reads from `data` and returns where it stopped; null when there are too few numbers.
  const double* load(const double* data, const double* end) {
    const auto need = static_cast<std::ptrdiff_t>(3 + differences_.size() * max_terms);
    if (end - data < need) return nullptr;
    count_ = static_cast<int>(data[0]);
    terms_ = static_cast<int>(data[1]);
    h_ = data[2];
    data += 3;
    for (auto& entry : differences_) {
      std::copy(data, data + max_terms, entry.begin());
      data += max_terms;
    }
    return data;
  }

  /// x ← x₋₁ + ∇x₋₁ + ∇²x₋₁ + …; false when there is no earlier step of the same size.
  bool predict(double h, std::vector<double>& x) const {
    if (count_ == 0 || h != h_) return false;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double* const difference = differences_[i].data();
      double sum = difference[0];
      for (int m = 1; m < terms_; ++m) sum += difference[m];
      x[i] = sum;
    }
    return true;
  }

  /// The solution of a step of size h.
  void push(double h, const std::vector<double>& x) {
    if (h != h_) count_ = 0;
    h_ = h;
    count_ = std::min(count_ + 1, max_terms);
    double size[max_terms] = {};
    for (std::size_t i = 0; i < x.size(); ++i) {
      double* const entry = differences_[i].data();
      double difference = x[i];
      for (int m = 0; m < count_; ++m) {
        size[m] = std::max(size[m], std::abs(difference));
        difference -= std::exchange(entry[m], difference);
      }
    }
    // the next neglected difference is about the error: stop where the differences stop shrinking
    terms_ = 1;
    while (terms_ < count_ && size[terms_] < size[terms_ - 1]) ++terms_;
  }

 private:
  static constexpr int max_terms = 8;
  std::vector<std::array<double, max_terms>> differences_;  ///< x, ∇x, ∇²x, … of each unknown
  int count_ = 0;
  int terms_ = 0;
  double h_ = 0.0;
};

}  // namespace varia
