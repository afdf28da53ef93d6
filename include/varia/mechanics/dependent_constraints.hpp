// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Constraints that say the same, or contradict each other.
//
//   (dependent)   Σₐ cₐ ∇φₐ(q) = 0,  c ≠ 0
//
// Where such a c exists the multipliers are not unique: λ + s c gives the same reaction. If
// Σ cₐφₐ(q) = 0 too, one of the φₐ is left out and the motion is the same; if not, no small
// change of q makes all φₐ vanish, and the constraints are inconsistent near q.
#include <string>
#include <vector>

#include "varia/mechanics/kernels.hpp"

namespace varia {

/// ∇φ_last = Σ coefficient ∇φ_constraint, the others listed; none when ∇φ_last itself vanishes.
struct Dependency {
  int last = 0;
  std::vector<int> constraints;
  std::vector<double> coefficients;
  double value = 0.0;  ///< φ_last - Σ coefficient φ_constraint at the point
};

/// What dependent_constraints() found at a point.
struct ConstraintRank {
  int count = 0;                         ///< constraints
  std::vector<Dependency> dependencies;  ///< one for each that can be left out
  int rank() const { return count - static_cast<int>(dependencies.size()); }
  bool independent() const { return dependencies.empty(); }
  /// The constraints that can be left out.
  std::vector<int> left_out() const;
  /// A constraint whose own gradient vanishes, which follows from no others; -1 if there is none.
  int without_gradient() const;
};

/// The gradients of some constraints are dependent at a point where they must not be.
struct DependentConstraints : InvalidArgument {
  DependentConstraints(const std::string& what, ConstraintRank found)
      : InvalidArgument(what), rank(std::move(found)) {}
  ConstraintRank rank;
};

/// No point near the given one satisfies all constraints.
struct InconsistentConstraints : InvalidArgument {
  using InvalidArgument::InvalidArgument;
};

/// Constraints that became dependent along a motion, or ceased to be.
struct SingularConstraints : NoConvergence {
  using NoConvergence::NoConvergence;
};

/// A gradient counts as dependent when its sine against the span of those before it is below.
inline constexpr double dependence_tolerance = 1e-8;

/// The rank of G, given by its nonzero entries, with φ at the same point. Small systems keep the
/// constraints in their order, so that a later one is named as following from earlier ones.
ConstraintRank dependent_constraints(const Pattern& pattern, int d, int n, const double* phi,
                                     const double* g, double tolerance = dependence_tolerance);
/// The same at a point of a system.
ConstraintRank dependent_constraints(const KernelSystem& system, const double* q, double t = 0.0,
                                     double tolerance = dependence_tolerance);

/// The same for a System in C++.
template <class S, Point Q>
ConstraintRank dependent_constraints(const S& system, const Q& q, double t = 0.0) {
  Vn entries(Entries<Q>::count(q));
  Entries<Q>::write(q, entries.data());
  return dependent_constraints(*kernels_of(system, q), entries.data(), t);
}

/// "grad phi[3] = 2 grad phi[1] - grad phi[2]", counted from 1; names replace phi[i] if given.
std::string to_text(const Dependency& dependency, const std::vector<std::string>& names = {});
/// All of them in one sentence; of a long relation only the last constraint, and how many others there are.
std::string to_text(const ConstraintRank& rank, const std::vector<std::string>& names = {});

}  // namespace varia
