// SPDX-License-Identifier: BSD-3-Clause
// What a mesh must be before anything is computed on it.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "mesh_faces.hpp"
#include "mesh_jacobian.hpp"
#include "varia/solids/quality.hpp"

namespace varia::solids {
namespace {

// Volumes below this fraction of (longest edge)^dimension are rounding errors, not volumes.
constexpr double flat = 1e-14;

std::string element_text(const Mesh& mesh, long k) {
  return "element " + std::to_string(element_number(mesh, k)) + " (" +
         std::string(info(mesh.shape).name) + ")";
}

void require(bool condition, const char* what) {
  if (!condition) throw MeshError(std::string("the mesh is not well formed: ") + what);
}

void check_sizes(const Mesh& mesh) {
  constexpr auto limit = static_cast<std::size_t>(std::numeric_limits<int>::max());
  require(!mesh.elements.empty(), "it has no elements");
  require(mesh.X.size() % mesh.dimension() == 0, "the coordinates do not fit its dimension");
  require(mesh.elements.size() % mesh.nodes_per_element() == 0,
          "the list of nodes does not fit its shape");
  require(mesh.X.size() / mesh.dimension() < limit, "it has more than 2147483646 nodes");
  const auto count = static_cast<std::size_t>(mesh.element_count());
  require(count < limit, "it has more than 2147483646 elements");
  require(mesh.region.empty() || mesh.region.size() == count,
          "the number of region entries is not the number of elements");
  require(mesh.element_tag.empty() || mesh.element_tag.size() == count,
          "the number of element tags is not the number of elements");
  require(
      mesh.node_tag.empty() || mesh.node_tag.size() == static_cast<std::size_t>(mesh.node_count()),
      "the number of node tags is not the number of nodes");
  const int regions = static_cast<int>(mesh.region_names.size());
  for (const int r : mesh.region)
    require(r >= -1 && r < regions, "a region number is out of range");
}

void check_nodes(const Mesh& mesh) {
  for (long a = 0; a < mesh.node_count(); ++a)
    for (int d = 0; d < mesh.dimension(); ++d)
      if (!std::isfinite(mesh.node(a)[d]))
        throw MeshError("node " + std::to_string(node_number(mesh, a)) + " has the coordinate " +
                        to_text(mesh.node(a)[d]) + "; a finite number is needed");
}

void check_numbers(const Mesh& mesh) {
  const int n = mesh.nodes_per_element();
  std::vector<bool> used(static_cast<std::size_t>(mesh.node_count()), false);
  for (long k = 0; k < mesh.element_count(); ++k) {
    const int* node = mesh.element(k);
    for (int i = 0; i < n; ++i) {
      if (node[i] < 0 || node[i] >= mesh.node_count())
        throw MeshError(element_text(mesh, k) + " names node index " + std::to_string(node[i]) +
                        "; the mesh has nodes 0 to " + std::to_string(mesh.node_count() - 1));
      if (std::find(node, node + i, node[i]) != node + i)
        throw MeshError(element_text(mesh, k) + " has node " +
                        std::to_string(node_number(mesh, node[i])) + " twice");
      used[static_cast<std::size_t>(node[i])] = true;
    }
  }
  const auto unused = std::find(used.begin(), used.end(), false);
  if (unused != used.end())
    throw MeshError("node " + std::to_string(node_number(mesh, unused - used.begin())) +
                    " is in no element, it would have no mass (" +
                    std::to_string(std::count(unused, used.end(), false)) + " such nodes)");
}

void check_volumes(const Mesh& mesh) {
  const int d = mesh.dimension();
  const bool quadratic = info(mesh.shape).order == 2;
  for (long k = 0; k < mesh.element_count(); ++k) {
    const double v = volume(mesh, k);
    const double edge = longest_edge(mesh, k);
    if (!std::isfinite(v) || !std::isfinite(edge))
      throw MeshError(element_text(mesh, k) + " is too large: its volume is not a finite number");
    if (!(v > flat * std::pow(edge, d)))
      throw MeshError(element_text(mesh, k) + " has the " + (d == 2 ? "area " : "volume ") +
                      to_text(v) + (v < 0 ? ": it is inverted" : ": it is flat") +
                      "; a positive one is needed");
    if (quadratic && !straight(mesh, k) && !(smallest_jacobian(mesh, k) > flat * d * v))
      throw MeshError(element_text(mesh, k) +
                      " is folded: its Jacobian is not positive, a mid node lies too far from the "
                      "middle of its edge");
  }
}

void check_boundary(const Mesh& mesh, const Boundary& b, const FaceTable& table) {
  const ShapeInfo& s = info(mesh.shape);
  const auto in_range = [&](int a) { return a >= 0 && a < mesh.node_count(); };
  const std::string name = "boundary '" + b.name + "' ";
  if (b.faces.size() % s.face_nodes != 0)
    throw MeshError(name + "has a list of faces that does not fit the shape " +
                    std::string(s.name));
  if (!std::all_of(b.faces.begin(), b.faces.end(), in_range) ||
      !std::all_of(b.nodes.begin(), b.nodes.end(), in_range))
    throw MeshError(name + "names a node that the mesh does not have");
  for (std::size_t i = 0; i < b.faces.size(); i += s.face_nodes)
    if (table.find(b.faces.data() + i).empty())
      throw MeshError(name + "has a face that no element has, at node " +
                      std::to_string(node_number(mesh, b.faces[i])));
}

// Elements with positive volume see the corners of a common face in opposite senses.
void check_faces(const Mesh& mesh) {
  const FaceTable table(mesh);
  table.for_each([&](std::span<const FaceTable::Entry> entries) {
    if (entries.size() > 2)
      throw MeshError(element_list(mesh, entries) + " share a face; at most two can");
    if (entries.size() == 2 && entries[0].odd() == entries[1].odd())
      throw MeshError(element_list(mesh, entries) +
                      " lie on the same side of the face they share: they overlap");
  });
  for (const Boundary& b : mesh.boundaries) check_boundary(mesh, b, table);
}

}  // namespace

void validate(const Mesh& mesh) {
  check_sizes(mesh);
  check_nodes(mesh);
  check_numbers(mesh);
  check_volumes(mesh);
  check_faces(mesh);
}

}  // namespace varia::solids
