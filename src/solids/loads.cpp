// SPDX-License-Identifier: BSD-3-Clause
#include "varia/solids/loads.hpp"

#include <algorithm>
#include <cmath>

namespace varia::solids {

template <int D>
ElementLoads<D>::ElementLoads(int count, int nodes) : count_(count), nodes_(nodes) {}

template <int D>
void ElementLoads<D>::add_sample(int k, const Components& field, const double* X,
                                 const double* weights, double t0) {
  Sample sample;
  bool varies = false;
  for (int c = 0; c < D; ++c) {
    if (!field[c]) continue;
    if (!field[c].constant()) {
      sample.field[c] = field[c];
      varies = true;
      continue;
    }
    const auto width = static_cast<std::size_t>(nodes_) * D;
    if (constant_.empty()) constant_.assign(static_cast<std::size_t>(count_) * width, 0.0);
    const double value = field[c].value(X, t0);
    for (int a = 0; a < nodes_; ++a)
      constant_[static_cast<std::size_t>(k) * width + static_cast<std::size_t>(a) * D + c] +=
          weights[a] * value;
  }
  if (!varies) return;
  sample.element = k;
  std::copy(X, X + D, sample.X.begin());
  std::copy(weights, weights + nodes_, sample.weights.begin());
  samples_.push_back(std::move(sample));
}

template <int D> void ElementLoads<D>::finish() {
  if (samples_.empty()) return;
  std::stable_sort(samples_.begin(), samples_.end(),
                   [](const Sample& a, const Sample& b) { return a.element < b.element; });
  begin_.assign(static_cast<std::size_t>(count_) + 1, 0);
  for (const Sample& s : samples_) ++begin_[static_cast<std::size_t>(s.element) + 1];
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
}

template <int D>
template <class Value>
void ElementLoads<D>::add_samples(int k, double* f, const Value& value) const {
  if (begin_.empty()) return;
  for (int i = begin_[k]; i < begin_[k + 1]; ++i) {
    const Sample& sample = samples_[static_cast<std::size_t>(i)];
    for (int c = 0; c < D; ++c) {
      if (!sample.field[c]) continue;
      const double now = value(sample.field[c], sample.X.data());
      for (int a = 0; a < nodes_; ++a) f[a * D + c] += sample.weights[a] * now;
    }
  }
}

template <int D> void ElementLoads<D>::add(int k, double t, double* f) const {
  const int width = nodes_ * D;
  if (!constant_.empty())
    for (int i = 0; i < width; ++i)
      f[i] += constant_[static_cast<std::size_t>(k) * static_cast<std::size_t>(width) + i];
  add_samples(k, f, [t](const Component& field, const double* X) { return field.value(X, t); });
}

template <int D> void ElementLoads<D>::add_rate(int k, double t, double* rate) const {
  add_samples(k, rate, [t](const Component& field, const double* X) { return field.rate(X, t); });
}

namespace {

/// Values and derivatives of the shape functions of a face at a point of it.
struct FaceShape {
  std::array<double, 6> N{};
  std::array<std::array<double, 2>, 6> dN{};
};

/// Edge with corners 0 and 1, and the middle for quadratic elements; s from 0 to 1.
FaceShape edge_shape(int order, double s) {
  if (order == 1) return {{1 - s, s}, {{{-1.0}, {1.0}}}};
  return {{(1 - s) * (1 - 2 * s), s * (2 * s - 1), 4 * s * (1 - s)},
          {{{4 * s - 3}, {4 * s - 1}, {4 - 8 * s}}}};
}

/// Triangle in barycentric coordinates (1 - r - s, r, s); middles of 01, 12, 20.
FaceShape triangle_shape(int order, double r, double s) {
  const double l = 1 - r - s;
  if (order == 1) return {{l, r, s}, {{{-1, -1}, {1, 0}, {0, 1}}}};
  return {{l * (2 * l - 1), r * (2 * r - 1), s * (2 * s - 1), 4 * l * r, 4 * r * s, 4 * s * l},
          {{{1 - 4 * l, 1 - 4 * l},
            {4 * r - 1, 0},
            {0, 4 * s - 1},
            {4 * (l - r), -4 * r},
            {4 * s, 4 * r},
            {-4 * s, 4 * (l - s)}}}};
}

FacePoint point(const Mesh& mesh, Face face, const FaceShape& shape, double weight) {
  const int D = mesh.dimension();
  const auto local = face_nodes(mesh.shape, face.local);
  const int* element = mesh.element(face.element);
  FacePoint result;
  std::array<std::array<double, 3>, 2> tangent{};
  for (std::size_t i = 0; i < local.size(); ++i) {
    const double* X = mesh.node(element[local[i]]);
    for (int c = 0; c < D; ++c) {
      result.X[c] += shape.N[i] * X[c];
      for (int d = 0; d + 1 < D; ++d) tangent[d][c] += shape.dN[i][d] * X[c];
    }
  }
  const auto& [a, b] = tangent;
  const double measure = D == 2 ? std::hypot(a[0], a[1])
                                : std::hypot(a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2],
                                             a[0] * b[1] - a[1] * b[0]);
  for (std::size_t i = 0; i < local.size(); ++i)
    result.weights[static_cast<std::size_t>(local[i])] = weight * measure * shape.N[i];
  return result;
}

}  // namespace

std::vector<FacePoint> face_quadrature(const Mesh& mesh, Face face) {
  const int order = info(mesh.shape).order;
  std::vector<FacePoint> points;
  if (mesh.dimension() == 2) {  // Gauss, three points, degree 5
    const double d = std::sqrt(0.15);
    for (const auto& [s, w] : {std::pair{0.5 - d, 5.0 / 18}, {0.5, 8.0 / 18}, {0.5 + d, 5.0 / 18}})
      points.push_back(point(mesh, face, edge_shape(order, s), w));
    return points;
  }
  // six points of degree 4 on the triangle of area one half (Dunavant)
  for (const auto& [a, w] : {std::pair{0.445948490915965, 0.223381589678011},
                             std::pair{0.091576213509771, 0.109951743655322}})
    for (const auto& [r, s] : {std::pair{a, a}, std::pair{1 - 2 * a, a}, std::pair{a, 1 - 2 * a}})
      points.push_back(point(mesh, face, triangle_shape(order, r, s), 0.5 * w));
  return points;
}

template class ElementLoads<2>;
template class ElementLoads<3>;

}  // namespace varia::solids
