// SPDX-License-Identifier: BSD-3-Clause
#include "varia/solids/refine.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "mesh_edges.hpp"

namespace varia::solids {
namespace {

class Refinement {
 public:
  explicit Refinement(const Mesh& mesh) : old_(mesh), edges_(mesh), first_(mesh.node_count()) {}

  Mesh run() {
    const int children = old_.dimension() == 2 ? 4 : 8;
    if (first_ + edges_.count() >= std::numeric_limits<int>::max())
      throw MeshError("the refined mesh is too large; 2147483646 nodes are possible");
    new_.shape = old_.shape;
    new_.region_names = old_.region_names;
    nodes();
    new_.elements.reserve(old_.elements.size() * static_cast<std::size_t>(children));
    for (long k = 0; k < old_.element_count(); ++k) {
      if (children == 4)
        triangle(old_.element(k), new_.elements);
      else
        tetrahedron(old_.element(k));
      if (!old_.region.empty())
        new_.region.insert(new_.region.end(), static_cast<std::size_t>(children),
                           old_.region[static_cast<std::size_t>(k)]);
    }
    for (const Boundary& b : old_.boundaries) new_.boundaries.push_back(boundary(b));
    return std::move(new_);
  }

 private:
  int middle(int a, int b) const { return static_cast<int>(first_ + edges_.find(a, b)); }

  void nodes() {
    new_.X = old_.X;
    edges_.for_each([&](int a, int b, long) {
      for (int d = 0; d < old_.dimension(); ++d)
        new_.X.push_back((old_.node(a)[d] + old_.node(b)[d]) / 2);
    });
  }

  void triangle(const int* n, std::vector<int>& out) const {
    const int p = middle(n[0], n[1]);
    const int q = middle(n[1], n[2]);
    const int r = middle(n[2], n[0]);
    out.insert(out.end(), {n[0], p, r, p, n[1], q, r, q, n[2], p, q, r});
  }

  double square_distance(int a, int b) const {
    double sum = 0;
    for (int d = 0; d < 3; ++d) {
      const double x = new_.node(a)[d] - new_.node(b)[d];
      sum += x * x;
    }
    return sum;
  }

  void tetrahedron(const int* n) {
    std::vector<int>& out = new_.elements;
    std::array<std::array<int, 4>, 4> m{};
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < 4; ++j) m[i][j] = i == j ? n[i] : 0;
    for (std::size_t i = 0; i < 4; ++i)
      for (std::size_t j = 0; j < i; ++j) m[i][j] = m[j][i] = middle(n[i], n[j]);
    for (const auto& row : m) out.insert(out.end(), row.begin(), row.end());

    // Even permutations of the corners keep the sense; each names one of the inner diagonals.
    constexpr std::array<std::array<std::size_t, 4>, 3> even{
        {{0, 1, 2, 3}, {1, 2, 0, 3}, {2, 0, 1, 3}}};
    const auto length = [&](const auto& s) {
      return square_distance(m[s[0]][s[1]], m[s[2]][s[3]]);
    };
    const auto& s = *std::min_element(even.begin(), even.end(), [&](const auto& x, const auto& y) {
      return length(x) < length(y);
    });
    const std::array<int, 4> ring{m[s[0]][s[2]], m[s[1]][s[2]], m[s[1]][s[3]], m[s[0]][s[3]]};
    for (std::size_t i = 0; i < 4; ++i)
      out.insert(out.end(), {m[s[0]][s[1]], m[s[2]][s[3]], ring[(i + 1) % 4], ring[i]});
  }

  Boundary boundary(const Boundary& b) const {
    Boundary result{b.name, {}, b.nodes};
    const auto corners = static_cast<std::size_t>(old_.dimension());
    for (std::size_t i = 0; i < b.faces.size(); i += corners) {
      const int* n = b.faces.data() + i;
      if (corners == 3) {
        triangle(n, result.faces);
      } else {
        const int p = middle(n[0], n[1]);
        result.faces.insert(result.faces.end(), {n[0], p, p, n[1]});
      }
    }
    result.nodes.insert(result.nodes.end(), result.faces.begin(), result.faces.end());
    std::sort(result.nodes.begin(), result.nodes.end());
    result.nodes.erase(std::unique(result.nodes.begin(), result.nodes.end()), result.nodes.end());
    return result;
  }

  const Mesh& old_;
  EdgeTable edges_;
  long first_;
  Mesh new_;
};

}  // namespace

Mesh refine(const Mesh& mesh, int levels) {
  if (levels < 0 || levels > 20)
    throw InvalidArgument("the number of refinements must be from 0 to 20, found " +
                          std::to_string(levels));
  if (levels == 0) return mesh;
  const double most = static_cast<double>(mesh.element_count()) *
                      std::pow(mesh.dimension() == 2 ? 4.0 : 8.0, levels);
  if (most >= std::numeric_limits<int>::max())
    throw MeshError("the refined mesh would have " + to_text(most) +
                    " elements; 2147483646 are possible");
  for (long k = 0; k < mesh.element_count(); ++k)
    if (!straight(mesh, k, 1e-9))
      throw MeshError("element " + std::to_string(element_number(mesh, k)) +
                      " is curved; only elements with straight edges can be refined");
  Mesh result = lower(mesh);
  for (int level = 0; level < levels; ++level) {
    Mesh finer = Refinement(result).run();
    result = std::move(finer);
  }
  return info(mesh.shape).order == 2 ? elevate(result) : result;
}

}  // namespace varia::solids
