// SPDX-License-Identifier: BSD-3-Clause
// A rectangle or box, cell widths in geometric progression.
#include "generate_grid.hpp"
#include "varia/solids/generate.hpp"

namespace varia::solids {

Mesh block(const std::vector<double>& size, const std::vector<int>& elements, double grading,
           int order, double irregularity) {
  check_block(size, elements);
  check_irregularity(irregularity, "a block");
  shape_of(2, order);  // a wrong order is refused before any work
  std::vector<std::vector<double>> axes;
  for (std::size_t d = 0; d < size.size(); ++d)
    axes.push_back(graded(size[d], elements[d], grading));
  Mesh mesh = grid(axes);
  std::vector<std::vector<double>> sides;
  sides.reserve(size.size());
  for (const double side : size) sides.push_back({0, side});
  roughen(mesh, axes, sides, irregularity);
  name_sides(mesh, size);
  return order == 2 ? elevate(mesh) : mesh;
}

}  // namespace varia::solids
