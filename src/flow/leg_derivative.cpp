// SPDX-License-Identifier: BSD-3-Clause
#include "leg_derivative.hpp"

#include <Eigen/LU>

#include "varia/core/index.hpp"

namespace varia::detail {

LegDerivative::LegDerivative(const KernelSystem& system, Legs legs)
    : f_(system),
      legs_(std::move(legs)),
      qq_(both_triangles(system.second, 0, 0, system.n)),
      pp_(both_triangles(system.second, system.n, system.n, system.n)) {
  if (f_.mass_diagonal.empty() && !f_.hamiltonian) inverse_mass_ = f_.mass.inverse();
}

Vn LegDerivative::by_mass(const Vn& p) const {
  if (f_.mass_diagonal.empty()) return inverse_mass_ * p;
  return p.cwiseQuotient(Eigen::Map<const Vn>(f_.mass_diagonal.data(), f_.n));
}

void LegDerivative::add(bool kick, double coefficient, double fraction, const VectorState& s) {
  const Vn y = f_.hamiltonian ? Vn(s.p) : by_mass(s.p);
  const std::vector<double> x = f_.point(s.t, s.q.data(), y.data());
  const double sign = f_.hamiltonian ? -1.0 : 1.0;  // L, or -H
  Leg leg{kick, coefficient, fraction, y, {}, {}};
  if (kick || f_.hamiltonian) {
    leg.second.resize(sz(2 * f_.n + f_.second.size()));
    f_.hessian(x.data(), leg.second.data());
    for (double& value : leg.second) value *= sign;
    const Eigen::Map<const Vn> slope(leg.second.data(), 2 * f_.n);
    leg.rate = kick ? Vn(slope.head(f_.n)) : Vn(-slope.tail(f_.n));
  }
  Eigen::MatrixXd both = Eigen::MatrixXd::Zero(2 * f_.n, 1 + f_.free);
  if (f_.rates) f_.rates(x.data(), both.data());
  leg.rates = sign * both.middleRows(kick ? 0 : f_.n, f_.n);
  list_.push_back(std::move(leg));
}

void LegDerivative::set(const VectorState& start, double h) {
  h_ = h;
  list_.clear();
  VectorState s = start;
  double fraction = 0.0;
  for (std::size_t i = 0; i < legs_.kicks.size(); ++i) {
    if (i > 0) {
      const double a = legs_.drifts[i - 1];
      add(false, a, fraction, s);
      s.q += (h * a) * list_.back().rate;
      fraction += a;
      s.t = start.t + h * fraction;
    }
    if (const double b = legs_.kicks[i]; b != 0.0) {
      add(true, b, fraction, s);
      s.p += (h * b) * list_.back().rate;
    }
  }
}

/// What the change of t and of the free parameters does to the rate of p, or to ∂L/∂v.
Vn LegDerivative::in_parameters(const Leg& leg, const PhaseVector& z) const {
  const Vn s = parameters_of(z, z.t + leg.fraction * z.h, static_cast<int>(z.free.size()));
  return leg.rates.leftCols(s.size()) * s;
}

void LegDerivative::add_parameters(const Leg& leg, const Vn& covector, PhaseVector& z) const {
  const auto rate = [&](int s) { return covector.dot(leg.rates.col(s)); };
  z.t += rate(0);
  z.h += leg.fraction * rate(0);
  for (int s = 0; s < z.free.size(); ++s) z.free[s] += rate(1 + s);
}

/// Of M⁻¹(p - …), or of ∂H/∂p.
Vn LegDerivative::velocity_change(const Leg& leg, const Vn& nu, const Vn& by_parameters) const {
  if (!f_.hamiltonian) return by_mass(nu - by_parameters);
  Vn sum = by_parameters;
  add_product(pp_, leg.second.data() + 2 * f_.n, nu, sum);
  return -sum;
}

void LegDerivative::forward(PhaseVector& z) const {
  for (const Leg& leg : list_) {
    Vn change = in_parameters(leg, z);
    if (leg.kick)
      add_product(qq_, leg.second.data() + 2 * f_.n, z.delta, change);
    else
      change = velocity_change(leg, z.nu, change);
    (leg.kick ? z.nu : z.delta) += leg.coefficient * (z.h * leg.rate + h_ * change);
  }
  z.t += z.h;
}

void LegDerivative::transposed(PhaseVector& z) const {
  z.h += z.t;
  for (std::size_t i = list_.size(); i-- > 0;) {
    const Leg& leg = list_[i];
    const Vn& given = leg.kick ? z.nu : z.delta;
    z.h += leg.coefficient * leg.rate.dot(given);
    Vn covector = (h_ * leg.coefficient) * given;
    if (leg.kick) {
      add_product(qq_, leg.second.data() + 2 * f_.n, covector, z.delta);  // symmetric
    } else if (f_.hamiltonian) {
      covector = -covector;
      add_product(pp_, leg.second.data() + 2 * f_.n, covector, z.nu);  // symmetric
    } else {
      covector = by_mass(covector);
      z.nu += covector;
      covector = -covector;
    }
    add_parameters(leg, covector, z);
  }
}

}  // namespace varia::detail
