// SPDX-License-Identifier: BSD-3-Clause
#include "varia/solids/field_error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "varia/solids/quality.hpp"
#include "vectors.hpp"

namespace varia::solids {

namespace {

using Matrix3 = std::array<Vector3, 3>;

/// Barycentric coordinates of a straight simplex: λ_i(X) = λ_i(X_0) + ∇λ_i·(X - X_0).
class Simplex {
 public:
  Simplex(const Mesh& mesh, long element) : corners_(info(mesh.shape).corners) {
    const int D = mesh.dimension();
    Matrix3 e{};
    e[2] = {0.0, 0.0, 1.0};
    for (int i = 0; i < D; ++i)
      for (int c = 0; c < D; ++c) {
        base_[c] = mesh.node(mesh.element(element)[0])[c];
        e[i][c] = mesh.node(mesh.element(element)[i + 1])[c] - base_[c];
      }
    const double volume = dot(e[0], cross(e[1], e[2]));
    for (int i = 0; i < D; ++i) {
      const Vector3 n = cross(e[(i + 1) % 3], e[(i + 2) % 3]);
      for (int c = 0; c < 3; ++c) {
        gradients_[i + 1][c] = n[c] / volume;
        gradients_[0][c] -= n[c] / volume;
      }
    }
  }
  std::array<double, 4> coordinates(const Vector3& X) const {
    const Vector3 d{X[0] - base_[0], X[1] - base_[1], X[2] - base_[2]};
    std::array<double, 4> l{1.0, 0.0, 0.0, 0.0};
    for (int i = 1; i < corners_; ++i) l[i] = dot(gradients_[i], d);
    for (int i = 1; i < corners_; ++i) l[0] -= l[i];
    return l;
  }
  const std::array<Vector3, 4>& gradients() const { return gradients_; }

 private:
  int corners_;
  Vector3 base_{};
  std::array<Vector3, 4> gradients_{};
};

struct Value {
  Vector3 x{};
  Matrix3 F{};
};

/// φ and ∇φ at barycentric coordinates l of an element.
Value evaluate(const Deformation& field, long element, const std::array<double, 4>& l,
               const Simplex& simplex) {
  const ShapeInfo& shape = info(field.mesh.shape);
  const int D = shape.dimension;
  const auto& g = simplex.gradients();
  Value value;
  const auto add = [&](int local, double N, const Vector3& dN) {
    const double* x =
        field.x.data() + static_cast<std::ptrdiff_t>(field.mesh.element(element)[local]) * D;
    for (int c = 0; c < D; ++c) {
      value.x[c] += N * x[c];
      for (int d = 0; d < D; ++d) value.F[c][d] += x[c] * dN[d];
    }
  };
  for (int i = 0; i < shape.corners; ++i) {
    if (shape.order == 1) {
      add(i, l[i], g[i]);
      continue;
    }
    const double slope = 4 * l[i] - 1;
    add(i, l[i] * (2 * l[i] - 1), {slope * g[i][0], slope * g[i][1], slope * g[i][2]});
  }
  for (int e = 0; shape.order == 2 && e < shape.edges; ++e) {
    const auto [i, j] = edge_corners(field.mesh.shape, e);
    Vector3 dN{};
    for (int c = 0; c < D; ++c) dN[c] = 4 * (l[i] * g[j][c] + l[j] * g[i][c]);
    add(shape.corners + e, 4 * l[i] * l[j], dN);
  }
  return value;
}

/// Finds the element that holds a point, by boxes of a grid.
class Locator {
 public:
  explicit Locator(const Mesh& mesh) : mesh_(mesh), box_(bounding_box(mesh)) {
    const int D = mesh.dimension();
    const double cells = std::pow(static_cast<double>(mesh.element_count()), 1.0 / D);
    side_ = std::max(1, static_cast<int>(cells));
    bins_.resize(static_cast<std::size_t>(side_) * side_ * (D == 3 ? side_ : 1));
    for (long k = 0; k < mesh.element_count(); ++k) {
      simplices_.emplace_back(mesh, k);
      std::array<int, 3> low{side_, side_, 0}, high{0, 0, 0};
      if (D == 3) low[2] = side_;
      for (int i = 0; i < info(mesh.shape).corners; ++i)
        for (int c = 0; c < D; ++c) {
          const int at = cell(mesh.node(mesh.element(k)[i])[c], c);
          low[c] = std::min(low[c], at);
          high[c] = std::max(high[c], at);
        }
      for (int z = low[2]; z <= high[2]; ++z)
        for (int y = low[1]; y <= high[1]; ++y)
          for (int x = low[0]; x <= high[0]; ++x) bins_[bin({x, y, z})].push_back(k);
    }
  }

