// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The vectors and matrices of the library: Eigen's, under short names.
//
// A point of ℝⁿ is a Vector<S, n>; n = Dynamic when it is known only at run time.
#include <Eigen/Geometry>

namespace varia {

inline constexpr int Dynamic = Eigen::Dynamic;

template <class S, int N> using Vector = Eigen::Matrix<S, N, 1>;

template <class S, int R, int C = R> using Matrix = Eigen::Matrix<S, R, C>;

/// Numbers, as many as are known at run time.
using Vn = Vector<double, Dynamic>;

}  // namespace varia
