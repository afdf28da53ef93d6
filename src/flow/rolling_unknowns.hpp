// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// What nonholonomic constraints add to the unknowns of a step: see stage_rolling.cpp.
#include <vector>

#include "constraint_kkt.hpp"
#include "constraint_rows.hpp"

namespace varia::detail {

/// Functions of (t, Qⁱ, vⁱ) that vanish: their values, and their slopes as rows of the Jacobian.
struct RollingRows {
  std::vector<double> out;                 ///< the functions, then the values of their pattern
  Reactions place;                         ///< slopes in Qⁱ
  Pattern velocity;                        ///< and in vⁱ
  std::vector<int> of_place, of_velocity;  ///< which values of the pattern they are
  std::vector<double> slopes;

  /// Of a pattern with 2n columns, those of q first.
  void resize(const ProductSpace& space, const Pattern& given, int count) {
    const int n = space.dof();
    Pattern in_place;
    for (int e = 0; e < given.size(); ++e) {
      const auto at = static_cast<std::size_t>(e);
      const bool moves = given.column[at] >= n;
      Pattern& pattern = moves ? velocity : in_place;
      pattern.row.push_back(given.row[at]);
      pattern.column.push_back(given.column[at] - (moves ? n : 0));
      (moves ? of_velocity : of_place).push_back(count + e);
    }
    place.resize(space, in_place);
    out.assign(static_cast<std::size_t>(count) + given.row.size(), 0.0);
    slopes.assign(given.row.size(), 0.0);
  }
  /// Some of the values of the pattern, in their order.
  const double* gathered(const std::vector<double>& values, const std::vector<int>& which) {
    for (std::size_t e = 0; e < which.size(); ++e)
      slopes[e] = values[static_cast<std::size_t>(which[e])];
    return slopes.data();
  }
};

struct RollingUnknowns {
  explicit RollingUnknowns(const KernelSystem& f)
      : kkt(f),
        v(Vn::Zero(f.n)),
        impulse(v),
        rates(Vn::Zero(f.d + f.e)),
        unknown(Vn::Zero(f.n + f.d + f.e)) {}

  RollingRows constraint;        ///< Φ
  RollingRows hidden;            ///< G v + ∂φ/∂t, at the end
  Reactions reaction;            ///< (∂Φ/∂v)ᵀ at (Qⁱ, Vⁱ)
  std::vector<double> at_point;  ///< Φ and its slopes there
  std::vector<double> x;         ///< (t, Qⁱ, vⁱ)
  std::vector<double> second;    ///< ∂L/∂(q, v) there, and the second derivatives
  std::vector<double> momenta;   ///< Ad* ∂L/∂v there, of all points but the first
  // Where the end is led back to the constraints.
  ConstraintKkt kkt;
  std::vector<int> left_out;
  Vn v, impulse, rates, unknown;
};

}  // namespace varia::detail
