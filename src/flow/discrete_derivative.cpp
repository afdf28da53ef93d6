// SPDX-License-Identifier: BSD-3-Clause
#include "discrete_derivative.hpp"

#include <utility>

#include "scatter.hpp"
#include "varia/core/index.hpp"

namespace varia::detail {

DiscreteDerivative::DiscreteDerivative(const DiscreteLagrangianSystem& system,
                                       const std::vector<double>& x, StructuredLU matrix,
                                       const std::vector<std::size_t>& slots)
    : f_(system),
      d11_(both_triangles(system.whole_pattern, 0, 0, system.n)),
      d12_(both_triangles(system.whole_pattern, 0, system.n, system.n)),
      d21_(both_triangles(system.whole_pattern, system.n, 0, system.n)),
      d22_(both_triangles(system.whole_pattern, system.n, system.n, system.n)),
      out_(sz(2 * system.n + system.whole_pattern.size())),
      rates_(2 * system.n, 1 + system.free),
      mixed_(std::move(matrix)) {
  f_.whole(x.data(), out_.data());
  f_.rates(x.data(), rates_.data());
  std::vector<double> mixed(sz(2 * f_.n + f_.mixed.size()));
  f_.second(x.data(), mixed.data());
  mixed_.set_zero();
  for (int e = 0; e < f_.mixed.size(); ++e) mixed_.data()[slots[sz(e)]] = mixed[sz(2 * f_.n + e)];
  if (!mixed_.factor())
    throw DomainError("a step of the discrete Lagrangian has no derivative: D1 D2 Ld is singular");
}

Vn DiscreteDerivative::times(const std::vector<Scatter>& block, const Vn& x) const {
  Vn product = Vn::Zero(f_.n);
  add_product(block, out_.data() + 2 * f_.n, x, product);
  return product;
}

/// (dh, dθ)
Vn DiscreteDerivative::parameters(const PhaseVector& z) const {
  Vn s = Vn::Zero(1 + f_.free);
  s[0] = z.h;
  s.tail(z.free.size()) = z.free;
  return s;
}

void DiscreteDerivative::add_parameters(const Vn& s, PhaseVector& z) const {
  z.h += s[0];
  z.free += s.tail(z.free.size());
}

void DiscreteDerivative::forward(PhaseVector& z) const {
  const Vn by_rates = rates_ * parameters(z);
  Vn end = -(z.nu + times(d11_, z.delta) + by_rates.head(f_.n));
  mixed_.solve(end.data());
  z.nu = times(d21_, z.delta) + times(d22_, end) + by_rates.tail(f_.n);
  z.delta = end;
  z.t += z.h;
}

void DiscreteDerivative::transposed(PhaseVector& z) const {
  Vn row = -(z.delta + times(d22_, z.nu));
  mixed_.solve_transposed(row.data());
  Vn both(2 * f_.n);
  both << row, z.nu;
  z.delta = times(d11_, row) + times(d12_, z.nu);
  z.h += z.t;
  add_parameters(rates_.transpose() * both, z);
  z.nu = row;
}

}  // namespace varia::detail
