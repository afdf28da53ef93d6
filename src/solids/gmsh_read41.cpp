// SPDX-License-Identifier: BSD-3-Clause
// Version 4.1: blocks of nodes and elements on geometric entities, which carry the groups.
#include "gmsh_raw.hpp"

namespace varia::solids {
namespace {

int dimension(const GmshCursor& in, long value) {
  if (value < 0 || value > 3)
    in.fail("the dimension of an entity must be 0 to 3, found " + std::to_string(value));
  return static_cast<int>(value);
}

void read_entity(GmshCursor& in, GmshRaw& raw, int dim) {
  const int tag = small_tag(in, in.int32());
  if (raw.entities.count({dim, tag}) > 0)
    in.fail("entity " + std::to_string(tag) + " of dimension " + std::to_string(dim) +
            " occurs twice");
  for (int i = 0; i < (dim == 0 ? 3 : 6); ++i) in.real();  // a point or a box
  const long groups = in.count(in.int64(), 2, 4, "physical tags");
  constexpr long most = 100;  // every face of the entity is stored once for each group
  if (groups > most)
    in.fail("an entity is in " + std::to_string(groups) + " physical groups; 100 are possible");
  std::vector<int>& physical = raw.entities[{dim, tag}];
  for (long i = 0; i < groups; ++i) physical.push_back(physical_tag(in, in.int32()));
  if (dim == 0) return;
  const long bounds = in.count(in.int64(), 2, 4, "bounding entities");
  for (long i = 0; i < bounds; ++i) in.int32();
}

long section_total(GmshCursor& in, std::size_t text_bytes, std::size_t binary_bytes,
                   const char* what) {
  const long total = in.count(in.int64(), text_bytes, binary_bytes, what);
  in.int64();  // smallest
  in.int64();  // and largest tag
  return total;
}

void check_total(const GmshCursor& in, std::size_t found, long total, const char* what) {
  if (found != static_cast<std::size_t>(total))
    in.fail("the blocks have " + std::to_string(found) + " " + what + ", the section says " +
            std::to_string(total));
}

}  // namespace

void read_entities41(GmshCursor& in, GmshRaw& raw) {
  const long points = in.count(in.int64(), 10, 36, "points");
  const long curves = in.count(in.int64(), 18, 68, "curves");
  const long surfaces = in.count(in.int64(), 18, 68, "surfaces");
  const long volumes = in.count(in.int64(), 18, 68, "volumes");
  for (long i = 0; i < points; ++i) read_entity(in, raw, 0);
  for (long i = 0; i < curves; ++i) read_entity(in, raw, 1);
  for (long i = 0; i < surfaces; ++i) read_entity(in, raw, 2);
  for (long i = 0; i < volumes; ++i) read_entity(in, raw, 3);
}

void read_nodes41(GmshCursor& in, GmshRaw& raw) {
  const long blocks = in.count(in.int64(), 8, 20, "blocks of nodes");
  const long total = section_total(in, 8, 32, "nodes");
  raw.node_tags.reserve(static_cast<std::size_t>(total));
  raw.X.reserve(3 * static_cast<std::size_t>(total));
  for (long b = 0; b < blocks; ++b) {
    const int dim = dimension(in, in.int32());
    in.int32();  // the entity
    const long parametric = in.int32();
    if (parametric != 0 && parametric != 1)
      in.fail("the mark of parametric coordinates must be 0 or 1, found " +
              std::to_string(parametric));
    const long n = in.count(in.int64(), 8, 32, "nodes");
    for (long i = 0; i < n; ++i) raw.node_tags.push_back(in.int64());
    for (long i = 0; i < n; ++i) {
      for (int d = 0; d < 3; ++d) raw.X.push_back(in.real());
      for (int d = 0; d < (parametric == 1 ? dim : 0); ++d) in.real();
    }
  }
  check_total(in, raw.node_tags.size(), total, "nodes");
}

void read_elements41(GmshCursor& in, GmshRaw& raw) {
  const long blocks = in.count(in.int64(), 8, 20, "blocks of elements");
  const long total = section_total(in, 4, 16, "elements");
  std::size_t found = 0;
  for (long b = 0; b < blocks; ++b) {
    GmshBlock block;
    const int dim = dimension(in, in.int32());
    block.entity = small_tag(in, in.int32());
    block.type = &known_type(in, in.int32());
    if (block.type->dimension != dim)
      in.fail("a " + std::string(block.type->name) + " in an entity of dimension " +
              std::to_string(dim));
    const auto each = static_cast<std::size_t>(block.type->nodes) + 1;
    const long n = in.count(in.int64(), 2 * each, 8 * each, "elements");
    const auto entity = raw.entities.find({dim, block.entity});
    if (entity != raw.entities.end()) block.physical = entity->second;
    block.tags.reserve(static_cast<std::size_t>(n));
    block.nodes.reserve(static_cast<std::size_t>(n) * (each - 1));
    for (long k = 0; k < n; ++k) {
      block.tags.push_back(in.int64());
      for (int i = 0; i < block.type->nodes; ++i) block.nodes.push_back(in.int64());
    }
    found += block.tags.size();
    if (n > 0) raw.blocks.push_back(std::move(block));
  }
  check_total(in, found, total, "elements");
}

}  // namespace varia::solids
