// SPDX-License-Identifier: BSD-3-Clause
// L-beam and slab.
#include <algorithm>
#include <cmath>

#include "generate_grid.hpp"
#include "varia/solids/generate.hpp"
#include "varia/solids/refine.hpp"

namespace varia::solids {
namespace {

void check(const LBeamShape& s) {
  check_positive(s.length, "the length of an L-beam");
  check_positive(s.height, "the height of an L-beam");
  check_positive(s.width, "the width of an L-beam");
  check_positive(s.thickness, "the thickness of an L-beam");
  check_at_least(s.elements_across, 1, "elements_across of an L-beam");
  check_irregularity(s.irregularity, "an L-beam");
  if (!(s.thickness < s.length) || !(s.thickness < s.height))
    throw InvalidArgument("the thickness of an L-beam, " + to_text(s.thickness) +
                          ", must be less than its length, " + to_text(s.length) +
                          ", and height, " + to_text(s.height));
}

int cells(double size, double width) {  // clamped: check_block refuses what is too much
  return static_cast<int>(std::clamp(std::round(size / width), 1.0, 1e9));
}

std::vector<double> even_axis(double from, double to, int count) {
  std::vector<double> x;
  x.reserve(static_cast<std::size_t>(count) + 1);
  for (int i = 0; i < count; ++i) x.push_back(from + (to - from) * i / count);
  return x;  // without the end
}

// 0 .. thickness .. end
std::vector<double> leg_axis(double thickness, double end, int across, int along) {
  std::vector<double> x = even_axis(0, thickness, across);
  const std::vector<double> leg = even_axis(thickness, end, along);
  x.insert(x.end(), leg.begin(), leg.end());
  x.push_back(end);
  return x;
}

}  // namespace

Mesh l_beam(const LBeamShape& s, int order) {
  check(s);
  shape_of(3, order);
  const int n = s.elements_across;
  const double h = s.thickness / n;
  const int along_x = cells(s.length - s.thickness, h);
  const int along_y = cells(s.height - s.thickness, h);
  const int along_z = cells(s.width, h);
  check_block({1, 1, 1}, {std::min(n, 1 << 29) + along_x, std::min(n, 1 << 29) + along_y, along_z});
  std::vector<double> z = even_axis(0, s.width, along_z);
  z.push_back(s.width);
  const std::vector<std::vector<double>> axes{leg_axis(s.thickness, s.length, n, along_x),
                                              leg_axis(s.thickness, s.height, n, along_y), z};
  Mesh mesh = grid(axes, [n](std::array<int, 3> cell) { return cell[0] < n || cell[1] < n; });
  roughen(mesh, axes, {{0, s.thickness, s.length}, {0, s.thickness, s.height}, {0, s.width}},
          s.irregularity);
  const std::vector<Face> faces = boundary_faces(mesh);
  name_boundary(mesh, "end_a", faces, [&s](const double* X) { return X[0] == s.length; });
  name_boundary(mesh, "end_b", faces, [&s](const double* X) { return X[1] == s.height; });
  return order == 2 ? elevate(mesh) : mesh;
}

Mesh slab(double length, double height, int level, int order) {
  check_positive(length, "the length of a slab");
  check_positive(height, "the height of a slab");
  shape_of(2, order);
  if (level < 0 || level > 10)
    throw InvalidArgument("the level of a slab must be from 0 to 10, found " +
                          std::to_string(level));
  const std::vector<std::vector<double>> axes{graded(length, 11, 4),
                                              {0, height / 6, height / 2, height * 5 / 6, height}};
  Mesh mesh = grid(axes);
  roughen(mesh, axes, {{0, length}, {0, height}}, 0.2);
  name_sides(mesh, {length, height});
  mesh = refine(mesh, level);
  return order == 2 ? elevate(mesh) : mesh;
}

}  // namespace varia::solids
