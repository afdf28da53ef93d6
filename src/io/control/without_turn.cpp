// SPDX-License-Identifier: BSD-3-Clause
// Points that are seen as unit vectors and held as rotations: of all rotations that are seen alike, the one that is reached
// from another point along a great circle, without a turn about the vector.
#include <cmath>

#include "varia/core/error.hpp"
#include "varia/core/index.hpp"
#include "varia/io/control_problem.hpp"

namespace varia::io {

using detail::sz;

namespace {

/// What is seen of entries.
std::vector<double> seen_of(const Model& model, const double* q) {
  const KernelSystem& f = *model.system;
  std::vector<double> x(sz(1 + f.entries + 2 * f.n), 0.0);
  std::copy(q, q + f.entries, x.begin() + 1);
  std::vector<double> all(sz(model.seen.tape().outputs()));
  model.seen(x.data(), all.data());
  all.resize(model.entry_names.size());
  return all;
}

/// The velocity that brings the unit vector a to b in the time 1 along a great circle.
Eigen::Vector3d way(const Eigen::Vector3d& a, const Eigen::Vector3d& b) {
  const Eigen::Vector3d across = b - a.dot(b) * a;
  const double angle = std::atan2(across.norm(), a.dot(b));
  if (angle == 0.0) return Eigen::Vector3d::Zero();
  if (!(across.norm() > 1e-12))
    throw InvalidArgument(
        "start and end are opposite unit vectors, with many ways between them; state a guess");
  return across * (angle / across.norm());
}

}  // namespace

void reach_without_turn(const Model& model, const double* from, double* to) {
  const ProductSpace& space = model.system->space;
  if (space.vertical().empty()) return;
  const std::vector<double> a = seen_of(model, from), b = seen_of(model, to);
  std::size_t at = 0;
  for (const ProductSpace::Place& place : space.factors()) {
    const Factor& factor = *place.factor;
    const auto seen = factor.notation().entries.suffixes.size();
    if (factor.vertical() > 0) {
      const Eigen::Vector3d v = way(Eigen::Map<const Eigen::Vector3d>(a.data() + at),
                                    Eigen::Map<const Eigen::Vector3d>(b.data() + at));
      Vn xi(factor.dof());
      factor.read_vector(from + place.entry, v.data(), xi.data());
      factor.retract(from + place.entry, xi.data(), Retraction::exponential, to + place.entry);
    }
    at += factor.notation().forms.empty() ? sz(factor.entries()) : seen;
  }
}

}  // namespace varia::io
