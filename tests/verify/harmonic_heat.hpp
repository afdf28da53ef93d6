// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The exact mean of the kinetic energy of a harmonic system, mode by mode: what (heat) is held against.
//
//   (harmonic-heat)   K̄(T) = Σₖ ¼Aₖ²ωₖ² [1 - (sin(2ωₖT + 2φₖ) - sin 2φₖ)/(2ωₖT)]          [West04]
//
// for ½vᵀMv - ½qᵀKq with modes qₖ = Aₖ cos(ωₖt + φₖ) in M-orthonormal coordinates; a mode with
// ωₖ = 0 adds ½bₖ², bₖ its momentum.
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <string>

#include "varia/core/error.hpp"
#include "varia/core/types.hpp"

namespace varia {

/// K̄(T), and its limit for T → ∞.
struct HarmonicHeat {
  double mean = 0.0, limit = 0.0;
};

/// For L = ½vᵀMv - ½qᵀKq from (q, p) at t = 0. M is positive definite, K symmetric and nonnegative;
/// otherwise InvalidArgument.
inline HarmonicHeat harmonic_heat(const Eigen::MatrixXd& mass, const Eigen::MatrixXd& stiffness,
                                  const Vn& q, const Vn& p, double duration) {
  const Eigen::Index n = q.size();
  if (mass.rows() != n || mass.cols() != n || stiffness.rows() != n || stiffness.cols() != n ||
      p.size() != n)
    throw InvalidArgument("harmonic heat: mass and stiffness must be " + std::to_string(n) +
                          " by " + std::to_string(n) + ", with as many positions and momenta");
  if (!(duration > 0.0))
    throw InvalidArgument("harmonic heat: the duration must be positive, got " + to_text(duration));
  if (Eigen::LLT<Eigen::MatrixXd>(mass).info() != Eigen::Success)
    throw InvalidArgument("harmonic heat: the mass matrix is not positive definite");
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> modes(stiffness, mass);
  const Vn a = modes.eigenvectors().transpose() * mass * q;  // modal positions
  const Vn b = modes.eigenvectors().transpose() * p;         // modal momenta
  const double zero = 1e-12 * std::max(1e-300, modes.eigenvalues().cwiseAbs().maxCoeff());
  HarmonicHeat result;
  for (Eigen::Index k = 0; k < n; ++k) {
    const double square = modes.eigenvalues()[k];
    if (square < -zero)
      throw InvalidArgument("harmonic heat: the stiffness matrix has the negative eigenvalue " +
                            to_text(square) + ", and the motion grows");
    if (square <= zero) {
      result.mean += 0.5 * b[k] * b[k];
      result.limit += 0.5 * b[k] * b[k];
      continue;
    }
    const double omega = std::sqrt(square);
    const double level = 0.25 * (square * a[k] * a[k] + b[k] * b[k]);
    const double phase = std::atan2(-b[k], omega * a[k]);
    const double off = std::sin(2.0 * omega * duration + 2.0 * phase) - std::sin(2.0 * phase);
    result.mean += level * (1.0 - off / (2.0 * omega * duration));
    result.limit += level;
  }
  return result;
}

}  // namespace varia
