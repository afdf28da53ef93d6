// SPDX-License-Identifier: BSD-3-Clause
// From order 1 to order 2 and back.
#include <algorithm>
#include <limits>

#include "mesh_edges.hpp"

namespace varia::solids {
namespace {

void sort_once(std::vector<int>& nodes) {
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
}

// Corners of a face and then the nodes of its edges 01 (, 12, 20).
void append_face(std::vector<int>& faces, const int* corner, int corners, const EdgeTable& edges,
                 long first_mid) {
  faces.insert(faces.end(), corner, corner + corners);
  const int count = corners == 2 ? 1 : 3;
  for (int e = 0; e < count; ++e)
    faces.push_back(static_cast<int>(first_mid + edges.find(corner[e], corner[(e + 1) % corners])));
}

Boundary elevated(const Boundary& old, int corners, const EdgeTable& edges, long first_mid) {
  Boundary result{old.name, {}, old.nodes};
  for (std::size_t i = 0; i < old.faces.size(); i += corners)
    append_face(result.faces, old.faces.data() + i, corners, edges, first_mid);
  result.nodes.insert(result.nodes.end(), result.faces.begin(), result.faces.end());
  sort_once(result.nodes);
  return result;
}

std::vector<double> with_middles(const Mesh& mesh, const EdgeTable& edges) {
  const int d = mesh.dimension();
  std::vector<double> X = mesh.X;
  X.reserve(X.size() + static_cast<std::size_t>(edges.count() * d));
  edges.for_each([&](int a, int b, long) {
    for (int i = 0; i < d; ++i) X.push_back((mesh.node(a)[i] + mesh.node(b)[i]) / 2);
  });
  return X;
}

// The corners that are used, in their old order; -1: not a corner.
std::vector<int> corner_numbers(const Mesh& mesh) {
  const ShapeInfo& s = info(mesh.shape);
  std::vector<int> number(static_cast<std::size_t>(mesh.node_count()), -1);
  for (long k = 0; k < mesh.element_count(); ++k)
    for (int i = 0; i < s.corners; ++i) number[static_cast<std::size_t>(mesh.element(k)[i])] = 0;
  int next = 0;
  for (int& n : number)
    if (n == 0) n = next++;
  return number;
}

Boundary lowered(const Boundary& old, const ShapeInfo& s, const std::vector<int>& number) {
  Boundary result{old.name, {}, {}};
  for (std::size_t i = 0; i < old.faces.size(); i += s.face_nodes)
    for (int c = 0; c < s.face_corners; ++c)
      result.faces.push_back(number[static_cast<std::size_t>(old.faces[i + c])]);
  for (const int a : old.nodes)
    if (number[static_cast<std::size_t>(a)] >= 0)
      result.nodes.push_back(number[static_cast<std::size_t>(a)]);
  return result;
}

}  // namespace

Mesh elevate(const Mesh& mesh) {
  const ShapeInfo& s = info(mesh.shape);
  if (s.order == 2) return mesh;
  const EdgeTable edges(mesh);
  const long first_mid = mesh.node_count();
  if (first_mid + edges.count() > std::numeric_limits<int>::max())
    throw MeshError("a mesh of order 2 with " + std::to_string(first_mid + edges.count()) +
                    " nodes is too large; the limit is 2147483647 nodes");
  Mesh result;
  result.shape = shape_of(s.dimension, 2);
  result.X = with_middles(mesh, edges);
  result.elements.reserve(
      static_cast<std::size_t>(mesh.element_count() * info(result.shape).nodes));
  for (long k = 0; k < mesh.element_count(); ++k) {
    const int* corner = mesh.element(k);
    result.elements.insert(result.elements.end(), corner, corner + s.corners);
    for (int e = 0; e < s.edges; ++e) {
      const auto ends = edge_corners(mesh.shape, e);
      result.elements.push_back(
          static_cast<int>(first_mid + edges.find(corner[ends[0]], corner[ends[1]])));
    }
  }
  result.region = mesh.region;
  result.region_names = mesh.region_names;
  result.element_tag = mesh.element_tag;
  for (const Boundary& b : mesh.boundaries)
    result.boundaries.push_back(elevated(b, s.face_corners, edges, first_mid));
  if (!mesh.node_tag.empty()) {  // new nodes have numbers above those of the file
    result.node_tag = mesh.node_tag;
    long last = *std::max_element(mesh.node_tag.begin(), mesh.node_tag.end());
    for (long e = 0; e < edges.count(); ++e) result.node_tag.push_back(++last);
  }
  return result;
}

Mesh lower(const Mesh& mesh) {
  const ShapeInfo& s = info(mesh.shape);
  if (s.order == 1) return mesh;
  const std::vector<int> number = corner_numbers(mesh);
  Mesh result;
  result.shape = shape_of(s.dimension, 1);
  for (long a = 0; a < mesh.node_count(); ++a) {
    if (number[static_cast<std::size_t>(a)] < 0) continue;
    result.X.insert(result.X.end(), mesh.node(a), mesh.node(a) + s.dimension);
    if (!mesh.node_tag.empty()) result.node_tag.push_back(node_number(mesh, a));
  }
  for (long k = 0; k < mesh.element_count(); ++k)
    for (int i = 0; i < s.corners; ++i)
      result.elements.push_back(number[static_cast<std::size_t>(mesh.element(k)[i])]);
  result.region = mesh.region;
  result.region_names = mesh.region_names;
  result.element_tag = mesh.element_tag;
  for (const Boundary& b : mesh.boundaries) result.boundaries.push_back(lowered(b, s, number));
  return result;
}

}  // namespace varia::solids