  /// The element, and the coordinates of the point there.
  std::pair<long, std::array<double, 4>> find(const Vector3& X) const {
    std::array<int, 3> at{};
    for (int c = 0; c < mesh_.dimension(); ++c) at[c] = cell(X[c], c);
    long best = -1;
    double inside = -std::numeric_limits<double>::infinity();
    std::array<double, 4> coordinates{};
    for (const long k : bins_[bin(at)]) {
      const auto l = simplices_[static_cast<std::size_t>(k)].coordinates(X);
      const double least = *std::min_element(l.begin(), l.begin() + info(mesh_.shape).corners);
      if (least <= inside) continue;
      inside = least;
      best = k;
      coordinates = l;
    }
    if (inside < -1e-9)
      throw InvalidArgument("field_error: the point (" + to_text(X[0]) + ", " + to_text(X[1]) +
                            ", " + to_text(X[2]) + ") is in no element of the first mesh");
    return {best, coordinates};
  }
  const Simplex& simplex(long k) const { return simplices_[static_cast<std::size_t>(k)]; }

 private:
  int cell(double X, int axis) const {
    const double low = box_[std::size_t{2} * static_cast<std::size_t>(axis)];
    const double high = box_[std::size_t{2} * static_cast<std::size_t>(axis) + 1];
    return std::clamp(static_cast<int>((X - low) / (high - low) * side_), 0, side_ - 1);
  }
  std::size_t bin(const std::array<int, 3>& at) const {
    const auto side = static_cast<std::size_t>(side_);
    return (static_cast<std::size_t>(at[2]) * side + static_cast<std::size_t>(at[1])) * side +
           static_cast<std::size_t>(at[0]);
  }

  const Mesh& mesh_;
  std::vector<double> box_;
  int side_ = 1;
  std::vector<Simplex> simplices_;
  std::vector<std::vector<long>> bins_;
};

/// Barycentric coordinates of D + 1 points of degree 2, of equal weight.
std::vector<std::array<double, 4>> points(int D) {
  const double b = D == 2 ? 1.0 / 6 : (5 - std::sqrt(5.0)) / 20;
  std::vector<std::array<double, 4>> result;
  for (int q = 0; q <= D; ++q) {
    std::array<double, 4> l{b, b, b, D == 3 ? b : 0.0};
    l[q] = 1 - D * b;
    result.push_back(l);
  }
  return result;
}

}  // namespace

FieldError field_error(const Deformation& coarse, const Deformation& fine) {
  const int D = fine.mesh.dimension();
  if (coarse.mesh.dimension() != D)
    throw InvalidArgument("field_error: the meshes have dimensions " +
                          std::to_string(coarse.mesh.dimension()) + " and " + std::to_string(D));
  const Locator locator(coarse.mesh);
  const auto rule = points(D);
  FieldError sum;
  for (long k = 0; k < fine.mesh.element_count(); ++k) {
    const Simplex simplex(fine.mesh, k);
    const double weight = volume(fine.mesh, k) / static_cast<double>(rule.size());
    sum.volume += volume(fine.mesh, k);
    for (const auto& l : rule) {
      Vector3 X{};
      for (int i = 0; i <= D; ++i)
        for (int c = 0; c < D; ++c) X[c] += l[i] * fine.mesh.node(fine.mesh.element(k)[i])[c];
      const Value a = evaluate(fine, k, l, simplex);
      const auto [element, coordinates] = locator.find(X);
      const Value b = evaluate(coarse, element, coordinates, locator.simplex(element));
      for (int c = 0; c < D; ++c) {
        sum.position += weight * (a.x[c] - b.x[c]) * (a.x[c] - b.x[c]);
        for (int d = 0; d < D; ++d)
          sum.gradient += weight * (a.F[c][d] - b.F[c][d]) * (a.F[c][d] - b.F[c][d]);
      }
    }
  }
  return {std::sqrt(sum.position), std::sqrt(sum.gradient), sum.volume};
}

}  // namespace varia::solids
