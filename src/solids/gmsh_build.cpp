// SPDX-License-Identifier: BSD-3-Clause
// From what the file says to a mesh: the elements that count, their nodes, regions, boundaries.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>

#include "gmsh_nodes.hpp"
#include "gmsh_raw.hpp"
#include "mesh_faces.hpp"
#include "varia/solids/quality.hpp"

namespace varia::solids {
namespace {

constexpr const char* supported =
    "; T3, T6, Tet4 and Tet10 can be used (Gmsh types 2, 9, 4 and 11)";

// Local numbers of the other sense: corners 1 and 2 exchanged.
constexpr std::array<int, 6> turned_triangle{0, 2, 1, 5, 4, 3};
constexpr std::array<int, 10> turned_tetrahedron{0, 2, 1, 3, 6, 5, 4, 7, 9, 8};

// A boundary while it is gathered; a face or node may come several times.
struct Part {
  std::string name;
  std::vector<std::pair<int, int>> faces;  // element, local number
  std::vector<int> nodes;
};

template <class T> void sort_once(std::vector<T>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

class Build {
 public:
  explicit Build(GmshRaw raw) : raw_(std::move(raw)), index_(raw_.node_tags) {}

  Mesh run() {
    select();
    elements();
    if (raw_.version22) drop_copies();
    number_nodes();
    turn();
    boundaries();
    return std::move(mesh_);
  }

 private:
  void select();
  void elements();
  void drop_copies();
  void drop_empty_regions();
  void number_nodes();
  void check_plane() const;
  void turn();
  void boundaries();
  void add(const GmshBlock& block, const FaceTable& table, Part& part) const;
  void add_faces(const GmshBlock& block, const FaceTable& table, Part& part) const;
  void add_nodes(const GmshBlock& block, Part& part) const;
  Boundary boundary(Part part) const;

  std::string group_name(int dimension, int tag) const {
    const auto found = raw_.names.find({dimension, tag});
    return found != raw_.names.end() ? found->second : "physical_" + std::to_string(tag);
  }

  int region_of(const GmshBlock& block) {
    if (block.physical.empty()) return -1;
    const std::string name = group_name(mesh_.dimension(), block.physical.front());
    const auto next = static_cast<int>(mesh_.region_names.size());
    const auto [place, is_new] = regions_.try_emplace(name, next);
    if (is_new) mesh_.region_names.push_back(name);
    return place->second;
  }

  GmshRaw raw_;
  TagIndex index_;
  Mesh mesh_;
  std::map<std::string, int> regions_;
  std::vector<const GmshBlock*> selected_;
  std::vector<int> entity_;  // per element, to turn entities round as a whole
  std::vector<int> number_;  // place in the file -> node of the mesh, -1: not used
};

std::string listed(const std::set<std::string_view>& names) {
  std::string text;
  for (const std::string_view name : names) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

void Build::select() {
  int top = -1;
  std::set<std::string_view> present;
  for (const GmshBlock& b : raw_.blocks) {
    top = std::max(top, b.type->dimension);
    present.insert(b.type->name);
  }
  if (top < 2)
    throw MeshError("the file has no triangles or tetrahedra, " +
                    (present.empty() ? "it has no elements" : "only: " + listed(present)) +
                    ". Gmsh saves only what is in a physical group, if there is one: give the "
                    "surface or volume a physical group as well");
  const auto is_top = [top](const GmshBlock& b) { return b.type->dimension == top; };
  const bool grouped = std::any_of(raw_.blocks.begin(), raw_.blocks.end(), [&](const GmshBlock& b) {
    return is_top(b) && !b.physical.empty();
  });
  std::set<std::string_view> types;
  for (const GmshBlock& b : raw_.blocks) {
    if (!is_top(b) || (grouped && b.physical.empty())) continue;
    selected_.push_back(&b);
    types.insert(b.type->name);
    bool known = false;
    for (const Shape shape : all_shapes)
      if (info(shape).gmsh == b.type->number) {
        known = true;
        mesh_.shape = shape;
      }
    if (!known)
      throw MeshError("element " + std::to_string(b.tags.front()) + " is a " +
                      std::string(b.type->name) + supported);
  }
  if (types.size() > 1)
    throw MeshError("the mesh has elements of several types: " + listed(types) +
                    "; all must have one order");
}

void Build::elements() {
  const int n = mesh_.nodes_per_element();
  std::size_t count = 0;
  for (const GmshBlock* b : selected_) count += b->tags.size();
  mesh_.elements.reserve(count * static_cast<std::size_t>(n));
  mesh_.element_tag.reserve(count);
  mesh_.region.reserve(count);
  entity_.reserve(count);
  for (const GmshBlock* b : selected_) {
    const int region = region_of(*b);
    for (std::size_t k = 0; k < b->tags.size(); ++k) {
      for (int i = 0; i < n; ++i) {
        // Gmsh has the last two mid nodes of a tetrahedron the other way round.
        const int from = mesh_.shape == Shape::tet10 && i >= 8 ? 17 - i : i;
        const long tag = b->nodes[k * static_cast<std::size_t>(n) + from];
        const long place = index_.find(tag);
        if (place < 0)
          throw MeshError("element " + std::to_string(b->tags[k]) + " names node " +
                          std::to_string(tag) + ", which the file does not have");
        mesh_.elements.push_back(static_cast<int>(place));
      }
      mesh_.element_tag.push_back(b->tags[k]);
      mesh_.region.push_back(region);
      entity_.push_back(b->entity);
    }
  }
  if (mesh_.region_names.empty()) mesh_.region.clear();
}

// An element of several groups is in a file of version 2.2 once for each group.
void Build::drop_copies() {
  if (mesh_.region_names.size() < 2) return;
  const auto n = static_cast<std::size_t>(mesh_.nodes_per_element());
  const auto corners = static_cast<std::size_t>(info(mesh_.shape).corners);
  const auto count = static_cast<std::size_t>(mesh_.element_count());
  struct Key {
    std::array<int, 4> corner{-1, -1, -1, -1};
    int element = 0;
  };
  std::vector<Key> keys(count);
  for (std::size_t k = 0; k < count; ++k) {
    auto& corner = keys[k].corner;
    std::copy_n(mesh_.elements.begin() + static_cast<long>(k * n), corners, corner.begin());
    std::sort(corner.begin(), corner.begin() + static_cast<long>(corners));
    keys[k].element = static_cast<int>(k);
  }
  std::sort(keys.begin(), keys.end(), [](const Key& x, const Key& y) {
    return std::tie(x.corner, x.element) < std::tie(y.corner, y.element);
  });
  std::vector<bool> copy(count, false);
  std::size_t first = 0;
  for (std::size_t i = 1; i < count; ++i) {
    if (keys[i].corner != keys[first].corner) first = i;
    const auto k = static_cast<std::size_t>(keys[i].element);
    copy[k] = i != first &&
              mesh_.region[k] != mesh_.region[static_cast<std::size_t>(keys[first].element)];
  }
  std::size_t kept = 0;
  for (std::size_t k = 0; k < count; ++k) {
    if (copy[k]) continue;
    std::copy_n(mesh_.elements.begin() + static_cast<long>(k * n), n,
                mesh_.elements.begin() + static_cast<long>(kept * n));
    mesh_.element_tag[kept] = mesh_.element_tag[k];
    mesh_.region[kept] = mesh_.region[k];
    entity_[kept] = entity_[k];
    ++kept;
  }
  mesh_.elements.resize(kept * n);
  mesh_.element_tag.resize(kept);
  mesh_.region.resize(kept);
  entity_.resize(kept);
  drop_empty_regions();
}

void Build::drop_empty_regions() {
  std::vector<int> number(mesh_.region_names.size(), -1);
  for (const int r : mesh_.region) number[static_cast<std::size_t>(r)] = 0;
  std::vector<std::string> names;
  for (std::size_t r = 0; r < number.size(); ++r) {
    if (number[r] < 0) continue;
    number[r] = static_cast<int>(names.size());
    names.push_back(mesh_.region_names[r]);
  }
  for (int& r : mesh_.region) r = number[static_cast<std::size_t>(r)];
  mesh_.region_names = names;
}

void Build::number_nodes() {
  const auto d = static_cast<std::size_t>(mesh_.dimension());
  number_.assign(raw_.node_tags.size(), -1);
  for (const int a : mesh_.elements) number_[static_cast<std::size_t>(a)] = 0;
  int next = 0;
  for (std::size_t a = 0; a < number_.size(); ++a) {
    if (number_[a] < 0) continue;
    number_[a] = next++;
    for (std::size_t i = 0; i < d; ++i) mesh_.X.push_back(raw_.X[3 * a + i]);
    mesh_.node_tag.push_back(raw_.node_tags[a]);
  }
  if (d == 2) check_plane();
  for (int& a : mesh_.elements) a = number_[static_cast<std::size_t>(a)];
}

void Build::check_plane() const {
  const std::vector<double> box = bounding_box(mesh_);
  const double extent = std::max(box[1] - box[0], box[3] - box[2]);
  bool first = true;
  double z = 0;
  for (std::size_t a = 0; a < number_.size(); ++a) {
    if (number_[a] < 0) continue;
    if (first) z = raw_.X[3 * a + 2];
    first = false;
    if (!(std::abs(raw_.X[3 * a + 2] - z) <= 1e-10 * extent))
      throw MeshError("a mesh of triangles must lie in a plane z = constant, but node " +
                      std::to_string(raw_.node_tags[a]) + " has z = " + to_text(raw_.X[3 * a + 2]) +
                      " and the first has z = " + to_text(z) +
                      "; surfaces in space are not possible");
  }
}

// The sense of a plane surface of Gmsh is that of its curves; a clockwise one is no error.
void Build::turn() {
  std::map<int, long> clockwise;  // entity -> clockwise elements less the others
  for (long k = 0; k < mesh_.element_count(); ++k)
    clockwise[entity_[static_cast<std::size_t>(k)]] += volume(mesh_, k) < 0 ? 1 : -1;
  const auto n = static_cast<std::size_t>(mesh_.nodes_per_element());
  for (long k = 0; k < mesh_.element_count(); ++k) {
    if (clockwise[entity_[static_cast<std::size_t>(k)]] <= 0) continue;
    const std::vector<int> old(mesh_.element(k), mesh_.element(k) + n);
    for (std::size_t i = 0; i < n; ++i) {
      const int from = mesh_.dimension() == 2 ? turned_triangle[i] : turned_tetrahedron[i];
      mesh_.elements[static_cast<std::size_t>(k) * n + i] = old[static_cast<std::size_t>(from)];
    }
  }
}

void Build::add_faces(const GmshBlock& block, const FaceTable& table, Part& part) const {
  const ShapeInfo& s = info(mesh_.shape);
  for (std::size_t k = 0; k < block.tags.size(); ++k) {
    std::array<int, 3> corner{-1, -1, -1};
    bool here = true;
    for (std::size_t i = 0; i < static_cast<std::size_t>(s.face_corners); ++i) {
      const long place = index_.find(block.nodes[k * static_cast<std::size_t>(s.face_nodes) + i]);
      corner[i] = place < 0 ? -1 : number_[static_cast<std::size_t>(place)];
      here = here && corner[i] >= 0;
    }
    if (!here) continue;
    const auto owners = table.find(corner.data());
    if (!owners.empty()) part.faces.emplace_back(owners[0].element, owners[0].face());
  }
}

void Build::add_nodes(const GmshBlock& block, Part& part) const {
  for (const long tag : block.nodes) {
    const long place = index_.find(tag);
    const int a = place < 0 ? -1 : number_[static_cast<std::size_t>(place)];
    if (a >= 0) part.nodes.push_back(a);
  }
}

void Build::add(const GmshBlock& block, const FaceTable& table, Part& part) const {
  const ShapeInfo& s = info(mesh_.shape);
  if (block.type->dimension < s.dimension - 1) return add_nodes(block, part);
  if (block.type->number == s.gmsh_face) return add_faces(block, table, part);
  throw MeshError("element " + std::to_string(block.tags.front()) + " of '" + part.name +
                  "' is a " + std::string(block.type->name) + "; the faces of a " +
                  std::string(s.name) + " are of type " + std::to_string(s.gmsh_face));
}

Boundary Build::boundary(Part part) const {
  Boundary b{part.name, {}, std::move(part.nodes)};
  sort_once(part.faces);
  for (const auto& face : part.faces) {
    const std::vector<int> nodes = nodes_of(mesh_, {face.first, face.second});
    b.faces.insert(b.faces.end(), nodes.begin(), nodes.end());
  }
  b.nodes.insert(b.nodes.end(), b.faces.begin(), b.faces.end());
  sort_once(b.nodes);
  return b;
}

void Build::boundaries() {
  const int top = mesh_.dimension();
  std::map<std::pair<int, int>, std::vector<const GmshBlock*>> groups;  // (codimension, tag)
  for (const GmshBlock& block : raw_.blocks)
    if (block.type->dimension < top)
      for (const int tag : block.physical)
        groups[{top - block.type->dimension, tag}].push_back(&block);
  if (groups.empty()) return;
  const FaceTable table(mesh_);
  std::vector<Part> parts;
  std::map<std::string, std::size_t> places;
  for (const auto& group : groups) {
    const std::string name = group_name(top - group.first.first, group.first.second);
    const auto [place, is_new] = places.try_emplace(name, parts.size());
    if (is_new) parts.push_back({name, {}, {}});
    for (const GmshBlock* block : group.second) add(*block, table, parts[place->second]);
  }
  for (Part& part : parts) mesh_.boundaries.push_back(boundary(std::move(part)));
}

}  // namespace

Mesh build_mesh(GmshRaw raw) { return Build(std::move(raw)).run(); }

}  // namespace varia::solids
