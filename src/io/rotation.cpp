// SPDX-License-Identifier: BSD-3-Clause
#include "rotation.hpp"

#include <cmath>

namespace varia::io {

namespace {

using Three = std::array<double, 3>;

Three cross(const Three& a, const Three& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double dot(const Three& a, const Three& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

double length(const Three& a) { return std::sqrt(dot(a, a)); }

Three unit(const Three& a) {
  const double size = length(a);
  return {a[0] / size, a[1] / size, a[2] / size};
}

/// Of a node, from a centre.
template <int D> Three relative(const double* x, const Three& centre) {
  Three r{};
  for (int c = 0; c < D; ++c) r[c] = x[c] - centre[c];
  return r;
}

}  // namespace

template <int D> Three centre_of_mass(const solids::Solid<D>& solid, const std::vector<double>& x) {
  Three sum{};
  const std::vector<double>& masses = solid.system.masses();
  for (std::size_t a = 0; a < masses.size(); ++a)
    for (int c = 0; c < D; ++c) sum[c] += masses[a] * x[a * D + c];
  for (double& s : sum) s /= solid.total_mass;
  return sum;
}

template <int D> Rotation<D>::Rotation(const solids::Solid<D>& solid) : solid_(solid) {
  centre0_ = centre_of_mass(solid, solid.x0);
  const Three drift = centre_of_mass(solid, solid.v0);
  Three momentum{};
  double scale = 0.0;
  for (std::size_t a = 0; a < solid.system.masses().size(); ++a) {
    const Three r = relative<D>(solid.x0.data() + a * D, centre0_);
    const Three v = relative<D>(solid.v0.data() + a * D, drift);
    const Three l = cross(r, v);
    for (int c = 0; c < 3; ++c) momentum[c] += solid.system.masses()[a] * l[c];
    scale += solid.system.masses()[a] * length(r) * length(v);
  }
  spins_ = length(momentum) > 1e-6 * scale;
  if (!spins_) return;
  const Three axis = unit(momentum);
  const Three other = std::abs(axis[2]) > 0.5 ? Three{1, 0, 0} : Three{0, 0, 1};
  across_[1] = unit(cross(axis, other));
  across_[0] = cross(across_[1], axis);
}

template <int D> auto Rotation<D>::projected(const double* x, const Three& centre) const -> Plane {
  const Three r = relative<D>(x, centre);
  return {dot(r, across_[0]), dot(r, across_[1])};
}

template <int D> double Rotation<D>::angle(const std::vector<double>& x, double before) const {
  const Three centre = centre_of_mass(solid_, x);
  double along = 0.0, turned = 0.0;
  for (std::size_t a = 0; a < solid_.system.masses().size(); ++a) {
    const Plane p = projected(solid_.x0.data() + a * D, centre0_);
    const Plane q = projected(x.data() + a * D, centre);
    along += solid_.system.masses()[a] * (p[0] * q[0] + p[1] * q[1]);
    turned += solid_.system.masses()[a] * (p[0] * q[1] - p[1] * q[0]);
  }
  const double turn = 2.0 * std::acos(-1.0);
  const double angle = std::atan2(turned, along);
  return angle + turn * std::round((before - angle) / turn);
}

template class Rotation<2>;
template class Rotation<3>;
template Three centre_of_mass(const solids::Solid<2>&, const std::vector<double>&);
template Three centre_of_mass(const solids::Solid<3>&, const std::vector<double>&);

}  // namespace varia::io
