// SPDX-License-Identifier: BSD-3-Clause
#include "varia/verify/certify_flow.hpp"

#include "varia/flow/stage_flow.hpp"
#include "varia/verify/certify_order.hpp"

namespace varia {

CertifiedOrder certify_order(const StageFlow& flow, const VectorState& start, double h) {
  return detail::certify_method(flow, start, h);
}

CertifiedOrder certify_order(const AnyFlow& flow, const VectorState& start, double h) {
  if (const StageFlow* stages = flow.stages()) return certify_order(*stages, start, h);
  const auto own = flow.discrete_lagrangian();
  if (!own)
    throw InvalidArgument("certify_order: " + flow.method().name() +
                          " has no discrete Lagrangian on (q, p)");
  if (flow.system().forced || flow.system().d > 0)
    throw InvalidArgument(
        "certify_order: with forces or constraints L_d alone does not determine the order");
  const StageFlow by_stages(gauss(2), flow.shared_system());
  const ExactLagrangian<StageFlow> exact(by_stages);
  const auto value = [&](const Vn& q0, const Vn& q1, double t, double step) {
    return own(t, q0, q1, step);
  };
  return detail::certify_value(exact, value, start, h, flow.method().order());
}

}  // namespace varia
