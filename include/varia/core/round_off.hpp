// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Round-off of double numbers, and sums that do not lose it.
#include <limits>

namespace varia::detail {

/// Twice the largest relative error of one rounded operation.
inline constexpr double eps = std::numeric_limits<double>::epsilon();

/// x + remainder ← x + remainder + increment, the sum rounded once (Kahan-Babuška).
template <class X, class R, class I> void compensated_add(X& x, R& remainder, const I& increment) {
  const X y = increment + remainder;
  const X sum = x + y;
  remainder = y - (sum - x);
  x = sum;
}

/// The same without any loss: x + remainder is a double-double number, so that parts of the
/// increment far below its own last digit, put into the remainder before, are not lost.
template <class X, class R, class I> void exact_add(X& x, R& remainder, const I& increment) {
  const X sum = x + increment;
  const X of_increment = sum - x;
  const X of_x = sum - of_increment;
  const X error = (x - of_x) + (increment - of_increment) + remainder;
  x = sum + error;
  remainder = error - (x - sum);
}

}  // namespace varia::detail
