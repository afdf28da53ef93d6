// SPDX-License-Identifier: BSD-3-Clause
#include "varia/solids/quality.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "mesh_jacobian.hpp"
#include "vectors.hpp"

namespace varia::solids {
namespace {

Vector3 between(const Mesh& mesh, int from, int to) {
  const double* p = mesh.node(from);
  const double* q = mesh.node(to);
  return {q[0] - p[0], q[1] - p[1], mesh.dimension() == 3 ? q[2] - p[2] : 0.0};
}

double norm(const Vector3& u) { return std::sqrt(dot(u, u)); }

// Length or area of all faces.
double surface(const Mesh& mesh, const int* node) {
  double sum = 0;
  for (int f = 0; f < info(mesh.shape).faces; ++f) {
    const auto local = face_nodes(mesh.shape, f);
    const Vector3 u = between(mesh, node[local[0]], node[local[1]]);
    sum += mesh.dimension() == 2
               ? norm(u)
               : norm(cross(u, between(mesh, node[local[0]], node[local[2]]))) / 2;
  }
  return sum;
}

void check_value(double value) {
  if (!(value > 0) || !std::isfinite(value))
    throw InvalidArgument("sizes and steps must be positive and finite, found " + to_text(value));
}

}  // namespace

double volume(const Mesh& mesh, long element) {
  const int* node = mesh.element(element);
  const Vector3 normal = cross(between(mesh, node[0], node[1]), between(mesh, node[0], node[2]));
  if (mesh.dimension() == 2) return normal[2] / 2;
  return dot(normal, between(mesh, node[0], node[3])) / 6;
}

double inradius(const Mesh& mesh, long element) {
  return mesh.dimension() * volume(mesh, element) / surface(mesh, mesh.element(element));
}

Distribution distribution(const std::vector<double>& values) {
  if (values.empty()) throw InvalidArgument("a distribution needs at least one value");
  Distribution result;
  double sum = 0;
  double inverse = 0;
  for (std::size_t k = 0; k < values.size(); ++k) {
    const double x = values[k];
    check_value(x);
    if (k == 0 || x < result.smallest) {
      result.smallest = x;
      result.smallest_element = static_cast<long>(k);
    }
    result.largest = std::max(result.largest, x);
    sum += x;
    inverse += 1 / x;
  }
  const auto count = static_cast<double>(values.size());
  result.mean = sum / count;
  result.harmonic_mean = count / inverse;
  return result;
}

Histogram log_histogram(const std::vector<double>& values, int bins) {
  if (bins < 1) throw InvalidArgument("a histogram needs at least one bin");
  const Distribution d = distribution(values);
  const double width = std::log(d.largest / d.smallest) / bins;
  Histogram result;
  for (int i = 0; i < bins; ++i) result.edges.push_back(d.smallest * std::exp(width * i));
  result.edges.push_back(d.largest);
  result.counts.assign(static_cast<std::size_t>(bins), 0);
  for (const double x : values) {
    const double place = width > 0 ? std::log(x / d.smallest) / width : 0;
    const int bin = std::clamp(static_cast<int>(place), 0, bins - 1);
    ++result.counts[static_cast<std::size_t>(bin)];
  }
  return result;
}

Quality quality(const Mesh& mesh, const std::vector<double>& steps) {
  const auto count = static_cast<std::size_t>(mesh.element_count());
  if (!steps.empty() && steps.size() != count)
    throw InvalidArgument("there are " + std::to_string(steps.size()) + " steps for " +
                          std::to_string(count) + " elements; one per element is needed");
  Quality q;
  q.nodes = mesh.node_count();
  q.elements = mesh.element_count();
  std::vector<double> size(count);
  std::vector<double> round(count);
  // The regular triangle has r = L/(2 sqrt 3), the regular tetrahedron r = L/(2 sqrt 6).
  const double regular = 2 * std::sqrt(mesh.dimension() == 2 ? 3.0 : 6.0);
  for (std::size_t k = 0; k < count; ++k) {
    const auto element = static_cast<long>(k);
    q.total_volume += volume(mesh, element);
    size[k] = inradius(mesh, element);
    round[k] = regular * size[k] / longest_edge(mesh, element);
  }
  const std::vector<double>& step = steps.empty() ? size : steps;
  q.size = distribution(size);
  q.roundness = distribution(round);
  q.step = distribution(step);
  q.speed_up = speed_up(step);
  q.size_histogram = log_histogram(size);
  q.step_histogram = log_histogram(step);
  return q;
}

}  // namespace varia::solids
