// SPDX-License-Identifier: BSD-3-Clause
// The solver of band matrices gives what the dense one gives.
#include "varia/solve/band.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "solve/matrix_entry.hpp"
#include "varia/solve/lu.hpp"

namespace varia::band_test {
namespace {

double band_error(int n, int l, int u) {
  BandLU band;
  band.resize(n, l, u);
  DenseLU dense;
  dense.resize(n);
  for (int i = 0; i < n; ++i)
    for (int j = std::max(0, i - l); j <= std::min(n - 1, i + u); ++j)
      band(i, j) = dense(i, j) = matrix_entry(i, j);
  EXPECT_TRUE(band.factor());
  EXPECT_TRUE(dense.factor());
  std::vector<double> x(static_cast<std::size_t>(n));
  for (int i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] = matrix_entry(i, 1000);
  std::vector<double> y = x;
  band.solve(x.data());
  dense.solve(y.data());
  double error = 0.0;
  double scale = 0.0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    error = std::max(error, std::abs(x[i] - y[i]));
    scale = std::max(scale, std::abs(y[i]));
  }
  return error / scale;
}

TEST(BandLU, EqualsDense) {
  EXPECT_LT(band_error(1, 0, 0), 1e-15);
  EXPECT_LT(band_error(40, 1, 1), 1e-11);
  EXPECT_LT(band_error(40, 3, 1), 1e-11);
  EXPECT_LT(band_error(40, 1, 4), 1e-11);
  EXPECT_LT(band_error(7, 6, 6), 1e-11);
  EXPECT_LT(band_error(5, 9, 9), 1e-11);  // a band wider than the matrix
}

TEST(BandLU, RefusesSingular) {
  BandLU band;
  band.resize(3, 1, 1);
  band(0, 0) = 1.0;
  band(1, 1) = 0.0;
  band(2, 2) = 1.0;
  EXPECT_FALSE(band.factor());
}

}  // namespace
}  // namespace varia::band_test
