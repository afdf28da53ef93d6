// SPDX-License-Identifier: BSD-3-Clause
// A block with a few flat elements.
#include <array>

#include "generate_grid.hpp"
#include "varia/solids/generate.hpp"
#include "varia/solids/quality.hpp"

namespace varia::solids {
namespace {

// The last node of a one-element mesh on the way from the middle of the face opposite to it
// (height 0) to where it was (height 1).
std::array<double, 3> lifted(const Mesh& mesh, const int* node, double height) {
  const int d = mesh.dimension();
  std::array<double, 3> p{};
  for (int i = 0; i < d; ++i) {
    double foot = 0;
    for (int c = 0; c < d; ++c) foot += mesh.node(node[c])[i] / d;
    p[static_cast<std::size_t>(i)] = foot + height * (mesh.node(node[d])[i] - foot);
  }
  return p;
}

// The height at which the flat element has the wanted inradius; the inradius grows with it.
std::array<double, 3> apex(const Mesh& mesh, long k, double wanted) {
  const int d = mesh.dimension();
  Mesh flat;
  flat.shape = mesh.shape;
  for (int i = 0; i <= d; ++i) {
    flat.elements.push_back(i);
    const double* X = mesh.node(mesh.element(k)[i]);
    flat.X.insert(flat.X.end(), X, X + d);
  }
  double low = 0;
  double high = 1;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    const auto p = lifted(mesh, mesh.element(k), middle);
    std::copy_n(p.begin(), d, flat.X.end() - d);
    (inradius(flat, 0) < wanted ? low : high) = middle;
  }
  return lifted(mesh, mesh.element(k), high);
}

// Element k becomes its flat part; the other parts are appended, with node p in place of one corner.
void split(Mesh& mesh, long k, double ratio) {
  const int d = mesh.dimension();
  const auto X = apex(mesh, k, ratio * inradius(mesh, k));
  const int p = static_cast<int>(mesh.node_count());
  mesh.X.insert(mesh.X.end(), X.begin(), X.begin() + d);
  const std::vector<int> corner(mesh.element(k), mesh.element(k) + d + 1);
  for (int i = 0; i <= d; ++i) {
    std::vector<int> part = corner;
    part[static_cast<std::size_t>(i)] = p;
    if (i < d) {
      mesh.elements.insert(mesh.elements.end(), part.begin(), part.end());
      mesh.region.push_back(0);
    } else {
      std::copy(part.begin(), part.end(), mesh.elements.begin() + k * (d + 1));
      mesh.region[static_cast<std::size_t>(k)] = 1;
    }
  }
}

}  // namespace

Mesh slivers(const std::vector<double>& size, const std::vector<int>& elements, int count,
             double ratio, int order) {
  Mesh mesh = block(size, elements, 1, 1);
  shape_of(2, order);
  const long total = mesh.element_count();
  if (count < 0 || count > total)
    throw InvalidArgument("the number of slivers must be from 0 to the number of elements, " +
                          std::to_string(total) + "; found " + std::to_string(count));
  if (!(ratio >= 1e-6) || !(ratio <= 0.5))
    throw InvalidArgument("the ratio of a sliver must be from 1e-6 to 0.5, found " +
                          to_text(ratio));
  mesh.region_names = {"body", "sliver"};
  mesh.region.assign(static_cast<std::size_t>(total), 0);
  for (long i = 0; i < count; ++i) split(mesh, (2 * i + 1) * total / (2L * count), ratio);
  return order == 2 ? elevate(mesh) : mesh;
}

}  // namespace varia::solids
