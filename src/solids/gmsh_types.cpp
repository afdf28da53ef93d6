// SPDX-License-Identifier: BSD-3-Clause
#include "gmsh_types.hpp"

#include <algorithm>
#include <array>

namespace varia::solids {
namespace {

constexpr std::array<GmshType, 33> types{{
    {1, 1, 2, "2-node line"},
    {2, 2, 3, "3-node triangle"},
    {3, 2, 4, "4-node quadrangle"},
    {4, 3, 4, "4-node tetrahedron"},
    {5, 3, 8, "8-node hexahedron"},
    {6, 3, 6, "6-node prism"},
    {7, 3, 5, "5-node pyramid"},
    {8, 1, 3, "3-node line"},
    {9, 2, 6, "6-node triangle"},
    {10, 2, 9, "9-node quadrangle"},
    {11, 3, 10, "10-node tetrahedron"},
    {12, 3, 27, "27-node hexahedron"},
    {13, 3, 18, "18-node prism"},
    {14, 3, 14, "14-node pyramid"},
    {15, 0, 1, "point"},
    {16, 2, 8, "8-node quadrangle"},
    {17, 3, 20, "20-node hexahedron"},
    {18, 3, 15, "15-node prism"},
    {19, 3, 13, "13-node pyramid"},
    {20, 2, 9, "9-node incomplete triangle"},
    {21, 2, 10, "10-node triangle"},
    {22, 2, 12, "12-node incomplete triangle"},
    {23, 2, 15, "15-node triangle"},
    {24, 2, 15, "15-node incomplete triangle"},
    {25, 2, 21, "21-node triangle"},
    {26, 1, 4, "4-node line"},
    {27, 1, 5, "5-node line"},
    {28, 1, 6, "6-node line"},
    {29, 3, 20, "20-node tetrahedron"},
    {30, 3, 35, "35-node tetrahedron"},
    {31, 3, 56, "56-node tetrahedron"},
    {92, 3, 64, "64-node hexahedron"},
    {93, 3, 125, "125-node hexahedron"},
}};

}  // namespace

const GmshType* gmsh_type(long number) {
  const auto* const found = std::find_if(
      types.begin(), types.end(), [number](const GmshType& t) { return t.number == number; });
  return found == types.end() ? nullptr : found;
}

}  // namespace varia::solids
