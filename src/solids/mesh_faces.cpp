// SPDX-License-Identifier: BSD-3-Clause
// The faces of a mesh: which elements share them, which are the boundary.
#include "mesh_faces.hpp"

#include <algorithm>
#include <array>
#include <tuple>
#include <utility>

namespace varia::solids {
namespace {

struct Corners {
  std::array<int, 3> node{-1, -1, -1};  // ascending
  bool odd = false;                     // an odd permutation made them so
};

Corners ascending(const int* corners, int count) {
  Corners result;
  auto& n = result.node;
  std::copy_n(corners, count, n.begin());
  const auto exchange = [&](std::size_t i, std::size_t j) {
    if (n[i] <= n[j]) return;
    std::swap(n[i], n[j]);
    result.odd = !result.odd;
  };
  exchange(0, 1);
  if (count == 3) {
    exchange(1, 2);
    exchange(0, 1);
  }
  return result;
}

auto key(const FaceTable::Entry& e) { return std::make_tuple(e.b, e.c, e.element, e.local); }

}  // namespace

FaceTable::FaceTable(const Mesh& mesh) : corners_(info(mesh.shape).face_corners) {
  const ShapeInfo& s = info(mesh.shape);
  const long count = mesh.element_count();
  const auto visit = [&](const auto& use) {
    for (long k = 0; k < count; ++k) {
      const int* nodes = mesh.element(k);
      for (int f = 0; f < s.faces; ++f) {
        const auto local = face_nodes(mesh.shape, f);
        std::array<int, 3> corner{-1, -1, -1};
        for (std::size_t i = 0; i < static_cast<std::size_t>(s.face_corners); ++i)
          corner[i] = nodes[local[i]];
        use(k, f, ascending(corner.data(), s.face_corners));
      }
    }
  };
  begin_.assign(static_cast<std::size_t>(mesh.node_count()) + 1, 0);
  visit([&](long, int, const Corners& c) { ++begin_[static_cast<std::size_t>(c.node[0]) + 1]; });
  for (std::size_t a = 1; a < begin_.size(); ++a) begin_[a] += begin_[a - 1];
  entries_.resize(begin_.back());
  std::vector<std::size_t> next(begin_.begin(), begin_.end() - 1);
  visit([&](long k, int f, const Corners& c) {
    entries_[next[static_cast<std::size_t>(c.node[0])]++] = {
        c.node[1], c.node[2], static_cast<int>(k), 2 * f + (c.odd ? 1 : 0)};
  });
  for (std::size_t a = 0; a + 1 < begin_.size(); ++a)
    std::sort(entries_.begin() + static_cast<long>(begin_[a]),
              entries_.begin() + static_cast<long>(begin_[a + 1]),
              [](const Entry& x, const Entry& y) { return key(x) < key(y); });
}

std::span<const FaceTable::Entry> FaceTable::find(const int* corners) const {
  const Corners c = ascending(corners, corners_);
  const auto a = static_cast<std::size_t>(c.node[0]);
  const auto first = entries_.begin() + static_cast<long>(begin_[a]);
  const auto last = entries_.begin() + static_cast<long>(begin_[a + 1]);
  const Entry wanted{c.node[1], c.node[2], 0, 0};
  const auto [low, high] =
      std::equal_range(first, last, wanted, [](const Entry& x, const Entry& y) {
        return std::make_pair(x.b, x.c) < std::make_pair(y.b, y.c);
      });
  return {low, high};
}

std::string element_list(const Mesh& mesh, std::span<const FaceTable::Entry> entries) {
  constexpr std::size_t shown = 4;
  std::string text = "elements ";
  for (std::size_t i = 0; i < std::min(entries.size(), shown); ++i) {
    if (i > 0) text += i + 1 == entries.size() ? " and " : ", ";
    text += std::to_string(element_number(mesh, entries[i].element));
  }
  return entries.size() > shown ? text + ", ..." : text;
}

std::vector<Face> boundary_faces(const Mesh& mesh) {
  std::vector<Face> faces;
  FaceTable(mesh).for_each([&](std::span<const FaceTable::Entry> entries) {
    if (entries.size() > 2)
      throw MeshError(element_list(mesh, entries) + " share a face; at most two can");
    if (entries.size() == 1) faces.push_back({entries[0].element, entries[0].face()});
  });
  std::sort(faces.begin(), faces.end(), [](const Face& x, const Face& y) {
    return std::tie(x.element, x.local) < std::tie(y.element, y.local);
  });
  return faces;
}

std::vector<int> nodes_of(const Mesh& mesh, Face face) {
  std::vector<int> nodes;
  for (const int a : face_nodes(mesh.shape, face.local))
    nodes.push_back(mesh.element(face.element)[a]);
  return nodes;
}

}  // namespace varia::solids
