// SPDX-License-Identifier: BSD-3-Clause
// Nodes of a file are found by their tags: close together or far apart, in any order.
#include "src/solids/gmsh_nodes.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "refusal.hpp"

namespace varia::solids::gmsh_nodes_test {
namespace {

const std::vector<std::vector<long>> numberings{
    {1, 2, 3, 4},
    {7, 5, 8, 6},
    {1, 1000, 2000000, 4000000000},
    {4000000000, 1, 2000000, 1000},
    {std::numeric_limits<long>::max(), 5, std::numeric_limits<long>::min(), -5}};

TEST(TagIndex, FindsEveryTagAndNoOther) {
  for (const auto& tags : numberings) {
    const TagIndex index(tags);
    for (std::size_t i = 0; i < tags.size(); ++i)
      EXPECT_EQ(index.find(tags[i]), static_cast<long>(i)) << tags[i];
    for (const long other : {0L, 9L, 999L, 1001L, 3999999999L, -4L})
      EXPECT_EQ(index.find(other), -1);
  }
  EXPECT_EQ(TagIndex(std::vector<long>{}).find(1), -1);
}

TEST(TagIndex, RefusesATagThatIsThereTwice) {
  for (std::vector<long> tags : numberings) {
    tags.push_back(tags[1]);
    expect_words(refusal<MeshError>([&] { TagIndex index(tags); }),
                 {std::to_string(tags[1]).c_str(), "twice"});
  }
}

}  // namespace
}  // namespace varia::solids::gmsh_nodes_test
