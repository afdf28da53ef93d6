// SPDX-License-Identifier: BSD-3-Clause
// The structured solver gives what the dense one gives.
#include "varia/solve/structured.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "solve/matrix_entry.hpp"

namespace varia::structured_test {
namespace {

/// A ring of groups with two unknowns each, numbered so that neighbours are far apart.
Couplings ring(int groups) {
  Couplings c;
  for (int g = 0; g < groups; ++g) c.groups.push_back({g, groups + g});
  for (int g = 0; g < groups; ++g) c.meeting.emplace_back((7 * g) % groups, (7 * (g + 1)) % groups);
  return c;
}

TEST(StructuredLU, RingBecomesBandAndSolves) {
  const int groups = 50;
  const Couplings c = ring(groups);
  StructuredLU structured;
  structured.resize(c);
  EXPECT_TRUE(structured.banded());
  EXPECT_LE(structured.bandwidth(), 6);  // two sides of the ring, two unknowns each
  DenseLU dense;
  dense.resize(2 * groups);
  const auto fill = [&](int a, int b) {
    for (const int i : c.groups[static_cast<std::size_t>(a)])
      for (const int j : c.groups[static_cast<std::size_t>(b)])
        structured.data()[structured.slot(i, j)] = dense(i, j) = matrix_entry(i, j);
  };
  for (int g = 0; g < groups; ++g) fill(g, g);
  for (const auto& [a, b] : c.meeting) {
    fill(a, b);
    fill(b, a);
  }
  ASSERT_TRUE(structured.factor());
  ASSERT_TRUE(dense.factor());
  std::vector<double> x(100);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = matrix_entry(static_cast<int>(i), 5);
  std::vector<double> y = x;
  structured.solve(x.data());
  dense.solve(y.data());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-10 * (1 + std::abs(y[i])));
}

TEST(StructuredLU, FullCouplingStaysDense) {
  Couplings c;
  for (int g = 0; g < 30; ++g) {
    c.groups.push_back({g});
    for (int k = 0; k < g; ++k) c.meeting.emplace_back(g, k);
  }
  StructuredLU structured;
  structured.resize(c);
  EXPECT_FALSE(structured.banded());
}

/// n unknowns, each of which meets the next w.
Couplings band_of(int n, int w) {
  Couplings c;
  for (int i = 0; i < n; ++i) {
    c.groups.push_back({i});
    for (int k = 1; k <= w && k <= i; ++k) c.meeting.emplace_back(i, i - k);
  }
  return c;
}

/// What is cheaper depends on both numbers: a wide band pays in a large matrix only.
TEST(StructuredLU, BandWhereItIsCheaper) {
  const auto banded = [](int n, int w) {
    StructuredLU structured;
    structured.resize(band_of(n, w));
    return structured.banded();
  };
  EXPECT_FALSE(banded(8, 1));
  EXPECT_TRUE(banded(30, 3));
  EXPECT_FALSE(banded(20, 10));
  EXPECT_TRUE(banded(200, 10));
  EXPECT_FALSE(banded(60, 45));
  for (int w : {1, 3, 7, 15}) {
    bool before = false;
    for (int n = w + 1; n < 200; ++n) {
      EXPECT_TRUE(!before || banded(n, w)) << n << " " << w;  // no way back as n grows
      before = banded(n, w);
    }
    EXPECT_TRUE(before) << w;
  }
}

TEST(CuthillMckee, OrdersEveryGroupOnce) {
  Couplings c = ring(11);
  c.groups.push_back({22});  // one that meets none
  auto order = cuthill_mckee(c);
  std::sort(order.begin(), order.end());
  for (int g = 0; g < 12; ++g) EXPECT_EQ(order[static_cast<std::size_t>(g)], g);
}

}  // namespace
}  // namespace varia::structured_test
