// SPDX-License-Identifier: BSD-3-Clause
#include "varia/verify/certify_discrete.hpp"

#include "varia/verify/certify_order.hpp"

namespace varia {

CertifiedOrder certify_order(const FlatFlow& exact, const DiscreteLagrangianFlow& own,
                             const FlatState& start, double h, int declared) {
  using Vn = Vector<double, Dynamic>;
  const FlatSystem& system = *exact.flat_system();
  if (system.n != own.discrete_system()->n)
    throw InvalidArgument("certify_order: the Lagrangian has " + std::to_string(system.n) +
                          " coordinates, the discrete Lagrangian " +
                          std::to_string(own.discrete_system()->n));
  if (system.forced || system.d > 0)
    throw InvalidArgument(
        "certify_order: with forces or constraints L_d alone does not determine the order");
  const ExactLagrangian<FlatFlow> reference(exact);
  const auto value = [&](const Vn& q0, const Vn& q1, double, double step) {
    return own.at(q0, q1, step).value;
  };
  return detail::certify_value(reference, value, start, h, declared);
}

}  // namespace varia
