// SPDX-License-Identifier: BSD-3-Clause
#include "varia/io/drawing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

namespace varia::io {

namespace {

using solids::Mesh;

struct Triangle {
  std::array<int, 3> nodes;
  int element;
};

using Lines = std::vector<std::array<int, 2>>;

/// A triangle of three or six nodes: corners, then the middles of its sides.
void add(const std::vector<int>& n, int element, std::vector<Triangle>& triangles, Lines& lines) {
  const bool quadratic = n.size() == 6;
  for (std::size_t side = 0; side < 3; ++side) {
    const int a = n[side], b = n[(side + 1) % 3];
    if (quadratic) {
      lines.push_back({a, n[3 + side]});
      lines.push_back({n[3 + side], b});
      triangles.push_back({{a, n[3 + side], n[3 + (side + 2) % 3]}, element});
    } else {
      lines.push_back({a, b});
    }
  }
  triangles.push_back(
      {quadratic ? std::array<int, 3>{n[3], n[4], n[5]} : std::array<int, 3>{n[0], n[1], n[2]},
       element});
}

void collect(const Mesh& mesh, std::vector<Triangle>& triangles, Lines& lines) {
  if (mesh.dimension() == 2) {
    for (long k = 0; k < mesh.element_count(); ++k)
      add({mesh.element(k), mesh.element(k) + mesh.nodes_per_element()}, static_cast<int>(k),
          triangles, lines);
    return;
  }
  for (const solids::Face face : solids::boundary_faces(mesh))
    add(solids::nodes_of(mesh, face), face.element, triangles, lines);
}

/// Node -> the node that stands for all in its cell of a grid with so many cells along the longest side.
std::vector<int> representatives(const Mesh& mesh, const std::vector<Triangle>& drawn, long cells) {
  std::vector<bool> used(static_cast<std::size_t>(mesh.node_count()), false);
  for (const Triangle& t : drawn)
    for (const int a : t.nodes) used[static_cast<std::size_t>(a)] = true;
  const auto d = static_cast<std::size_t>(mesh.dimension());
  const std::vector<double> box = solids::bounding_box(mesh);
  double longest = 0.0;
  for (std::size_t c = 0; c < d; ++c) longest = std::max(longest, box[2 * c + 1] - box[2 * c]);
  std::vector<std::pair<long, int>> by_cell;
  for (long a = 0; a < mesh.node_count(); ++a) {
    if (!used[static_cast<std::size_t>(a)]) continue;
    long cell = 0;
    for (std::size_t c = 0; c < d; ++c) {
      const double place = (mesh.node(a)[c] - box[2 * c]) / longest * static_cast<double>(cells);
      cell = cell * (cells + 1) + static_cast<long>(place);
    }
    by_cell.emplace_back(cell, static_cast<int>(a));
  }
  std::sort(by_cell.begin(), by_cell.end());
  std::vector<int> stands(used.size());
  int first = 0;
  for (std::size_t i = 0; i < by_cell.size(); ++i) {
    const auto [cell, node] = by_cell[i];
    if (i == 0 || cell != by_cell[i - 1].first) first = node;
    stands[static_cast<std::size_t>(node)] = first;
  }
  return stands;
}

/// The triangles that keep three corners, each once.
std::vector<Triangle> coarsened(const std::vector<Triangle>& fine, const std::vector<int>& stands) {
  std::vector<Triangle> coarse;
  for (Triangle t : fine) {
    for (int& a : t.nodes) a = stands[static_cast<std::size_t>(a)];
    const auto& n = t.nodes;
    if (n[0] == n[1] || n[1] == n[2] || n[2] == n[0]) continue;
    std::rotate(t.nodes.begin(), std::min_element(t.nodes.begin(), t.nodes.end()), t.nodes.end());
    coarse.push_back(t);
  }
  std::sort(coarse.begin(), coarse.end(), [](const Triangle& a, const Triangle& b) {
    return std::tie(a.nodes, a.element) < std::tie(b.nodes, b.element);
  });
  const auto same = [](const Triangle& a, const Triangle& b) { return a.nodes == b.nodes; };
  coarse.erase(std::unique(coarse.begin(), coarse.end(), same), coarse.end());
  return coarse;
}

std::string coarsen(const Mesh& mesh, std::size_t most, std::vector<Triangle>& triangles,
                    Lines& lines) {
  const std::size_t all = triangles.size();
  if (all <= most) return {};
  auto cells = static_cast<long>(1.5 * std::sqrt(static_cast<double>(most)));
  std::vector<Triangle> coarse = coarsened(triangles, representatives(mesh, triangles, cells));
  while (coarse.size() > most && cells > 1) {
    cells = cells * 4 / 5;
    coarse = coarsened(triangles, representatives(mesh, triangles, cells));
  }
  triangles = std::move(coarse);
  lines.clear();
  for (const Triangle& t : triangles)
    for (std::size_t i = 0; i < 3; ++i) lines.push_back({t.nodes[i], t.nodes[(i + 1) % 3]});
  return "The mesh has " + std::to_string(all) +
         " triangles to draw; the picture shows a coarser one of " +
         std::to_string(triangles.size()) + ". The .vtu files hold all of them.";
}

/// Each line once, its smaller node first.
void make_unique(Lines& lines) {
  for (auto& line : lines)
    if (line[0] > line[1]) std::swap(line[0], line[1]);
  std::sort(lines.begin(), lines.end());
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
}

}  // namespace

Drawing draw(const Mesh& mesh, std::size_t most_triangles) {
  std::vector<Triangle> triangles;
  Lines lines;
  collect(mesh, triangles, lines);
  Drawing drawing;
  drawing.note = coarsen(mesh, most_triangles, triangles, lines);
  make_unique(lines);
  std::vector<int> number(static_cast<std::size_t>(mesh.node_count()), -1);
  for (const Triangle& t : triangles)
    for (const int a : t.nodes) number[static_cast<std::size_t>(a)] = 0;
  for (std::size_t a = 0; a < number.size(); ++a) {
    if (number[a] < 0) continue;
    number[a] = static_cast<int>(drawing.nodes.size());
    drawing.nodes.push_back(static_cast<int>(a));
  }
  for (const Triangle& t : triangles) {
    for (const int a : t.nodes) drawing.triangles.push_back(number[static_cast<std::size_t>(a)]);
    drawing.element.push_back(t.element);
  }
  for (const auto& line : lines)
    for (const int a : line) drawing.edges.push_back(number[static_cast<std::size_t>(a)]);
  return drawing;
}

}  // namespace varia::io
