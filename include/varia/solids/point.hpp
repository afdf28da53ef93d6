// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Vectors of the plane and of space in registers, for the kernels of elements.
//
// The first two components share one register of two doubles (every x86-64 and ARM64 has those).
// This halves the work in the plane; and numbers are stored the way the next reader loads them,
// without which the processor waits for its own stores.
#include <cstring>

namespace varia::solids {

template <int D> struct Point {
  static_assert(D == 2 || D == 3);
  using Pair [[gnu::vector_size(16)]] = double;
  Pair xy{0.0, 0.0};
  double z = 0.0;  ///< 0 and never looked at in the plane

  Point() = default;
  [[gnu::always_inline]] explicit Point(const double* from) {
    std::memcpy(&xy, from, sizeof xy);
    if constexpr (D == 3) z = from[2];
  }
  [[gnu::always_inline]] void store(double* to) const {
    std::memcpy(to, &xy, sizeof xy);
    if constexpr (D == 3) to[2] = z;
  }
  [[gnu::always_inline]] Point& operator+=(const Point& b) {
    xy += b.xy;
    if constexpr (D == 3) z += b.z;
    return *this;
  }
  [[gnu::always_inline]] Point& operator-=(const Point& b) {
    xy -= b.xy;
    if constexpr (D == 3) z -= b.z;
    return *this;
  }
  [[gnu::always_inline]] friend Point operator+(Point a, const Point& b) { return a += b; }
  [[gnu::always_inline]] friend Point operator-(Point a, const Point& b) { return a -= b; }
  [[gnu::always_inline]] friend Point operator*(double s, Point a) {
    a.xy *= Pair{s, s};
    if constexpr (D == 3) a.z *= s;
    return a;
  }
};

/// (y, x)
template <int D> [[gnu::always_inline]] inline auto swapped(const Point<D>& a) {
  return __builtin_shufflevector(a.xy, a.xy, 1, 0);
}

/// n_i = ∂det(d_0 … d_{D-1})/∂d_i; returns the determinant.
template <int D> [[gnu::always_inline]] inline double normals(const Point<D>* d, Point<D>* n) {
  using Pair = typename Point<D>::Pair;
  constexpr Pair right{1.0, -1.0}, left{-1.0, 1.0};
  if constexpr (D == 2) {
    n[0].xy = swapped(d[1]) * right;
    n[1].xy = swapped(d[0]) * left;
    const Pair terms = d[0].xy * swapped(d[1]);
    return terms[0] - terms[1];
  } else {
#pragma GCC unroll 3
    for (int i = 0; i < 3; ++i) {
      const Point<D>&a = d[(i + 1) % 3], &b = d[(i + 2) % 3];
      const Pair sb = swapped(b);
      n[i].xy = (swapped(a) * Pair{b.z, b.z} - Pair{a.z, a.z} * sb) * right;
      const Pair terms = a.xy * sb;
      n[i].z = terms[0] - terms[1];
    }
    const Pair terms = d[0].xy * n[0].xy;
    return terms[0] + terms[1] + d[0].z * n[0].z;
  }
}

}  // namespace varia::solids
