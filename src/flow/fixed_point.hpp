// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The stage equations by iteration instead of Newton's method, where that is cheaper.
//
// At h = 0 their Jacobian is K ⊗ M with K = Σᵢ row_P B and the mass M = ∂²L/∂v²; what is left out is
// O(h), on systems without gyroscopic terms O(h²). So
//
//   (iterate)   u ← u - (K ⊗ M)⁻¹ F(u)
//
// contracts where the step resolves the motion, and costs no second derivatives and no
// factorisation of the whole [HLW06, VIII.6.1]. M is that of an earlier step while it serves.
#include <vector>

#include "stages.hpp"

namespace varia::detail {

class FixedPoint {
 public:
  FixedPoint(const KernelSystem& system, const StageCoefficients& coefficients);

  /// Iterates from stages.newton.x until the steps are round-off: where they stop to shrink, so that
  /// what is left does not add up over many steps [HMR08].
  NewtonReport solve(Stages& stages, const VectorState& s, double h);

  /// By what one iteration shrinks the distance to the solution, which stages.newton.x holds and
  /// keeps; measured from the point at which all velocities are v.
  double contraction(Stages& stages, const VectorState& s, const double* v);

  /// Whether iterations that contract so well are cheaper than Newton's method, by counting
  /// operations: the decision is the same on every machine.
  bool worthwhile(const Stages& stages, double contraction) const;

  /// What the next steps depend on.
  void exchange(SavedNumbers& numbers);

 private:
  struct Step {
    double size, scale;  ///< the largest numbers of the step and of the unknown
    bool finite;
  };
  /// The operations of what an iteration is made of.
  struct Work {
    double residual, second;
  };
  Work work() const;
  int price_of_mass() const;
  bool factor_mass(const VectorState& s, const double* v);
  /// Gives up where steps shrink by less than the worst rate before they are small.
  NewtonReport iterate(Stages& stages, double worst_rate);
  Step step(Stages& stages, bool keep_low);
  void apply_inverse(double* x);

  const KernelSystem& f_;
  int n_, r_, points_;
  std::vector<double> inverse_K_;  ///< r × r
  bool nodal_;                     ///< K = 1
  bool constant_mass_;
  std::vector<double> inverse_mass_;  ///< where it is constant and diagonal
  bool factored_ = false;
  KeptJacobian kept_mass_;
  StructuredLU mass_;
  std::vector<int> mass_value_;
  std::vector<std::size_t> mass_slot_;
  std::vector<double> x_, second_, row_, kept_;
};

}  // namespace varia::detail
