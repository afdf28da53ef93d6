// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The element types of Gmsh, by number.
#include <string_view>

namespace varia::solids {

struct GmshType {
  int number = 0;
  int dimension = 0;
  int nodes = 0;
  std::string_view name;
};

/// nullptr if there is no such type in our list.
const GmshType* gmsh_type(long number);

}  // namespace varia::solids
