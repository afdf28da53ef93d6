// SPDX-License-Identifier: BSD-3-Clause
#include "generate_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "varia/solids/quality.hpp"

namespace varia::solids {
namespace {

// The six ways from one corner of a cube to the opposite one along the axes; each is a
// tetrahedron. Even permutations of the axes give positive volume, odd ones need an exchange.
struct Path {
  std::array<int, 3> axis;
  bool even;
};
constexpr std::array<Path, 6> paths{{{{0, 1, 2}, true},
                                     {{1, 2, 0}, true},
                                     {{2, 0, 1}, true},
                                     {{1, 0, 2}, false},
                                     {{0, 2, 1}, false},
                                     {{2, 1, 0}, false}}};

class Builder {
 public:
  explicit Builder(const std::vector<std::vector<double>>& axes) : axes_(axes) {
    mesh_.shape = axes.size() == 2 ? Shape::t3 : Shape::tet4;
    for (std::size_t d = 0; d < axes.size(); ++d) points_[d] = static_cast<int>(axes[d].size());
    number_.assign(
        static_cast<std::size_t>(points_[0]) * points_[1] * static_cast<std::size_t>(points_[2]),
        -1);
  }

  void triangles(std::array<int, 3> c) {
    const int p = node(c[0], c[1], 0);
    const int q = node(c[0] + 1, c[1], 0);
    const int r = node(c[0] + 1, c[1] + 1, 0);
    const int s = node(c[0], c[1] + 1, 0);
    if ((c[0] + c[1]) % 2 == 0)
      append({p, q, r, p, r, s});
    else
      append({p, q, s, q, r, s});
  }

  void tetrahedra(std::array<int, 3> c) {
    for (const Path& path : paths) {
      std::array<int, 3> at = c;
      std::array<int, 4> tet{node(at[0], at[1], at[2])};
      for (std::size_t i = 0; i < 3; ++i) {
        ++at[static_cast<std::size_t>(path.axis[i])];
        tet[i + 1] = node(at[0], at[1], at[2]);
      }
      if (!path.even) std::swap(tet[1], tet[2]);
      append({tet[0], tet[1], tet[2], tet[3]});
    }
  }

  Mesh take() { return std::move(mesh_); }

 private:
  int node(int i, int j, int k) {
    const std::array<int, 3> at{i, j, k};
    int& n = number_[(static_cast<std::size_t>(k) * points_[1] + j) * points_[0] + i];
    if (n >= 0) return n;
    n = static_cast<int>(mesh_.node_count());
    for (std::size_t d = 0; d < axes_.size(); ++d)
      mesh_.X.push_back(axes_[d][static_cast<std::size_t>(at[d])]);
    return n;
  }

  void append(std::initializer_list<int> nodes) {
    mesh_.elements.insert(mesh_.elements.end(), nodes);
  }

  const std::vector<std::vector<double>>& axes_;
  std::array<int, 3> points_{1, 1, 1};
  std::vector<int> number_;
  Mesh mesh_;
};

}  // namespace

void check_positive(double value, const std::string& what) {
  if (!(value > 0) || !std::isfinite(value))
    throw InvalidArgument(what + " must be positive and finite, found " + to_text(value));
}

void check_at_least(long value, long smallest, const std::string& what) {
  if (value < smallest)
    throw InvalidArgument(what + " must be at least " + std::to_string(smallest) + ", found " +
                          std::to_string(value));
}

void check_block(const std::vector<double>& size, const std::vector<int>& elements) {
  if ((size.size() != 2 && size.size() != 3) || size.size() != elements.size())
    throw InvalidArgument("a block needs 2 or 3 sizes and as many numbers of elements, found " +
                          std::to_string(size.size()) + " and " + std::to_string(elements.size()));
  double count = size.size() == 2 ? 2 : 6;
  for (std::size_t d = 0; d < size.size(); ++d) {
    check_positive(size[d], "the size of a block");
    check_at_least(elements[d], 1, "the number of elements along an axis");
    count *= elements[d] + 1.0;
  }
  // Order 2 has at most as many nodes as this has elements (2-D: 4 per cell, 3-D: 8).
  if (2 * count > std::numeric_limits<int>::max())
    throw InvalidArgument("a block of " + to_text(count) +
                          " elements is too large; about 1e9 are possible");
}

void check_irregularity(double value, const std::string& of) {
  if (!(value >= 0) || !(value <= 0.4))
    throw InvalidArgument("irregularity of " + of + " must be from 0 to 0.4, found " +
                          to_text(value));
}

std::vector<double> graded(double size, int cells, double grading) {
  if (!(grading >= 1) || !(grading <= 1e6))
    throw InvalidArgument(
        "grading is the ratio of the largest to the smallest cell, from 1 to 1e6; found " +
        to_text(grading));
  const double q = cells > 1 ? std::pow(grading, 1.0 / (cells - 1)) : 1.0;
  std::vector<double> x{0.0};
  double width = 1;
  for (int i = 0; i < cells; ++i, width *= q) x.push_back(x.back() + width);
  const double sum = x.back();
  for (double& at : x) at *= size / sum;
  x.back() = size;  // exactly, so that sides can be found by comparison
  return x;
}

Mesh grid(const std::vector<std::vector<double>>& axes, const CellTest& keep) {
  Builder builder(axes);
  const bool solid = axes.size() == 3;
  const int nx = static_cast<int>(axes[0].size()) - 1;
  const int ny = static_cast<int>(axes[1].size()) - 1;
  const int nz = solid ? static_cast<int>(axes[2].size()) - 1 : 1;
  for (int k = 0; k < nz; ++k)
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        const std::array<int, 3> cell{i, j, k};
        if (keep && !keep(cell)) continue;
        if (solid)
          builder.tetrahedra(cell);
        else
          builder.triangles(cell);
      }
  return builder.take();
}

void roughen(Mesh& mesh, const std::vector<std::vector<double>>& axes,
             const std::vector<std::vector<double>>& kept, double fraction) {
  const auto d = static_cast<std::size_t>(mesh.dimension());
  for (std::size_t a = 0; a < static_cast<std::size_t>(mesh.node_count()); ++a)
    for (std::size_t i = 0; i < d; ++i) {
      double& x = mesh.X[a * d + i];
      if (std::find(kept[i].begin(), kept[i].end(), x) != kept[i].end()) continue;
      const auto at = std::lower_bound(axes[i].begin(), axes[i].end(), x);
      const double width = std::min(*at - *(at - 1), *(at + 1) - *at);
      // The fractional parts of multiples of an irrational number fill the interval evenly.
      const double multiple = 0.6180339887498949 * static_cast<double>(d * a + i + 1);
      x += fraction * width * (2 * (multiple - std::floor(multiple)) - 1);
    }
  for (long k = 0; k < mesh.element_count(); ++k)
    if (!(volume(mesh, k) > 0))
      throw InvalidArgument("moving nodes by " + to_text(fraction) +
                            " of a cell inverts an element; choose less");
}

void name_sides(Mesh& mesh, const std::vector<double>& size) {
  constexpr std::array<std::array<const char*, 2>, 3> names{
      {{"left", "right"}, {"bottom", "top"}, {"back", "front"}}};
  const std::vector<Face> faces = boundary_faces(mesh);
  for (std::size_t d = 0; d < size.size(); ++d) {
    const double end = size[d];
    name_boundary(mesh, names[d][0], faces, [d](const double* X) { return X[d] == 0; });
    name_boundary(mesh, names[d][1], faces, [d, end](const double* X) { return X[d] == end; });
  }
}

}  // namespace varia::solids
