// SPDX-License-Identifier: BSD-3-Clause
// The same damage for longer.
#include "solids/gmsh_mutants.hpp"

namespace varia::solids::gmsh_fuzz_long_test {
namespace {

TEST(GmshFuzzLong, Mutants) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    const Verdicts verdicts = try_mutants(seed, 200000);
    EXPECT_GT(verdicts.accepted, 5000);
    EXPECT_GT(verdicts.refused, 50000);
  }
}

}  // namespace
}  // namespace varia::solids::gmsh_fuzz_long_test
