// SPDX-License-Identifier: BSD-3-Clause
#include "varia/mechanics/mass.hpp"

#include <Eigen/Eigenvalues>
#include <limits>

namespace varia::detail {

namespace {

/// A direction with its rounding noise removed: (0, 1, 0).
std::string direction_text(const Vn& v) {
  std::string text;
  for (const double component : v) {
    const double rounded = std::round(component * 1e6) / 1e6;
    text += (text.empty() ? "(" : ", ") + to_text(rounded == 0.0 ? 0.0 : rounded);
  }
  return text + ")";
}

}  // namespace

void require_regular(const Eigen::MatrixXd& mass, const std::string& where) {
  if (!mass.allFinite())
    throw InvalidArgument("mass matrix" + where + " has an entry that is not a finite number");
  // units must not matter: a diagonal of very different masses is regular
  const Vn unit = mass.diagonal().unaryExpr(
      [](double m) { return m == 0.0 ? 1.0 : 1.0 / std::sqrt(std::abs(m)); });
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(unit.asDiagonal() * mass *
                                                             unit.asDiagonal());
  Eigen::Index least = 0;
  const double smallest = eigen.eigenvalues().cwiseAbs().minCoeff(&least);
  const double largest = eigen.eigenvalues().cwiseAbs().maxCoeff();
  if (!(smallest > 64 * std::numeric_limits<double>::epsilon() * largest))
    throw SingularMass(
        "mass matrix d2L/dv2" + where + " is singular along the velocity direction " +
        direction_text(unit.cwiseProduct(eigen.eigenvectors().col(least)).normalized()) +
        ": momenta do not determine velocities. Give every coordinate a kinetic "
        "energy, or remove the coordinates that have none");
}

}  // namespace varia::detail
