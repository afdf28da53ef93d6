// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Velocities, energies and accelerations of a KernelSystem, with work space of their own: one object is
// for one thread at a time.
//
// (FL), (energy) and (EL) of mechanics/, with the zeros of ∂²L/∂v² left out.
#include <vector>

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
  /// ⟨p, v⟩ - L
  double energy(double t, const double* q, const double* v);
  /// (EL) without constraints: ∂²L/∂v² a = ∂L/∂q + f - ∂²L/∂v∂q v - ∂²L/∂v∂t. False where it has no
  /// finite solution.
  bool acceleration(double t, const double* q, const double* v, double* a);

 private:
  void place(double t, const double* q, const double* v);
  bool factor_mass();
  [[noreturn]] void singular(double t) const;

  const KernelSystem& f_;
  std::vector<int> mass_value_;
  std::vector<std::size_t> mass_slot_;
  Eigen::MatrixXd inverse_;  ///< of a constant mass that is not diagonal
  StructuredLU mass_;
  std::vector<double> x_, second_, force_, trial_;
};

}  // namespace varia
