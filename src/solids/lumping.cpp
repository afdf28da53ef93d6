// SPDX-License-Identifier: BSD-3-Clause
#include "varia/solids/lumping.hpp"

#include <array>
#include <cmath>

#include "varia/core/error.hpp"
#include "varia/methods/quadrature.hpp"
#include "varia/solids/quality.hpp"
#include "varia/solids/simplex.hpp"

namespace varia::solids {

namespace {

/// A point of the simplex in barycentric coordinates; weights sum up to 1.
struct SimplexPoint {
  std::array<double, 4> lambda{};
  double weight = 0.0;
};

/// Gauss points of the cube folded onto the simplex: exact to degree 7, enough for N_a² times the
/// Jacobian of a curved tetrahedron.
std::vector<SimplexPoint> folded_gauss(int D) {
  const Quadrature gauss = gauss_quadrature(5);
  const int n = static_cast<int>(gauss.c.size());
  std::vector<SimplexPoint> points;
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < (D == 3 ? n : 1); ++k) {
        const auto c = [&gauss](int m) { return static_cast<double>(gauss.c[m]); };
        const auto b = [&gauss](int m) { return static_cast<double>(gauss.b[m]); };
        const double u = c(i), v = (1.0 - u) * c(j);
        SimplexPoint point;
        if (D == 2) {
          point.lambda = {u, v, 1.0 - u - v, 0.0};
          point.weight = 2.0 * b(i) * b(j) * (1.0 - u);
        } else {
          const double w = (1.0 - u - v) * c(k);
          point.lambda = {u, v, w, 1.0 - u - v - w};
          point.weight = 6.0 * b(i) * b(j) * b(k) * (1.0 - u) * (1.0 - u - v);
        }
        points.push_back(point);
      }
    }
  }
  return points;
}

const std::vector<SimplexPoint>& rule(int D) {
  static const std::vector<SimplexPoint> plane = folded_gauss(2), space = folded_gauss(3);
  return D == 2 ? plane : space;
}

/// N_a at a point, for one of the shapes.
template <int D> void shape_functions(int order, const std::array<double, 4>& l, double* N) {
  for (int i = 0; i <= D; ++i) {
    N[i] = order == 1 ? l[i] : l[i] * (2.0 * l[i] - 1.0);
    if (order == 1) continue;
    for (int j = i + 1; j <= D; ++j) N[edge_node<D>(i, j)] = 4.0 * l[i] * l[j];
  }
}

/// det ∂X/∂λ of a quadratic element at a point, divided by D!: the local volume.
template <int D> double local_volume(const Mesh& mesh, long k, const std::array<double, 4>& l) {
  double E[D * D] = {}, G[D * D];
  const auto add = [&](int row, int node, double factor) {
    for (int c = 0; c < D; ++c) E[row * D + c] += factor * mesh.node(mesh.element(k)[node])[c];
  };
  for (int i = 0; i < D; ++i) {
    add(i, i, 4.0 * l[i] - 1.0);
    add(i, D, -(4.0 * l[D] - 1.0));
    for (int j = 0; j <= D; ++j) {
      if (j != i) add(i, edge_node<D>(i, j), 4.0 * l[j]);
      if (j != D) add(i, edge_node<D>(D, j), -4.0 * l[j]);
    }
  }
  return barycentric_gradients<D>(E, G) / (D == 2 ? 2.0 : 6.0);
}

/// ∫ N_a² and the volume, given the local volume at each point.
template <int D, class Volume>
double diagonal(int order, int nodes, const Volume& volume, std::vector<double>& squares) {
  squares.assign(static_cast<std::size_t>(nodes), 0.0);
  double total = 0.0;
  std::array<double, 10> N{};
  for (const SimplexPoint& point : rule(D)) {
    const double w = point.weight * volume(point.lambda);
    shape_functions<D>(order, point.lambda, N.data());
    for (int a = 0; a < nodes; ++a) squares[a] += w * N[a] * N[a];
    total += w;
  }
  return total;
}

/// (hrz)
void scale(std::vector<double>& squares, double mass) {
  double sum = 0.0;
  for (const double s : squares) sum += s;
  for (double& s : squares) s *= mass / sum;
}

template <int D> std::vector<double> curved_masses(const Mesh& mesh, long k, double density) {
  std::vector<double> masses;
  const double volume = diagonal<D>(
      2, mesh.nodes_per_element(),
      [&](const std::array<double, 4>& l) { return local_volume<D>(mesh, k, l); }, masses);
  if (!admissible(volume))
    throw MeshError("element " + std::to_string(element_number(mesh, k)) + ": its volume is " +
                    to_text(volume) + "; it must be positive");
  scale(masses, density * volume);
  return masses;
}

std::vector<double> shares(Shape shape) {
  std::vector<double> result;
  const ShapeInfo& s = info(shape);
  const auto one = [](const std::array<double, 4>&) { return 1.0; };
  if (s.dimension == 2)
    diagonal<2>(s.order, s.nodes, one, result);
  else
    diagonal<3>(s.order, s.nodes, one, result);
  scale(result, 1.0);
  return result;
}

}  // namespace

const std::vector<double>& lumped_shares(Shape shape) {
  static const std::array<std::vector<double>, 4> all{shares(Shape::t3), shares(Shape::t6),
                                                      shares(Shape::tet4), shares(Shape::tet10)};
  return all[static_cast<std::size_t>(shape)];
}

std::vector<double> lumped_masses(const Mesh& mesh, long element, double density) {
  if (!(density > 0.0) || !std::isfinite(density))
    throw InvalidArgument("lumped_masses: density = " + to_text(density) +
                          " is not positive and finite");
  if (!straight(mesh, element))
    return mesh.dimension() == 2 ? curved_masses<2>(mesh, element, density)
                                 : curved_masses<3>(mesh, element, density);
  const double mass = density * volume(mesh, element);
  if (!admissible(mass))
    throw MeshError("element " + std::to_string(element_number(mesh, element)) + ": its mass is " +
                    to_text(mass) + "; it must be positive");
  std::vector<double> masses = lumped_shares(mesh.shape);
  for (double& m : masses) m *= mass;
  return masses;
}

}  // namespace varia::solids
