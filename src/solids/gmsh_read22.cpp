// SPDX-License-Identifier: BSD-3-Clause
// Version 2.2: every element carries its own groups.
#include <limits>
#include <tuple>

#include "gmsh_raw.hpp"

namespace varia::solids {
namespace {

// Elements come in any order; they are gathered by type, entity and group.
class Gatherer {
 public:
  explicit Gatherer(GmshRaw& raw) : raw_(raw) {}

  GmshBlock& block(const GmshType& type, int entity, int physical) {
    const Key key{type.number, entity, physical};
    if (last_ < raw_.blocks.size() && key == last_key_) return raw_.blocks[last_];
    const auto [place, is_new] = blocks_.try_emplace(key, raw_.blocks.size());
    if (is_new) {
      raw_.blocks.emplace_back();
      raw_.blocks.back().type = &type;
      raw_.blocks.back().entity = entity;
      if (physical != 0) raw_.blocks.back().physical.push_back(physical);
    }
    last_key_ = key;
    last_ = place->second;
    return raw_.blocks[last_];
  }

 private:
  using Key = std::tuple<int, int, int>;
  GmshRaw& raw_;
  std::map<Key, std::size_t> blocks_;
  Key last_key_{};
  std::size_t last_ = std::numeric_limits<std::size_t>::max();
};

long tag_count(const GmshCursor& in, long value) {
  constexpr long most = 1000;  // groups, entity, partitions
  if (value < 0 || value > most)
    in.fail("an element has " + std::to_string(value) + " tags; 0 to 1000 are possible");
  return value;
}

void read_element(GmshCursor& in, Gatherer& gather, const GmshType& type, long number, long tags) {
  int physical = 0;
  int entity = 0;
  for (long i = 0; i < tags; ++i) {
    const long tag = in.int32();
    if (i == 0) physical = physical_tag(in, tag);
    if (i == 1) entity = small_tag(in, tag);
  }
  GmshBlock& block = gather.block(type, entity, physical);
  block.tags.push_back(number);
  for (int i = 0; i < type.nodes; ++i) block.nodes.push_back(in.int32());
}

}  // namespace

void read_nodes22(GmshCursor& in, GmshRaw& raw) {
  const long n = in.count(in.integer(), 8, 28, "nodes");
  if (in.binary) in.end_of_line();
  raw.node_tags.reserve(static_cast<std::size_t>(n));
  raw.X.reserve(3 * static_cast<std::size_t>(n));
  for (long i = 0; i < n; ++i) {
    raw.node_tags.push_back(in.int32());
    for (int d = 0; d < 3; ++d) raw.X.push_back(in.real());
  }
}

void read_elements22(GmshCursor& in, GmshRaw& raw) {
  const long n = in.count(in.integer(), 8, 8, "elements");
  Gatherer gather(raw);
  if (!in.binary) {
    for (long k = 0; k < n; ++k) {
      const long number = in.integer();
      const GmshType& type = known_type(in, in.integer());
      read_element(in, gather, type, number, tag_count(in, in.integer()));
    }
    return;
  }
  in.end_of_line();
  for (long k = 0; k < n;) {  // blocks of elements of one type
    const GmshType& type = known_type(in, in.int32());
    const long follow = in.int32();
    if (follow < 1 || follow > n - k)
      in.fail("a block of " + std::to_string(follow) + " elements, but " + std::to_string(n - k) +
              " of the section are left");
    const long tags = tag_count(in, in.int32());
    for (long i = 0; i < follow; ++i) {
      const long number = in.int32();
      read_element(in, gather, type, number, tags);
    }
    k += follow;
  }
}

}  // namespace varia::solids
