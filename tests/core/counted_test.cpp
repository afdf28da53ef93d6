// SPDX-License-Identifier: BSD-3-Clause
#include "varia/core/counted.hpp"

#include <gtest/gtest.h>

namespace varia::counted_test {

TEST(Counted, OneIsSingularAndNothingElse) {
  EXPECT_EQ(counted(1, "step"), "1 step");
  EXPECT_EQ(counted(1L, "momentum", "momenta"), "1 momentum");
  for (const long n : {0L, 2L, 11L, 21L, -1L}) {
    EXPECT_EQ(counted(n, "step"), std::to_string(n) + " steps");
    EXPECT_EQ(counted(n, "momentum", "momenta"), std::to_string(n) + " momenta");
  }
}

}  // namespace varia::counted_test
