// SPDX-License-Identifier: BSD-3-Clause
#include "varia/solids/mesh.hpp"

#include <algorithm>
#include <cmath>

#include "varia/core/nearest.hpp"

namespace varia::solids {
namespace {

std::string box_text(const Mesh& mesh) {
  const std::vector<double> box = bounding_box(mesh);
  std::string text;
  for (std::size_t d = 0; 2 * d < box.size(); ++d) {
    if (d > 0) text += ", ";
    text += std::string(1, "XYZ"[d]) + " from " + to_text(box[2 * d]) + " to " +
            to_text(box[2 * d + 1]);
  }
  return text;
}

}  // namespace

long element_number(const Mesh& mesh, long element) {
  const auto k = static_cast<std::size_t>(element);
  return k < mesh.element_tag.size() ? mesh.element_tag[k] : element + 1;
}

long node_number(const Mesh& mesh, long node) {
  const auto a = static_cast<std::size_t>(node);
  return a < mesh.node_tag.size() ? mesh.node_tag[a] : node + 1;
}

std::vector<double> bounding_box(const Mesh& mesh) {
  const int d = mesh.dimension();
  std::vector<double> box;
  if (mesh.node_count() == 0) return box;
  for (int i = 0; i < d; ++i) {
    double low = mesh.X[static_cast<std::size_t>(i)];
    double high = low;
    for (std::size_t a = static_cast<std::size_t>(i); a < mesh.X.size(); a += d) {
      low = std::min(low, mesh.X[a]);
      high = std::max(high, mesh.X[a]);
    }
    box.push_back(low);
    box.push_back(high);
  }
  return box;
}

void name_boundary(Mesh& mesh, const std::string& name, const std::vector<Face>& faces,
                   const std::function<bool(const double* X)>& where) {
  Boundary result{name, {}, {}};
  for (const Face face : faces) {
    const std::vector<int> nodes = nodes_of(mesh, face);
    if (!std::all_of(nodes.begin(), nodes.end(), [&](int a) { return where(mesh.node(a)); }))
      continue;
    result.faces.insert(result.faces.end(), nodes.begin(), nodes.end());
  }
  if (result.faces.empty())
    throw MeshError("boundary '" + name + "' selects no face of the mesh, which has " +
                    box_text(mesh));
  result.nodes = result.faces;
  std::sort(result.nodes.begin(), result.nodes.end());
  result.nodes.erase(std::unique(result.nodes.begin(), result.nodes.end()), result.nodes.end());
  mesh.boundaries.push_back(std::move(result));
}

const Boundary& boundary(const Mesh& mesh, const std::string& name) {
  std::vector<std::string> names;
  for (const Boundary& b : mesh.boundaries) {
    if (b.name == name) return b;
    names.push_back(b.name);
  }
  std::string message = "the mesh has no boundary '" + name + "'";
  if (names.empty()) throw MeshError(message + "; it has no named boundaries");
  const std::string close = nearest(name, names);
  if (!close.empty()) message += "; did you mean '" + close + "'?";
  message += " It has: ";
  for (std::size_t i = 0; i < names.size(); ++i) message += (i > 0 ? ", " : "") + names[i];
  throw MeshError(message);
}

bool straight(const Mesh& mesh, long element, double tolerance) {
  const ShapeInfo& s = info(mesh.shape);
  if (s.order == 1) return true;
  const int* nodes = mesh.element(element);
  for (int e = 0; e < s.edges; ++e) {
    const auto [i, j] = edge_corners(mesh.shape, e);
    const double* p = mesh.node(nodes[i]);
    const double* q = mesh.node(nodes[j]);
    const double* m = mesh.node(nodes[s.corners + e]);
    double length = 0;
    double off = 0;
    for (int d = 0; d < s.dimension; ++d) {
      length = std::hypot(length, q[d] - p[d]);
      off = std::hypot(off, m[d] - (p[d] + q[d]) / 2);
    }
    // The middle itself is rounded by the size of the coordinates, not by the edge.
    double size = 0;
    for (int d = 0; d < s.dimension; ++d) size = std::max({size, std::abs(p[d]), std::abs(q[d])});
    if (!(off <= tolerance * length + 4e-16 * size)) return false;
  }
  return true;
}

}  // namespace varia::solids
