// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Loops that the compiler sees as a list, and sizes that it knows: numbers in small arrays then stay in registers.
#include <utility>

namespace varia::detail {

/// f(0), …, f(N - 1)
template <int N, class F> [[gnu::always_inline]] inline void unrolled(const F& f) {
  [&]<int... i>(std::integer_sequence<int, i...>) { (f(i), ...); }
  (std::make_integer_sequence<int, N>{});
}

/// f<n>() for the sizes of small systems, f<0>() for others.
template <class F> auto with_small_size(int n, const F& f) {
  switch (n) {
    case 1:
      return f.template operator()<1>();
    case 2:
      return f.template operator()<2>();
    case 3:
      return f.template operator()<3>();
    case 4:
      return f.template operator()<4>();
    case 5:
      return f.template operator()<5>();
    case 6:
      return f.template operator()<6>();
    default:
      return f.template operator()<0>();
  }
}

}  // namespace varia::detail
