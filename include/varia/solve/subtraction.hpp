// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// A step of an iteration is taken from the unknowns, and both are measured in the same pass.
#include <Eigen/Core>
#include <cmath>

namespace varia::detail {

template <int W> using Numbers = Eigen::Array<double, W, 1>;

/// Takes steps from unknowns and keeps the largest numbers of both; a number that is not finite makes
/// the sum so.
struct Subtraction {
  Numbers<4> size = Numbers<4>::Zero(), scale = Numbers<4>::Zero(), sum = Numbers<4>::Zero();

  template <int W> void part(const Numbers<W>& step, double* x) {
    Eigen::Map<Numbers<W>> place(x);
    const Numbers<W> moved = place - step;
    place = moved;
    size.head<W>() = size.head<W>().max(step.abs());
    scale.head<W>() = scale.head<W>().max(moved.abs());
    sum.head<W>() += moved;
  }
  /// x ← x - step, n numbers; step(i) gives those from i on.
  template <class F> void operator()(const F& step, double* x, int n) {
    int i = 0;
    for (; i + 4 <= n; i += 4) part<4>(step.template operator()<4>(i), x + i);
    for (; i + 2 <= n; i += 2) part<2>(step.template operator()<2>(i), x + i);
    if (i < n) part<1>(step.template operator()<1>(i), x + i);
  }

  double largest_step() const { return size.maxCoeff(); }
  double largest_unknown() const { return scale.maxCoeff(); }
  bool finite() const { return std::isfinite(sum.sum()); }
};

template <int W> Eigen::Map<const Numbers<W>> numbers(const double* x) {
  return Eigen::Map<const Numbers<W>>(x);
}

}  // namespace varia::detail
