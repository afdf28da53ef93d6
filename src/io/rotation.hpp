// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// How far a body has turned about the axis of its angular momentum at the start.
//
//   θ = atan2(Σ m n·(r0 × r), Σ m r0·r), r and r0 from the centre of mass and across the axis n
#include <array>
#include <vector>

#include "varia/solids/solid.hpp"

namespace varia::io {

template <int D> class Rotation {
 public:
  explicit Rotation(const solids::Solid<D>& solid);
  /// Does the body spin at the start?
  bool spins() const { return spins_; }
  /// The angle at positions x, the nearest to `before` of those that differ by whole turns.
  double angle(const std::vector<double>& x, double before) const;

 private:
  using Plane = std::array<double, 2>;
  Plane projected(const double* x, const std::array<double, 3>& centre) const;

  const solids::Solid<D>& solid_;
  std::array<double, 3> centre0_{};
  std::array<std::array<double, 3>, 2> across_{};  ///< two unit vectors across the axis
  bool spins_ = false;
};

/// Σ m x / Σ m; the third is 0 in the plane.
template <int D>
std::array<double, 3> centre_of_mass(const solids::Solid<D>& solid, const std::vector<double>& x);

}  // namespace varia::io
