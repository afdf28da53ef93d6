// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Velocities, energies and accelerations of a KernelSystem, with work space of their own: one object is
// for one thread at a time.
//
// (FL), (energy) and (EL) of mechanics/, with the zeros of ∂²L/∂v² left out.
//
// Where ∂²L/∂v² depends on v, several velocities may have one momentum. They belong to branches of FL⁻¹,
// which are apart where ∂²L/∂v² is singular; a state knows its own by a velocity nearby, its branch.
// Along a branch the numbers of positive and negative eigenvalues of ∂²L/∂v² do not change.
#include <vector>

#include "varia/flow/kernel_start.hpp"
#include "varia/mechanics/kernel_system.hpp"
#include "varia/solve/structured.hpp"

namespace varia {

class LegendreTransform {
 public:
  explicit LegendreTransform(const KernelSystem& system);

  /// p = ∂L/∂v
  void momentum(double t, const double* q, const double* v, double* p);
  /// v with ∂L/∂v(t, q, v) = p; v holds the guess on entry. Throws NoConvergence or SingularMass.
  void velocity(double t, const double* q, const double* p, double* v);
  /// The velocity of the state, on its branch; v is the guess where the state has none.
  void velocity(const VectorState& s, double* v);
  /// The branch of s, which moved there by a short step, becomes the velocity of s; the guess is
  /// near it. Throws SingularMass where the branch ended on the way.
  void follow(VectorState& s, const double* guess);
  /// Throws SingularMass where v and w, velocities at (t, q), are on different branches.
  void require_same_branch(double t, const double* q, const double* v, const double* w);
  /// Throws SingularMass where the motion from s comes to the end of its branch within h.
  void require_branch_ahead(const VectorState& s, double h);
  /// ⟨p, v⟩ - L
  double energy(double t, const double* q, const double* v);
  /// (EL) without constraints: ∂²L/∂v² a = ∂L/∂q + f - ∂²L/∂v∂q v - ∂²L/∂v∂t. False where it has no
  /// finite solution.
  bool acceleration(double t, const double* q, const double* v, double* a);

 private:
  void place(double t, const double* q, const double* v);
  bool factor_mass();
  [[noreturn]] void singular(double t) const;
  Eigen::MatrixXd mass() const;
  int negative_masses(double t, const double* q, const double* v);

  const KernelSystem& f_;
  std::vector<int> mass_value_;
  std::vector<std::size_t> mass_slot_;
  Eigen::MatrixXd inverse_;  ///< of a constant mass that is not diagonal
  StructuredLU mass_;
  std::vector<double> x_, second_, force_, trial_;
};

}  // namespace varia
