// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What a mesh file says, before it is a mesh: nodes and blocks of elements under their own numbers.
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "gmsh_cursor.hpp"
#include "gmsh_types.hpp"

namespace varia::solids {

using DimTag = std::pair<int, int>;

/// Elements of one type in one geometric entity and the same physical groups.
struct GmshBlock {
  const GmshType* type = nullptr;
  int entity = 0;
  std::vector<int> physical;  ///< tags, positive; may be empty
  std::vector<long> tags;
  std::vector<long> nodes;  ///< type->nodes tags per element
};

struct GmshRaw {
  bool version22 = false;
  std::map<DimTag, std::string> names;          ///< of physical groups
  std::map<DimTag, std::vector<int>> entities;  ///< physical tags of an entity (4.1)
  std::vector<long> node_tags;
  std::vector<double> X;  ///< 3 per node
  std::vector<GmshBlock> blocks;
};

// The data of a section, without $Name and $EndName.
void read_nodes22(GmshCursor& in, GmshRaw& raw);
void read_elements22(GmshCursor& in, GmshRaw& raw);
void read_entities41(GmshCursor& in, GmshRaw& raw);
void read_nodes41(GmshCursor& in, GmshRaw& raw);
void read_elements41(GmshCursor& in, GmshRaw& raw);

/// The type of that number; fails if there is none.
const GmshType& known_type(const GmshCursor& in, long number);

/// A tag of 32 bits, also when it is text.
int small_tag(const GmshCursor& in, long tag);

/// The sign of a physical tag is an orientation, which we find ourselves.
int physical_tag(const GmshCursor& in, long tag);

/// Not yet validated.
Mesh build_mesh(GmshRaw raw);

}  // namespace varia::solids
