// SPDX-License-Identifier: BSD-3-Clause
// Damaged mesh files: a valid mesh or a MeshError, never anything else.
#include "solids/gmsh_mutants.hpp"

namespace varia::solids::gmsh_fuzz_test {
namespace {

TEST(GmshFuzz, SeedsAreRead) {
  for (const std::string& bytes : seeds()) EXPECT_NO_THROW(parse_gmsh(bytes, "part.msh"));
}

TEST(GmshFuzz, Mutants) {
  const Verdicts verdicts = try_mutants(20030301, 20000);
  // Both must happen: mutants that nothing notices, and those that are refused.
  EXPECT_GT(verdicts.accepted, 500);
  EXPECT_GT(verdicts.refused, 5000);
}

// Counts that promise more than the file has must be refused before memory is asked for.
TEST(GmshFuzz, EveryNumberMadeHuge) {
  for (const std::string& bytes : {tet10_22, tet10_41, squares_22, squares_41})
    for (std::size_t at = 1; at < bytes.size(); ++at) {
      const bool begins = std::isdigit(static_cast<unsigned char>(bytes[at])) != 0 &&
                          (bytes[at - 1] == ' ' || bytes[at - 1] == '\n');
      if (!begins) continue;
      for (const char* value : {"123456789012", "4611686018427387904", "-3"}) {
        std::string mutant = bytes;
        const std::size_t end = mutant.find_first_of(" \n", at);
        mutant.replace(at, end - at, value);
        try {
          parse_gmsh(mutant, "part.msh");
        } catch (const MeshError&) {
        }
      }
    }
}

}  // namespace
}  // namespace varia::solids::gmsh_fuzz_test
