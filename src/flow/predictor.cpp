// SPDX-License-Identifier: BSD-3-Clause
#include "varia/flow/predictor.hpp"

#include <Eigen/Core>
#include <algorithm>

namespace varia {

namespace {

template <int W> using Numbers = Eigen::Array<double, W, 1>;

template <int W> Eigen::Map<const Numbers<W>> part(const double* x) {
  return Eigen::Map<const Numbers<W>>(x);
}

/// f<W>(i) for unknowns i..i+W-1, all n of them in turn.
template <class F> void in_parts(int n, const F& f) {
  int i = 0;
  for (; i + 4 <= n; i += 4) f.template operator()<4>(i);
  for (; i + 2 <= n; i += 2) f.template operator()<2>(i);
  if (i < n) f.template operator()<1>(i);
}

}  // namespace

bool Predictor::predict(double h, std::vector<double>& x) const {
  if (count_ == 0 || h != h_) return false;
  in_parts(n_, [&]<int W>(int i) {
    Numbers<W> sum = part<W>(differences_.data() + i);
    for (int m = 1; m < terms_; ++m) sum += part<W>(differences_.data() + m * n_ + i);
    Eigen::Map<Numbers<W>>(x.data() + i) = sum;
  });
  return true;
}

void Predictor::push(double h, const std::vector<double>& x) {
  if (h != h_) count_ = 0;
  h_ = h;
  count_ = std::min(count_ + 1, max_terms);
  Numbers<4> sizes[max_terms];
  for (int m = 0; m < count_; ++m) sizes[m].setZero();
  in_parts(n_, [&]<int W>(int i) {
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
  double last = sizes[0].maxCoeff();
  for (terms_ = 1; terms_ < count_; ++terms_) {
    const double size = sizes[terms_].maxCoeff();
    if (!(size < last)) break;
    last = size;
  }
}

}  // namespace varia
