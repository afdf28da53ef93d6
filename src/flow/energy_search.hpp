// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The root h > 0 of φ(h) = E⁻(h) - E nearest to where it is expected, between bounds, on the branch
// on which φ′ has a known sign; and the minimum of |φ| where there is no root.
//
// Along a trajectory a simple root moves continuously and φ′ keeps its sign until two roots meet.
// A root with the other sign belongs to another branch and is not taken.
#include <functional>
#include <optional>
#include <string>

namespace varia::detail {

/// φ(h), and the size of the terms it is the difference of.
struct EnergySample {
  double h, value, magnitude;
};

struct EnergyRoot {
  bool found = false;
  bool redundant = false;            ///< φ is round-off wherever one looks
  double slope = 0.0;                ///< sign of φ′ at the root
  std::optional<EnergySample> best;  ///< the root, or the smallest |φ|
};

struct EnergySearch {
  /// Nothing where the momentum equations have no solution.
  using Residual = std::function<std::optional<EnergySample>(double h)>;

  double lowest = 0.0, highest = 0.0;
  double slope = 0.0;  ///< sign of φ′ that the root must have; 0: either

  EnergyRoot find(double expected, const Residual& residual) const;
};

/// What happened, where, and what to try.
[[noreturn]] void no_energy_step(const std::string& method, double t, double sign, double energy,
                                 const EnergySearch& search, const EnergyRoot& root);

}  // namespace varia::detail
