// SPDX-License-Identifier: BSD-3-Clause
#include "varia/verify/certify_shooting.hpp"

#include "varia/verify/certify_order.hpp"

namespace varia {

CertifiedOrder certify_order(const ShootingFlow& flow, const FlatState& start, double h) {
  const auto value = [&](const Eigen::VectorXd& q0, const Eigen::VectorXd& q1, double t,
                         double step) { return flow.discrete_lagrangian(t, q0, q1, step).value; };
  return certify_order(flow.with_method(gauss(2)), value, start, h, flow.method().order());
}

}  // namespace varia
