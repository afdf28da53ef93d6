// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Loops that the compiler sees as a list: numbers in small arrays then stay in registers.
#include <utility>

namespace varia::detail {

/// f(0), …, f(N - 1)
template <int N, class F> [[gnu::always_inline]] inline void unrolled(const F& f) {
  [&]<int... i>(std::integer_sequence<int, i...>) { (f(i), ...); }
  (std::make_integer_sequence<int, N>{});
}

}  // namespace varia::detail
