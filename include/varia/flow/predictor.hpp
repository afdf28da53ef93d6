// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Starting guesses: each unknown of a step, seen from step to step, is a smooth sequence, and its
// backward differences extrapolate it. The order is as high as the differences keep shrinking.
#include <Eigen/Core>
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
  void reset() { count_ = 0; }

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
  bool predict(double h, std::vector<double>& x) const {
    if (count_ == 0 || h != h_) return false;
    in_parts([&]<int W>(int i) {
      Numbers<W> sum = part<W>(differences_.data() + i);
      for (int m = 1; m < terms_; ++m) sum += part<W>(differences_.data() + m * n_ + i);
      Eigen::Map<Numbers<W>>(x.data() + i) = sum;
    });
    return true;
  }

  /// The solution of a step of size h.
  void push(double h, const std::vector<double>& x) {
    if (h != h_) count_ = 0;
    h_ = h;
    count_ = std::min(count_ + 1, max_terms);
    Numbers<4> sizes[max_terms];
    for (int m = 0; m < count_; ++m) sizes[m].setZero();
    in_parts([&]<int W>(int i) {
      Numbers<W> difference = part<W>(x.data() + i);
      for (int m = 0; m < count_; ++m) {
        auto size = sizes[m].template head<W>();
        size = size.max(difference.abs());
        Eigen::Map<Numbers<W>> place(differences_.data() + m * n_ + i);
        const Numbers<W> last = place;
        place = difference;
        difference -= last;
      }
    });
    // the next neglected difference is about the error: stop where the differences stop shrinking
    terms_ = 1;
    const auto size = [&](int m) { return sizes[m].maxCoeff(); };
    while (terms_ < count_ && size(terms_) < size(terms_ - 1)) ++terms_;
  }

 private:
  template <int W> using Numbers = Eigen::Array<double, W, 1>;
  template <int W> static Eigen::Map<const Numbers<W>> part(const double* x) {
    return Eigen::Map<const Numbers<W>>(x);
  }
  /// f<W>(i) for unknowns i..i+W-1, all of them in turn.
  template <class F> void in_parts(const F& f) const {
    int i = 0;
    for (; i + 4 <= n_; i += 4) f.template operator()<4>(i);
    for (; i < n_; ++i) f.template operator()<1>(i);
  }

  static constexpr int max_terms = 8;
  int n_ = 0;
  std::vector<double> differences_;  ///< x, then ∇x, then ∇²x, …
  int count_ = 0;
  int terms_ = 0;
  double h_ = 0.0;
};

}  // namespace varia
