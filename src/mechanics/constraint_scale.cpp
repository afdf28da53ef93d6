// SPDX-License-Identifier: BSD-3-Clause
#include "varia/mechanics/constraint_scale.hpp"

#include <algorithm>
#include <cmath>

#include "varia/core/index.hpp"

namespace varia {

using detail::sz;

double ConstraintScale::relative(int a, double value, double size_of_all) const {
  const double s = slope[sz(a)];
  if (!(s > 0.0)) return std::abs(value);
  const double against = std::max(size[sz(a)], size_of_all);
  return against > 0.0 ? std::abs(value) / s / against : std::abs(value) / s;
}

ConstraintScale constraint_scale(const KernelSystem& f, const double* q, const double* values) {
  std::vector<double> size(sz(f.n), 1.0);
  for (const auto& stretch : f.space.vectors())
    for (int k = 0; k < stretch.count; ++k)
      size[sz(stretch.degree + k)] = std::abs(q[stretch.entry + k]);
  ConstraintScale scale{std::vector<double>(sz(f.d), 0.0), std::vector<double>(sz(f.d), 0.0)};
  for (int e = 0; e < f.constraint_pattern.size(); ++e) {
    const auto a = sz(f.constraint_pattern.row[sz(e)]);
    const double entry = std::abs(values[f.d + e]);
    scale.slope[a] = std::hypot(scale.slope[a], entry);
    scale.size[a] += entry * size[sz(f.constraint_pattern.column[sz(e)])];
  }
  for (std::size_t a = 0; a < scale.slope.size(); ++a)
    if (scale.slope[a] > 0.0) scale.size[a] /= scale.slope[a];
  return scale;
}

FarthestConstraint farthest_constraint(const KernelSystem& f, double t, const double* q) {
  FarthestConstraint worst;
  if (f.d == 0) return worst;
  std::vector<double> x = f.point(t, q, std::vector<double>(sz(f.n), 0.0).data());
  std::vector<double> values(sz(f.d + f.constraint_pattern.size()));
  f.constraint(x.data(), values.data());
  const ConstraintScale scale = constraint_scale(f, q, values.data());
  for (int a = 0; a < f.d; ++a) {
    const double distance = scale.relative(a, values[sz(a)]);
    if (!(distance <= worst.distance)) worst = {a, distance};  // NaN stays
  }
  return worst;
}

}  // namespace varia
